package notify

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/rest"
)

func (h *house) outboxFor(t *testing.T, peer string) (int, string) {
	t.Helper()
	return h.outboxWith(t, rest.Options{}, func(r *http.Request) { r.RemoteAddr = peer })
}

// outboxWith asks from this machine, but for the change.
func (h *house) outboxWith(t *testing.T, o rest.Options, change func(*http.Request)) (int, string) {
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
			t.Errorf("empty: %d %s", status, body)
		}
		h.send(t, short)
		h.add(time.Second)
		h.send(t, long)
		m := short
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
				t.Errorf("%s: %d %s", peer, status, body)
			}
		}
	})
	serious := open(t, dbtest.SQLite(t), Options{})
	if status, body := serious.outboxFor(t, "127.0.0.1:5000"); status != http.StatusNotFound || body != unknown {
		t.Errorf("not a demo: %d %s", status, body)
	}
}

// A demo that somebody put behind a proxy or a tunnel sees every visitor come from this machine, and a page of others may
// ask for it in a browser here, by a name of its own that leads here.
func TestOutboxIsNotForVisitorsThatOnlySeemToBeHere(t *testing.T) {
	t.Parallel()
	h := open(t, dbtest.SQLite(t), Options{Local: true})
	header := func(name, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(name, value) }
	}
	host := func(name string) func(*http.Request) { return func(r *http.Request) { r.Host = name } }
	for what, change := range map[string]func(*http.Request){
		"for": header("X-Forwarded-For", "127.0.0.1"), "host": header("X-Forwarded-Host", "localhost"), "proto": header("X-Forwarded-Proto", "http"),
		"server": header("X-Forwarded-Server", "x"), "forwarded": header("Forwarded", "for=127.0.0.1"), "real": header("X-Real-IP", "127.0.0.1"),
		"via": header("Via", "1.1 tunnel"), "a name": host("play.example"), "a name that leads here": host("localhost.play.example:8080"),
		"an address": host("192.0.2.1:8080"), "no name": host(""),
		"another site": header("Sec-Fetch-Site", "cross-site"), "a neighbour": header("Sec-Fetch-Site", "same-site"),
	} {
		if status, body := h.outboxWith(t, rest.Options{}, change); status != http.StatusNotFound || body != unknown {
			t.Errorf("%s: %d %s", what, status, body)
		}
	}
	public := rest.Options{Origins: []string{"http://localhost:8080"}}
	if status, body := h.outboxWith(t, public, func(*http.Request) {}); status != http.StatusNotFound || body != unknown {
		t.Errorf("a site with a public address: %d %s", status, body)
	}
	for what, change := range map[string]func(*http.Request){
		"a program": func(*http.Request) {}, "IPv4": host("127.0.0.1:1"), "IPv6": host("[::1]:1"), "no port": host("localhost"), "IPv6 alone": host("[::1]"),
		"the app": header("Sec-Fetch-Site", "same-origin"), "typed": header("Sec-Fetch-Site", "none"),
	} {
		if status, body := h.outboxWith(t, rest.Options{}, change); status != http.StatusOK {
			t.Errorf("%s: %d %s", what, status, body)
		}
	}
}
