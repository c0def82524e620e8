package ops_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"fairground/internal/identity/member"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/permission"
)

// A request that is sent again, because its response was lost, creates no second object.
func TestCreatesTakeEffectOnce(t *testing.T) {
	t.Parallel()
	d := newOpsSite(t, dbtest.SQLite(t))
	p := d.create("anh", permission.Owner).logIn()
	notes := fmt.Sprintf("/ops/v1/members/%d/notes", d.Register(t, member.NewMember{Username: "minhanh92", Password: "qua-xanh7"}))
	texts := object{"vi": text("Tin", "<p>Tin</p>")}
	send := func(path, key string, body object) (status int, answer string) {
		d.Refill()
		r := d.Call(t, http.MethodPost, path, body, "Cookie", "fairground_operator="+p.cookie, "Idempotency-Key", key)
		return r.Status, string(r.Body)
	}
	for path, body := range map[string]object{
		"/ops/v1/announcements": {"texts": texts},
		"/ops/v1/banners":       {"texts": texts, "group": "m_home", "image": "/m/art/banners/a.webp"},
		"/ops/v1/popups":        {"texts": texts, "execution": "A"},
		"/ops/v1/pages":         {"texts": texts},
		"/ops/v1/help":          {"texts": texts},
		"/ops/v1/replies":       {"title": "Tin", "texts": object{"vi": "Tin"}},
		"/ops/v1/streams":       {"names": object{"vi": "Tin"}, "host": "Lan", "url": "/m/stream/demo.m3u8"},
		notes:                   {"text": "Tin"},
	} {
		before := strings.Count(string(p.call(http.MethodGet, path, nil).Body), "Tin")
		status, first := send(path, "k1", body)
		if status != http.StatusOK {
			t.Errorf("%s: %d %s, want 200", path, status, first)
			continue
		}
		one := strings.Count(string(p.call(http.MethodGet, path, nil).Body), "Tin")
		if one == before {
			t.Errorf("%s: the list does not have the new object", path)
		}
		if status, again := send(path, "k1", body); status != http.StatusOK || again != first {
			t.Errorf("%s again: %d %s, want %s", path, status, again, first)
		}
		if two := strings.Count(string(p.call(http.MethodGet, path, nil).Body), "Tin"); two != one {
			t.Errorf("%s: the repeated request created a second object", path)
		}
		body["reason"], body["text"] = "other", "other"
		if path != notes {
			delete(body, "text")
		} else {
			delete(body, "reason")
		}
		if status, answer := send(path, "k1", body); status != http.StatusConflict || !strings.Contains(answer, "idempotency.conflict") {
			t.Errorf("%s with the key of another request: %d %s, want 409 idempotency.conflict", path, status, answer)
		}
	}
}
