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

// everyCall is all calls of accounts, in groups that share a site.
func everyCall() [][]visited {
	return append(append(ofMembers(), ofLimits()...), []visited{launching()},
		[]visited{logins()}, []visited{registering("register")}, []visited{registering("registerMobile")},
		[]visited{trying("freePlay"), trying("testPlay"), trying("createTrial")},
		[]visited{{id: "captcha", tries: []try{{name: "done", want: "200"}}}, slides(), puzzles(), read()},
		codes(),
		[]visited{
			{id: "sessionKey", tries: []try{{name: "done", want: "200"}}}, {id: "listSessions", tries: []try{{name: "done", want: "200"}}}, {id: "touch", tries: []try{{name: "done", want: "200"}}},
			{id: "endSession", path: "/wps/session/7", tries: []try{{name: "no such session", want: "404 session.unknown"}, {name: "no number", want: "404 session.unknown", path: "/wps/session/x"}}},
			{id: "endOtherSessions", tries: []try{{name: "done", want: "200"}}}, {id: "renew", tries: []try{{name: "done", want: "200"}}}, {id: "logout", tries: []try{{name: "done", want: "200", before: func(p *people) { p.enter("owner") }}}},
			{
				id: "checkUsername", path: "/wps/check/username?username=minhanh92",
				tries: []try{{name: "done", want: "200"}, {name: "none", want: "400 validation.required on username", path: "/wps/check/username"}, {name: "malformed", want: "400 member.username_format on username max=16 min=6", path: "/wps/check/username?username=7up"}},
			},
			{id: "checkEmail", path: "/wps/check/email?email=a@b.co", tries: []try{{name: "done", want: "200"}}},
			{id: "checkAffiliate", path: "/wps/agent/affiliate?code=agent88", tries: []try{{name: "done", want: "200"}}},
		},
	)
}

// sealed is a body that is encrypted as a browser does it, at a time off from the server's.
func (p *people) sealed(nonce string, off time.Duration, fields map[string]any) string {
	p.t.Helper()
	fields = maps.Clone(fields)
	fields["nonce"], fields["time"] = nonce, time.Now().Add(time.Duration(p.ahead.Load())+off).UnixMilli()
	key := value[jose.JSONWebKey](p.program, http.MethodGet, "/wps/session/key", "", "")
	return body(map[string]any{"data": jwetest.Seal(p.t, key, fields)})
}

