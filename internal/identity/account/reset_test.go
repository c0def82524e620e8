package account_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"fairground/internal/identity/member"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
)

const resetPath = "/wps/member/password/reset"

var channels = map[string]struct {
	path, to       string
	bound, unbound body
}{
	"sms": {
		"/wps/member/password/sms", "+84912345678",
		body{"mobileNum": "0912345678", "countryDialingCode": "84"}, body{"mobileNum": "0987654321", "countryDialingCode": "84"},
	},
	"email": {"/wps/member/password/email", "A@b.co", body{"email": "a@B.co"}, body{"email": "x@b.co"}},
}

func (h *testServer) requestReset(t *testing.T, path string, b body) merchanttest.Reply {
	t.Helper()
	cookie, answer := h.solveCaptcha(t)
	return h.Call(t, "POST", path, b.with("captcha", answer), "Cookie", cookie)
}

func TestRT04Reset(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newServer(t, store)
		id, token := h.member(t, "minhanh92", "qua-xanh7", member.Player)
		h.setContacts(t, id, "+84912345678", "A@b.co")
		password := "qua-xanh7"
		for name, channel := range channels {
			t.Run("RT-04 part (server): by "+name, func(t *testing.T) {
				h.Clock.Add(time.Hour)
				reply := h.requestReset(t, channel.path, channel.bound.with("username", "MinhAnh92"))
				if reply.Status != http.StatusOK {
					t.Fatalf("got %s, want 200", reply.Body)
				}
				merchanttest.Want(t, reply, http.StatusOK, codeSent, "expirationTime")
				merchanttest.Want(t, h.Call(t, "POST", channel.path+"/verification", channel.bound.with("username", "minhanh92").with("verificationCode", "000000")), http.StatusUnprocessableEntity,
					wrongCode)
				proof := h.Call(t, "POST", channel.path+"/verification", channel.bound.with("username", " MINHANH92").with("verificationCode", h.code(t, channel.to)))
				merchanttest.Want(t, proof, http.StatusOK, `{"success":true,"value":{"ticket":"(varies)"}}`, "ticket")
				ticket := merchanttest.Value[struct{ Ticket string }](t, proof).Ticket
				next := body{"ticket": ticket, "newPassword": "moi-" + name + "-2026", "confirmNewPassword": "moi-" + name + "-2026"}
				merchanttest.Want(t, h.Call(t, "PUT", resetPath, next.with("confirmNewPassword", "x")), http.StatusBadRequest,
					`{"success":false,"message":"the request is not valid","errorCode":"member.password_confirm","field":"confirmNewPassword"}`)
				merchanttest.Want(t, h.Call(t, "PUT", resetPath, next.with("newPassword", "x")), http.StatusBadRequest,
					`{"success":false,"message":"the request is not valid","errorCode":"member.password_format","field":"newPassword","args":{"max":"64","min":"8"}}`)
				token = h.login(t, "minhanh92", password)
				merchanttest.Want(t, h.Call(t, "PUT", resetPath, next), http.StatusOK, `{"success":true,"value":{"userName":"minhanh92"}}`)
				password = next["newPassword"].(string)
				if h.isLoggedIn(t.Context(), token) {
					t.Error("an old session is still active")
				}
				token = h.login(t, "minhanh92", password)
				merchanttest.Want(t, h.Call(t, "PUT", resetPath, next), http.StatusUnprocessableEntity, staleTicket)
				if !h.isLoggedIn(t.Context(), token) {
					t.Error("a used ticket ended a session")
				}
			})
		}
		t.Run("SE-02 part (reset): unknown contacts and wrong names get the same response", func(t *testing.T) {
			for name, channel := range channels {
				h.Clock.Add(time.Hour)
				before := h.count(t, "dispatch WHERE state = 'local'")
				merchanttest.Want(t, h.requestReset(t, channel.path, channel.unbound), http.StatusOK, codeSent, "expirationTime")
				merchanttest.Want(t, h.requestReset(t, channel.path, channel.bound.with("username", "somebody1")), http.StatusOK, codeSent, "expirationTime")
				if n := h.count(t, "dispatch WHERE state = 'local'"); n != before {
					t.Errorf("%s: %d messages sent, want 0", name, n-before)
				}
				merchanttest.Want(t, h.Call(t, "POST", channel.path+"/verification", channel.unbound.with("verificationCode", "000000")), http.StatusUnprocessableEntity,
					wrongCode)
			}
		})
		t.Run("bad input", func(t *testing.T) {
			for name, c := range map[string]struct {
				path   string
				body   body
				status int
				want   string // after success and message
			}{
				"malformed number":                   {channels["sms"].path, body{"mobileNum": "12", "countryDialingCode": "84", "captcha": "1"}, http.StatusBadRequest, `"errorCode":"member.mobile_format","field":"mobileNum"`},
				"malformed address":                  {channels["email"].path, body{"email": "a@b", "captcha": "1"}, http.StatusBadRequest, `"errorCode":"member.email_format","field":"email","args":{"max":"254"}`},
				"no captcha":                         {channels["email"].path, body{"email": "a@b.co"}, http.StatusBadRequest, `"errorCode":"captcha.required","field":"captcha"`},
				"wrong captcha":                      {channels["email"].path, body{"email": "a@b.co", "captcha": "1"}, http.StatusUnprocessableEntity, `"errorCode":"captcha.incorrect","field":"captcha"`},
				"unknown field":                      {channels["email"].path, body{"email": "a@b.co", "memberId": 1}, http.StatusBadRequest, `"errorCode":"request_param_err","field":"memberId"`},
				"verification of a malformed number": {channels["sms"].path + "/verification", body{"mobileNum": "x", "countryDialingCode": "84", "verificationCode": "123456"}, http.StatusBadRequest, `"errorCode":"member.mobile_format","field":"mobileNum","args":{"max":"20"}`},
			} {
				t.Run(name, func(t *testing.T) {
					h.Refill()
					cookie, _ := h.solveCaptcha(t)
					merchanttest.Want(t, h.Call(t, "POST", c.path, c.body, "Cookie", cookie), c.status, `{"success":false,"message":"(varies)",`+c.want+`}`, "message")
				})
			}
			for _, ticket := range []string{"", "x", "AAAA"} {
				reply := h.Call(t, "PUT", resetPath, body{"ticket": ticket, "newPassword": "qua-do-999", "confirmNewPassword": "qua-do-999"})
				merchanttest.Want(t, reply, http.StatusUnprocessableEntity, staleTicket)
			}
		})
	})
}

