package main

import (
	"crypto/sha256"
	"maps"
	"net/http"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"

	"fairground/internal/platform/jwe/jwetest"
	"fairground/internal/platform/spec"
	"fairground/internal/site/merchant"
)

// accountCalls returns the tests of all calls of accounts, in groups that share a server.
func accountCalls() [][]callTest {
	return append(append(memberCalls(), limitCalls()...), []callTest{launchCall()}, messageCalls(),
		[]callTest{loginCall()}, []callTest{registerCall("register")}, []callTest{registerCall("registerMobile")},
		[]callTest{trialCall("freePlay"), trialCall("testPlay"), trialCall("createTrial")},
		[]callTest{{id: "captcha", attempts: []attempt{{name: "done", want: "200"}}}, sliderCall(), slideCall(), {id: "captchaProof", path: "/wps/captcha/proof?purpose=login", attempts: []attempt{{name: "done", want: "200"}, {name: "no purpose", want: "400 request_param_err on purpose", path: "/wps/captcha/proof"}}}},
		codeCalls(),
		[]callTest{
			{id: "sessionKey", attempts: []attempt{{name: "done", want: "200"}}}, {id: "listSessions", attempts: []attempt{{name: "done", want: "200"}}}, {id: "touch", attempts: []attempt{{name: "done", want: "200"}}},
			{id: "endSession", path: "/wps/session/7", attempts: []attempt{{name: "unknown session", want: "404 session.unknown"}, {name: "id without a number", want: "404 session.unknown", path: "/wps/session/x"}}},
			{id: "endOtherSessions", attempts: []attempt{{name: "done", want: "200"}}}, {id: "renew", attempts: []attempt{{name: "done", want: "200"}}}, {id: "logout", attempts: []attempt{{name: "done", want: "200", before: func(p *actorServer) { p.logIn("owner") }}}},
			{
				id: "checkUsername", path: "/wps/check/username?username=minhanh92",
				attempts: []attempt{{name: "done", want: "200"}, {name: "none", want: "400 validation.required on username", path: "/wps/check/username"}, {name: "malformed", want: "400 member.username_format on username max=16 min=6", path: "/wps/check/username?username=7up"}},
			},
			{id: "checkEmail", path: "/wps/check/email?email=a@b.co", attempts: []attempt{{name: "done", want: "200"}}},
			{id: "checkAffiliate", path: "/wps/agent/affiliate?code=agent88", attempts: []attempt{{name: "done", want: "200"}}},
		},
	)
}

// sealed returns an encrypted body. off is the difference between its time and the server's time.
func (p *actorServer) sealed(nonce string, off time.Duration, fields map[string]any) string {
	p.t.Helper()
	fields = maps.Clone(fields)
	fields["nonce"], fields["time"] = nonce, time.Now().Add(time.Duration(p.clockOffset.Load())+off).UnixMilli()
	key := value[jose.JSONWebKey](p.program, http.MethodGet, "/wps/session/key", "", "")
	return body(map[string]any{"data": jwetest.Seal(p.t, key, fields)})
}

