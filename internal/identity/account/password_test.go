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
		h := newServer(t, store)
		id, token := h.member(t, "minhanh92", "qua-xanh7", member.Player)
		other := h.login(t, "minhanh92", "qua-xanh7")
		h.setContacts(t, id, "+84912345678", "a@b.co")
		for name, c := range map[string]struct {
			body   body
			status int
			want   string // after success and message
		}{
			"wrong old password":     {change("qua-xanh8", "qua-do-999", "qua-do-999"), http.StatusUnprocessableEntity, `"errorCode":"member.password_wrong","field":"oldPassword"`},
			"same password":          {change("qua-xanh7", "qua-xanh7", "qua-xanh7"), http.StatusBadRequest, `"errorCode":"member.password_same","field":"newPassword"`},
			"different confirmation": {change("qua-xanh7", "qua-do-999", "qua-do-998"), http.StatusBadRequest, `"errorCode":"member.password_confirm","field":"confirmNewPassword"`},
			"no confirmation":        {change("qua-xanh7", "qua-do-999", ""), http.StatusBadRequest, `"errorCode":"member.password_required","field":"confirmNewPassword"`},
			"too short":              {change("qua-xanh7", "short", "short"), http.StatusBadRequest, `"errorCode":"member.password_format","field":"newPassword","args":{"max":"64","min":"8"}`},
			"common password":        {change("qua-xanh7", "Password1", "Password1"), http.StatusBadRequest, `"errorCode":"member.password_common","field":"newPassword"`},
			"empty old password":     {change("", "qua-do-999", "qua-do-999"), http.StatusBadRequest, `"errorCode":"member.password_required","field":"oldPassword"`},
			"missing old password":   {change("qua-xanh7", "qua-do-999", "qua-do-999").with("oldPassword", nil), http.StatusBadRequest, `"errorCode":"member.password_required","field":"oldPassword"`},
			"unknown field":          {change("qua-xanh7", "qua-do-999", "qua-do-999").with("type", 1), http.StatusBadRequest, `"errorCode":"request_param_err","field":"type"`},
		} {
			t.Run(name, func(t *testing.T) {
				merchanttest.Want(t, h.Call(t, "PUT", changePath, c.body, "Authorization", token), c.status, `{"success":false,"message":"(varies)",`+c.want+`}`, "message")
			})
		}
		merchanttest.Want(t, h.Call(t, "PUT", changePath, change("a", "b", "c")), http.StatusUnauthorized,
			`{"success":false,"message":"a valid session is needed","errorCode":"login.not.session"}`)
		if !h.isLoggedIn(t.Context(), token) || !h.isLoggedIn(t.Context(), other) {
			t.Fatal("a refused change ended a session")
		}
		reply := h.Call(t, "PUT", changePath, change("qua-xanh7", "qua-do-999", "qua-do-999"), "Authorization", token)
		merchanttest.Want(t, reply, http.StatusOK,
			`{"success":true,"value":{"firstTimeLogin":false,"token":"(varies)","type":0,"userName":"minhanh92"}}`, "token")
		t.Run("SE-01 part (password change): all sessions end, and the caller gets a new one", func(t *testing.T) {
			if h.isLoggedIn(t.Context(), token) || h.isLoggedIn(t.Context(), other) {
				t.Error("an old session is still active")
			}
			if fresh := merchanttest.Value[struct{ Token string }](t, reply).Token; !h.isLoggedIn(t.Context(), fresh) {
				t.Error("the new session is not active")
			}
			if _, _, err := h.members.Verify(t.Context(), h.ID, "minhanh92", "qua-xanh7"); err == nil {
				t.Error("the old password still works")
			}
			h.login(t, "minhanh92", "qua-do-999")
		})
		kinds := map[string]bool{}
		for _, m := range h.sent(t) {
			kinds[m.Kind+" "+m.Recipient] = true
			if strings.Contains(m.Body, "qua-") {
				t.Error("a message contains a password")
			}
		}
		if !kinds["password_changed +84912345678"] || !kinds["password_changed a@b.co"] {
			t.Errorf("messages = %v, want password_changed to the number and the address", kinds)
		}
	})
}

func TestMessagesUseTheLanguageOfTheLastLogin(t *testing.T) {
	t.Parallel()
	h := newServer(t, dbtest.SQLite(t))
	id, _ := h.member(t, "minhanh92", "qua-xanh7", member.Player)
	h.setContacts(t, id, "+84912345678", "")
	login := h.Call(t, "POST", "/wps/session/login", body{"username": "minhanh92", "password": "qua-xanh7"}, "Language", "EN")
	token := merchanttest.Value[struct{ Token string }](t, login).Token
	wantCode(t, "change the password", h.Call(t, "PUT", changePath, change("qua-xanh7", "qua-do-999", "qua-do-999"), "Authorization", token, "Language", "UR"), "")
	if text := h.sent(t)[0].Body; !strings.Contains(text, "password") {
		t.Errorf("message = %q, want English", text)
	}
}

func (h *testServer) setContacts(t *testing.T, id int64, mobile, email string) {
	t.Helper()
	_, err := db.Bind(h.Store.Engine, h.Store.Writer).ExecContext(t.Context(), "UPDATE member SET mobile = $1, email = $2 WHERE id = $3", mobile, email, id)
	if err != nil {
		t.Fatal(err)
	}
}

func TestTrialMemberCannotChangeThePassword(t *testing.T) {
	t.Parallel()
	h := newServer(t, dbtest.SQLite(t))
	_, token := h.member(t, "trial01", "qua-xanh7", member.Trial)
	reply := h.Call(t, "PUT", changePath, change("qua-xanh7", "qua-do-999", "qua-do-999"), "Authorization", token)
	merchanttest.Want(t, reply, http.StatusForbidden, trialRefused)
}

func TestSE02WrongPasswordsAreLimited(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newServer(t, store)
		_, token := h.member(t, "minhanh92", "qua-xanh7", member.Player)
		try := func(old string) merchanttest.Reply {
			return h.Call(t, "PUT", changePath, change(old, "qua-do-999", "qua-do-999"), "Authorization", token)
		}
		for range 5 {
			if reply := try("guess"); reply.Status != http.StatusUnprocessableEntity {
				t.Fatalf("got %d %s, want 422", reply.Status, reply.Body)
			}
		}
		if reply := try("qua-xanh7"); reply.Status != http.StatusTooManyRequests {
			t.Errorf("got %d %s, want 429", reply.Status, reply.Body)
		}
		h.Clock.Add(5 * time.Minute)
		if reply := try("qua-xanh7"); reply.Status != http.StatusOK {
			t.Errorf("got %d %s, want 200", reply.Status, reply.Body)
		}
	})
}

func TestConcurrentPasswordChanges(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newServer(t, store)
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
			t.Errorf("%d changes succeeded, want 1", changed.Load())
		}
	})
}
