package account_test

import (
	"net/http"
	"testing"
	"time"

	"fairground/internal/identity/member"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
)

func TestNumbersOfOtherCountries(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newServer(t, store)
		id, token := h.member(t, "minhanh92", "qua-xanh7", member.Player)
		h.setContacts(t, id, "+4915123456789", "a@b.co") // bound before the merchant removed the country
		foreignNumber := body{"mobileNum": "15123456780", "countryDialingCode": "49"}
		merchanttest.Want(t, h.register(t, registerByNamePath, registration("another1").with("mobileNum", "15123456780").with("countryDialingCode", "49")), http.StatusBadRequest,
			badNumber)
		bind := foreignNumber.with("password", "qua-xanh7").with("verificationCode", "123456")
		merchanttest.Want(t, h.Call(t, "PUT", "/wps/member/mobile", bind, "Authorization", token), http.StatusBadRequest, badNumber)
		merchanttest.Want(t, h.requestReset(t, channels["sms"].path, foreignNumber.with("mobileNum", "15123456789")), http.StatusOK, codeSent, "expirationTime")
		if n := h.count(t, "dispatch WHERE state = 'local'"); n != 0 {
			t.Errorf("%d messages sent, want 0", n)
		}
	})
}

func TestReplacedContactInvalidatesTickets(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newServer(t, store)
		id, _ := h.member(t, "minhanh92", "qua-xanh7", member.Player)
		for name, c := range map[string]struct {
			send, bind, old string
			newContact      body
		}{
			"sms":   {"/wps/verification/sms", "/wps/member/mobile", "+84912345678", body{"mobileNum": "0987650001", "countryDialingCode": "84"}},
			"email": {"/wps/verification/email", "/wps/member/email", "A@b.co", body{"email": "New@b.co"}},
		} {
			h.setContacts(t, id, "+84912345678", "A@b.co")
			h.Clock.Add(time.Hour)
			h.Refill()
			token := h.login(t, "minhanh92", "qua-xanh7")
			channel := channels[name]
			h.requestReset(t, channel.path, channel.bound)
			verification := h.Call(t, "POST", channel.path+"/verification", channel.bound.with("verificationCode", h.code(t, channel.to)))
			ticket := merchanttest.Value[struct{ Ticket string }](t, verification).Ticket
			if reply := h.Call(t, "POST", c.send, c.newContact.with("purpose", "bind"), "Authorization", token); reply.Status != http.StatusOK {
				t.Fatalf("got %s, want 200", reply.Body)
			}
			code := sixDigits.FindString(h.sent(t)[0].Body)
			merchanttest.Want(t, h.Call(t, "PUT", c.bind, c.newContact.with("password", "qua-xanh7").with("verificationCode", code), "Authorization", token), http.StatusOK,
				empty)
			if last := h.sent(t)[0]; last.Recipient != c.old || last.Kind != "contact_replaced" {
				t.Errorf("%s: last message = %+v, want contact_replaced to %s", name, last, c.old)
			}
			merchanttest.Want(t, h.Call(t, "PUT", resetPath, body{"ticket": ticket, "newPassword": "qua-do-999", "confirmNewPassword": "qua-do-999"}), http.StatusUnprocessableEntity,
				staleTicket)
			if !h.isLoggedIn(t.Context(), h.login(t, "minhanh92", "qua-xanh7")) {
				t.Error("the password changed")
			}
		}
	})
}

func TestRegistrationHosts(t *testing.T) {
	t.Parallel()
	h := newServer(t, dbtest.SQLite(t))
	for host, valid := range map[string]bool{
		"localhost": true, "play.example": true, "127.0.0.1": true, "[::1]": true, "xn--bcher-kva.example": true, "": true,
		"https://play.example": false, "play.example/path": false, "a b": false, "<b>": false, "=cmd()": false, "play..example": false, "-a.example": false,
		"a.example.": false, "phát.example": false, "javascript:alert(1)": false, "[x]": false,
	} {
		for _, field := range []string{"registerUrl", "domain"} {
			h.Refill()
			h.Clock.Add(time.Hour)
			reply := h.register(t, registerByNamePath, registration("x").with(field, host)) // the short name is refused after the host
			refused := refusalOf(t, reply)
			if refused.Field == field == valid {
				t.Errorf("%s %q: %s, want it accepted: %v", field, host, reply.Body, valid)
			}
		}
	}
}