func logins() visited {
	sms := func(changes map[string]any) map[string]any {
		fields := map[string]any{"type": "sms", "username": "912345678", "password": "000000", "countryDialingCode": "84"}
		maps.Copy(fields, changes)
		return fields
	}
	status := func(account, to string) func(*people) {
		return func(p *people) { p.exec("UPDATE member SET " + to + " WHERE account = '" + account + "'") }
	}
	outsideOf := func(email string, agreed, ofAge bool) func(*people) string {
		return func(p *people) string {
			digest := sha256.Sum256([]byte("the-one"))
			ticket, err := p.parts.Keys.Seal("signin.ticket", map[string]any{"p": "google", "s": "7", "e": email, "m": p.demo, "b": digest[:]}, time.Minute)
			if err != nil {
				p.t.Fatal(err)
			}
			return body(map[string]any{"type": "outside", "ticket": ticket, "agreement": agreed, "ageConfirmed": ofAge})
		}
	}
	outside := outsideOf("", false, false)
	jweHeader := []string{"Encryption", "jwe"}
	return visited{
		id: "login", unseen: map[string]string{"login.overtaken": "a change of the account between a proof and its session; the members' own test has it"},
		good: func(*people) (map[string]any, []string) {
			return map[string]any{"username": "owner001", "password": theirPassword, "type": "username"}, nil
		},
		tries: []try{
			{name: "no name", with: map[string]any{"username": ""}}, {name: "a name too long", with: map[string]any{"username": strings.Repeat("x", 65)}},
			{name: "no password", with: map[string]any{"password": nil}}, {name: "a password too long", with: map[string]any{"password": strings.Repeat("x", 65)}},
			{name: "done, with spaces around the name", with: map[string]any{"username": " owner001\t"}},
			{name: "done"}, {name: "nobody", with: map[string]any{"username": "nobody01"}},
			{name: "nobody again: the captcha is asked for", with: map[string]any{"username": "nobody01"}},
			{name: "the captcha is wrong", with: map[string]any{"username": "nobody01", "captcha": "x"}, headers: []string{"Cookie", "captcha=x"}},
			{name: "a closed account", before: status("owner001", "status = 'disabled'")},
			{name: "a service account", before: status("owner001", "status = 'active', type = 41")},
			{name: "a player in the agents' area", before: status("owner001", "type = 0"), with: map[string]any{"area": "agent"}},
			{name: "an area that there is not", with: map[string]any{"area": "moon"}},
			{name: "encrypted, and is not", headers: jweHeader, body: func(*people) string { return `{"data":"nonsense"}` }},
			{name: "encrypted a day ahead", headers: jweHeader, body: func(p *people) string {
				return p.sealed("nonce-of-a-day-ahead", 24*time.Hour, map[string]any{"username": "owner001", "password": theirPassword})
			}},
			{name: "done, encrypted", headers: jweHeader, body: func(p *people) string {
				return p.sealed("nonce-that-is-fresh", 0, map[string]any{"username": "owner001", "password": theirPassword})
			}},
			{name: "by a number, which is off", before: func(p *people) { p.flip(merchant.SwitchOf(spec.FlagSMSLogin, false)) }, with: sms(nil)},
			{name: "a malformed number", before: func(p *people) { p.flip(merchant.SwitchOf(spec.FlagSMSLogin, true)) }, with: sms(map[string]any{"username": "12ab"})},
			{name: "no code", with: sms(map[string]any{"password": ""})}, {name: "a code of letters", with: sms(map[string]any{"password": "abcdef"})},
			{name: "a wrong code", with: sms(nil)},
			{name: "a code that has run out", before: both(func(p *people) {
				p.send(http.MethodPost, "/wps/verification/sms/noLogin", `{"mobileNum":"0912345678","countryDialingCode":"84"}`)
			}, wait(16*time.Minute)), with: sms(nil)},
			{name: "a number that is not proved", with: map[string]any{
				"type": "firebase", "firebaseIdToken": "x", "firebaseMobileNo": "912345678", "countryDialingCode": "84",
			}},
			{name: "a ticket that is none", with: map[string]any{"type": "outside", "ticket": "x"}},
			{name: "a ticket of nobody's account", body: outside, headers: []string{"Cookie", "outside=the-one"}},
			{name: "a ticket of nobody's account, without the age", body: outsideOf("", true, false), headers: []string{"Cookie", "outside=the-one"}},
			{name: "a ticket of nobody's account, where the form asks for more", before: func(p *people) {
				p.set("register.fields", `{"payeeName":{"enabled":true,"required":true}}`)
			}, body: outside, headers: []string{"Cookie", "outside=the-one"}},
			{name: "a ticket of nobody's account, where nobody registers", before: func(p *people) {
				p.flip(merchant.SwitchOf(spec.ModuleRegister, false))
			}, body: outside, headers: []string{"Cookie", "outside=the-one"}},
			{name: "the slider is asked for", before: func(p *people) { p.set("login.slider", `true`) }},
			{name: "a pass that is none", with: map[string]any{"challenge": "x"}},
			{name: "a region that is closed", before: func(p *people) { p.set("login.slider", `false`); p.set("system.status", `1`) }},
			{name: "maintenance", before: func(p *people) { p.set("system.status", `2`) }},
			{name: "open again", before: func(p *people) { p.set("system.status", `0`) }},
			{name: "done by a member on a break", before: away("+84912345678")},
			{name: "a ticket of nobody's account, of somebody on a break", before: func(p *people) {
				p.exec("UPDATE member SET email = 'away@fairground.example' WHERE account = 'owner001'")
				p.flip(merchant.SwitchOf(spec.ModuleRegister, true))
				p.set("register.fields", `{}`)
			}, body: outsideOf("away@fairground.example", true, true), headers: []string{"Cookie", "outside=the-one"}},
			{name: "a new account of theirs", before: func(p *people) {
				p.exec("UPDATE member SET email = 'owner@fairground.example' WHERE account = 'owner001'")
				p.exec("INSERT INTO member_detail (member_id, name, value) SELECT id, 'email', 'Owner@fairground.example' FROM member WHERE account = 'other001'")
				p.exec("UPDATE member SET created_at = created_at + 86400000 WHERE account = 'other001'")
			}, with: map[string]any{"username": "other001"}},
		},
	}
}

