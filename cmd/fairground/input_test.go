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

// badValues are invalid values for most fields.
var badValues = map[string]any{
	"missing":            nil,
	"empty":              "",
	"only spaces":        "   ",
	"outer spaces":       " \t ",
	"too long":           strings.Repeat("a1", 5000),
	"number":             7,
	"boolean":            true,
	"list":               []any{"a"},
	"object":             map[string]any{"a": 1},
	"another alphabet":   "пароль日本語",
	"full-width digits":  "１２３４５６７８９",
	"emoji":              "😀😀😀😀😀😀😀😀",
	"right-to-left mark": "\u200fabc\u202e123",
	"SQL":                "x'; DROP TABLE member; --",
	"HTML":               "<script>alert(1)</script>",
	"line break":         "abc123\r\nBcc: x",
	"U+0000":             "a\x00b",
}

// An inputTest is a call with valid values.
type inputTest struct {
	method, path string
	actor        string
	query        map[string]string
	fields       map[string]any
	accepted     map[string]string // names of badValues that a field accepts, "*" for all
}

func inputTests() []inputTest {
	number := map[string]any{"mobileNum": "0987654321", "countryDialingCode": "84"}
	with := func(more map[string]any) map[string]any {
		all := maps.Clone(number)
		maps.Copy(all, more)
		return all
	}
	member := map[string]any{
		"username": "minhanh92", "password": memberPassword, "confirmPassword": memberPassword, "agreement": true, "ageConfirmed": true,
		"registerMethod": "H5", "type": 0, "moduleId": "MOBILENUMREG3", "normalRegister": true, "verificationCode": "000000",
		"affiliateCode": "agent001", "firebaseIdToken": "x", "challenge": "x", "captcha": "000000",
	}
	trial := func(path string) inputTest {
		return inputTest{
			method: "POST", path: path, fields: map[string]any{"moduleId": "FREEPLAY3", "ageConfirmed": true},
			accepted: map[string]string{"moduleId": "missing", "ageConfirmed": "boolean"},
		}
	}
	return []inputTest{
		{method: "PUT", path: "/wps/member/register/mobile", fields: with(member)}, // the wrong verificationCode rejects every request
		{method: "GET", path: "/wps/check/username", query: map[string]string{"username": "minhanh92"}},
		{method: "GET", path: "/wps/check/email", query: map[string]string{"email": "a@b.co"}, accepted: map[string]string{"email": "*"}},
		{method: "GET", path: "/wps/agent/affiliate", query: map[string]string{"code": "agent001", "domain": "a.example"}, accepted: map[string]string{"code": "*", "domain": "*"}},
		{method: "GET", path: "/wps/captcha/proof", query: map[string]string{"purpose": "login"}},
		{method: "POST", path: "/wps/captcha/slider", fields: map[string]any{"id": "x", "x": 7}},
		{
			method: "POST", path: "/wps/verification/sms/noLogin", fields: with(map[string]any{"captcha": "000000", "purpose": "register"}),
			accepted: map[string]string{"captcha": "missing,empty,only spaces,outer spaces"}, // the first codes need no captcha
		},
		{method: "POST", path: "/wps/verification/sms/noLogin", fields: map[string]any{"mobileNo": "x", "countryDialingCode": "84"}},
		{method: "POST", path: "/wps/verification/sms", actor: "owner", fields: with(map[string]any{"purpose": "bind"})},
		{method: "POST", path: "/wps/verification/email", actor: "owner", fields: map[string]any{"email": "a@b.co", "purpose": "bind"}},
		{
			method: "GET", path: "/wps/verification/query", query: map[string]string{"mobileNum": "0987654321", "countryDialingCode": "84", "purpose": "login"},
			accepted: map[string]string{"purpose": "missing,empty"},
		},
		{method: "POST", path: "/wps/session/login", fields: map[string]any{"username": "nobody01", "password": "x", "captcha": "0", "challenge": "x"}},
		{method: "POST", path: "/wps/session/login", fields: with(map[string]any{"type": "sms", "username": "987654321", "password": "000000", "mobileNum": nil})},
		{method: "POST", path: "/wps/session/login", fields: map[string]any{"type": "outside", "ticket": "x", "agreement": true, "area": "agent"}},
		{method: "POST", path: "/wps/session/login", fields: map[string]any{
			"type": "firebase", "firebaseIdToken": "x", "firebaseMobileNo": "0987654321", "firebaseChannel": "sms", "countryDialingCode": "84",
		}},
		trial("/wps/member/trial"), trial("/wps/member/testPlay"), trial("/wps/session/login/freeplay"),
	}
}

