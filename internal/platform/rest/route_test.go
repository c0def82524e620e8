package rest

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

func TestModuleHeader(t *testing.T) {
	t.Parallel()
	a := newTestAPI(t, nil)
	addGet(a, "/wps/read", Public, func(context.Context) (bool, error) { return true, nil })
	for module, want := range map[string]string{"": "", "OPEN3": "", "SHUT3": "module.off", "WEATHER3": "module.off", "open3": "module.off"} {
		if w := call(t, a, http.MethodGet, "/wps/read", "", "ModuleId", module); code(t, w) != want || want != "" && w.Code != http.StatusForbidden {
			t.Errorf("module %q: %d %s", module, w.Code, w.Body)
		}
	}
}

func TestTokenInQueryIsRejected(t *testing.T) {
	t.Parallel()
	a := newTestAPI(t, nil)
	yes := func(context.Context, *struct{}) (bool, error) { return true, nil }
	Typed(a, Op{Method: http.MethodPut, Path: "/wps/renew", ID: "renew", Access: Session}, yes)
	Typed(a, Op{Method: http.MethodDelete, Path: "/wps/logout", ID: "logout", Access: Session, TokenAnywhere: true}, yes)
	Typed(a, Op{Method: http.MethodPost, Path: "/wps/star", ID: "star", Access: Session, TokenAnywhere: true}, yes)
	for _, tt := range []struct{ method, path, want string }{
		{http.MethodPut, "/wps/renew?token=player", "request_param_err"},
		{http.MethodDelete, "/wps/logout?token=player", ""},
		{http.MethodPost, "/wps/star?token=player", "request_param_err"}, // its payload is the body
	} {
		if w := call(t, a, tt.method, tt.path, "", "Authorization", "player"); code(t, w) != tt.want {
			t.Errorf("%s %s: code = %q, want %q", tt.method, tt.path, code(t, w), tt.want)
		}
	}
}

func TestUnexpectedBodiesAreRejected(t *testing.T) {
	t.Parallel()
	a := newTestAPI(t, nil)
	yes := func(context.Context, *struct{}) (bool, error) { return true, nil }
	Typed(a, Op{Method: http.MethodPut, Path: "/wps/renew", ID: "renew", Access: Session}, yes)
	Typed(a, Op{Method: http.MethodGet, Path: "/wps/read", ID: "read"}, yes)
	Typed(a, Op{Method: http.MethodDelete, Path: "/wps/logout", ID: "logout", Access: Session, TokenAnywhere: true}, yes)
	encoded, err := Encode("list")
	if err != nil {
		t.Fatal(err)
	}
	Raw[struct{}, string](a, Op{Method: http.MethodGet, Path: "/wps/list", ID: "list"}, encoded)
	for _, tt := range []struct{ method, path, body, want string }{
		{http.MethodPut, "/wps/renew", "", ""},
		{http.MethodPut, "/wps/renew", `{"token":"other"}`, "request_param_err"},
		{http.MethodGet, "/wps/read", "", ""},
		{http.MethodGet, "/wps/read", " {} ", ""},
		{http.MethodGet, "/wps/read", `{"a":1}`, "request_param_err"},
		{http.MethodGet, "/wps/read", "                {}", "request_param_err"},
		{http.MethodPost, "/wps/missing", `{"a":1}`, "route.unknown"},
		{http.MethodGet, "/wps/list", "", ""},
		{http.MethodGet, "/wps/list", "x", "request_param_err"},
		{http.MethodDelete, "/wps/logout", `{"token":"player"}`, ""},
		{http.MethodDelete, "/wps/logout", `{"all":true}`, "request_param_err"},
	} {
		for _, hasLength := range []bool{true, false} {
			r := httptest.NewRequest(tt.method, tt.path, strings.NewReader(tt.body))
			if tt.body == "" && hasLength {
				r.Body = http.NoBody
			}
			if !hasLength {
				r.ContentLength = -1
			}
			r.Header.Set("Authorization", "player")
			w := httptest.NewRecorder()
			a.Handler().ServeHTTP(w, r)
			if code(t, w) != tt.want {
				t.Errorf("%s %s %q, with length %v: %d %s, want code %q", tt.method, tt.path, tt.body, hasLength, w.Code, w.Body, tt.want)
			}
		}
	}
}

func TestDisconnectedClientIsNotAServerError(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	registry := prometheus.NewRegistry()
	a := newTestAPI(t, func(o *Options) { o.Metrics, o.Log = registry, slog.New(slog.NewTextHandler(&log, nil)) })
	a.Mount("GET /metrics", a.MetricsHandler(registry))
	ctx, disconnect := context.WithCancel(t.Context())
	addGet(a, "/wps/read", Public, func(ctx context.Context) (bool, error) {
		disconnect()
		<-ctx.Done()
		return false, errors.New("interrupted")
	})
	r := httptest.NewRequest(http.MethodGet, "/wps/read", http.NoBody).WithContext(ctx)
	a.Handler().ServeHTTP(httptest.NewRecorder(), r)
	if text := log.String(); !strings.Contains(text, "level=INFO") || !strings.Contains(text, "status=499") || strings.Contains(text, "level=ERROR") {
		t.Errorf("log = %s, want level INFO and status 499", text)
	}
	metrics := httptest.NewRequest(http.MethodGet, "http://localhost/metrics", http.NoBody)
	metrics.RemoteAddr = "127.0.0.1:1"
	w := httptest.NewRecorder()
	a.Handler().ServeHTTP(w, metrics)
	for class, want := range map[string]string{"4xx": "1", "5xx": "0"} {
		if line := `fairground_http_requests_total{route="/wps/read",status="` + class + `"} ` + want; !strings.Contains(w.Body.String(), line) {
			t.Errorf("the metrics lack %s", line)
		}
	}
}