// away gives the owner a number and lets them take a break.
func away(number string) func(*people) {
	return func(p *people) {
		p.exec("UPDATE member SET mobile = '" + number + "' WHERE account = 'owner001'")
		if err := p.parts.Limits.BeginBreak(p.t.Context(), p.ids["owner"], "24h"); err != nil {
			p.t.Fatal(err)
		}
	}
}

// back ends it, as no call can.
func back(p *people) { p.exec("UPDATE limit_guard SET break_until = 0") }

// registering is tried field by field: everything is asked for.
func registering(id string) visited {
	good := map[string]any{
		"username": "minhanh92", "password": theirPassword, "confirmPassword": theirPassword, "agreement": true, "ageConfirmed": true,
		"registerMethod": "H5", "registerUrl": "fairground.example", "domain": "fairground.example", "type": 0, "moduleId": "REG3",
		"normalRegister": true, "countryDialingCode": "84", "mobileNum": "0987654321",
		"paymentPassword": "135790", "nickname": "Minh Anh", "payeeName": "NGUYEN VAN A", "email": "a@b.co", "idNumber": "079203001234", "zalo": "0912345678",
	}
	one := func(name, field string, value any) try { return try{name: name, with: map[string]any{field: value}} }
	tries := []try{
		{name: "no captcha", before: func(p *people) {
			p.set("register.fields", `{"paymentPassword":{"enabled":true,"required":true},"nickname":{"enabled":true,"required":true},"payeeName":{"enabled":true},`+
				`"email":{"enabled":true},"idNumber":{"enabled":true},"zalo":{"enabled":true}}`)
		}},
		{name: "a wrong captcha", with: map[string]any{"captcha": "000000"}, headers: []string{"Cookie", "captcha=x"}},
		{name: "no pass of the slider", before: func(p *people) { p.set("register.captcha", `false`); p.set("register.slider", `true`) }},
		one("a pass that is none", "challenge", "x"),
		{name: "not agreed", before: func(p *people) { p.set("register.slider", `false`) }, with: map[string]any{"agreement": false}},
		one("too young", "ageConfirmed", false), one("an agent", "type", 1), one("a field that is not asked for", "line", "minh.anh"),
		one("a number for a text", "username", 7), one("no password", "password", ""), one("confirmed otherwise", "confirmPassword", another),
		{name: "a short password", with: map[string]any{"password": tooShort, "confirmPassword": tooShort}},
		{name: "a common password", with: map[string]any{"password": common, "confirmPassword": common}},
		one("a malformed name", "username", "7up"), one("a malformed number", "mobileNum", "12ab"), one("a malformed address", "email", "a@b"),
		one("a malformed contact", "zalo", "<b>"), one("a malformed paper", "idNumber", "#1"), one("a malformed nickname", "nickname", "a\u202eb"),
		one("no nickname", "nickname", ""), one("a malformed payee", "payeeName", "<b>"), one("a malformed payment password", "paymentPassword", "abcdef"),
		one("a code of nobody", "affiliateCode", "nobody01"), one("somebody's name", "username", "owner001"),
	}
	if id == "registerMobile" {
		good["moduleId"], good["verificationCode"] = "MOBILENUMREG3", "000000"
		ask := func(p *people) {
			p.send(http.MethodPost, "/wps/verification/sms/noLogin", `{"mobileNum":"0987654321","countryDialingCode":"84","purpose":"register"}`)
		}
		owned := func(number string) func(*people) {
			return func(p *people) { p.exec("UPDATE member SET mobile = '" + number + "' WHERE account = 'owner001'") }
		}
		coded := func(p *people) string {
			fields := maps.Clone(good)
			fields["verificationCode"] = p.code("+84987654321")
			return body(fields)
		}
		tries = append(tries, try{name: "somebody's number", with: map[string]any{"mobileNum": "0912345678"}},
			try{name: "a wrong code", before: ask}, try{name: "a code that has run out", before: wait(6 * time.Minute)},
			try{name: "somebody's by now, by its code", before: both(ask, owned("+84987654321")), body: coded},
			try{name: "what was somebody's when they took a break", before: both(away("+84987654321"), owned("+84912345678")), body: coded},
			try{name: "somebody's address, by the same code", before: back, body: func(p *people) string {
				fields := maps.Clone(good)
				fields["verificationCode"], fields["email"] = p.code("+84987654321"), "Owner@fairground.example"
				return body(fields)
			}},
			try{name: "done by the same code", body: coded})
	} else {
		tries = append(tries, one("somebody's address", "email", "Owner@fairground.example"), one("a number that is somebody's", "mobileNum", "0912345678"),
			try{name: "a number of somebody on a break, and no difference", before: both(away("+84987654321"), func(p *people) {
				p.exec("UPDATE member SET mobile = '+84912345678' WHERE account = 'owner001'")
			}), with: map[string]any{"username": "minhanh93"}},
			try{name: "done", before: back})
	}
	tries = append(tries,
		try{name: "by a module that is off", before: func(p *people) { p.flip(merchant.SwitchOf(spec.ModuleRegisterFree, false)) }, with: map[string]any{"moduleId": "REGISTER_REE3"}},
		try{name: "a region that is closed", before: func(p *people) { p.set("system.status", `1`) }},
		try{name: "maintenance", before: func(p *people) { p.set("system.status", `2`) }},
		try{name: "invitations are off", before: func(p *people) { p.set("system.status", `0`); p.flip(merchant.SwitchOf(spec.ModuleAffiliate, false)) }, with: map[string]any{"affiliateCode": "agent88"}},
		try{name: "registration is off", before: func(p *people) { p.flip(merchant.SwitchOf(spec.ModuleRegister, false)) }},
	)
	unseen := map[string]string{}
	if id == "registerMobile" {
		unseen["outside.unproved"] = "no Firebase project is set up here; the members' own tests show it"
	}
	sent := 0
	return visited{id: id, unseen: unseen, tries: tries, good: func(*people) (map[string]any, []string) {
		if sent++; sent < 20 { // a network may try only so often
			return good, []string{"X-Forwarded-For", "198.51.100.7"}
		}
		return good, nil
	}}
}