func loginCall() callTest {
	sms := func(changes map[string]any) map[string]any {
		fields := map[string]any{"type": "sms", "username": "912345678", "password": "000000", "countryDialingCode": "84"}
		maps.Copy(fields, changes)
		return fields
	}
	update := func(account, to string) func(*actorServer) {
		return func(p *actorServer) { p.exec("UPDATE member SET " + to + " WHERE account = '" + account + "'") }
	}
	outsideWith := func(email string, agreed, ofAge bool) func(*actorServer) string {
		return func(p *actorServer) string {
			digest := sha256.Sum256([]byte("the-one"))
			ticket, err := p.services.Keys.Seal("signin.ticket", map[string]any{"p": "google", "s": "7", "e": email, "m": p.demo, "b": digest[:]}, time.Minute)
			if err != nil {
				p.t.Fatal(err)
			}
			return body(map[string]any{"type": "outside", "ticket": ticket, "agreement": agreed, "ageConfirmed": ofAge})
		}
	}
	outside := outsideWith("", false, false)
	jweHeader := []string{"Encryption", "jwe"}
	return callTest{
		id: "login", untested: map[string]string{"proof.required": workTested, "login.overtaken": "needs a concurrent change of the account; internal/identity tests it"},
		valid: func(*actorServer) (map[string]any, []string) {
			return map[string]any{"username": "owner001", "password": memberPassword, "type": "username"}, nil
		},
		attempts: []attempt{
			{name: "empty username", want: "400 validation.required on username", with: map[string]any{"username": ""}}, {name: "long username", want: "400 validation.max on username max=64", with: map[string]any{"username": strings.Repeat("x", 65)}},
			{name: "no password", want: "400 member.password_required on password", with: map[string]any{"password": nil}}, {name: "long password", want: "400 member.password_format on password max=64", with: map[string]any{"password": strings.Repeat("x", 65)}},
			{name: "done with spaces around the username", want: "200", with: map[string]any{"username": " owner001\t"}},
			{name: "done", want: "200"}, {name: "unknown username", want: "401 login.incorrect captcha=true", with: map[string]any{"username": "nobody01"}},
			{name: "unknown username again: captcha required", want: "400 captcha.required on captcha captcha=true", with: map[string]any{"username": "nobody01"}},
			{name: "wrong captcha", want: "422 captcha.incorrect on captcha captcha=true", with: map[string]any{"username": "nobody01", "captcha": "x"}, headers: []string{"Cookie", "captcha=x"}},
			{name: "disabled account", want: "403 login.locked", before: update("owner001", "status = 'disabled'")},
			{name: "service account", want: "403 login.not_member", before: update("owner001", "status = 'active', type = 41")},
			{name: "player in the agents' area", want: "403 login.not_agent", before: update("owner001", "type = 0"), with: map[string]any{"area": "agent"}},
			{name: "unknown area", want: "400 request_param_err on area", with: map[string]any{"area": "moon"}},
			{name: "invalid encryption", want: "400 jwe.invalid on data", headers: jweHeader, body: func(*actorServer) string { return `{"data":"nonsense"}` }},
			{name: "encrypted with a time of tomorrow", want: "400 jwe.time now=(varies)", headers: jweHeader, body: func(p *actorServer) string {
				return p.sealed("nonce-of-a-day-ahead", 24*time.Hour, map[string]any{"username": "owner001", "password": memberPassword})
			}},
			{name: "done with encryption", want: "200", headers: jweHeader, body: func(p *actorServer) string {
				return p.sealed("nonce-that-is-fresh", 0, map[string]any{"username": "owner001", "password": memberPassword})
			}},
			{name: "SMS login is off", want: "403 access.denied", before: func(p *actorServer) { p.setSwitch(merchant.SwitchOf(spec.FlagSMSLogin, false)) }, with: sms(nil)},
			{name: "malformed number", want: "400 member.mobile_format on username max=20", before: func(p *actorServer) { p.setSwitch(merchant.SwitchOf(spec.FlagSMSLogin, true)) }, with: sms(map[string]any{"username": "12ab"})},
			{name: "no code", want: "400 validation.required on password", with: sms(map[string]any{"password": ""})}, {name: "code with letters", want: "400 verification.incorrect on password max=10", with: sms(map[string]any{"password": "abcdef"})},
			{name: "wrong code", want: "422 verification.incorrect on verificationCode captcha=true", with: sms(nil)},
			{name: "expired code", want: "422 verification.expired on verificationCode captcha=true", before: inOrder(func(p *actorServer) {
				p.send(http.MethodPost, "/wps/verification/sms/noLogin", `{"mobileNum":"0912345678","countryDialingCode":"84"}`)
			}, advance(16*time.Minute)), with: sms(nil)},
			{name: "unverified number", want: "422 outside.unproved", with: map[string]any{
				"type": "firebase", "firebaseIdToken": "x", "firebaseMobileNo": "912345678", "countryDialingCode": "84",
			}},
			{name: "invalid ticket", want: "422 outside.failed on ticket", with: map[string]any{"type": "outside", "ticket": "x"}},
			{name: "ticket without an account", want: "409 outside.register ticket=(varies)", body: outside, headers: []string{"Cookie", "outside=the-one"}},
			{name: "ticket without an account, age not confirmed", want: "400 register.age_required on ageConfirmed age=18 ticket=(varies)", body: outsideWith("", true, false), headers: []string{"Cookie", "outside=the-one"}},
			{name: "ticket without an account, form has required fields", want: "422 register.form_required field=payeeName", before: func(p *actorServer) {
				p.set("register.fields", `{"payeeName":{"enabled":true,"required":true}}`)
			}, body: outside, headers: []string{"Cookie", "outside=the-one"}},
			{name: "ticket without an account, registration is off", want: "403 register.closed", before: func(p *actorServer) {
				p.setSwitch(merchant.SwitchOf(spec.ModuleRegister, false))
			}, body: outside, headers: []string{"Cookie", "outside=the-one"}},
			{name: "slider required", want: "400 challenge.required on challenge", before: func(p *actorServer) { p.set("login.slider", `true`) }},
			{name: "invalid slider pass", want: "422 challenge.invalid on challenge", with: map[string]any{"challenge": "x"}},
			{name: "closed region", want: "403 system.restricted", before: func(p *actorServer) { p.set("login.slider", `false`); p.set("system.status", `1`) }},
			{name: "maintenance", want: "503 system.maintenance", before: func(p *actorServer) { p.set("system.status", `2`) }},
			{name: "open again", want: "200", before: func(p *actorServer) { p.set("system.status", `0`) }},
			{name: "done on a break", want: "200", before: startBreak("+84912345678")},
			{name: "ticket without an account, email of a member on a break", want: "422 limits.held", before: func(p *actorServer) {
				p.exec("UPDATE member SET email = 'away@fairground.example' WHERE account = 'owner001'")
				p.setSwitch(merchant.SwitchOf(spec.ModuleRegister, true))
				p.set("register.fields", `{}`)
			}, body: outsideWith("away@fairground.example", true, true), headers: []string{"Cookie", "outside=the-one"}},
			{name: "new account of a member on a break", want: "422 limits.excluded", before: func(p *actorServer) {
				p.exec("UPDATE member SET email = 'owner@fairground.example' WHERE account = 'owner001'")
				p.exec("INSERT INTO member_detail (member_id, name, value) SELECT id, 'email', 'Owner@fairground.example' FROM member WHERE account = 'other001'")
				p.exec("UPDATE member SET created_at = created_at + 86400000 WHERE account = 'other001'")
			}, with: map[string]any{"username": "other001"}},
		},
	}
}

