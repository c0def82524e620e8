package main

import (
	"crypto/sha256"
	"encoding/binary"
	"hash/crc32"
	"maps"
	"net/http"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"

	"fairground/internal/platform/jwe/jwetest"
	"fairground/internal/platform/spec"
	"fairground/internal/site/merchant"
)

// accountCalls is all calls of accounts, in groups that share a site.
func accountCalls() [][]callTest {
	return append(append(ofMembers(), ofLimits()...), []callTest{launching()},
		[]callTest{logins()}, []callTest{registering("register")}, []callTest{registering("registerMobile")},
		[]callTest{trying("freePlay"), trying("testPlay"), trying("createTrial")},
		[]callTest{{id: "captcha", attempts: []attempt{{name: "done", want: "200"}}}, slides(), puzzles(), read()},
		codes(),
		[]callTest{
			{id: "sessionKey", attempts: []attempt{{name: "done", want: "200"}}}, {id: "listSessions", attempts: []attempt{{name: "done", want: "200"}}}, {id: "touch", attempts: []attempt{{name: "done", want: "200"}}},
			{id: "endSession", path: "/wps/session/7", attempts: []attempt{{name: "no such session", want: "404 session.unknown"}, {name: "no number", want: "404 session.unknown", path: "/wps/session/x"}}},
			{id: "endOtherSessions", attempts: []attempt{{name: "done", want: "200"}}}, {id: "renew", attempts: []attempt{{name: "done", want: "200"}}}, {id: "logout", attempts: []attempt{{name: "done", want: "200", before: func(p *callers) { p.logIn("owner") }}}},
			{
				id: "checkUsername", path: "/wps/check/username?username=minhanh92",
				attempts: []attempt{{name: "done", want: "200"}, {name: "none", want: "400 validation.required on username", path: "/wps/check/username"}, {name: "malformed", want: "400 member.username_format on username max=16 min=6", path: "/wps/check/username?username=7up"}},
			},
			{id: "checkEmail", path: "/wps/check/email?email=a@b.co", attempts: []attempt{{name: "done", want: "200"}}},
			{id: "checkAffiliate", path: "/wps/agent/affiliate?code=agent88", attempts: []attempt{{name: "done", want: "200"}}},
		},
	)
}

// sealed is a body that is encrypted as a browser does it, at a time off from the server's.
func (p *callers) sealed(nonce string, off time.Duration, fields map[string]any) string {
	p.t.Helper()
	fields = maps.Clone(fields)
	fields["nonce"], fields["time"] = nonce, time.Now().Add(time.Duration(p.clockOffset.Load())+off).UnixMilli()
	key := value[jose.JSONWebKey](p.program, http.MethodGet, "/wps/session/key", "", "")
	return body(map[string]any{"data": jwetest.Seal(p.t, key, fields)})
}

