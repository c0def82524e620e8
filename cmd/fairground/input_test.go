package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"fairground/internal/platform/spec"
	"fairground/internal/site/merchant"
)

// bad is what is put into every field.
var bad = map[string]any{
	"missing":            nil,
	"empty":              "",
	"only spaces":        "   ",
	"outer spaces":       " \t ",
	"too long":           strings.Repeat("a1", 5000),
	"a number":           7,
	"a truth":            true,
	"a list":             []any{"a"},
	"an object":          map[string]any{"a": 1},
	"another alphabet":   "пароль日本語",
	"full-width digits":  "１２３４５６７８９",
	"emoji":              "😀😀😀😀😀😀😀😀",
	"right-to-left mark": "\u200fabc\u202e123",
	"SQL":                "x'; DROP TABLE member; --",
	"HTML":               "<script>alert(1)</script>",
	"a line break":       "abc123\r\nBcc: x",
	"U+0000":             "a\x00b",
}

// typed is a call with a good value for each of its fields. Fields that may stand in a query do.
type typed struct {
	method, path string
	actor        string
	query        map[string]string
	fields       map[string]any
	taken        map[string]string // which of bad a field takes, or leaves to another to refuse
}

func inputs() []typed {
	number := map[string]any{"mobileNum": "0987654321", "countryDialingCode": "84"}
	with := func(more map[string]any) map[string]any {
		all := maps.Clone(number)
		maps.Copy(all, more)
		return all
	}
	newcomer := map[string]any{
		"username": "minhanh92", "password": memberPassword, "confirmPassword": memberPassword, "agreement": true, "ageConfirmed": true,
		"registerMethod": "H5", "type": 0, "moduleId": "MOBILENUMREG3", "normalRegister": true, "verificationCode": "000000",
		"affiliateCode": "agent001", "firebaseIdToken": "x", "challenge": "x", "captcha": "000000",
	}
	trying := func(path string) typed {
		return typed{
			method: "POST", path: path, fields: map[string]any{"moduleId": "FREEPLAY3", "ageConfirmed": true},
			taken: map[string]string{"moduleId": "missing", "ageConfirmed": "a truth"},
		}
	}
	// A code is wrong in any case here, so whatever a field takes ends in a refusal all the same.
	return []typed{
		{method: "PUT", path: "/wps/member/register/mobile", fields: with(newcomer)},
		{method: "GET", path: "/wps/check/username", query: map[string]string{"username": "minhanh92"}},
		{method: "GET", path: "/wps/check/email", query: map[string]string{"email": "a@b.co"}, taken: map[string]string{"email": "*"}},
		{method: "GET", path: "/wps/agent/affiliate", query: map[string]string{"code": "agent001", "domain": "a.example"}, taken: map[string]string{"code": "*", "domain": "*"}},
		{method: "POST", path: "/wps/captcha/code", fields: map[string]any{"captcha": "000000"}},
		{method: "POST", path: "/wps/captcha/slider", fields: map[string]any{"id": "x", "x": 7}},
		{
			method: "POST", path: "/wps/verification/sms/noLogin", fields: with(map[string]any{"captcha": "000000", "purpose": "register"}),
			taken: map[string]string{"captcha": "missing,empty,only spaces,outer spaces"}, // the first few need none
		},
		{method: "POST", path: "/wps/verification/sms/noLogin", fields: map[string]any{"mobileNo": "x", "countryDialingCode": "84"}},
		{method: "POST", path: "/wps/verification/sms", actor: "owner", fields: with(map[string]any{"purpose": "bind"})},
		{method: "POST", path: "/wps/verification/email", actor: "owner", fields: map[string]any{"email": "a@b.co", "purpose": "bind"}},
		{
			method: "GET", path: "/wps/verification/query", query: map[string]string{"mobileNum": "0987654321", "countryDialingCode": "84", "purpose": "login"},
			taken: map[string]string{"purpose": "missing,empty"},
		},
		{method: "POST", path: "/wps/session/login", fields: map[string]any{"username": "nobody01", "password": "x", "captcha": "0", "challenge": "x"}},
		{method: "POST", path: "/wps/session/login", fields: with(map[string]any{"type": "sms", "username": "987654321", "password": "000000", "mobileNum": nil})},
		{method: "POST", path: "/wps/session/login", fields: map[string]any{"type": "outside", "ticket": "x", "agreement": true, "area": "agent"}},
		{method: "POST", path: "/wps/session/login", fields: map[string]any{
			"type": "firebase", "firebaseIdToken": "x", "firebaseMobileNo": "0987654321", "firebaseChannel": "sms", "countryDialingCode": "84",
		}},
		trying("/wps/member/trial"), trying("/wps/member/testPlay"), trying("/wps/session/login/freeplay"),
	}
}

