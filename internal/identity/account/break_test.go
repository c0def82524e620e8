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
func (h *site) exec(t *testing.T, statement string, args ...any) {
	t.Helper()
	if _, err := db.Bind(h.Store.Engine, h.Store.Writer).ExecContext(t.Context(), statement, args...); err != nil {
		t.Fatal(err)
	}
}

// enter logs in as the app does.
func (h *site) enter(t *testing.T, username string) merchanttest.Reply {
	t.Helper()
	return h.Call(t, "POST", "/wps/session/login", body{"username": username, "password": "qua-xanh7", "type": "username"})
}

// rebind proves a number or an address anew for somebody.
func (h *site) rebind(t *testing.T, token, field, target, sentTo string) merchanttest.Reply {
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

func good(t *testing.T, what string, reply merchanttest.Reply) {
	t.Helper()
	if reply.Status != http.StatusOK {
		t.Errorf("%s: %d %s", what, reply.Status, reply.Body)
	}
}

// Whoever takes a break does not come back as another: not by a new account, nor by an old one that becomes theirs.
func TestPP07SamePerson(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newSite(t, store)
		h.set(t, "register.fields", `{"email":{"enabled":true}}`)
		away, awayToken := h.member(t, "minhanh92", "qua-xanh7", member.Player)
		_, other := h.member(t, "thanhtung", "qua-xanh7", member.Player)
		good(t, "before it is theirs, anybody may type it", h.join(t, byName, newcomer("before001").with("mobileNum", "0912345678")))
		good(t, "a number", h.rebind(t, awayToken, "mobileNum", "0912345678", "+84912345678"))
		good(t, "another's number", h.rebind(t, other, "mobileNum", "0933333333", "+84933333333"))
		good(t, "another's address", h.rebind(t, other, "email", "tung@fairground.example", "tung@fairground.example"))
		good(t, "an address", h.rebind(t, awayToken, "email", "An@fairground.example", "An@fairground.example"))
		h.Clock.Add(time.Minute)
		if err := h.Server.Limits.BeginBreak(t.Context(), away, "1y"); err != nil {
			t.Fatal(err)
		}

		t.Run("PP-07 an excluded member logs in, sees that they are, and keeps their own number", func(t *testing.T) {
			good(t, "login", h.enter(t, "minhanh92"))
			h.Clock.Add(2 * time.Minute)
			good(t, "another number", h.rebind(t, awayToken, "mobileNum", "0912345679", "+84912345679"))
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
						merchanttest.Want(t, h.join(t, byName, newcomer("again0001").with(field, value)), http.StatusConflict, fmt.Sprintf(taken, field, kind))
					}
				})
			}
			ask := body{"mobileNum": "0912345678", "countryDialingCode": "84"}
			good(t, "a code", h.Call(t, "POST", "/wps/verification/sms/noLogin", ask, "ModuleId", "REGMOBVERF3"))
			b := newcomer("again0001").with("mobileNum", "0912345678").with("moduleId", "MOBILENUMREG3").with("verificationCode", h.code(t, "+84912345678"))
			merchanttest.Golden(t, "register_not_possible", h.join(t, byMobile, b))
			if after := h.count(t, "member"); after != before || h.count(t, "account WHERE member_id NOT IN (SELECT id FROM member)") != 0 {
				t.Errorf("%d members became %d", before, after)
			}
			good(t, "another person", h.join(t, byName, newcomer("another01").with("mobileNum", "0900000001").with("email", "other@fairground.example")))
		})
		t.Run("PP-07 nor does an account from before become theirs", func(t *testing.T) {
			h.Refill()
			h.Clock.Add(2 * time.Minute)
			good(t, "it is still used", h.enter(t, "before001"))
			merchanttest.Golden(t, "bind_not_possible", h.rebind(t, other, "mobileNum", "0912345678", "+84912345678"))
			h.exec(t, "UPDATE member SET email = NULL WHERE id = $1", away) // given up since
			merchanttest.Golden(t, "bind_not_possible", h.rebind(t, other, "email", "an@fairground.example", "an@fairground.example"))
			if n := h.count(t, "member WHERE account = 'thanhtung' AND mobile = '+84933333333' AND email = 'tung@fairground.example'"); n != 1 {
				t.Error("it was bound")
			}
		})
		t.Run("PP-07 a new account of theirs is not let in, said only after the right password", func(t *testing.T) {
			h.Refill()
			h.Clock.Add(2 * time.Minute)
			good(t, "a number that nobody knows to be theirs", h.join(t, byName, newcomer("newone001").with("mobileNum", "0977777777")))
			h.exec(t, "UPDATE member SET created_at = $1 WHERE account = 'newone001'", db.Millis(time.Now().Add(24*365*time.Hour)))
			good(t, "login", h.enter(t, "newone001"))
			good(t, "until they prove it", h.rebind(t, awayToken, "mobileNum", "0977777777", "+84977777777"))
			merchanttest.Golden(t, "login_excluded", h.enter(t, "newone001"))
			reply := h.Call(t, "POST", "/wps/session/login", body{"username": "newone001", "password": "wrong-one7", "type": "username"})
			merchanttest.Golden(t, "login_excluded_wrong", reply)
			good(t, "their own", h.enter(t, "minhanh92"))
			good(t, "somebody else", h.enter(t, "thanhtung"))
		})
		t.Run("PP-07 when the break is over, all of it is", func(t *testing.T) {
			h.Refill()
			h.exec(t, "UPDATE limit_guard SET break_until = 1")
			cookie, read := h.person(t) // for the wrong password of before
			b := body{"username": "newone001", "password": "qua-xanh7", "type": "username", "captcha": read}
			good(t, "login", h.Call(t, "POST", "/wps/session/login", b, "Cookie", cookie))
			good(t, "register", h.join(t, byName, newcomer("again0001").with("mobileNum", "0912345678")))
		})
	})
}
