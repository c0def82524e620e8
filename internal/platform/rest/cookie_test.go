package rest_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"fairground/internal/platform/rest"
)

func TestSetCookie(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		tls  bool
		want string
	}{
		"plain": {false, "a=1; Path=/wps; Max-Age=300; HttpOnly; SameSite=Strict"},
		"TLS":   {true, "a=1; Path=/wps; Max-Age=300; HttpOnly; Secure; SameSite=Strict"},
	} {
		api, err := rest.New(rest.Options{TLS: c.tls})
		if err != nil {
			t.Fatal(err)
		}
		rest.Typed(api, rest.Op{Method: http.MethodGet, Path: "/wps/cookie", ID: "cookie", Summary: "A cookie"},
			func(ctx context.Context, _ *struct{}) (string, error) {
				rest.SetCookie(ctx, &http.Cookie{Name: "a", Value: "1", Path: "/wps", MaxAge: 300, SameSite: http.SameSiteStrictMode, Secure: true})
				rest.SetCookie(ctx, &http.Cookie{Name: "bad name", Value: "1"})
				return rest.NetworkOf(ctx), nil
			})
		w := httptest.NewRecorder()
		r := httptest.NewRequest(http.MethodGet, "/wps/cookie", nil)
		r.RemoteAddr = "[2001:db8:1:2:3::4]:5000"
		api.Handler().ServeHTTP(w, r)
		if got := w.Header().Values("Set-Cookie"); len(got) != 1 || got[0] != c.want {
			t.Errorf("%s: cookies = %q, want %q", name, got, c.want)
		}
		if got := w.Body.String(); got != `{"success":true,"value":"2001:db8:1:2::"}`+"\n" {
			t.Errorf("%s: body = %s, want the address 2001:db8:1:2::", name, got)
		}
	}
	rest.SetCookie(t.Context(), &http.Cookie{Name: "a"}) // outside a request it does nothing
	if got := rest.NetworkOf(t.Context()); got != "unknown" {
		t.Errorf("outside a request: network = %q, want unknown", got)
	}
}
