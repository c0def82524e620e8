package account_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"fairground/internal/identity/member"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
)

// exec changes rows behind everybody's back, on both engines.
func (h *testServer) exec(t *testing.T, statement string, args ...any) {
	t.Helper()
	if _, err := db.Bind(h.Store.Engine, h.Store.Writer).ExecContext(t.Context(), statement, args...); err != nil {
		t.Fatal(err)
	}
}

// enter logs in as the app does.
func (h *testServer) logIn(t *testing.T, username string) merchanttest.Reply {
	t.Helper()
	return h.Call(t, "POST", "/wps/session/login", body{"username": username, "password": "qua-xanh7", "type": "username"})
}

// rebind proves a number or an address anew for somebody.
func (h *testServer) bindContact(t *testing.T, token, field, target, sentTo string) merchanttest.Reply {
	t.Helper()
	ask, send, path := body{field: target, "purpose": "bind"}, "/wps/verification/sms", "/wps/member/mobile"
	if field == "email" {
		send, path = "/wps/verification/email", "/wps/member/email"
	} else {
		ask = ask.with("countryDialingCode", "84")
	}
	if reply := h.Call(t, "POST", send, ask, "Authorization", token); reply.Status != http.StatusOK {
		t.Fatalf("%s", reply.Body)
	}
	b := ask.with("purpose", nil).with("password", "qua-xanh7").with("verificationCode", h.code(t, sentTo))
	return h.Call(t, "PUT", path, b, "Authorization", token)
}

func wantOK(t *testing.T, what string, reply merchanttest.Reply) {
	t.Helper()
	if reply.Status != http.StatusOK {
		t.Errorf("%s: %d %s", what, reply.Status, reply.Body)
	}
}