func logins() callTest {
	sms := func(changes map[string]any) map[string]any {
		fields := map[string]any{"type": "sms", "username": "912345678", "password": "000000", "countryDialingCode": "84"}
		maps.Copy(fields, changes)
		return fields
	}
	status := func(account, to string) func(*callers) {
		return func(p *callers) { p.exec("UPDATE member SET " + to + " WHERE account = '" + account + "'") }
	}
	outsideOf := func(email string, agreed, ofAge bool) func(*callers) string {
		return func(p *callers) string {
			digest := sha256.Sum256([]byte("the-one"))
			ticket, err := p.services.Keys.Seal("signin.ticket", map[string]any{"p": "google", "s": "7", "e": email, "m": p.demo, "b": digest[:]}, time.Minute)
			if err != nil {
				p.t.Fatal(err)
			}
			return body(map[string]any{"type": "outside", "ticket": ticket, "agreement": agreed, "ageConfirmed": ofAge})
		}
	}
	outside := outsideOf("", false, false)
	jweHeader := []string{"Encryption", "jwe"}
	return callTest{
		id: "login", untested: map[string]string{"login.overtaken": "a change of the account between a proof and its session; the members' own test has it"},
		valid: func(*callers) (map[string]any, []string) {
			return map[string]any{"username": "owner001", "password": memberPassword, "type": "username"}, nil
		},
		attempts: []attempt{
			{name: "no name", want: "400 validation.required on username", with: map[string]any{"username": ""}}, {name: "a name too long", want: "400 validation.max on username max=64", with: map[string]any{"username": strings.Repeat("x", 65)}},
			{name: "no password", want: "400 member.password_required on password", with: map[string]any{"password": nil}}, {name: "a password too long", want: "400 member.password_format on password max=64", with: map[string]any{"password": strings.Repeat("x", 65)}},
			{name: "done, with spaces around the name", want: "200", with: map[string]any{"username": " owner001\t"}},
			{name: "done", want: "200"}, {name: "nobody", want: "401 login.incorrect captcha=true", with: map[string]any{"username": "nobody01"}},
			{name: "nobody again: the captcha is asked for", want: "400 captcha.required on captcha captcha=true", with: map[string]any{"username": "nobody01"}},
			{name: "the captcha is wrong", want: "422 captcha.incorrect on captcha captcha=true", with: map[string]any{"username": "nobody01", "captcha": "x"}, headers: []string{"Cookie", "captcha=x"}},
			{name: "a closed account", want: "403 login.locked", before: status("owner001", "status = 'disabled'")},
			{name: "a service account", want: "403 login.not_member", before: status("owner001", "status = 'active', type = 41")},
			{name: "a player in the agents' area", want: "403 login.not_agent", before: status("owner001", "type = 0"), with: map[string]any{"area": "agent"}},
			{name: "an area that there is not", want: "400 request_param_err on area", with: map[string]any{"area": "moon"}},
			{name: "encrypted, and is not", want: "400 jwe.invalid on data", headers: jweHeader, body: func(*callers) string { return `{"data":"nonsense"}` }},
			{name: "encrypted a day ahead", want: "400 jwe.time now=(varies)", headers: jweHeader, body: func(p *callers) string {
				return p.sealed("nonce-of-a-day-ahead", 24*time.Hour, map[string]any{"username": "owner001", "password": memberPassword})
			}},
			{name: "done, encrypted", want: "200", headers: jweHeader, body: func(p *callers) string {
				return p.sealed("nonce-that-is-fresh", 0, map[string]any{"username": "owner001", "password": memberPassword})
			}},
			{name: "by a number, which is off", want: "403 access.denied", before: func(p *callers) { p.setSwitch(merchant.SwitchOf(spec.FlagSMSLogin, false)) }, with: sms(nil)},
			{name: "a malformed number", want: "400 member.mobile_format on username max=20", before: func(p *callers) { p.setSwitch(merchant.SwitchOf(spec.FlagSMSLogin, true)) }, with: sms(map[string]any{"username": "12ab"})},
			{name: "no code", want: "400 validation.required on password", with: sms(map[string]any{"password": ""})}, {name: "a code of mails", want: "400 verification.incorrect on password max=10", with: sms(map[string]any{"password": "abcdef"})},
			{name: "a wrong code", want: "422 verification.incorrect on verificationCode captcha=true", with: sms(nil)},
			{name: "a code that has run out", want: "422 verification.expired on verificationCode captcha=true", before: inOrder(func(p *callers) {
				p.send(http.MethodPost, "/wps/verification/sms/noLogin", `{"mobileNum":"0912345678","countryDialingCode":"84"}`)
			}, advance(16*time.Minute)), with: sms(nil)},
			{name: "a number that is not proved", want: "422 outside.unproved", with: map[string]any{
				"type": "firebase", "firebaseIdToken": "x", "firebaseMobileNo": "912345678", "countryDialingCode": "84",
			}},
			{name: "a ticket that is none", want: "422 outside.failed on ticket", with: map[string]any{"type": "outside", "ticket": "x"}},
			{name: "a ticket of nobody's account", want: "409 outside.register ticket=(varies)", body: outside, headers: []string{"Cookie", "outside=the-one"}},
			{name: "a ticket of nobody's account, without the age", want: "400 register.age_required on ageConfirmed age=18 ticket=(varies)", body: outsideOf("", true, false), headers: []string{"Cookie", "outside=the-one"}},
			{name: "a ticket of nobody's account, where the form asks for more", want: "422 register.form_required field=payeeName", before: func(p *callers) {
				p.set("register.fields", `{"payeeName":{"enabled":true,"required":true}}`)
			}, body: outside, headers: []string{"Cookie", "outside=the-one"}},
			{name: "a ticket of nobody's account, where nobody registers", want: "403 register.closed", before: func(p *callers) {
				p.setSwitch(merchant.SwitchOf(spec.ModuleRegister, false))
			}, body: outside, headers: []string{"Cookie", "outside=the-one"}},
			{name: "the slider is asked for", want: "400 challenge.required on challenge", before: func(p *callers) { p.set("login.slider", `true`) }},
			{name: "a pass that is none", want: "422 challenge.invalid on challenge", with: map[string]any{"challenge": "x"}},
			{name: "a region that is closed", want: "403 system.restricted", before: func(p *callers) { p.set("login.slider", `false`); p.set("system.status", `1`) }},
			{name: "maintenance", want: "503 system.maintenance", before: func(p *callers) { p.set("system.status", `2`) }},
			{name: "open again", want: "200", before: func(p *callers) { p.set("system.status", `0`) }},
			{name: "done by a member on a break", want: "200", before: startBreak("+84912345678")},
			{name: "a ticket of nobody's account, of somebody on a break", want: "422 register.not_possible", before: func(p *callers) {
				p.exec("UPDATE member SET email = 'away@fairground.example' WHERE account = 'owner001'")
				p.setSwitch(merchant.SwitchOf(spec.ModuleRegister, true))
				p.set("register.fields", `{}`)
			}, body: outsideOf("away@fairground.example", true, true), headers: []string{"Cookie", "outside=the-one"}},
			{name: "a new account of theirs", want: "422 limits.excluded", before: func(p *callers) {
				p.exec("UPDATE member SET email = 'owner@fairground.example' WHERE account = 'owner001'")
				p.exec("INSERT INTO member_detail (member_id, name, value) SELECT id, 'email', 'Owner@fairground.example' FROM member WHERE account = 'other001'")
				p.exec("UPDATE member SET created_at = created_at + 86400000 WHERE account = 'other001'")
			}, with: map[string]any{"username": "other001"}},
		},
	}
}