func startBreak(number string) func(*actorServer) {
	return func(p *actorServer) {
		p.exec("UPDATE member SET mobile = '" + number + "' WHERE account = 'owner001'")
		if err := p.services.Limits.BeginBreak(p.t.Context(), p.ids["owner"], "24h"); err != nil {
			p.t.Fatal(err)
		}
	}
}

// endBreaks ends all breaks, which no call can do.
func endBreaks(p *actorServer) { p.exec("UPDATE limit_guard SET break_until = 0") }

// registerCall tests a registration with all fields required.
func registerCall(id string) callTest {
	good := map[string]any{
		"username": "minhanh92", "password": memberPassword, "confirmPassword": memberPassword, "agreement": true, "ageConfirmed": true,
		"registerMethod": "H5", "registerUrl": "fairground.example", "domain": "fairground.example", "type": 0, "moduleId": "REG3",
		"normalRegister": true, "countryDialingCode": "84", "mobileNum": "0987654321",
		"paymentPassword": "135790", "nickname": "Minh Anh", "payeeName": "NGUYEN VAN A", "email": "a@b.co", "idNumber": "079203001234", "zalo": "0912345678",
	}
	one := func(name, want, field string, value any) attempt {
		return attempt{name: name, want: want, with: map[string]any{field: value}}
	}
	attempts := []attempt{
		{name: "no captcha", want: "400 captcha.required on captcha", before: func(p *actorServer) {
			p.set("register.fields", `{"paymentPassword":{"enabled":true,"required":true},"nickname":{"enabled":true,"required":true},"payeeName":{"enabled":true},`+
				`"email":{"enabled":true},"idNumber":{"enabled":true},"zalo":{"enabled":true}}`)
		}},
		{name: "wrong captcha", want: "422 captcha.incorrect on captcha", with: map[string]any{"captcha": "000000"}, headers: []string{"Cookie", "captcha=x"}},
		{name: "no slider pass", want: "400 challenge.required on challenge", before: func(p *actorServer) { p.set("register.captcha", `false`); p.set("register.slider", `true`) }},
		one("invalid slider pass", "422 challenge.invalid on challenge", "challenge", "x"),
		{name: "terms not accepted", want: "400 register.agreement_required on agreement", before: func(p *actorServer) { p.set("register.slider", `false`) }, with: map[string]any{"agreement": false}},
		one("age not confirmed", "400 register.age_required on ageConfirmed age=18", "ageConfirmed", false), one("agent", "403 member.type_refused on type", "type", 1), one("disabled field", "400 validation.unasked on line", "line", "minh.anh"),
		one("number instead of text", "400 request_param_err on username", "username", 7), one("no password", "400 member.password_required on password", "password", ""), one("different confirmation", "400 member.password_confirm on confirmPassword", "confirmPassword", another),
		{name: "short password", want: "400 member.password_format on password max=64 min=8", with: map[string]any{"password": tooShort, "confirmPassword": tooShort}},
		{name: "common password", want: "400 member.password_common on password", with: map[string]any{"password": common, "confirmPassword": common}},
		one("malformed username", "400 member.username_format on username max=16 min=6", "username", "7up"), one("malformed number", "400 member.mobile_format on mobileNum max=20", "mobileNum", "12ab"), one("malformed email", "400 member.email_format on email max=254", "email", "a@b"),
		one("malformed contact", "400 member.contact_format on zalo", "zalo", "<b>"), one("malformed id number", "400 member.id_number_format on idNumber", "idNumber", "#1"), one("malformed nickname", "400 member.nickname_format on nickname max=20", "nickname", "a\u202eb"),
		one("no nickname", "400 validation.required on nickname", "nickname", ""), one("malformed payee name", "400 member.payee_format on payeeName max=50 min=2", "payeeName", "<b>"), one("malformed payment password", "400 member.payment_password_format on paymentPassword", "paymentPassword", "abcdef"),
		one("unknown affiliate code", "422 member.affiliate_unknown on affiliateCode", "affiliateCode", "nobody01"), one("existing username", "409 member.username_taken on username", "username", "owner001"),
	}
	if id == "registerMobile" {
		good["moduleId"], good["verificationCode"] = "MOBILENUMREG3", "000000"
		sendCode := func(p *actorServer) {
			p.send(http.MethodPost, "/wps/verification/sms/noLogin", `{"mobileNum":"0987654321","countryDialingCode":"84","purpose":"register"}`)
		}
		setOwnerNumber := func(number string) func(*actorServer) {
			return func(p *actorServer) { p.exec("UPDATE member SET mobile = '" + number + "' WHERE account = 'owner001'") }
		}
		withCode := func(p *actorServer) string {
			fields := maps.Clone(good)
			fields["verificationCode"] = p.code("+84987654321")
			return body(fields)
		}
		attempts = append(attempts, attempt{name: "existing number", want: "422 verification.incorrect on verificationCode", with: map[string]any{"mobileNum": "0912345678"}},
			attempt{name: "wrong code", want: "422 verification.incorrect on verificationCode", before: sendCode}, attempt{name: "expired code", want: "422 verification.expired on verificationCode", before: advance(6 * time.Minute)},
			attempt{name: "number bound to another member after the code was sent", want: "409 member.mobile_taken on mobileNum", before: inOrder(sendCode, setOwnerNumber("+84987654321")), body: withCode},
			attempt{name: "done with the same code and an existing email", want: "200", before: setOwnerNumber("+84912345678"), body: func(p *actorServer) string {
				fields := maps.Clone(good)
				fields["verificationCode"], fields["email"] = p.code("+84987654321"), "Owner@fairground.example"
				return body(fields)
			}})
	} else {
		attempts = append(attempts,
			attempt{name: "done with an existing email", want: "200", with: map[string]any{"username": "minhanh90", "email": "Owner@fairground.example"}},
			attempt{name: "done with an existing number", want: "200", with: map[string]any{"username": "minhanh91", "mobileNum": "0912345678"}},
			attempt{name: "done with the number of a member on a break", want: "200", before: inOrder(startBreak("+84987654321"), func(p *actorServer) {
				p.exec("UPDATE member SET mobile = '+84912345678' WHERE account = 'owner001'")
			}), with: map[string]any{"username": "minhanh93"}},
			attempt{name: "done", want: "200", before: endBreaks})
	}
	attempts = append(attempts,
		attempt{name: "registration module is off", want: "403 register.closed", before: func(p *actorServer) { p.setSwitch(merchant.SwitchOf(spec.ModuleRegisterFree, false)) }, with: map[string]any{"moduleId": "REGISTER_REE3"}},
		attempt{name: "closed region", want: "403 system.restricted", before: func(p *actorServer) { p.set("system.status", `1`) }},
		attempt{name: "maintenance", want: "503 system.maintenance", before: func(p *actorServer) { p.set("system.status", `2`) }},
		attempt{name: "invitations are off", want: "403 module.off on affiliateCode module=AFFMAN3", before: func(p *actorServer) {
			p.set("system.status", `0`)
			p.setSwitch(merchant.SwitchOf(spec.ModuleAffiliate, false))
		}, with: map[string]any{"affiliateCode": "agent88"}},
		attempt{name: "registration is off", want: "403 register.closed", before: func(p *actorServer) { p.setSwitch(merchant.SwitchOf(spec.ModuleRegister, false)) }},
	)
	untested := map[string]string{"proof.required": workTested}
	if id == "registerMobile" {
		untested["outside.unproved"] = "needs a Firebase project; internal/identity tests it"
	}
	sent := 0
	return callTest{id: id, untested: untested, attempts: attempts, valid: func(*actorServer) (map[string]any, []string) {
		if sent++; sent < 20 { // because of the rate limit per network
			return good, []string{"X-Forwarded-For", "198.51.100.7"}
		}
		return good, nil
	}}
}

