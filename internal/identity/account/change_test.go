package account_test

import (
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fairground/internal/identity/member"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
)

const changePath = "/wps/member/password"

func change(old, next, confirm string) body {
	return body{"oldPassword": old, "newPassword": next, "confirmNewPassword": confirm}
}

func TestCA17ChangePassword(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newSite(t, store)
		id, token := h.member(t, "minhanh92", "qua-xanh7", member.Player)
		other := h.login(t, "minhanh92", "qua-xanh7")
		h.bind(t, id, "+84912345678", "a@b.co")
		for name, b := range map[string]body{
			"password_wrong":     change("qua-xanh8", "qua-do-999", "qua-do-999"),
			"password_same":      change("qua-xanh7", "qua-xanh7", "qua-xanh7"),
			"password_confirm":   change("qua-xanh7", "qua-do-999", "qua-do-998"),
			"password_unconfirm": change("qua-xanh7", "qua-do-999", ""),
			"password_format":    change("qua-xanh7", "short", "short"),
			"password_common":    change("qua-xanh7", "Password1", "Password1"),
			"password_no_old":    change("", "qua-do-999", "qua-do-999"),
			"password_missing":   change("qua-xanh7", "qua-do-999", "qua-do-999").with("oldPassword", nil),
			"password_extra":     change("qua-xanh7", "qua-do-999", "qua-do-999").with("type", 1),
		} {
			merchanttest.Golden(t, name, h.Call(t, "PUT", changePath, b, "Authorization", token), "message")
		}
		merchanttest.Golden(t, "password_no_session", h.Call(t, "PUT", changePath, change("a", "b", "c")))
		if !h.alive(t.Context(), token) || !h.alive(t.Context(), other) {
			t.Fatal("refusals end no session")
		}
		reply := h.Call(t, "PUT", changePath, change("qua-xanh7", "qua-do-999", "qua-do-999"), "Authorization", token)
		merchanttest.Golden(t, "password_changed", reply, "token")
		t.Run("SE-01 the change's part: every session ends, the caller goes on with a new one", func(t *testing.T) {
			if h.alive(t.Context(), token) || h.alive(t.Context(), other) {
				t.Error("an old session lives")
			}
			if fresh := merchanttest.Value[struct{ Token string }](t, reply).Token; !h.alive(t.Context(), fresh) {
				t.Error("the caller is out")
			}
			if _, _, err := h.members.Verify(t.Context(), h.ID, "minhanh92", "qua-xanh7"); err == nil {
				t.Error("the old password is good")
			}
			h.login(t, "minhanh92", "qua-do-999")
		})
		kinds := map[string]bool{}
		for _, m := range h.sent(t) {
			kinds[m.Kind+" "+m.Recipient] = true
			if strings.Contains(m.Body, "qua-") {
				t.Error("a message shows a password")
			}
		}
		if !kinds["password_changed +84912345678"] || !kinds["password_changed a@b.co"] {
			t.Errorf("%v", kinds)
		}
	})
}

// What is sent to a member is in the language that they last logged in with.
func TestMessagesSpeakTheLanguageOfTheLastLogin(t *testing.T) {
	t.Parallel()
	h := newSite(t, dbtest.SQLite(t))
	id, _ := h.member(t, "minhanh92", "qua-xanh7", member.Player)
	h.bind(t, id, "+84912345678", "")
	login := h.Call(t, "POST", "/wps/session/login", body{"username": "minhanh92", "password": "qua-xanh7"}, "Language", "EN")
	token := merchanttest.Value[struct{ Token string }](t, login).Token
	says(t, "change", h.Call(t, "PUT", changePath, change("qua-xanh7", "qua-do-999", "qua-do-999"), "Authorization", token, "Language", "UR"), "")
	if said := h.sent(t)[0].Body; !strings.Contains(said, "password") {
		t.Errorf("%q", said)
	}
}

func (h *site) bind(t *testing.T, id int64, mobile, email string) {
	t.Helper()
	_, err := db.Bind(h.Store.Engine, h.Store.Writer).ExecContext(t.Context(), "UPDATE member SET mobile = $1, email = $2 WHERE id = $3", mobile, email, id)
	if err != nil {
		t.Fatal(err)
	}
}

func TestTrialMembersChangeNothing(t *testing.T) {
	t.Parallel()
	h := newSite(t, dbtest.SQLite(t))
	_, token := h.member(t, "trial01", "qua-xanh7", member.Trial)
	reply := h.Call(t, "PUT", changePath, change("qua-xanh7", "qua-do-999", "qua-do-999"), "Authorization", token)
	merchanttest.Golden(t, "password_trial", reply)
}

// Who sits before an unlocked phone cannot try out passwords.
func TestSE02GuessesBesideASession(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newSite(t, store)
		_, token := h.member(t, "minhanh92", "qua-xanh7", member.Player)
		try := func(old string) merchanttest.Reply {
			return h.Call(t, "PUT", changePath, change(old, "qua-do-999", "qua-do-999"), "Authorization", token)
		}
		for range 5 {
			if reply := try("guess"); reply.Status != http.StatusUnprocessableEntity {
				t.Fatalf("%d %s", reply.Status, reply.Body)
			}
		}
		if reply := try("qua-xanh7"); reply.Status != http.StatusTooManyRequests {
			t.Errorf("%d %s", reply.Status, reply.Body)
		}
		h.Clock.Add(5 * time.Minute)
		if reply := try("qua-xanh7"); reply.Status != http.StatusOK {
			t.Errorf("%d %s", reply.Status, reply.Body)
		}
	})
}

func TestParallelChangesMakeOne(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newSite(t, store)
		_, token := h.member(t, "minhanh92", "qua-xanh7", member.Player)
		var changed atomic.Int64
		var wg sync.WaitGroup
		for _, next := range []string{"qua-do-991", "qua-do-992", "qua-do-993"} {
			wg.Go(func() {
				if h.Call(t, "PUT", changePath, change("qua-xanh7", next, next), "Authorization", token).Status == http.StatusOK {
					changed.Add(1)
				}
			})
		}
		wg.Wait()
		if changed.Load() != 1 {
			t.Errorf("%d were told that theirs counts", changed.Load())
		}
	})
}