// away gives the owner a number and lets them take a break.
func startBreak(number string) func(*callers) {
	return func(p *callers) {
		p.exec("UPDATE member SET mobile = '" + number + "' WHERE account = 'owner001'")
		if err := p.services.Limits.Begin(p.t.Context(), p.ids["owner"], "24h"); err != nil {
			p.t.Fatal(err)
		}
	}
}

// back ends it, as no call can.
func endBreaks(p *callers) { p.exec("UPDATE limit_guard SET break_until = 0") }

// registering is tried field by field: everything is asked for.
func registering(id string) callTest {
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
		{name: "no captcha", want: "400 captcha.required on captcha", before: func(p *callers) {
			p.set("register.fields", `{"paymentPassword":{"enabled":true,"required":true},"nickname":{"enabled":true,"required":true},"payeeName":{"enabled":true},`+
				`"email":{"enabled":true},"idNumber":{"enabled":true},"zalo":{"enabled":true}}`)
		}},
		{name: "a wrong captcha", want: "422 captcha.incorrect on captcha", with: map[string]any{"captcha": "000000"}, headers: []string{"Cookie", "captcha=x"}},
		{name: "no pass of the slider", want: "400 challenge.required on challenge", before: func(p *callers) { p.set("register.captcha", `false`); p.set("register.slider", `true`) }},
		one("a pass that is none", "422 challenge.invalid on challenge", "challenge", "x"),
		{name: "not agreed", want: "400 register.agreement_required on agreement", before: func(p *callers) { p.set("register.slider", `false`) }, with: map[string]any{"agreement": false}},
		one("too young", "400 register.age_required on ageConfirmed age=18", "ageConfirmed", false), one("an agent", "403 member.type_refused on type", "type", 1), one("a field that is not asked for", "400 validation.unasked on line", "line", "minh.anh"),
		one("a number for a text", "400 request_param_err on username", "username", 7), one("no password", "400 member.password_required on password", "password", ""), one("confirmed otherwise", "400 member.password_confirm on confirmPassword", "confirmPassword", another),
		{name: "a short password", want: "400 member.password_format on password max=64 min=8", with: map[string]any{"password": tooShort, "confirmPassword": tooShort}},
		{name: "a common password", want: "400 member.password_common on password", with: map[string]any{"password": common, "confirmPassword": common}},
		one("a malformed name", "400 member.username_format on username max=16 min=6", "username", "7up"), one("a malformed number", "400 member.mobile_format on mobileNum max=20", "mobileNum", "12ab"), one("a malformed address", "400 member.email_format on email max=254", "email", "a@b"),
		one("a malformed contact", "400 member.contact_format on zalo", "zalo", "<b>"), one("a malformed paper", "400 member.id_number_format on idNumber", "idNumber", "#1"), one("a malformed nickname", "400 member.nickname_format on nickname max=20", "nickname", "a\u202eb"),
		one("no nickname", "400 validation.required on nickname", "nickname", ""), one("a malformed payee", "400 member.payee_format on payeeName max=50 min=2", "payeeName", "<b>"), one("a malformed payment password", "400 member.payment_password_format on paymentPassword", "paymentPassword", "abcdef"),
		one("a code of nobody", "422 member.affiliate_unknown on affiliateCode", "affiliateCode", "nobody01"), one("somebody's name", "409 member.username_taken on username", "username", "owner001"),
	}
	if id == "registerMobile" {
		good["moduleId"], good["verificationCode"] = "MOBILENUMREG3", "000000"
		ask := func(p *callers) {
			p.send(http.MethodPost, "/wps/verification/sms/noLogin", `{"mobileNum":"0987654321","countryDialingCode":"84","purpose":"register"}`)
		}
		owned := func(number string) func(*callers) {
			return func(p *callers) { p.exec("UPDATE member SET mobile = '" + number + "' WHERE account = 'owner001'") }
		}
		coded := func(p *callers) string {
			fields := maps.Clone(good)
			fields["verificationCode"] = p.code("+84987654321")
			return body(fields)
		}
		attempts = append(attempts, attempt{name: "somebody's number", want: "422 verification.incorrect on verificationCode", with: map[string]any{"mobileNum": "0912345678"}},
			attempt{name: "a wrong code", want: "422 verification.incorrect on verificationCode", before: ask}, attempt{name: "a code that has run out", want: "422 verification.expired on verificationCode", before: advance(6 * time.Minute)},
			attempt{name: "somebody's by now, by its code", want: "409 member.mobile_taken on mobileNum", before: inOrder(ask, owned("+84987654321")), body: coded},
			attempt{name: "what was somebody's when they took a break", want: "422 register.not_possible", before: inOrder(startBreak("+84987654321"), owned("+84912345678")), body: coded},
			attempt{name: "somebody's address, by the same code", want: "409 member.email_taken on email", before: endBreaks, body: func(p *callers) string {
				fields := maps.Clone(good)
				fields["verificationCode"], fields["email"] = p.code("+84987654321"), "Owner@fairground.example"
				return body(fields)
			}},
			attempt{name: "done by the same code", want: "200", body: coded})
	} else {
		attempts = append(attempts, one("somebody's address", "409 member.email_taken on email", "email", "Owner@fairground.example"), one("a number that is somebody's", "409 member.mobile_taken on mobileNum", "mobileNum", "0912345678"),
			attempt{name: "a number of somebody on a break, and no difference", want: "409 member.mobile_taken on mobileNum", before: inOrder(startBreak("+84987654321"), func(p *callers) {
				p.exec("UPDATE member SET mobile = '+84912345678' WHERE account = 'owner001'")
			}), with: map[string]any{"username": "minhanh93"}},
			attempt{name: "done", want: "200", before: endBreaks})
	}
	attempts = append(attempts,
		attempt{name: "by a module that is off", want: "403 register.closed", before: func(p *callers) { p.setSwitch(merchant.SwitchOf(spec.ModuleRegisterFree, false)) }, with: map[string]any{"moduleId": "REGISTER_REE3"}},
		attempt{name: "a region that is closed", want: "403 system.restricted", before: func(p *callers) { p.set("system.status", `1`) }},
		attempt{name: "maintenance", want: "503 system.maintenance", before: func(p *callers) { p.set("system.status", `2`) }},
		attempt{name: "invitations are off", want: "403 module.off on affiliateCode module=AFFMAN3", before: func(p *callers) {
			p.set("system.status", `0`)
			p.setSwitch(merchant.SwitchOf(spec.ModuleAffiliate, false))
		}, with: map[string]any{"affiliateCode": "agent88"}},
		attempt{name: "registration is off", want: "403 register.closed", before: func(p *callers) { p.setSwitch(merchant.SwitchOf(spec.ModuleRegister, false)) }},
	)
	untested := map[string]string{}
	if id == "registerMobile" {
		untested["outside.unproved"] = "no Firebase project is set up here; the members' own tests show it"
	}
	sent := 0
	return callTest{id: id, untested: untested, attempts: attempts, valid: func(*callers) (map[string]any, []string) {
		if sent++; sent < 20 { // a network may try only so often
			return good, []string{"X-Forwarded-For", "198.51.100.7"}
		}
		return good, nil
	}}
}

