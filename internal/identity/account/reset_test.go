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

var ways = map[string]struct {
	path, to       string
	known, unknown body
}{
	"sms": {
		"/wps/member/password/sms", "+84912345678",
		body{"mobileNum": "0912345678", "countryDialingCode": "84"}, body{"mobileNum": "0987654321", "countryDialingCode": "84"},
	},
	"email": {"/wps/member/password/email", "A@b.co", body{"email": "a@B.co"}, body{"email": "x@b.co"}},
}

// lost asks for a code as a person does.
func (h *site) lost(t *testing.T, path string, b body) merchanttest.Reply {
	t.Helper()
	cookie, answer := h.person(t)
	return h.Call(t, "POST", path, b.with("captcha", answer), "Cookie", cookie)
}

func TestRT04Reset(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newSite(t, store)
		id, token := h.member(t, "minhanh92", "qua-xanh7", member.Player)
		h.bind(t, id, "+84912345678", "A@b.co")
		password := "qua-xanh7"
		for name, way := range ways {
			t.Run("RT-04 the server's part: by "+name, func(t *testing.T) {
				h.Clock.Add(time.Hour)
				reply := h.lost(t, way.path, way.known.with("username", "MinhAnh92"))
				if reply.Status != http.StatusOK {
					t.Fatalf("%s", reply.Body)
				}
				merchanttest.Golden(t, "reset_sent", reply, "expirationTime")
				merchanttest.Golden(t, "reset_code_wrong", h.Call(t, "POST", way.path+"/verification", way.known.with("username", "minhanh92").with("verificationCode", "000000")))
				proof := h.Call(t, "POST", way.path+"/verification", way.known.with("username", " MINHANH92").with("verificationCode", h.code(t, way.to)))
				merchanttest.Golden(t, "reset_ticket", proof, "ticket")
				ticket := merchanttest.Value[struct{ Ticket string }](t, proof).Ticket
				next := body{"ticket": ticket, "newPassword": "moi-" + name + "-2026", "confirmNewPassword": "moi-" + name + "-2026"}
				merchanttest.Golden(t, "reset_confirm", h.Call(t, "PUT", resetPath, next.with("confirmNewPassword", "x")))
				merchanttest.Golden(t, "reset_format", h.Call(t, "PUT", resetPath, next.with("newPassword", "x")))
				token = h.login(t, "minhanh92", password)
				merchanttest.Golden(t, "reset_done", h.Call(t, "PUT", resetPath, next))
				password = next["newPassword"].(string)
				if h.alive(t.Context(), token) {
					t.Error("a session of before lives")
				}
				token = h.login(t, "minhanh92", password)
				merchanttest.Golden(t, "reset_stale", h.Call(t, "PUT", resetPath, next))
				if !h.alive(t.Context(), token) {
					t.Error("a used ticket ended sessions")
				}
			})
		}
		t.Run("SE-02 the reset's part: the answer is the same for a number that nobody has, a wrong name, an account that is closed", func(t *testing.T) {
			for name, way := range ways {
				h.Clock.Add(time.Hour)
				before := h.count(t, "dispatch WHERE state = 'local'")
				merchanttest.Golden(t, "reset_sent", h.lost(t, way.path, way.unknown), "expirationTime")
				merchanttest.Golden(t, "reset_sent", h.lost(t, way.path, way.known.with("username", "somebody1")), "expirationTime")
				if n := h.count(t, "dispatch WHERE state = 'local'"); n != before {
					t.Errorf("%s: %d messages left", name, n-before)
				}
				merchanttest.Golden(t, "reset_code_wrong", h.Call(t, "POST", way.path+"/verification", way.unknown.with("verificationCode", "000000")))
			}
		})
		t.Run("bad input", func(t *testing.T) {
			for name, c := range map[string]struct {
				path string
				body body
			}{
				"reset_number":        {ways["sms"].path, body{"mobileNum": "12", "countryDialingCode": "84", "captcha": "1"}},
				"reset_address":       {ways["email"].path, body{"email": "a@b", "captcha": "1"}},
				"reset_no_captcha":    {ways["email"].path, body{"email": "a@b.co"}},
				"reset_bad_captcha":   {ways["email"].path, body{"email": "a@b.co", "captcha": "1"}},
				"reset_extra":         {ways["email"].path, body{"email": "a@b.co", "memberId": 1}},
				"reset_verify_number": {ways["sms"].path + "/verification", body{"mobileNum": "x", "countryDialingCode": "84", "verificationCode": "123456"}},
			} {
				h.Refill()
				cookie, _ := h.person(t)
				merchanttest.Golden(t, name, h.Call(t, "POST", c.path, c.body, "Cookie", cookie), "message")
			}
			for _, ticket := range []string{"", "x", "AAAA"} {
				reply := h.Call(t, "PUT", resetPath, body{"ticket": ticket, "newPassword": "qua-do-999", "confirmNewPassword": "qua-do-999"})
				merchanttest.Golden(t, "reset_stale", reply)
			}
		})
	})
}

