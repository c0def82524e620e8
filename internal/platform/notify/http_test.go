package notify

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/rest"
)

func (h *harness) outboxFor(t *testing.T, peer string) (int, string) {
	t.Helper()
	return h.outboxWith(t, rest.Options{}, func(r *http.Request) { r.RemoteAddr = peer })
}

// outboxWith requests the outbox from this machine, after change edits the request.
func (h *harness) outboxWith(t *testing.T, o rest.Options, change func(*http.Request)) (int, string) {
	t.Helper()
	api, err := rest.New(o)
	if err != nil {
		t.Fatal(err)
	}
	Routes(api, h.Service)
	r := httptest.NewRequest(http.MethodGet, "/wps/dev/outbox", nil)
	r.RemoteAddr, r.Host = "127.0.0.1:5000", "localhost:8080"
	change(r)
	w := httptest.NewRecorder()
	api.Handler().ServeHTTP(w, r)
	return w.Code, w.Body.String()
}

const unknown = `{"success":false,"message":"not found","errorCode":"route.unknown"}` + "\n"

func TestOutbox(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := open(t, store, Options{Local: true})
		if status, body := h.outboxFor(t, "127.0.0.1:5000"); status != http.StatusOK || body != `{"success":true,"value":[]}`+"\n" {
			t.Errorf("empty outbox: %d %s, want 200 and an empty list", status, body)
		}
		h.send(t, sampleSMS)
		h.add(time.Second)
		h.send(t, sampleEmail)
		m := sampleSMS
		m.Withheld = true
		h.send(t, m)
		want := `{"success":true,"value":[` +
			`{"id":"2","channel":"email","to":"minh@mail.example","subject":"Đặt lại mật khẩu","text":"482913 là mã\nDòng hai.","kind":"reset_code","state":"local","createdAt":1773480414000},` +
			`{"id":"1","channel":"sms","to":"+84912345678","subject":"","text":"482913 là mã","kind":"login_code","state":"local","createdAt":1773480413000}]}` + "\n"
		for _, peer := range []string{"127.0.0.1:5000", "[::1]:5000"} {
			status, body := h.outboxFor(t, peer)
			if diff := cmp.Diff(want, body); diff != "" || status != http.StatusOK {
				t.Errorf("%d (-want +got):\n%s", status, diff)
			}
		}
		for _, peer := range []string{"192.0.2.1:5000", "10.0.0.1:5000", "[2001:db8::1]:5000", "@"} {
			if status, body := h.outboxFor(t, peer); status != http.StatusNotFound || body != unknown {
				t.Errorf("%s = %d %s, want 404 %s", peer, status, body, unknown)
			}
		}
	})
	production := open(t, dbtest.SQLite(t), Options{})
	if status, body := production.outboxFor(t, "127.0.0.1:5000"); status != http.StatusNotFound || body != unknown {
		t.Errorf("not a demo: %d %s", status, body)
	}
}

// Behind a proxy or tunnel, every request seems to come from this machine. So does a request that another site makes in a
// local browser.
func TestOutboxRejectsForwardedAndCrossSiteRequests(t *testing.T) {
	t.Parallel()
	h := open(t, dbtest.SQLite(t), Options{Local: true})
	header := func(name, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(name, value) }
	}
	host := func(name string) func(*http.Request) { return func(r *http.Request) { r.Host = name } }
	for name, change := range map[string]func(*http.Request){
		"for": header("X-Forwarded-For", "127.0.0.1"), "host": header("X-Forwarded-Host", "localhost"), "proto": header("X-Forwarded-Proto", "http"),
		"server": header("X-Forwarded-Server", "x"), "forwarded": header("Forwarded", "for=127.0.0.1"), "real": header("X-Real-IP", "127.0.0.1"),
		"via": header("Via", "1.1 tunnel"), "public name": host("play.example"), "name that resolves to loopback": host("localhost.play.example:8080"),
		"public address": host("192.0.2.1:8080"), "no host": host(""),
		"other site": header("Sec-Fetch-Site", "cross-site"), "sibling origin": header("Sec-Fetch-Site", "same-site"),
	} {
		if status, body := h.outboxWith(t, rest.Options{}, change); status != http.StatusNotFound || body != unknown {
			t.Errorf("%s = %d %s, want 404 %s", name, status, body, unknown)
		}
	}
	public := rest.Options{Origins: []string{"http://localhost:8080"}}
	if status, body := h.outboxWith(t, public, func(*http.Request) {}); status != http.StatusNotFound || body != unknown {
		t.Errorf("site with a public origin: %d %s, want 404 and %v", status, body, unknown)
	}
	for name, change := range map[string]func(*http.Request){
		"not a browser": func(*http.Request) {}, "IPv4": host("127.0.0.1:1"), "IPv6": host("[::1]:1"), "no port": host("localhost"), "IPv6 without port": host("[::1]"),
		"the app": header("Sec-Fetch-Site", "same-origin"), "typed URL": header("Sec-Fetch-Site", "none"),
	} {
		if status, body := h.outboxWith(t, rest.Options{}, change); status != http.StatusOK {
			t.Errorf("%s: %d %s, want 200", name, status, body)
		}
	}
}

// The operator's token for metrics opens the outbox from everywhere, but only in a demo.
func TestOutboxAcceptsTheMetricsToken(t *testing.T) {
	t.Parallel()
	local, production := open(t, dbtest.SQLite(t), Options{Local: true}), open(t, dbtest.SQLite(t), Options{})
	local.send(t, sampleSMS)
	withToken := rest.Options{MetricsToken: "metrics-token"}
	for name, c := range map[string]struct {
		site          *harness
		options       rest.Options
		authorization string
		header        string // of a proxy
		status        int
	}{
		"token":                       {site: local, options: withToken, authorization: "Bearer metrics-token", status: http.StatusOK},
		"scheme in lower case":        {site: local, options: withToken, authorization: "bearer metrics-token", status: http.StatusOK},
		"token behind a proxy":        {site: local, options: withToken, authorization: "Bearer metrics-token", header: "X-Forwarded-For", status: http.StatusOK},
		"no token":                    {site: local, options: withToken, status: http.StatusNotFound},
		"wrong token":                 {site: local, options: withToken, authorization: "Bearer metrics-tokem", status: http.StatusNotFound},
		"part of the token":           {site: local, options: withToken, authorization: "Bearer metrics", status: http.StatusNotFound},
		"another scheme":              {site: local, options: withToken, authorization: "Basic metrics-token", status: http.StatusNotFound},
		"no scheme":                   {site: local, options: withToken, authorization: "metrics-token", status: http.StatusNotFound},
		"server without a token":      {site: local, authorization: "Bearer metrics-token", status: http.StatusNotFound},
		"server and request without":  {site: local, authorization: "Bearer ", status: http.StatusNotFound},
		"token of a site, not a demo": {site: production, options: withToken, authorization: "Bearer metrics-token", status: http.StatusNotFound},
	} {
		status, body := c.site.outboxWith(t, c.options, func(r *http.Request) {
			r.RemoteAddr, r.Host = "192.0.2.1:5000", "play.example"
			if c.authorization != "" {
				r.Header.Set("Authorization", c.authorization)
			}
			if c.header != "" {
				r.Header.Set(c.header, "198.51.100.7")
			}
		})
		if status != c.status || status == http.StatusNotFound && body != unknown || status == http.StatusOK && !strings.Contains(body, "482913") {
			t.Errorf("%s = %d %s, want %d and, only with 200, the code", name, status, body, c.status)
		}
	}
}