func trying(id string) callTest {
	return callTest{
		id: id,
		valid: func(*callers) (map[string]any, []string) {
			return map[string]any{"ageConfirmed": true, "moduleId": "FREEPLAY3"}, []string{"ModuleId", "FREEPLAY3"}
		},
		attempts: []attempt{
			{name: "done", want: "200"}, {name: "too young", want: "400 register.age_required on ageConfirmed age=18", with: map[string]any{"ageConfirmed": nil}}, {name: "another module", want: "400 request_param_err on moduleId", with: map[string]any{"moduleId": "REG3"}},
			{name: "a region that is closed", want: "403 system.restricted", before: func(p *callers) { p.set("system.status", `1`) }},
			{name: "maintenance", want: "503 system.maintenance", before: func(p *callers) { p.set("system.status", `2`) }},
			{name: "off: the indicator says so", want: "200", before: func(p *callers) {
				p.set("system.status", `0`)
				p.setSwitch(merchant.SwitchOf(spec.ModuleFreePlay, false))
			}},
			{name: "done again", want: "200", before: func(p *callers) { p.setSwitch(merchant.SwitchOf(spec.ModuleFreePlay, true)) }},
		},
	}
}

const otherSlider = "no other service's slider is set up here; the captchas' own tests show it"

func slides() callTest {
	return callTest{id: "captchaSlider", attempts: []attempt{{name: "done", want: "200"}}, untested: map[string]string{"access.denied": otherSlider}}
}