func TestResetTicketRunsOutAndIsOvertaken(t *testing.T) {
	t.Parallel()
	h := newSite(t, dbtest.SQLite(t))
	id, _ := h.member(t, "minhanh92", "qua-xanh7", member.Player)
	h.bind(t, id, "+84912345678", "A@b.co")
	take := func() body {
		h.Clock.Add(time.Hour)
		h.Refill()
		h.lost(t, ways["sms"].path, ways["sms"].known)
		proof := h.Call(t, "POST", ways["sms"].path+"/verification", ways["sms"].known.with("verificationCode", h.code(t, ways["sms"].to)))
		ticket := merchanttest.Value[struct{ Ticket string }](t, proof).Ticket
		return body{"ticket": ticket, "newPassword": "qua-do-999", "confirmNewPassword": "qua-do-999"}
	}
	late := take()
	h.Clock.Add(10*time.Minute + time.Second)
	merchanttest.Golden(t, "reset_stale", h.Call(t, "PUT", resetPath, late))
	overtaken := take()
	token := h.login(t, "minhanh92", "qua-xanh7")
	h.Call(t, "PUT", changePath, change("qua-xanh7", "qua-tim-888", "qua-tim-888"), "Authorization", token)
	merchanttest.Golden(t, "reset_stale", h.Call(t, "PUT", resetPath, overtaken))
}

// The Kelvin sign's lower case is the letter k: a name with one is another name, and takes no code from the right one.
func TestAKelvinSignIsNoK(t *testing.T) {
	t.Parallel()
	h := newSite(t, dbtest.SQLite(t))
	id, _ := h.member(t, "kimchi92", "qua-xanh7", member.Player)
	h.bind(t, id, "+84912345678", "a@b.co")
	way := ways["sms"]
	says(t, "a code", h.lost(t, way.path, way.known.with("username", "kimchi92")), "")
	proof := way.known.with("verificationCode", h.code(t, way.to))
	says(t, "by the sign", h.Call(t, "POST", way.path+"/verification", proof.with("username", "\u212aimchi92")), "verification.incorrect")
	says(t, "by the letter", h.Call(t, "POST", way.path+"/verification", proof.with("username", "Kimchi92")), "")
}

// How long an address may be is asked when it becomes somebody's: who has a longer one by then is not shut out.
func TestVA07ALowerBoundOfAddressesShutsNobodyOut(t *testing.T) {
	t.Parallel()
	h := newSite(t, dbtest.SQLite(t))
	id, token := h.member(t, "minhanh92", "qua-xanh7", member.Player)
	long := strings.Repeat("a", 60) + "@fairground.example"
	h.bind(t, id, "", long)
	h.set(t, "member.email_longest", "64")
	says(t, "VA-07 an address that becomes somebody's", h.Call(t, "POST", "/wps/verification/email", body{"email": "b" + long[1:], "purpose": "bind"}, "Authorization", token),
		"member.email_format")
	way := ways["email"]
	says(t, "VA-07 RT-04 one that is", h.lost(t, way.path, body{"email": long}), "")
	says(t, "VA-07 RT-04 its code", h.Call(t, "POST", way.path+"/verification", body{"email": long, "verificationCode": h.code(t, long)}), "")
	says(t, "VA-07 RT-04 one that no server takes", h.lost(t, way.path, body{"email": strings.Repeat("a.", 120) + "a@fairground.example"}), "member.email_format")
}