// The server rejects bad input with 4xx. The response does not contain the input, and no member is created.
func TestVA09BadInputOfPublicCalls(t *testing.T) {
	t.Parallel()
	for _, call := range inputTests() {
		t.Run("VA-09 "+call.method+" "+call.path, func(t *testing.T) {
			t.Parallel()
			p := newServerWithActors(t)
			p.setSwitch(merchant.SwitchOf(spec.FlagSMSLogin, true))
			p.set("register.captcha", `false`)
			before := p.members()
			requests := 0
			check := func(field, name string, a response, sent any) {
				t.Helper()
				accepts := call.accepted[field] == "*" || slices.Contains(strings.Split(call.accepted[field], ","), name)
				if a.status >= 500 || !accepts && a.status/100 != 4 || accepts && a.status/100 != 4 && a.status != http.StatusOK {
					t.Errorf("%s, %s = %d %s, accepted should be %v", field, name, a.status, a.ErrorCode, accepts)
				}
				raw, err := json.Marshal(a)
				if err != nil {
					t.Fatal(err)
				}
				if text, ok := sent.(string); ok && len(strings.TrimSpace(text)) > 6 && strings.Contains(string(raw), text[:7]) {
					t.Errorf("%s, %s: the response repeats the input: %s", field, name, raw)
				}
			}
			headers := func() []string { // a new network for each request, because of the rate limits
				requests++
				return []string{"X-Forwarded-For", fmt.Sprintf("10.%d.%d.7", requests/250, requests%250), "Cookie", "captcha=x; outside=x"}
			}
			for field := range call.fields {
				for name, value := range badValues {
					if value == call.fields[field] {
						continue
					}
					fields := maps.Clone(call.fields)
					fields[field] = value
					maps.DeleteFunc(fields, func(_ string, v any) bool { return v == nil })
					check(field, name, p.as(call.actor, call.method, call.path, body(fields), headers()...), value)
				}
			}
			for field := range call.query {
				for name, value := range badValues {
					query := url.Values{}
					for name, valid := range call.query {
						query.Set(name, valid)
					}
					if value == nil {
						query.Del(field)
					} else {
						query.Set(field, fmt.Sprint(value))
					}
					check(field, name, p.as(call.actor, call.method, call.path+"?"+query.Encode(), "", headers()...), value)
				}
			}
			if _, trial := call.fields["moduleId"]; (!trial || len(call.fields) != 2) && p.members() != before {
				t.Errorf("%d members were created, want none", p.members()-before)
			}
		})
	}
}

func (p *actorServer) members() (n int) {
	p.t.Helper()
	if err := p.services.Store.Reader.QueryRowContext(p.t.Context(), "SELECT COUNT(*) FROM member").Scan(&n); err != nil {
		p.t.Fatal(err)
	}
	return n
}

func TestSE08BadPathsAndReturns(t *testing.T) {
	t.Parallel()
	t.Run("SE-08 the accounts' part: no return address leads off the site", testBadPathsAndReturns)
}

func testBadPathsAndReturns(t *testing.T) {
	t.Parallel()
	p := newServerWithActors(t)
	for name, value := range badValues {
		text := fmt.Sprint(value)
		if text == "" || value == nil {
			text = "0"
		}
		for _, path := range []string{"/wps/session/" + url.PathEscape(text), "/wps/session/-" + url.PathEscape(text)} {
			if a := p.as("owner", http.MethodDelete, path, ""); a.status/100 != 4 {
				t.Errorf("DELETE %.60s, %s: %d, want 4xx", path, name, a.status)
			}
		}
		if a := p.as("owner", http.MethodGet, "/wps/member/headIcon/file/"+url.PathEscape(text), ""); a.status/100 != 4 {
			t.Errorf("file, %s: %d, want 4xx", name, a.status)
		}
		for _, service := range []string{"google", "facebook"} {
			for _, query := range []url.Values{
				{"return": {text}}, {"return": {"//" + text}}, {"return": {"https://evil.example/" + text}}, {"state": {text}, "code": {text}}, {"error": {text}},
			} {
				for _, step := range []string{"start", "callback"} {
					a := p.send(http.MethodGet, "/wps/session/outside/"+service+"/"+step+"?"+query.Encode(), "", "Cookie", "outside=x",
						"X-Forwarded-For", fmt.Sprintf("10.1.%d.7", len(text)%250))
					if strings.ContainsRune(text, 0) && a.status == http.StatusBadRequest {
						continue // U+0000 is rejected in every query
					}
					if to := a.header.Get("Location"); a.status != http.StatusTooManyRequests && (a.status != http.StatusFound || to != "/m/login?outside=failed") {
						t.Errorf("%s %s, %s: %d to %s", service, step, name, a.status, to)
					}
				}
			}
		}
	}
}