func trying(id string) visited {
	return visited{
		id: id,
		good: func(*people) (map[string]any, []string) {
			return map[string]any{"ageConfirmed": true, "moduleId": "FREEPLAY3"}, []string{"ModuleId", "FREEPLAY3"}
		},
		tries: []try{
			{name: "done"}, {name: "too young", with: map[string]any{"ageConfirmed": nil}}, {name: "another module", with: map[string]any{"moduleId": "REG3"}},
			{name: "a region that is closed", before: func(p *people) { p.set("system.status", `1`) }},
			{name: "maintenance", before: func(p *people) { p.set("system.status", `2`) }},
			{name: "off: the indicator says so", before: func(p *people) { p.set("system.status", `0`); p.flip(merchant.SwitchOf(spec.ModuleFreePlay, false)) }},
			{name: "done again", before: func(p *people) { p.flip(merchant.SwitchOf(spec.ModuleFreePlay, true)) }},
		},
	}
}

const otherSlider = "no other service's slider is set up here; the captchas' own tests show it"

func slides() visited {
	return visited{id: "captchaSlider", tries: []try{{name: "done", want: "200"}}, unseen: map[string]string{"access.denied": otherSlider}}
}

func puzzles() visited {
	return visited{
		id: "captchaSlide", unseen: map[string]string{"access.denied": otherSlider},
		good: func(p *people) (map[string]any, []string) {
			id, x := p.slider()
			return map[string]any{"id": id, "x": x}, nil
		},
		tries: []try{
			{name: "done", want: "200"}, {name: "missed", want: "422 challenge.missed", with: map[string]any{"x": 1}}, {name: "an id that is none", want: "422 challenge.invalid on id", with: map[string]any{"id": "x"}},
			{name: "outside", want: "400 request_param_err on x", with: map[string]any{"x": -1}}, {name: "a text for a number", want: "400 request_param_err on x", with: map[string]any{"x": "1"}},
		},
	}
}