func TestLongPathsAreTruncatedInTheLog(t *testing.T) {
	t.Parallel()
	for name, handler := range map[string]func(*bytes.Buffer) *slog.Logger{
		"NewLog": func(b *bytes.Buffer) *slog.Logger { return NewLog(b, slog.LevelInfo) },
		"slog":   func(b *bytes.Buffer) *slog.Logger { return slog.New(slog.NewTextHandler(b, nil)) },
	} {
		var log bytes.Buffer
		a := newTestAPI(t, func(o *Options) { o.Log = handler(&log) })
		call(t, a, http.MethodGet, "/wps/"+strings.Repeat("long", 5000), "")
		if err := Flush(a.log); err != nil {
			t.Fatal(err)
		}
		if log.Len() > 1000 || !strings.Contains(log.String(), "longlong") {
			t.Errorf("%s: %d bytes, want at most 1000 with the beginning of the path: %.300s", name, log.Len(), log.String())
		}
	}
}

func TestStreamHasATimeoutUntilItStarts(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a := newTestAPI(t, func(o *Options) { o.Authenticator = blockedAuthenticator{} })
		Handle(a, Op{Method: http.MethodGet, Path: "/wps/stream", ID: "stream", Stream: true, ContentType: "text/event-stream"},
			http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if _, bounded := r.Context().Deadline(); !bounded {
					t.Error("the context of a stream has no deadline before it starts")
				}
				ServeEvents(w, r, func(ctx context.Context, _ *EventStream) {
					select {
					case <-ctx.Done():
						t.Error("the context of the stream was cancelled")
					case <-time.After(time.Hour):
					}
					_, _ = w.Write([]byte("done"))
				})
			}))
		Handle(a, Op{Method: http.MethodGet, Path: "/wps/closed", ID: "closed", Stream: true, Access: Session, ContentType: "text/event-stream"}, http.NotFoundHandler())
		if w := call(t, a, http.MethodGet, "/wps/stream", ""); w.Code != http.StatusOK || w.Body.String() != "done" {
			t.Errorf("got %d %s, want 200 done", w.Code, w.Body)
		}
		before := time.Now()
		if w := call(t, a, http.MethodGet, "/wps/closed", "", "Authorization", "x"); w.Code != http.StatusGatewayTimeout || time.Since(before) != defaultTimeout {
			t.Errorf("blocked authenticator: %d after %v, want 504 after %v", w.Code, time.Since(before), defaultTimeout)
		}
		if w := call(t, a, http.MethodHead, "/wps/stream", ""); w.Code != http.StatusMethodNotAllowed || w.Header().Get("Allow") != "GET" {
			t.Errorf("HEAD: %d %v, want 405 and that GET is allowed", w.Code, w.Header())
		}
	})
}

type blockedAuthenticator struct{}

func (blockedAuthenticator) Authenticate(ctx context.Context, _ string) (Caller, error) {
	<-ctx.Done()
	return Caller{}, ctx.Err()
}

func TestLanguage(t *testing.T) {
	t.Parallel()
	for wire, want := range map[string]string{"": "vi", "VI": "vi", "en": "en", "EN": "en", "eN": "en", "Ur": "ur", "PT": "pt", "DE": "vi", "E": "vi"} {
		if got := Language(wire); got != want {
			t.Errorf("Language(%q) = %s, want %s", wire, got, want)
		}
	}
}

func TestInvalidTextInURLs(t *testing.T) {
	t.Parallel()
	a := newTestAPI(t, nil)
	Typed(a, Op{Method: http.MethodGet, Path: "/wps/find/{name}", ID: "find"}, func(_ context.Context, in *struct {
		Name string `path:"name"`
		Code string `query:"code"`
	}) (string, error) {
		return in.Name + " " + in.Code, nil
	})
	encoded, err := Encode("list")
	if err != nil {
		t.Fatal(err)
	}
	Raw[struct{}, string](a, Op{Method: http.MethodGet, Path: "/wps/list", ID: "list"}, encoded)
	for target, want := range map[string]string{
		"/wps/find/a?code=b": "", "/wps/find/%C4%91?code=%C4%91%26+%2B": "", "/wps/list?a=%00": "request_param_err", "/wps/list?%ff=a": "request_param_err",
		"/wps/find/a?code=a%00b": "request_param_err", "/wps/find/a?code=%C4": "request_param_err", "/wps/find/a?code=%ed%a0%80": "request_param_err",
		"/wps/find/a?other=1&code=%zz": "request_param_err", "/wps/find/a?code=\xc4": "request_param_err",
		"/wps/find/a%00b": "request_param_err", "/wps/find/%ff": "request_param_err",
	} {
		if w := call(t, a, http.MethodGet, target, ""); code(t, w) != want || want != "" && w.Code != http.StatusBadRequest {
			t.Errorf("%q = %d %s, want the code %q", target, w.Code, w.Body, want)
		}
	}
}
