package notify

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"fairground/internal/db"
	"fairground/internal/db/dbtest"
	"fairground/internal/rest"
)

func (h *house) outboxFor(t *testing.T, peer string) (int, string) {
	t.Helper()
	api, err := rest.New(rest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	Register(api, h.Service)
	r := httptest.NewRequest(http.MethodGet, "/wps/dev/outbox", nil)
	r.RemoteAddr = peer
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