func read() visited {
	return visited{
		id: "captchaCode",
		good: func(p *people) (map[string]any, []string) {
			cookie, read := p.picture()
			return map[string]any{"captcha": read}, []string{"Cookie", cookie}
		},
		tries: []try{{name: "done", want: "200"}, {name: "none", want: "400 captcha.required on captcha", with: map[string]any{"captcha": ""}}, {name: "a wrong one", want: "422 captcha.incorrect on captcha", with: map[string]any{"captcha": "x"}}},
	}
}

func codes() []visited {
	unsent := map[string]string{"verification.unavailable": "the demo's outbox takes every message; the codes' own tests show it"}
	number := func(more map[string]any) func(*people) (map[string]any, []string) {
		fields := map[string]any{"mobileNum": "0912345678", "countryDialingCode": "84"}
		maps.Copy(fields, more)
		return func(*people) (map[string]any, []string) { return fields, nil }
	}
	malformed, none := try{name: "malformed", with: map[string]any{"mobileNum": "12ab"}}, try{name: "no number", with: map[string]any{"mobileNum": ""}}
	return []visited{
		{
			id: "sendCode", unseen: unsent, good: number(nil),
			tries: []try{
				{name: "done", before: func(p *people) { p.flip(merchant.SwitchOf(spec.FlagSMSLogin, true)) }}, malformed, none,
				{name: "done, under the other name", with: map[string]any{"mobileNum": nil, "mobileNo": "0912345678"}},
				{name: "to nobody, and no difference", with: map[string]any{"mobileNum": "0987654321"}},
				{name: "the captcha is asked for"}, {name: "a wrong captcha", with: map[string]any{"captcha": "x"}, headers: []string{"Cookie", "captcha=x"}},
				{name: "for another purpose", with: map[string]any{"purpose": "reset"}},
				{name: "off", before: func(p *people) { p.flip(merchant.SwitchOf(spec.FlagSMSLogin, false)) }},
			},
		},
		{id: "codeRunning", path: "/wps/verification/query?mobileNum=912345678&countryDialingCode=84", tries: []try{
			{name: "done", want: "200"}, {name: "no number", want: "400 validation.required on mobileNum", path: "/wps/verification/query"}, {name: "malformed", want: "400 member.mobile_format on mobileNum max=20", path: "/wps/verification/query?mobileNum=12ab&countryDialingCode=84"},
		}},
		{
			id: "sendOwnMobileCode", unseen: unsent, good: number(map[string]any{"purpose": "bind"}),
			tries: []try{{name: "a trial", actor: "trial"}, {name: "done"}, malformed, none},
		},
		{
			id: "sendOwnEmailCode", unseen: unsent,
			good: func(*people) (map[string]any, []string) {
				return map[string]any{"email": "a@b.co", "purpose": "bind"}, nil
			},
			tries: []try{{name: "a trial", want: "403 member.trial_refused", actor: "trial"}, {name: "done", want: "200"}, {name: "malformed", want: "400 member.email_format on email max=254", with: map[string]any{"email": "a@b"}}, {name: "none", want: "400 validation.required on email", with: map[string]any{"email": ""}}},
		},
	}
}

// sum gives a PNG's changed head its checksum again. The head begins at an index.
func sum(file []byte, head int) string {
	binary.BigEndian.PutUint32(file[head+17:], crc32.ChecksumIEEE(file[head:head+17]))
	return string(file)
}