func trialCall(id string) callTest {
	return callTest{
		id: id,
		valid: func(*actorServer) (map[string]any, []string) {
			return map[string]any{"ageConfirmed": true, "moduleId": "FREEPLAY3"}, []string{"ModuleId", "FREEPLAY3"}
		},
		attempts: []attempt{
			{name: "done", want: "200"}, {name: "age not confirmed", want: "400 register.age_required on ageConfirmed age=18", with: map[string]any{"ageConfirmed": false}}, {name: "no age confirmation", want: "400 request_param_err on ageConfirmed", with: map[string]any{"ageConfirmed": nil}}, {name: "wrong module", want: "400 request_param_err on moduleId", with: map[string]any{"moduleId": "REG3"}},
			{name: "closed region", want: "403 system.restricted", before: func(p *actorServer) { p.set("system.status", `1`) }},
			{name: "maintenance", want: "503 system.maintenance", before: func(p *actorServer) { p.set("system.status", `2`) }},
			{name: "module is off: success with trialIndicator 0", want: "200", before: func(p *actorServer) {
				p.set("system.status", `0`)
				p.setSwitch(merchant.SwitchOf(spec.ModuleFreePlay, false))
			}},
			{name: "done again", want: "200", before: func(p *actorServer) { p.setSwitch(merchant.SwitchOf(spec.ModuleFreePlay, true)) }},
		},
	}
}

