package account_test

import (
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	"fairground/internal/finance/limits"
	"fairground/internal/identity/member"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
)

// exec runs a statement on both engines.
func (h *testServer) exec(t *testing.T, statement string, args ...any) {
	t.Helper()
	if _, err := db.Bind(h.Store.Engine, h.Store.Writer).ExecContext(t.Context(), statement, args...); err != nil {
		t.Fatal(err)
	}
}

func (h *testServer) logIn(t *testing.T, username string) merchanttest.Reply {
	t.Helper()
	return h.Call(t, "POST", "/wps/session/login", body{"username": username, "password": "qua-xanh7", "type": "username"})
}

// bindContact requests a code and binds a number or an address with it.
func (h *testServer) bindContact(t *testing.T, token, field, target, sentTo string) merchanttest.Reply {
	t.Helper()
	contact, send, path := body{field: target, "purpose": "bind"}, "/wps/verification/sms", "/wps/member/mobile"
	if field == "email" {
		send, path = "/wps/verification/email", "/wps/member/email"
	} else {
		contact = contact.with("countryDialingCode", "84")
	}
	if reply := h.Call(t, "POST", send, contact, "Authorization", token); reply.Status != http.StatusOK {
		t.Fatalf("got %s, want 200", reply.Body)
	}
	b := contact.with("purpose", nil).with("password", "qua-xanh7").with("verificationCode", h.code(t, sentTo))
	return h.Call(t, "PUT", path, b, "Authorization", token)
}

func wantOK(t *testing.T, what string, reply merchanttest.Reply) {
	t.Helper()
	if reply.Status != http.StatusOK {
		t.Errorf("%s = %d %s, want 200", what, reply.Status, reply.Body)
	}
}

func (h *testServer) wantHeld(t *testing.T, username string, held bool) {
	t.Helper()
	who, err := h.members.Find(t.Context(), h.ID, username)
	if err != nil {
		t.Fatal(err)
	}
	want := error(nil)
	if held {
		want = limits.ErrHeld
	}
	if err := h.Server.Limits.Check(t.Context(), who.ID); !errors.Is(err, want) {
		t.Errorf("%s: Check = %v, want %v", username, err, want)
	}
}

// A new account is held if it has the identity number of a person on a break, or their name and address.
func TestPP07SamePersonIsHeld(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newServer(t, store)
		h.set(t, "register.captcha", `false`)
		h.set(t, "register.fields", `{"idNumber":{"enabled":true},"payeeName":{"enabled":true}}`)
		person := registration("onbreak01").with("idNumber", "079203001234").with("payeeName", "NGUYEN VAN A")
		wantOK(t, "register", h.Call(t, "PUT", registerByNamePath, person))
		away, err := h.members.Find(t.Context(), h.ID, "onbreak01")
		if err != nil {
			t.Fatal(err)
		}
		if err := h.Server.Limits.BeginBreak(t.Context(), away.ID, "1y"); err != nil {
			t.Fatal(err)
		}
		for username, c := range map[string]struct {
			body body
			held bool
		}{
			"sameid001": {body{"idNumber": "079203001234"}, true},
			"samename1": {body{"payeeName": "Nguyen Van A"}, true},
			"otherid01": {body{"idNumber": "079203009999", "payeeName": "TRAN THI B"}, false},
			"nothing01": {body{}, false},
		} {
			b := registration(username)
			for name, value := range c.body {
				b = b.with(name, value)
			}
			wantOK(t, username, h.Call(t, "PUT", registerByNamePath, b))
			h.wantHeld(t, username, c.held)
		}
		h.exec(t, "UPDATE session SET address = '198.51.100.7'")
		wantOK(t, "register elsewhere", h.Call(t, "PUT", registerByNamePath, registration("namesake1").with("payeeName", "NGUYEN VAN A")))
		h.wantHeld(t, "namesake1", false)
	})
}