// Every field of every open call, with everything that may be wrong with it: refused, never repeated, never a fault of
// ours, and nobody is made by it.
func TestVA09BadInputOfOpenCalls(t *testing.T) {
	t.Parallel()
	for _, call := range inputs() {
		t.Run("VA-09 "+call.method+" "+call.path, func(t *testing.T) {
			t.Parallel()
			p := newCallers(t)
			p.setSwitch(merchant.SwitchOf(spec.FlagSMSLogin, true))
			p.set("register.captcha", `false`)
			before := p.members()
			tries := 0
			look := func(field, name string, a response, sent any) {
				t.Helper()
				takes := call.taken[field] == "*" || slices.Contains(strings.Split(call.taken[field], ","), name)
				if a.status >= 500 || !takes && a.status/100 != 4 || takes && a.status/100 != 4 && a.status != http.StatusOK {
					t.Errorf("%s, %s: %d %s", field, name, a.status, a.ErrorCode)
				}
				raw, err := json.Marshal(a)
				if err != nil {
					t.Fatal(err)
				}
				if text, ok := sent.(string); ok && len(strings.TrimSpace(text)) > 6 && strings.Contains(string(raw), text[:7]) {
					t.Errorf("%s, %s: the answer repeats it: %s", field, name, raw)
				}
			}
			from := func() []string { // each from a network of its own, for each may call only so often
				tries++
				return []string{"X-Forwarded-For", fmt.Sprintf("10.%d.%d.7", tries/250, tries%250), "Cookie", "captcha=x; outside=x"}
			}
			for field := range call.fields {
				for name, value := range bad {
					if value == call.fields[field] {
						continue // a truth for a truth
					}
					fields := maps.Clone(call.fields)
					fields[field] = value
					maps.DeleteFunc(fields, func(_ string, v any) bool { return v == nil })
					look(field, name, p.as(call.actor, call.method, call.path, body(fields), from()...), value)
				}
			}
			for field := range call.query {
				for name, value := range bad {
					query := url.Values{}
					for name, good := range call.query {
						query.Set(name, good)
					}
					if value == nil {
						query.Del(field)
					} else {
						query.Set(field, fmt.Sprint(value))
					}
					look(field, name, p.as(call.actor, call.method, call.path+"?"+query.Encode(), "", from()...), value)
				}
			}
			if _, trial := call.fields["moduleId"]; (!trial || len(call.fields) != 2) && p.members() != before {
				t.Errorf("%d members were made", p.members()-before)
			}
		})
	}
}

func (p *callers) members() (n int) {
	p.t.Helper()
	if err := p.services.Store.Reader.QueryRowContext(p.t.Context(), "SELECT COUNT(*) FROM member").Scan(&n); err != nil {
		p.t.Fatal(err)
	}
	return n
}

// What stands in a path, and what browsers are led back with: nothing of it is a fault of ours, and no way leads off the
// site (SE-08).
func TestSE08BadPathsAndReturns(t *testing.T) {
	t.Parallel()
	t.Run("SE-08 the accounts' part: no return leads off the site, whatever it is", badPathsAndReturns)
}

func badPathsAndReturns(t *testing.T) {
	t.Parallel()
	p := newCallers(t)
	for name, value := range bad {
		text := fmt.Sprint(value)
		if text == "" || value == nil {
			text = "0"
		}
		for _, path := range []string{"/wps/session/" + url.PathEscape(text), "/wps/session/-" + url.PathEscape(text)} {
			if a := p.as("owner", http.MethodDelete, path, ""); a.status/100 != 4 {
				t.Errorf("DELETE %.60s, %s: %d", path, name, a.status)
			}
		}
		if a := p.as("owner", http.MethodGet, "/wps/member/headIcon/file/"+url.PathEscape(text), ""); a.status/100 != 4 {
			t.Errorf("file, %s: %d", name, a.status)
		}
		for _, service := range []string{"google", "facebook"} {
			for _, query := range []url.Values{
				{"return": {text}}, {"return": {"//" + text}}, {"return": {"https://evil.example/" + text}}, {"state": {text}, "code": {text}}, {"error": {text}},
			} {
				for _, step := range []string{"start", "callback"} {
					a := p.send(http.MethodGet, "/wps/session/outside/"+service+"/"+step+"?"+query.Encode(), "", "Cookie", "outside=x",
						"X-Forwarded-For", fmt.Sprintf("10.1.%d.7", len(text)%250))
					if strings.ContainsRune(text, 0) && a.status == http.StatusBadRequest {
						continue // no query may hold it
					}
					if to := a.header.Get("Location"); a.status != http.StatusTooManyRequests && (a.status != http.StatusFound || to != "/m/login?outside=failed") {
						t.Errorf("%s %s, %s: %d to %s", service, step, name, a.status, to)
					}
				}
			}
		}
	}
}