const otherSlider = "needs an external slider; internal/identity/captcha tests it"

func sliderCall() callTest {
	return callTest{id: "captchaSlider", attempts: []attempt{{name: "done", want: "200"}}, untested: map[string]string{"access.denied": otherSlider}}
}

func slideCall() callTest {
	return callTest{
		id: "captchaSlide", untested: map[string]string{"access.denied": otherSlider},
		valid: func(p *actorServer) (map[string]any, []string) {
			id, x := p.sliderPuzzle()
			return map[string]any{"id": id, "x": x}, nil
		},
		attempts: []attempt{
			{name: "done", want: "200"}, {name: "wrong position", want: "422 challenge.missed", with: map[string]any{"x": 1}}, {name: "invalid id", want: "422 challenge.invalid on id", with: map[string]any{"id": "x"}},
			{name: "position out of range", want: "400 request_param_err on x", with: map[string]any{"x": -1}}, {name: "text instead of number", want: "400 request_param_err on x", with: map[string]any{"x": "1"}},
		},
	}
}

// workTested is the reason why proof.required has no attempt.
const workTested = "needs many failures; internal/identity/captcha and session test it"

func codeCalls() []callTest {
	unsent := map[string]string{"proof.required": workTested, "verification.unavailable": "the demo accepts every message; internal/identity/verification tests it"}
	number := func(more map[string]any) func(*actorServer) (map[string]any, []string) {
		fields := map[string]any{"mobileNum": "0912345678", "countryDialingCode": "84"}
		maps.Copy(fields, more)
		return func(*actorServer) (map[string]any, []string) { return fields, nil }
	}
	malformed, none := attempt{name: "malformed", want: "400 member.mobile_format on mobileNum max=20", with: map[string]any{"mobileNum": "12ab"}}, attempt{name: "no number", want: "400 validation.required on mobileNum", with: map[string]any{"mobileNum": ""}}
	return []callTest{
		{
			id: "sendCode", untested: unsent, valid: number(nil),
			attempts: []attempt{
				{name: "done", want: "200", before: func(p *actorServer) { p.setSwitch(merchant.SwitchOf(spec.FlagSMSLogin, true)) }}, malformed, none,
				{name: "done with mobileNo", want: "200", with: map[string]any{"mobileNum": nil, "mobileNo": "0912345678"}},
				{name: "done with an unknown number", want: "200", with: map[string]any{"mobileNum": "0987654321"}},
				{name: "captcha required", want: "400 captcha.required on captcha"}, {name: "wrong captcha", want: "422 captcha.incorrect on captcha", with: map[string]any{"captcha": "x"}, headers: []string{"Cookie", "captcha=x"}},
				{name: "wrong purpose", want: "400 request_param_err on purpose", with: map[string]any{"purpose": "reset"}},
				{name: "off", want: "403 access.denied", before: func(p *actorServer) { p.setSwitch(merchant.SwitchOf(spec.FlagSMSLogin, false)) }},
			},
		},
		{id: "codeRunning", path: "/wps/verification/query?mobileNum=912345678&countryDialingCode=84", attempts: []attempt{
			{name: "done", want: "200"}, {name: "no number", want: "400 validation.required on mobileNum", path: "/wps/verification/query"}, {name: "malformed", want: "400 member.mobile_format on mobileNum max=20", path: "/wps/verification/query?mobileNum=12ab&countryDialingCode=84"},
		}},
		{
			id: "sendOwnMobileCode", untested: unsent, valid: number(map[string]any{"purpose": "bind"}),
			attempts: []attempt{{name: "trial", want: "403 member.trial_refused", actor: "trial"}, {name: "done", want: "200"}, malformed, none},
		},
		{
			id: "sendOwnEmailCode", untested: unsent,
			valid: func(*actorServer) (map[string]any, []string) {
				return map[string]any{"email": "a@b.co", "purpose": "bind"}, nil
			},
			attempts: []attempt{{name: "trial", want: "403 member.trial_refused", actor: "trial"}, {name: "done", want: "200"}, {name: "malformed", want: "400 member.email_format on email max=254", with: map[string]any{"email": "a@b"}}, {name: "none", want: "400 validation.required on email", with: map[string]any{"email": ""}}},
		},
	}
}