func puzzles() callTest {
	return callTest{
		id: "captchaSlide", untested: map[string]string{"access.denied": otherSlider},
		valid: func(p *callers) (map[string]any, []string) {
			id, x := p.sliderPuzzle()
			return map[string]any{"id": id, "x": x}, nil
		},
		attempts: []attempt{
			{name: "done", want: "200"}, {name: "missed", want: "422 challenge.missed", with: map[string]any{"x": 1}}, {name: "an id that is none", want: "422 challenge.invalid on id", with: map[string]any{"id": "x"}},
			{name: "outside", want: "400 request_param_err on x", with: map[string]any{"x": -1}}, {name: "a text for a number", want: "400 request_param_err on x", with: map[string]any{"x": "1"}},
		},
	}
}

func read() callTest {
	return callTest{
		id: "captchaCode",
		valid: func(p *callers) (map[string]any, []string) {
			cookie, read := p.captcha()
			return map[string]any{"captcha": read}, []string{"Cookie", cookie}
		},
		attempts: []attempt{{name: "done", want: "200"}, {name: "none", want: "400 captcha.required on captcha", with: map[string]any{"captcha": ""}}, {name: "a wrong one", want: "422 captcha.incorrect on captcha", with: map[string]any{"captcha": "x"}}},
	}
}

