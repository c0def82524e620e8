package account_test

import (
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"fairground/internal/identity/member"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/spec"
	"fairground/internal/site/merchant"
)

// A sharedCase is a validation case that the server and the app both test.
type sharedCase struct {
	Rule, Value string
	Form        map[string]string
	Codes       []string
}

func sharedCases(t *testing.T) map[string][]sharedCase {
	t.Helper()
	raw, err := os.ReadFile("../../platform/validation/testdata/cases.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []sharedCase
	if err := json.Unmarshal(raw, &all); err != nil {
		t.Fatal(err)
	}
	byRule := map[string][]sharedCase{}
	for _, c := range all {
		byRule[c.Rule] = append(byRule[c.Rule], c)
	}
	return byRule
}

// Operations reject the same values as the rules, with the same code. They report the field that the caller sent.
func TestVA09OperationsFollowTheSharedCases(t *testing.T) {
	t.Parallel()
	const code, noLogin = "verificationCode", "/wps/verification/sms/noLogin"
	mobile, email := channels["sms"].unbound.with(code, "000000"), channels["email"].unbound.with(code, "000000")
	login := body{"username": "nobody01", "password": "x"}
	sms := body{"type": "sms", "username": "0912345678", "password": "000000", "countryDialingCode": "84"}
	phone := body{"type": "firebase", "firebaseIdToken": "x", "firebaseMobileNo": "0912345678", "countryDialingCode": "84"}
	newMember := registration("again0001").with("mobileNum", "0987654321").with(code, "000000").with("moduleId", "MOBILENUMREG3")
	withPassword := func(b body) body { return b.with("password", "qua-xanh7") }
	for _, call := range []struct {
		title, method, path, rule, field string
		body                             body
		optional                         bool
	}{
		{"VA-04 login", "POST", "/wps/session/login", "loginUsername", "username", login, false},
		{"VA-04 login", "POST", "/wps/session/login", "loginPassword", "password", login, false},
		{"VA-04 login by a number", "POST", "/wps/session/login", "loginMobileNum", "username", sms, false},
		{"VA-04 login by a number", "POST", "/wps/session/login", code, "password", sms, false},
		{"VA-04 login by a provider", "POST", "/wps/session/login", "loginMobileNum", "firebaseMobileNo", phone, false},
		{"VA-03 a code to log in", "POST", noLogin, "mobileNum", "mobileNum", channels["sms"].unbound, false},
		{"VA-03 a code to bind", "POST", "/wps/verification/sms", "mobileNum", "mobileNum", channels["sms"].unbound.with("purpose", "bind"), false},
		{"VA-07 a code to bind", "POST", "/wps/verification/email", "email", "email", channels["email"].unbound.with("purpose", "bind"), false},
		{"VA-03 forgotten", "POST", channels["sms"].path, "mobileNum", "mobileNum", channels["sms"].bound, false},
		{"VA-04 forgotten", "POST", channels["sms"].path, "loginUsername", "username", channels["sms"].bound, true},
		{"VA-07 forgotten", "POST", channels["email"].path, "email", "email", channels["email"].bound, false},
		{"VA-02 the captcha's part, forgotten", "POST", channels["sms"].path, "captcha", "captcha", channels["sms"].bound, false},
		{"VA-02 the code's part, forgotten", "POST", channels["sms"].path + "/verification", code, code, channels["sms"].bound, false},
		{"VA-02 the code's part, forgotten", "POST", channels["email"].path + "/verification", code, code, channels["email"].bound, false},
		{"VA-02 the number's part, registering", "PUT", registerByMobilePath, "mobileNum", "mobileNum", newMember, false},
		{"VA-02 the code's part, registering", "PUT", registerByMobilePath, code, code, newMember, false},
		{"VA-02 the captcha's part, registering", "PUT", registerByNamePath, "captcha", "captcha", registration("again0001"), false},
		{"VA-02 the number's part, binding", "PUT", "/wps/member/mobile", "mobileNum", "mobileNum", withPassword(mobile), false},
		{"VA-02 the code's part, binding", "PUT", "/wps/member/mobile", code, code, withPassword(mobile), false},
		{"VA-07 binding", "PUT", "/wps/member/email", "email", "email", withPassword(email), false},
		{"VA-02 the code's part, binding", "PUT", "/wps/member/email", code, code, withPassword(email), false},
		{"VA-11 the old password's part, binding", "PUT", "/wps/member/email", "oldPassword", "password", email, false},
	} {
		t.Run(call.title+": VA-09 "+call.rule+" at "+call.path, func(t *testing.T) {
			t.Parallel()
			h := newServer(t, dbtest.SQLite(t))
			h.member(t, "minhanh92", "qua-xanh7", member.Player)
			for _, on := range []merchant.Switch{merchant.SwitchOf(spec.FlagSMSLogin, true), merchant.SwitchOf(spec.ModuleValidCaptcha, true)} {
				if err := h.Merchants.SetSwitch(t.Context(), h.ID, on); err != nil {
					t.Fatal(err)
				}
			}
			for _, c := range sharedCases(t)[call.rule] {
				if c.Value == strings.Repeat("9", 20) {
					continue // valid for the rule, but no country has such a number
				}
				h.Clock.Add(time.Hour) // refills the limits
				h.Refill()
				cookie, _ := h.solveCaptcha(t)
				reply := h.Call(t, call.method, call.path, call.body.with(call.field, c.Value), "Cookie", cookie, "Authorization", h.login(t, "minhanh92", "qua-xanh7"))
				want := ""
				if len(c.Codes) > 0 && (!call.optional || strings.Trim(c.Value, " ") != "") {
					want = c.Codes[0]
				}
				switch got := refusalOf(t, reply); {
				case want != "" && (got.ErrorCode != want || got.Field != call.field || reply.Status/100 != 4):
					t.Errorf("%.40q: %d %+v, want %s", c.Value, reply.Status, got, want)
				case want == "" && reply.Status == http.StatusBadRequest && got.Field == call.field:
					t.Errorf("%.40q is refused: %+v, want it accepted", c.Value, got)
				}
			}
		})
	}
}

func TestVA09LoginDropsOuterSpaces(t *testing.T) {
	t.Parallel()
	h := newServer(t, dbtest.SQLite(t))
	h.member(t, "minhanh92", "qua-xanh7", member.Player)
	for name, c := range map[string]struct {
		body body
		want string
	}{
		"around the username":                {body{"username": " minhanh92\u00a0\t", "password": "qua-xanh7"}, ""},
		"around the password":                {body{"username": "minhanh92", "password": " qua-xanh7"}, "login.incorrect"},
		"space that the app does not remove": {body{"username": "\u2003minhanh92", "password": "qua-xanh7"}, "login.incorrect"},
		"around an unknown username":         {body{"username": " nobody01 ", "password": "qua-xanh7"}, "login.incorrect"},
		"inside the username":                {body{"username": "minh anh92", "password": "qua-xanh7"}, "login.incorrect"},
	} {
		h.Clock.Add(time.Hour)
		wantCode(t, name, h.Call(t, "POST", "/wps/session/login", c.body), c.want)
	}
}