func TestStaleResetTickets(t *testing.T) {
	t.Parallel()
	h := newServer(t, dbtest.SQLite(t))
	id, _ := h.member(t, "minhanh92", "qua-xanh7", member.Player)
	h.setContacts(t, id, "+84912345678", "A@b.co")
	newTicket := func() body {
		h.Clock.Add(time.Hour)
		h.Refill()
		h.requestReset(t, channels["sms"].path, channels["sms"].bound)
		proof := h.Call(t, "POST", channels["sms"].path+"/verification", channels["sms"].bound.with("verificationCode", h.code(t, channels["sms"].to)))
		ticket := merchanttest.Value[struct{ Ticket string }](t, proof).Ticket
		return body{"ticket": ticket, "newPassword": "qua-do-999", "confirmNewPassword": "qua-do-999"}
	}
	expired := newTicket()
	h.Clock.Add(10*time.Minute + time.Second)
	merchanttest.Want(t, h.Call(t, "PUT", resetPath, expired), http.StatusUnprocessableEntity, staleTicket)
	outdated := newTicket()
	token := h.login(t, "minhanh92", "qua-xanh7")
	h.Call(t, "PUT", changePath, change("qua-xanh7", "qua-tim-888", "qua-tim-888"), "Authorization", token)
	merchanttest.Want(t, h.Call(t, "PUT", resetPath, outdated), http.StatusUnprocessableEntity, staleTicket)
}

// The lower case of the Kelvin sign is the letter k, so a username with this sign must not match.
func TestResetRejectsKelvinSign(t *testing.T) {
	t.Parallel()
	h := newServer(t, dbtest.SQLite(t))
	id, _ := h.member(t, "kimchi92", "qua-xanh7", member.Player)
	h.setContacts(t, id, "+84912345678", "a@b.co")
	sms := channels["sms"]
	wantCode(t, "send a code", h.requestReset(t, sms.path, sms.bound.with("username", "kimchi92")), "")
	proof := sms.bound.with("verificationCode", h.code(t, sms.to))
	wantCode(t, "verify with the Kelvin sign", h.Call(t, "POST", sms.path+"/verification", proof.with("username", "\u212aimchi92")), "verification.incorrect")
	wantCode(t, "verify with the letter", h.Call(t, "POST", sms.path+"/verification", proof.with("username", "Kimchi92")), "")
}

// The length limit applies only to new addresses.
func TestVA07ResetAcceptsAddressesOverTheLimit(t *testing.T) {
	t.Parallel()
	h := newServer(t, dbtest.SQLite(t))
	id, token := h.member(t, "minhanh92", "qua-xanh7", member.Player)
	long := strings.Repeat("a", 60) + "@fairground.example"
	h.setContacts(t, id, "", long)
	h.set(t, "member.email_longest", "64")
	wantCode(t, "VA-07 bind a long address", h.Call(t, "POST", "/wps/verification/email", body{"email": "b" + long[1:], "purpose": "bind"}, "Authorization", token),
		"member.email_format")
	mail := channels["email"]
	wantCode(t, "VA-07 RT-04 reset by a bound long address", h.requestReset(t, mail.path, body{"email": long}), "")
	wantCode(t, "VA-07 RT-04 verify its code", h.Call(t, "POST", mail.path+"/verification", body{"email": long, "verificationCode": h.code(t, long)}), "")
	wantCode(t, "VA-07 RT-04 reset by an invalid address", h.requestReset(t, mail.path, body{"email": strings.Repeat("a.", 120) + "a@fairground.example"}), "member.email_format")
}
