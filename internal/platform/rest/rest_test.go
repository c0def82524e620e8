package rest

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/spec"
)

// fakeSessions has one token per kind of member.
type fakeSessions struct{}

func (fakeSessions) Authenticate(_ context.Context, token string) (Caller, error) {
	switch token {
	case "player":
		return Caller{SessionID: 1, MemberID: 11, MerchantID: 7, Type: 0, Username: "player1", Currency: "VND"}, nil
	case "trial":
		return Caller{SessionID: 2, MemberID: 12, MerchantID: 7, Type: 4, Username: "trial1", Currency: "FUN"}, nil
	case "elsewhere":
		return Caller{SessionID: 3, MemberID: 13, MerchantID: 8, Type: 0, Username: "other1", Currency: "VND"}, nil
	default:
		return Caller{}, ErrTokenInvalid
	}
}

type fakeMerchants struct{}

func (fakeMerchants) Find(_ context.Context, code string) (Merchant, error) {
	if code == "" || code == "fairground" {
		return Merchant{ID: 7, Code: "fairground"}, nil
	}
	return Merchant{}, ErrMerchantUnknown
}

func (fakeMerchants) ModuleEnabled(_ context.Context, _ int64, module spec.Module) (bool, error) {
	return module == "OPEN3", nil
}

func newTestAPI(t testing.TB, change func(*Options)) *API {
	t.Helper()
	o := Options{Version: "test", Authenticator: fakeSessions{}, Merchants: fakeMerchants{}, Modules: fakeMerchants{}}
	if change != nil {
		change(&o)
	}
	a, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

type echoInput struct {
	Body struct {
		Name  string   `json:"name" minLength:"2" maxLength:"20"`
		Count int      `json:"count,omitempty" minimum:"0"`
		Tags  []string `json:"tags,omitempty"`
	}
}

type echoed struct {
	Name     string `json:"name"`
	Merchant string `json:"merchant"`
	Language string `json:"language"`
	Device   string `json:"device"`
	Member   int64  `json:"member"`
}

// addEcho declares a call that returns what the API determined about the request.
func addEcho(a *API, op Op) {
	op.Method, op.ID = http.MethodPost, "echo"+strings.ReplaceAll(op.Path, "/", "_")
	Typed(a, op, func(ctx context.Context, in *echoInput) (echoed, error) {
		caller, _ := CallerOf(ctx)
		return echoed{
			Name: in.Body.Name, Merchant: MerchantOf(ctx).Code, Language: LanguageOf(ctx), Device: DeviceOf(ctx),
			Member: caller.MemberID,
		}, nil
	})
}

// addGet declares a GET call with the given handler.
func addGet[O any](a *API, path string, access Access, handler func(context.Context) (O, error)) {
	op := Op{Method: http.MethodGet, Path: path, ID: "get" + strings.ReplaceAll(path, "/", "_"), Access: access}
	Typed(a, op, func(ctx context.Context, _ *struct{}) (O, error) { return handler(ctx) })
}

// call sends a request to the API. header is name, value, name, value …
func call(t testing.TB, a *API, method, target, body string, header ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	a.Handler().ServeHTTP(w, r)
	return w
}

// code returns the error code of a response, "" for success.
func code(t testing.TB, w *httptest.ResponseRecorder) string {
	t.Helper()
	var got failure
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
		t.Fatalf("response %d is not an envelope: %v: %s", w.Code, err, w.Body)
	}
	if got.Success != (got.ErrorCode == "") {
		t.Fatalf("success and errorCode are inconsistent: %s", w.Body)
	}
	return got.ErrorCode
}

func TestRequestContext(t *testing.T) {
	t.Parallel()
	a := newTestAPI(t, nil)
	addEcho(a, Op{Path: "/wps/echo"})
	addEcho(a, Op{Path: "/wps/inside", TokenAnywhere: true})
	type request struct {
		path   string
		header []string
	}
	tests := []struct {
		name string
		request
		want echoed
	}{
		{"no headers", request{"/wps/echo", nil}, echoed{Merchant: "fairground", Language: "vi"}},
		{"all headers", request{"/wps/echo", []string{"Merchant", "fairground", "Language", "UR", "Device", "OTHERS", "Authorization", "player"}},
			echoed{Merchant: "fairground", Language: "ur", Device: "OTHERS", Member: 11}},
		{"bearer", request{"/wps/echo", []string{"Authorization", "Bearer player"}}, echoed{Merchant: "fairground", Language: "vi", Member: 11}},
		{"unknown language", request{"/wps/echo", []string{"Language", "XX"}}, echoed{Merchant: "fairground", Language: "vi"}},
		{"stale token on a public call", request{"/wps/echo", []string{"Authorization", "stale"}}, echoed{Merchant: "fairground", Language: "vi"}},
		{"session of another merchant", request{"/wps/echo", []string{"Authorization", "elsewhere"}}, echoed{Merchant: "fairground", Language: "vi"}},
		{"unprintable device", request{"/wps/echo", []string{"Device", "a\x01b"}}, echoed{Merchant: "fairground", Language: "vi"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := call(t, a, http.MethodPost, tt.path, `{"name":"an"}`, tt.header...)
			var got Envelope[echoed]
			if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != http.StatusOK || !got.Success {
				t.Fatalf("answer = %d %s, %v, want 200 and success", w.Code, w.Body, err)
			}
			tt.want.Name = "an"
			if got.Value != tt.want {
				t.Errorf("got %+v, want %+v", got.Value, tt.want)
			}
		})
	}
}