func codes() []callTest {
	unsent := map[string]string{"verification.unavailable": "the demo's outbox takes every message; the codes' own tests show it"}
	number := func(more map[string]any) func(*callers) (map[string]any, []string) {
		fields := map[string]any{"mobileNum": "0912345678", "countryDialingCode": "84"}
		maps.Copy(fields, more)
		return func(*callers) (map[string]any, []string) { return fields, nil }
	}
	malformed, none := attempt{name: "malformed", want: "400 member.mobile_format on mobileNum max=20", with: map[string]any{"mobileNum": "12ab"}}, attempt{name: "no number", want: "400 validation.required on mobileNum", with: map[string]any{"mobileNum": ""}}
	return []callTest{
		{
			id: "sendCode", untested: unsent, valid: number(nil),
			attempts: []attempt{
				{name: "done", want: "200", before: func(p *callers) { p.setSwitch(merchant.SwitchOf(spec.FlagSMSLogin, true)) }}, malformed, none,
				{name: "done, under the other name", want: "200", with: map[string]any{"mobileNum": nil, "mobileNo": "0912345678"}},
				{name: "to nobody, and no difference", want: "200", with: map[string]any{"mobileNum": "0987654321"}},
				{name: "the captcha is asked for", want: "400 captcha.required on captcha"}, {name: "a wrong captcha", want: "422 captcha.incorrect on captcha", with: map[string]any{"captcha": "x"}, headers: []string{"Cookie", "captcha=x"}},
				{name: "for another purpose", want: "400 request_param_err on purpose", with: map[string]any{"purpose": "reset"}},
				{name: "off", want: "403 access.denied", before: func(p *callers) { p.setSwitch(merchant.SwitchOf(spec.FlagSMSLogin, false)) }},
			},
		},
		{id: "codeRunning", path: "/wps/verification/query?mobileNum=912345678&countryDialingCode=84", attempts: []attempt{
			{name: "done", want: "200"}, {name: "no number", want: "400 validation.required on mobileNum", path: "/wps/verification/query"}, {name: "malformed", want: "400 member.mobile_format on mobileNum max=20", path: "/wps/verification/query?mobileNum=12ab&countryDialingCode=84"},
		}},
		{
			id: "sendOwnMobileCode", untested: unsent, valid: number(map[string]any{"purpose": "bind"}),
			attempts: []attempt{{name: "a trial", want: "403 member.trial_refused", actor: "trial"}, {name: "done", want: "200"}, malformed, none},
		},
		{
			id: "sendOwnEmailCode", untested: unsent,
			valid: func(*callers) (map[string]any, []string) {
				return map[string]any{"email": "a@b.co", "purpose": "bind"}, nil
			},
			attempts: []attempt{{name: "a trial", want: "403 member.trial_refused", actor: "trial"}, {name: "done", want: "200"}, {name: "malformed", want: "400 member.email_format on email max=254", with: map[string]any{"email": "a@b"}}, {name: "none", want: "400 validation.required on email", with: map[string]any{"email": ""}}},
		},
	}
}

// sum gives a PNG's changed head its checksum again. The head begins at an index.
func sum(file []byte, head int) string {
	binary.BigEndian.PutUint32(file[head+17:], crc32.ChecksumIEEE(file[head:head+17]))
	return string(file)
}
