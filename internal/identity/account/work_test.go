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

// work is what a call cost, in what takes time, and what it said.
type work struct {
	hashes, statements int64
	status             int
	body               string
}

// What is asked for somebody who has an account costs what it costs for somebody who has none: the same hashes, as many
// statements, the same answer. So no clock can tell them apart.
func TestSE02SE13KnownAndUnknownCostTheSame(t *testing.T) {
	t.Parallel()
	store, statements := dbtest.CountStatements(t, dbtest.SQLite(t))
	h := newSite(t, store)
	id, _ := h.member(t, "minhanh92", "qua-xanh7", member.Player)
	h.bind(t, id, "+84912345678", "a@b.co")
	closed, _ := h.member(t, "closed001", "qua-xanh7", member.Player)
	h.bind(t, closed, "+84912345677", "closed@b.co")
	if err := h.accounts.Disable(t.Context(), h.ID, "closed001"); err != nil {
		t.Fatal(err)
	}
	login := merchant.SwitchOf(spec.FlagSMSLogin, true)
	if err := h.Merchants.SetSwitch(t.Context(), h.ID, login); err != nil {
		t.Fatal(err)
	}
	h.set(t, "login.captcha_after", "10") // asked of both alike, as the sessions' own tests show
	number := func(n string) body { return body{"mobileNum": n, "countryDialingCode": "84"} }
	coded := func(b body) body { return b.with("verificationCode", "000000") }
	sms := func(n string) body {
		return body{"type": "sms", "username": n, "password": "000000", "countryDialingCode": "84"}
	}
	firebase := func(n string) body {
		return body{"type": "firebase", "firebaseMobileNo": n, "firebaseIdToken": "x", "countryDialingCode": "84"}
	}
	for _, call := range []struct {
		name, path string
		picture    bool // it takes a captcha
		people     []body
	}{
		{"login", "/wps/session/login", false, []body{
			{"username": "minhanh92", "password": "qua-xanh8"}, {"username": "nobody123", "password": "qua-xanh8"},
			{"username": "closed001", "password": "qua-xanh8"}, {"username": "MINHANH92", "password": "qua-xanh8"},
		}},
		{"login in the agents' area", "/wps/session/login", false, []body{
			{"username": "minhanh92", "password": "qua-xanh8", "area": "agent"}, {"username": "nobody123", "password": "qua-xanh8", "area": "agent"},
		}},
		{"login by a code", "/wps/session/login", false, []body{sms("0912345678"), sms("0987654321"), sms("0912345677")}},
		{"login by Firebase", "/wps/session/login", false, []body{firebase("0912345678"), firebase("0987654321")}},
		{"a reset's code by number", ways["sms"].path + "/verification", false, []body{coded(number("0912345678")), coded(number("0987654321"))}},
		{"a reset's code by address", ways["email"].path + "/verification", false, []body{coded(body{"email": "a@b.co"}), coded(body{"email": "x@b.co"})}},
		{"a code to log in", "/wps/verification/sms/noLogin", true, []body{number("0912345678"), number("0987654321")}},
		{"a reset by number", ways["sms"].path, true, []body{number("0912345678"), number("0987654321"), number("0912345677")}},
		{"a reset by address", ways["email"].path, true, []body{{"email": "a@b.co"}, {"email": "x@b.co"}, {"email": "closed@b.co"}}},
		{"a reset of a named account", ways["sms"].path, true, []body{number("0912345678").with("username", "minhanh92"), number("0912345678").with("username", "nobody123")}},
	} {
		var all []work
		measure := func(person body) work {
			h.Clock.Add(24 * time.Hour) // every bucket is full again
			h.Refill()
			var headers []string
			h.Call(t, "GET", "/wps/session/key", nil) // what the site itself reads again after a day is nobody's work
			if call.picture {
				cookie, answer := h.person(t)
				person, headers = person.with("captcha", answer), []string{"Cookie", cookie}
			}
			hashes, before := h.Server.Passwords.Made(), statements.Load()
			reply := h.Call(t, "POST", call.path, person, headers...)
			at, said, _ := strings.Cut(string(reply.Body), `"expirationTime"`)
			said = at + strings.TrimLeft(said, ":0123456789") // when it runs out differs with the clock
			return work{h.Server.Passwords.Made() - hashes, statements.Load() - before, reply.Status, cutID(said)}
		}
		for _, person := range call.people {
			// The site's own work in the background may fall into one of two, hardly into both.
			w, again := measure(person), measure(person)
			w.statements = min(w.statements, again.statements)
			all = append(all, w)
		}
		for i, w := range all[1:] {
			if w != all[0] {
				t.Errorf("%s: %v costs and says %+v, %v %+v", call.name, call.people[i+1], w, call.people[0], all[0])
			}
		}
		if all[0].statements == 0 && call.name != "login by Firebase" || all[0].status >= 500 {
			t.Errorf("%s: %+v", call.name, all[0])
		}
	}
}

// cutID drops what names a request.
func cutID(said string) string {
	before, after, found := strings.Cut(said, `"requestId":"`)
	if !found {
		return said
	}
	_, after, _ = strings.Cut(after, `"`)
	return before + after
}