func TestTokenInBody(t *testing.T) {
	t.Parallel()
	a := newTestAPI(t, nil)
	type input struct {
		Body struct {
			Token  string `json:"token,omitempty"`
			NodeID string `json:"nodeId"`
		}
	}
	Typed(a, Op{Method: http.MethodPost, Path: "/wps/star", ID: "star", Access: Real, TokenAnywhere: true},
		func(ctx context.Context, in *input) (string, error) {
			caller, _ := CallerOf(ctx)
			return caller.Username + " " + in.Body.NodeID, nil
		})
	w := call(t, a, http.MethodPost, "/wps/star", `{"token":"player","nodeId":"n1"}`)
	if want := `{"success":true,"value":"player1 n1"}`; strings.TrimSpace(w.Body.String()) != want {
		t.Errorf("got %s, want %s", w.Body, want)
	}
	if got := code(t, call(t, a, http.MethodPost, "/wps/star", `{"nodeId":"n1"}`)); got != "login.not.session" {
		t.Errorf("without a token: code = %s, want login.not.session", got)
	}
}

// A call without body parameters accepts a body that contains only the token.
func TestTokenBodyRejectsOtherFields(t *testing.T) {
	t.Parallel()
	a := newTestAPI(t, nil)
	Typed(a, Op{Method: http.MethodDelete, Path: "/wps/leave", ID: "leave", Access: Session, TokenAnywhere: true},
		func(context.Context, *struct{}) (bool, error) { return true, nil })
	for _, tt := range []struct{ header, body, code string }{
		{"", `{"token":"player"}`, ""},
		{"player", `{"token":"player"}`, ""},
		{"player", `{}`, ""},
		{"player", ``, ""},
		{"", `{}`, "login.not.session"},
		{"", `{"token":"player","all":true}`, "request_param_err"},
		{"player", `{"all":true}`, "request_param_err"},
		{"", `{"Token":"player"}`, "request_param_err"},
		{"", `{"token":"trial","token":"player"}`, "request_param_err"},
		{"player", `{"token":"player","token":"player"}`, "request_param_err"},
		{"", `{"token":5}`, "request_param_err"},
		{"", `["player"]`, "request_param_err"},
		{"", `{"token":"player"`, "request_param_err"},
	} {
		w := call(t, a, http.MethodDelete, "/wps/leave", tt.body, "Authorization", tt.header)
		if got := code(t, w); got != tt.code {
			t.Errorf("%q with %s: %d %s, want %q", tt.header, tt.body, w.Code, w.Body, tt.code)
		}
	}
}

func TestMerchantCodeInQueryMustMatch(t *testing.T) {
	t.Parallel()
	a := newTestAPI(t, nil)
	type input struct {
		MerchantCode string `query:"merchantCode"`
	}
	encoded, err := Encode("list")
	if err != nil {
		t.Fatal(err)
	}
	Raw[input, string](a, Op{Method: http.MethodGet, Path: "/wps/list", ID: "list"}, encoded)
	Typed(a, Op{Method: http.MethodGet, Path: "/wps/typed", ID: "typed"}, func(context.Context, *input) (bool, error) { return true, nil })
	addGet(a, "/wps/other", Public, func(context.Context) (bool, error) { return true, nil })
	for target, want := range map[string]string{
		"/wps/list":                          "",
		"/wps/list?merchantCode=":            "",
		"/wps/list?merchantCode=fairground":  "",
		"/wps/list?x=1&merchantCode=nobody":  "merchant.unknown",
		"/wps/typed?merchantCode=fairground": "",
		"/wps/typed?merchantCode=nobody":     "merchant.unknown",
		"/wps/other?merchantCode=nobody":     "", // has no such parameter

		"/wps/list?merchantCode=fairground&merchantCode=nobody":      "request_param_err",
		"/wps/typed?merchantCode=fairground&merchantCode=fairground": "request_param_err",
	} {
		if w := call(t, a, http.MethodGet, target, ""); code(t, w) != want {
			t.Errorf("%s: %d %s, want %q", target, w.Code, w.Body, want)
		}
	}
}