func TestPP07PersonOnABreakCannotReturnAsAnother(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newServer(t, store)
		h.set(t, "register.fields", `{"email":{"enabled":true}}`)
		away, awayToken := h.member(t, "minhanh92", "qua-xanh7", member.Player)
		_, other := h.member(t, "thanhtung", "qua-xanh7", member.Player)
		wantOK(t, "register with a number that no member has", h.register(t, registerByNamePath, registration("before001").with("mobileNum", "0912345678")))
		wantOK(t, "bind a number", h.bindContact(t, awayToken, "mobileNum", "0912345678", "+84912345678"))
		wantOK(t, "bind the other member's number", h.bindContact(t, other, "mobileNum", "0933333333", "+84933333333"))
		wantOK(t, "bind the other member's address", h.bindContact(t, other, "email", "tung@fairground.example", "tung@fairground.example"))
		wantOK(t, "bind an address", h.bindContact(t, awayToken, "email", "An@fairground.example", "An@fairground.example"))
		h.Clock.Add(time.Minute)
		if err := h.Server.Limits.BeginBreak(t.Context(), away, "1y"); err != nil {
			t.Fatal(err)
		}

		t.Run("PP-07 an excluded member can log in and change their number", func(t *testing.T) {
			wantOK(t, "login", h.logIn(t, "minhanh92"))
			h.Clock.Add(2 * time.Minute)
			wantOK(t, "bind another number", h.bindContact(t, awayToken, "mobileNum", "0912345679", "+84912345679"))
		})
		t.Run("PP-07 a new account with the contacts of a person on a break is held, but the response is the usual one", func(t *testing.T) {
			h.Refill()
			names := 0
			held := map[string]bool{"old number": true, "current number": true, "address": true}
			for name, b := range map[string]body{
				"old number":               {"mobileNum": "912345678"},
				"current number":           {"mobileNum": "0912345679"},
				"another member's number":  {"mobileNum": "0933333333"},
				"address":                  {"email": "an@FAIRGROUND.example"},
				"another member's address": {"email": "Tung@fairground.example"},
				"free number":              {"mobileNum": "0955555555"},
			} {
				t.Run("PP-07 SE-02 part (registration): "+name, func(t *testing.T) {
					names++
					username := fmt.Sprintf("claims%03d", names)
					for field, value := range b {
						merchanttest.Want(t, h.register(t, registerByNamePath, registration(username).with(field, value)), http.StatusOK,
							`{"success":true,"value":{"firstTimeLogin":true,"token":"(varies)","type":0,"userName":"`+username+`"}}`, "token")
					}
					h.wantHeld(t, username, held[name])
				})
			}
			number := body{"mobileNum": "0912345678", "countryDialingCode": "84"}
			wantOK(t, "send a code", h.requestRegisterCode(t, number))
			b := registration("again0001").with("mobileNum", "0912345678").with("moduleId", "MOBILENUMREG3").with("verificationCode", h.code(t, "+84912345678"))
			wantOK(t, "register with a proved number", h.register(t, registerByMobilePath, b))
			h.wantHeld(t, "again0001", true)
			merchanttest.Want(t, h.logIn(t, "again0001"), http.StatusUnprocessableEntity,
				`{"success":false,"message":"the request was refused","errorCode":"limits.held"}`)
			again, err := h.members.Find(t.Context(), h.ID, "again0001")
			if err != nil {
				t.Fatal(err)
			}
			if err := h.Server.Limits.Release(t.Context(), again.ID); err != nil {
				t.Fatal(err)
			}
			h.wantHeld(t, "again0001", false)
			wantOK(t, "log in after the release", h.logIn(t, "again0001"))
			h.exec(t, "UPDATE member SET mobile = NULL WHERE account = 'again0001'") // the next test binds the number
			wantOK(t, "register another person", h.register(t, registerByNamePath, registration("another01").with("mobileNum", "0900000001").with("email", "other@fairground.example")))
		})
		t.Run("PP-07 an older account cannot bind the contacts of a person on a break", func(t *testing.T) {
			h.Refill()
			h.Clock.Add(2 * time.Minute)
			wantOK(t, "log in to an older account", h.logIn(t, "before001"))
			merchanttest.Want(t, h.bindContact(t, other, "mobileNum", "0912345678", "+84912345678"), http.StatusUnprocessableEntity, bindNotPossible)
			h.exec(t, "UPDATE member SET email = NULL WHERE id = $1", away) // no longer bound
			merchanttest.Want(t, h.bindContact(t, other, "email", "an@fairground.example", "an@fairground.example"), http.StatusUnprocessableEntity,
				bindNotPossible)
			if n := h.count(t, "member WHERE account = 'thanhtung' AND mobile = '+84933333333' AND email = 'tung@fairground.example'"); n != 1 {
				t.Error("the contacts changed")
			}
		})
		t.Run("PP-07 the new account of a person on a break cannot log in, and only the correct password reveals this", func(t *testing.T) {
			h.Refill()
			h.Clock.Add(2 * time.Minute)
			wantOK(t, "register with an unbound number", h.register(t, registerByNamePath, registration("newone001").with("mobileNum", "0977777777")))
			h.exec(t, "UPDATE member SET created_at = $1 WHERE account = 'newone001'", db.Millis(time.Now().Add(24*365*time.Hour)))
			wantOK(t, "login", h.logIn(t, "newone001"))
			wantOK(t, "the member on a break binds the number", h.bindContact(t, awayToken, "mobileNum", "0977777777", "+84977777777"))
			merchanttest.Want(t, h.logIn(t, "newone001"), http.StatusUnprocessableEntity,
				`{"success":false,"message":"the request was refused","errorCode":"limits.excluded"}`)
			reply := h.Call(t, "POST", "/wps/session/login", body{"username": "newone001", "password": "wrong-one7", "type": "username"})
			merchanttest.Want(t, reply, http.StatusUnauthorized,
				`{"success":false,"message":"a valid session is needed","errorCode":"login.incorrect","args":{"captcha":"true"}}`)
			wantOK(t, "log in to their own account", h.logIn(t, "minhanh92"))
			wantOK(t, "another member logs in", h.logIn(t, "thanhtung"))
		})
		t.Run("PP-07 all restrictions end with the break", func(t *testing.T) {
			h.Refill()
			h.exec(t, "UPDATE limit_guard SET break_until = 1")
			cookie, captcha := h.solveCaptcha(t) // needed after the wrong password
			b := body{"username": "newone001", "password": "qua-xanh7", "type": "username", "captcha": captcha}
			wantOK(t, "login", h.Call(t, "POST", "/wps/session/login", b, "Cookie", cookie))
			wantOK(t, "register again", h.register(t, registerByNamePath, registration("again0002").with("mobileNum", "0912345678")))
		})
	})
}