// Whoever takes a break does not come back as another: not by a new account, nor by an old one that becomes theirs.
func TestPP07SamePerson(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newServer(t, store)
		h.set(t, "register.fields", `{"email":{"enabled":true}}`)
		away, awayToken := h.member(t, "minhanh92", "qua-xanh7", member.Player)
		_, other := h.member(t, "thanhtung", "qua-xanh7", member.Player)
		wantOK(t, "before it is theirs, anybody may type it", h.register(t, byName, registration("before001").with("mobileNum", "0912345678")))
		wantOK(t, "a number", h.bindContact(t, awayToken, "mobileNum", "0912345678", "+84912345678"))
		wantOK(t, "another's number", h.bindContact(t, other, "mobileNum", "0933333333", "+84933333333"))
		wantOK(t, "another's address", h.bindContact(t, other, "email", "tung@fairground.example", "tung@fairground.example"))
		wantOK(t, "an address", h.bindContact(t, awayToken, "email", "An@fairground.example", "An@fairground.example"))
		h.Clock.Add(time.Minute)
		if err := h.Server.Limits.Begin(t.Context(), away, "1y"); err != nil {
			t.Fatal(err)
		}

		t.Run("PP-07 an excluded member logs in, sees that they are, and keeps their own number", func(t *testing.T) {
			wantOK(t, "login", h.logIn(t, "minhanh92"))
			h.Clock.Add(2 * time.Minute)
			wantOK(t, "another number", h.bindContact(t, awayToken, "mobileNum", "0912345679", "+84912345679"))
		})
		t.Run("PP-07 nobody registers as somebody on a break; what they only typed is answered like anybody's", func(t *testing.T) {
			before := h.count(t, "member")
			h.Refill()
			const taken = `{"success":false,"message":"contradicts what is already there","errorCode":"member.%[2]s_taken","field":"%[1]s"}`
			for name, b := range map[string]body{
				"a number of then":  {"mobileNum": "912345678"},
				"a number of now":   {"mobileNum": "0912345679"},
				"another's number":  {"mobileNum": "0933333333"},
				"an address":        {"email": "an@FAIRGROUND.example"},
				"another's address": {"email": "Tung@fairground.example"},
			} {
				t.Run("PP-07 SE-02 the registration's part: "+name, func(t *testing.T) {
					for field, value := range b {
						kind := map[string]string{"mobileNum": "mobile", "email": "email"}[field]
						merchanttest.Want(t, h.register(t, byName, registration("again0001").with(field, value)), http.StatusConflict, fmt.Sprintf(taken, field, kind))
					}
				})
			}
			ask := body{"mobileNum": "0912345678", "countryDialingCode": "84"}
			wantOK(t, "a code", h.Call(t, "POST", "/wps/verification/sms/noLogin", ask, "ModuleId", "REGMOBVERF3"))
			b := registration("again0001").with("mobileNum", "0912345678").with("moduleId", "MOBILENUMREG3").with("verificationCode", h.code(t, "+84912345678"))
			merchanttest.Want(t, h.register(t, byMobile, b), http.StatusUnprocessableEntity,
				`{"success":false,"message":"refused by a rule","errorCode":"register.not_possible"}`)
			if after := h.count(t, "member"); after != before || h.count(t, "account WHERE member_id NOT IN (SELECT id FROM member)") != 0 {
				t.Errorf("%d members became %d", before, after)
			}
			wantOK(t, "another person", h.register(t, byName, registration("another01").with("mobileNum", "0900000001").with("email", "other@fairground.example")))
		})
		t.Run("PP-07 nor does an account from before become theirs", func(t *testing.T) {
			h.Refill()
			h.Clock.Add(2 * time.Minute)
			wantOK(t, "it is still used", h.logIn(t, "before001"))
			merchanttest.Want(t, h.bindContact(t, other, "mobileNum", "0912345678", "+84912345678"), http.StatusUnprocessableEntity, bindNotPossible)
			h.exec(t, "UPDATE member SET email = NULL WHERE id = $1", away) // given up since
			merchanttest.Want(t, h.bindContact(t, other, "email", "an@fairground.example", "an@fairground.example"), http.StatusUnprocessableEntity,
				bindNotPossible)
			if n := h.count(t, "member WHERE account = 'thanhtung' AND mobile = '+84933333333' AND email = 'tung@fairground.example'"); n != 1 {
				t.Error("it was bound")
			}
		})
		t.Run("PP-07 a new account of theirs is not let in, said only after the right password", func(t *testing.T) {
			h.Refill()
			h.Clock.Add(2 * time.Minute)
			wantOK(t, "a number that nobody knows to be theirs", h.register(t, byName, registration("newone001").with("mobileNum", "0977777777")))
			h.exec(t, "UPDATE member SET created_at = $1 WHERE account = 'newone001'", db.Millis(time.Now().Add(24*365*time.Hour)))
			wantOK(t, "login", h.logIn(t, "newone001"))
			wantOK(t, "until they prove it", h.bindContact(t, awayToken, "mobileNum", "0977777777", "+84977777777"))
			merchanttest.Want(t, h.logIn(t, "newone001"), http.StatusUnprocessableEntity,
				`{"success":false,"message":"refused by a rule","errorCode":"limits.excluded"}`)
			reply := h.Call(t, "POST", "/wps/session/login", body{"username": "newone001", "password": "wrong-one7", "type": "username"})
			merchanttest.Want(t, reply, http.StatusUnauthorized,
				`{"success":false,"message":"a valid session is needed","errorCode":"login.incorrect","args":{"captcha":"true"}}`)
			wantOK(t, "their own", h.logIn(t, "minhanh92"))
			wantOK(t, "somebody else", h.logIn(t, "thanhtung"))
		})
		t.Run("PP-07 when the break is over, all of it is", func(t *testing.T) {
			h.Refill()
			h.exec(t, "UPDATE limit_guard SET break_until = 1")
			cookie, read := h.solveCaptcha(t) // for the wrong password of before
			b := body{"username": "newone001", "password": "qua-xanh7", "type": "username", "captcha": read}
			wantOK(t, "login", h.Call(t, "POST", "/wps/session/login", b, "Cookie", cookie))
			wantOK(t, "register", h.register(t, byName, registration("again0001").with("mobileNum", "0912345678")))
		})
	})
}