func TestAccess(t *testing.T) {
	t.Parallel()
	a := newTestAPI(t, nil)
	for path, access := range map[string]Access{"/wps/public": Public, "/wps/session": Session, "/wps/real": Real} {
		addGet(a, path, access, func(context.Context) (bool, error) { return true, nil })
	}
	Typed(a, Op{Method: http.MethodGet, Path: "/wps/open", ID: "open", Module: "OPEN3"},
		func(context.Context, *struct{}) (bool, error) { return true, nil })
	Typed(a, Op{Method: http.MethodGet, Path: "/wps/closed", ID: "closed", Module: "SHUT3"},
		func(context.Context, *struct{}) (bool, error) { return true, nil })
	tests := []struct {
		path, token string
		status      int
		code        string
	}{
		{"/wps/public", "", 200, ""},
		{"/wps/public", "stale", 200, ""},
		{"/wps/session", "", 401, "login.not.session"},
		{"/wps/session", "stale", 401, "user.or.token.invalid"},
		{"/wps/session", "elsewhere", 401, "user.or.token.invalid"},
		{"/wps/session", "trial", 200, ""},
		{"/wps/session", "player", 200, ""},
		{"/wps/real", "trial", 403, "member.trial_refused"},
		{"/wps/real", "player", 200, ""},
		{"/wps/open", "", 200, ""},
		{"/wps/closed", "player", 403, "module.off"},
	}
	for _, tt := range tests {
		w := call(t, a, http.MethodGet, tt.path, "", "Authorization", tt.token)
		if w.Code != tt.status || code(t, w) != tt.code {
			t.Errorf("%s as %q: %d %s, want %d %s", tt.path, tt.token, w.Code, w.Body, tt.status, tt.code)
		}
	}
	if w := call(t, a, http.MethodGet, "/wps/public", "", "Merchant", "nobody"); w.Code != 403 || code(t, w) != "merchant.unknown" {
		t.Errorf("unknown merchant: %d %s, want 403 and merchant.unknown", w.Code, w.Body)
	}
}

func TestUnknownRoutes(t *testing.T) {
	t.Parallel()
	a := newTestAPI(t, nil)
	addGet(a, "/wps/known", Public, func(context.Context) (bool, error) { return true, nil })
	tests := []struct {
		method, path string
		status       int
		allow        string
	}{
		{http.MethodGet, "/wps/unknown", 404, ""},
		{http.MethodGet, "/wps/", 404, ""},
		{http.MethodGet, "/ops/games", 404, ""},
		{http.MethodPost, "/wps/known", 405, "GET"},
		{http.MethodDelete, "/wps/known", 405, "GET"},
		{"BREW", "/wps/known", 405, "GET"},
	}
	for _, tt := range tests {
		w := call(t, a, tt.method, tt.path, "")
		if w.Code != tt.status || code(t, w) != "route.unknown" || w.Header().Get("Allow") != tt.allow {
			t.Errorf("%s %s: %d allow %q: %s, want %d, route.unknown and %q", tt.method, tt.path, w.Code, w.Header().Get("Allow"), w.Body, tt.status, tt.allow)
		}
	}
}

func discard() *slog.Logger { return NewLog(io.Discard, slog.LevelInfo) }

// BenchmarkList compares a pre-encoded list with a plain handler that sends the same bytes.
func BenchmarkList(b *testing.B) {
	encoded, err := Encode(strings.Repeat("a list of games ", 2000))
	if err != nil {
		b.Fatal(err)
	}
	a := newTestAPI(b, func(o *Options) { o.Log = discard(); o.Rate = ratelimit.PerSecond(1_000_000_000) })
	Handle(a, Op{Method: http.MethodGet, Path: "/wps/list", ID: "list"}, encoded)
	body := encoded.plain.body
	for name, h := range map[string]http.Handler{
		"api":   a.Handler(),
		"plain": http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(body) }),
	} {
		b.Run(name, func(b *testing.B) {
			s := httptest.NewServer(h)
			defer s.Close()
			s.Client().Transport.(*http.Transport).DisableCompression = true
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					res, err := s.Client().Get(s.URL + "/wps/list")
					if err != nil {
						b.Error(err)
						return
					}
					_, _ = io.Copy(io.Discard, res.Body)
					_ = res.Body.Close()
				}
			})
		})
		b.Run(name+"-direct", func(b *testing.B) {
			r := httptest.NewRequest(http.MethodGet, "/wps/list", nil)
			b.ReportAllocs()
			for b.Loop() {
				h.ServeHTTP(discardWriter{http.Header{}}, r)
			}
		})
	}
}

type discardWriter struct{ header http.Header }

func (d discardWriter) Header() http.Header         { return d.header }
func (d discardWriter) Write(p []byte) (int, error) { return len(p), nil }
func (d discardWriter) WriteHeader(int)             {}
