package rest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"fairground/internal/fault"
)

func TestEveryFaultKindHasAStatus(t *testing.T) {
	t.Parallel()
	for kind := fault.Internal; kind <= fault.Timeout; kind++ {
		if statuses[kind] == 0 || messages[kind] == "" {
			t.Errorf("kind %d has no status or no message", kind)
		}
	}
}

func TestFailures(t *testing.T) {
	t.Parallel()
	unavailable := errors.New("dial tcp: connection refused")
	tests := []struct {
		name string
		err  error
		want string
		code int
	}{
		{"fault", fault.New(fault.NotFound, "game.unknown"), `{"success":false,"message":"not found","errorCode":"game.unknown"}`, 404},
		{"wrapped fault", fmt.Errorf("look up: %w", fault.New(fault.Conflict, "name.taken").On("username")),
			`{"success":false,"message":"conflicts with the current state","errorCode":"name.taken","field":"username"}`, 409},
		{"fault with arguments", fault.New(fault.TooMany, "rate.limited").With("seconds", 5),
			`{"success":false,"message":"too many requests","errorCode":"rate.limited","args":{"seconds":"5"}}`, 429},
		{"fault with a cause", fault.New(fault.Invalid, "bad").Because(errors.New("secret detail")),
			`{"success":false,"message":"the request is not valid","errorCode":"bad"}`, 400},
		{"SE-15 unknown error has only a request id", errors.New("pq: password authentication failed for user admin"),
			`{"success":false,"message":"system error","errorCode":"system.error","requestId":"ID"}`, 500},
		{"SE-15 internal fault reveals no details", fault.New(fault.Internal, "ledger.broken").On("secret").With("token", "x"),
			`{"success":false,"message":"system error","errorCode":"system.error","requestId":"ID"}`, 500},
		{"database unavailable", fmt.Errorf("read: %w", unavailable),
			`{"success":false,"message":"unavailable, try again later","errorCode":"system.unavailable","requestId":"ID"}`, 503},
		{"timeout", fmt.Errorf("query: %w", context.DeadlineExceeded),
			`{"success":false,"message":"the request timed out","errorCode":"request.timeout","requestId":"ID"}`, 504},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			a := newTestAPI(t, func(o *Options) {
				o.Unavailable = func(err error) bool { return errors.Is(err, unavailable) }
			})
			addGet(a, "/wps/fail", Public, func(context.Context) (int, error) { return 0, tt.err })
			Handle(a, Op{Method: http.MethodGet, Path: "/wps/raw", ID: "raw"}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				WriteError(w, r, tt.err)
			}))
			for _, path := range []string{"/wps/fail", "/wps/raw"} {
				w := call(t, a, http.MethodGet, path, "")
				want := strings.Replace(tt.want, "ID", w.Header().Get("X-Request-Id"), 1)
				if w.Code != tt.code || strings.TrimSpace(w.Body.String()) != want {
					t.Errorf("%s: got %d %s, want %d %s", path, w.Code, w.Body, tt.code, want)
				}
				if got := w.Header().Get("Content-Type"); got != "application/json" {
					t.Errorf("%s: content type %q, want application/json", path, got)
				}
			}
		})
	}
}

func TestPanicIsLoggedAsSystemError(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	a := newTestAPI(t, func(o *Options) { o.Log = NewLog(&log, slog.LevelInfo) })
	addGet(a, "/wps/panic", Public, func(context.Context) (int, error) { panic("broken") })
	w := call(t, a, http.MethodGet, "/wps/panic", "")
	if w.Code != 500 || code(t, w) != "system.error" || strings.Contains(w.Body.String(), "broken") {
		t.Errorf("got %d %s, want 500 system.error without the cause", w.Code, w.Body)
	}
	if !strings.Contains(log.String(), `"panic":"broken"`) || !strings.Contains(log.String(), w.Header().Get("X-Request-Id")) {
		t.Errorf("the log lacks the panic or the request id: %s", log.String())
	}
	if w := call(t, a, http.MethodGet, "/wps/unknown", ""); w.Code != 404 {
		t.Errorf("next request: status = %d, want 404", w.Code)
	}
}

func TestAbortedHandlerAbortsTheConnection(t *testing.T) {
	t.Parallel()
	registry := prometheus.NewRegistry()
	var log bytes.Buffer
	a := newTestAPI(t, func(o *Options) { o.Metrics, o.Log = registry, NewLog(&log, slog.LevelInfo) })
	var done <-chan struct{}
	Handle(a, Op{Method: http.MethodGet, Path: "/wps/abort", ID: "abort"}, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		done = r.Context().Done()
		panic(http.ErrAbortHandler)
	}))
	func() {
		defer func() {
			if reason := recover(); !isAbort(reason) {
				t.Errorf("recovered %v, want http.ErrAbortHandler", reason)
			}
		}()
		call(t, a, http.MethodGet, "/wps/abort", "")
	}()
	select {
	case <-done:
	default:
		t.Error("the context of the request was not cancelled")
	}
	a.Mount("GET /metrics", a.MetricsHandler(registry))
	r := httptest.NewRequest(http.MethodGet, "http://localhost/metrics", nil)
	r.RemoteAddr = "127.0.0.1:1"
	metrics := httptest.NewRecorder()
	a.Handler().ServeHTTP(metrics, r)
	if !strings.Contains(metrics.Body.String(), "fairground_http_requests_in_flight 1\n") {
		t.Error("the aborted request is still counted as in flight")
	}
	if err := Flush(a.log); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(log.String(), "/wps/abort") {
		t.Errorf("the log lacks the request: %q", log.String())
	}
}

// Ruling 11: a failure of /lgw is {errorCode, message}, with the field and the values where a fault has them.
func TestLotteryFailuresHaveNoEnvelope(t *testing.T) {
	t.Parallel()
	a := newTestAPI(t, nil)
	addEcho(a, Op{Path: "/lgw/echo"})
	addGet(a, "/lgw/closed", Session, func(context.Context) (bool, error) { return true, nil })
	addGet(a, "/lgw/refuses", Public, func(context.Context) (bool, error) { return false, ErrDenied.On("x").With("y", 1) })
	addGet(a, "/lgw/breaks", Public, func(context.Context) (bool, error) { return false, errors.New("broken") })
	for _, tt := range []struct{ method, path, body, code, more string }{
		{http.MethodGet, "/lgw/unknown", "", "route.unknown", ""},
		{http.MethodPost, "/lgw/closed", "", "route.unknown", ""},
		{http.MethodGet, "/lgw/closed", "", "login.not.session", ""},
		{http.MethodGet, "/lgw/refuses", "", "access.denied", `,"field":"x","args":{"y":"1"}`},
		{http.MethodGet, "/lgw/breaks", "", "system.error", ""},
		{http.MethodPost, "/lgw/echo", `{"name":5}`, "request_param_err", `,"field":"name"`},
	} {
		w := call(t, a, tt.method, tt.path, tt.body)
		var got struct{ Message string }
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || got.Message == "" {
			t.Errorf("%s %s: %d %s, want a message", tt.method, tt.path, w.Code, w.Body)
		}
		want := fmt.Sprintf(`{"errorCode":%q,"message":%q%s}`, tt.code, got.Message, tt.more)
		if body := strings.TrimSpace(w.Body.String()); body != want {
			t.Errorf("%s %s: %s, want %s", tt.method, tt.path, body, want)
		}
	}
}
