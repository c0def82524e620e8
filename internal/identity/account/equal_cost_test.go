package account_test

import (
	"strings"
	"testing"
	"time"

	"fairground/internal/identity/member"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/spec"
	"fairground/internal/site/merchant"
)

// cost is the work that a request causes, and its response.
type cost struct {
	hashes, statements int64
	status             int
	body               string
}

// Requests for known and unknown accounts run the same hashes and statements and get the same response, so that timing reveals nothing.
func TestSE02SE13UnknownAccountsCostTheSame(t *testing.T) {
	t.Parallel()
	store, statements := dbtest.CountStatements(t, dbtest.SQLite(t))
	h := newServer(t, store)
	id, _ := h.member(t, "minhanh92", "qua-xanh7", member.Player)
	h.setContacts(t, id, "+84912345678", "a@b.co")
	closed, _ := h.member(t, "closed001", "qua-xanh7", member.Player)
	h.setContacts(t, closed, "+84912345677", "closed@b.co")
	if err := h.accounts.Disable(t.Context(), h.ID, "closed001"); err != nil {
		t.Fatal(err)
	}
	login := merchant.SwitchOf(spec.FlagSMSLogin, true)
	if err := h.Merchants.SetSwitch(t.Context(), h.ID, login); err != nil {
		t.Fatal(err)
	}
	h.set(t, "login.captcha_after", "10") // the session tests cover the captcha
	number := func(n string) body { return body{"mobileNum": n, "countryDialingCode": "84"} }
	withCode := func(b body) body { return b.with("verificationCode", "000000") }
	sms := func(n string) body {
		return body{"type": "sms", "username": n, "password": "000000", "countryDialingCode": "84"}
	}
	firebase := func(n string) body {
		return body{"type": "firebase", "firebaseMobileNo": n, "firebaseIdToken": "x", "countryDialingCode": "84"}
	}
	for _, call := range []struct {
		name, path string
		captcha    bool // needs a captcha
		people     []body
	}{
		{"login", "/wps/session/login", false, []body{
			{"username": "minhanh92", "password": "qua-xanh8"}, {"username": "nobody123", "password": "qua-xanh8"},
			{"username": "closed001", "password": "qua-xanh8"}, {"username": "MINHANH92", "password": "qua-xanh8"},
		}},
		{"agent login", "/wps/session/login", false, []body{
			{"username": "minhanh92", "password": "qua-xanh8", "area": "agent"}, {"username": "nobody123", "password": "qua-xanh8", "area": "agent"},
		}},
		{"login with a code", "/wps/session/login", false, []body{sms("0912345678"), sms("0987654321"), sms("0912345677")}},
		{"login with Firebase", "/wps/session/login", false, []body{firebase("0912345678"), firebase("0987654321")}},
		{"verify a reset code by number", channels["sms"].path + "/verification", false, []body{withCode(number("0912345678")), withCode(number("0987654321"))}},
		{"verify a reset code by address", channels["email"].path + "/verification", false, []body{withCode(body{"email": "a@b.co"}), withCode(body{"email": "x@b.co"})}},
		{"send a login code", "/wps/verification/sms/noLogin", true, []body{number("0912345678"), number("0987654321")}},
		{"request a reset by number", channels["sms"].path, true, []body{number("0912345678"), number("0987654321"), number("0912345677")}},
		{"request a reset by address", channels["email"].path, true, []body{{"email": "a@b.co"}, {"email": "x@b.co"}, {"email": "closed@b.co"}}},
		{"request a reset with a username", channels["sms"].path, true, []body{number("0912345678").with("username", "minhanh92"), number("0912345678").with("username", "nobody123")}},
	} {
		var costs []cost
		measure := func(person body) cost {
			h.Clock.Add(24 * time.Hour) // refills all limits
			h.Refill()
			var headers []string
			h.Call(t, "GET", "/wps/session/key", nil) // reload cached settings
			if call.captcha {
				cookie, answer := h.solveCaptcha(t)
				person, headers = person.with("captcha", answer), []string{"Cookie", cookie}
			}
			hashes, before := h.Server.Passwords.HashCount(), statements.Load()
			reply := h.Call(t, "POST", call.path, person, headers...)
			start, text, _ := strings.Cut(string(reply.Body), `"expirationTime"`)
			text = start + strings.TrimLeft(text, ":0123456789") // depends on the clock
			return cost{h.Server.Passwords.HashCount() - hashes, statements.Load() - before, reply.Status, withoutRequestID(text)}
		}
		for _, person := range call.people {
			// Background work may add statements to one of the two measurements.
			measured, again := measure(person), measure(person)
			measured.statements = min(measured.statements, again.statements)
			costs = append(costs, measured)
		}
		for i, measured := range costs[1:] {
			if measured != costs[0] {
				t.Errorf("%s: %v = %+v, want the same as %v = %+v", call.name, call.people[i+1], measured, call.people[0], costs[0])
			}
		}
		if costs[0].statements == 0 && call.name != "login with Firebase" || costs[0].status >= 500 {
			t.Errorf("%s = %+v, want statements and no server error", call.name, costs[0])
		}
	}
}

func withoutRequestID(text string) string {
	before, after, found := strings.Cut(text, `"requestId":"`)
	if !found {
		return text
	}
	_, after, _ = strings.Cut(after, `"`)
	return before + after
}
