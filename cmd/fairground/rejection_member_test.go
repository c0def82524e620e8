package main

import (
	"bytes"
	"encoding/binary"
	"net/http"
	"strings"
	"time"
)

const (
	guarded  = "members are never deleted while they have a session"
	common   = "password1"
	another  = "qua-do-999"
	unproved = "of members without a password; the members' own test has it"
	tooShort = "a1"
	crossed  = "a change of the account between a proof and what it is for; the members' own test has it"
)

// later keeps wrong passwords, which are few an hour, out of each other's way.
var later = advance(6 * time.Minute)

func ofMembers() [][]callTest {
	gone := map[string]string{"member.unknown": guarded}
	trial := attempt{name: "a trial", want: "403 member.trial_refused", actor: "trial"}
	plain := func(id string) callTest {
		return callTest{id: id, attempts: []attempt{{name: "done", want: "200"}, trial}, untested: gone}
	}
	info := callTest{id: "memberInfo", attempts: []attempt{{name: "done", want: "200"}, {name: "done by a trial", want: "200", actor: "trial"}}, untested: gone}
	return [][]callTest{
		{info, plain("memberSecurity"), plain("securityQuestion"), plain("memberProfile"), plain("headIcon"), aged(), profile(), question(), payment(), paymentCode(), proofCode()},
		{changing()}, {binding("bindMobile")}, {binding("bindEmail")},
		{asking("resetSendSMS"), asking("resetSendEmail")}, {proving("resetVerifySMS"), proving("resetVerifyEmail")}, {resetting()},
		{choosing(), uploading(), file()},
	}
}

func aged() callTest {
	return callTest{
		id: "confirmAge", untested: map[string]string{"member.unknown": guarded},
		valid: func(*callers) (map[string]any, []string) { return map[string]any{"ageConfirmed": true}, nil },
		attempts: []attempt{
			{name: "a trial", want: "403 member.trial_refused", actor: "trial"}, {name: "not confirmed", want: "400 register.age_required on ageConfirmed age=18", with: map[string]any{"ageConfirmed": false}},
			{name: "left out", want: "400 request_param_err on ageConfirmed", with: map[string]any{"ageConfirmed": nil}}, {name: "a text for a truth", want: "400 request_param_err on ageConfirmed", with: map[string]any{"ageConfirmed": "true"}}, {name: "done", want: "200"},
		},
	}
}

func profile() callTest {
	return callTest{
		id: "changeProfile", untested: map[string]string{"member.unknown": guarded},
		valid: func(*callers) (map[string]any, []string) { return map[string]any{"nickname": "Minh Anh"}, nil },
		attempts: []attempt{
			{name: "a trial", want: "403 member.trial_refused", actor: "trial"}, {name: "done", want: "200"}, {name: "no nickname", want: "400 validation.required on nickname", with: map[string]any{"nickname": ""}},
			{name: "a nickname that turns the reading direction", want: "400 member.nickname_format on nickname max=20", with: map[string]any{"nickname": "a\u202eb"}},
			{name: "a payee of signs", want: "400 member.payee_format on payeeName max=50 min=2", with: map[string]any{"payeeName": "<b>"}},
			{name: "a contact of signs", want: "400 member.contact_format on zalo", with: map[string]any{"zalo": "<b>"}},
			{name: "a payee", want: "200", with: map[string]any{"payeeName": "NGUYEN VAN A"}},
			{name: "another payee", want: "409 member.payee_fixed on payeeName", with: map[string]any{"payeeName": "NGUYEN VAN B"}},
			{name: "a number for a text", want: "400 request_param_err on nickname", with: map[string]any{"nickname": 7}},
			{name: "a contact that is switched off", want: "400 validation.unasked on line", before: func(p *callers) { p.set("register.fields", `{"line":{"enabled":false}}`) }, with: map[string]any{"line": "minhanh"}},
		},
	}
}

// paying gives members a payment password that nobody knows, unpaying takes it away.
func paying(p *callers)   { p.exec("UPDATE member SET payment_hash = password_hash") }
func unpaying(p *callers) { p.exec("UPDATE member SET payment_hash = ''") }

func question() callTest {
	return callTest{
		id: "setSecurityQuestion", untested: map[string]string{"login.overtaken": crossed, "member.unknown": guarded, "member.proof_required": unproved, "verification.incorrect": unproved, "verification.expired": unproved},
		valid: func(*callers) (map[string]any, []string) {
			return map[string]any{"question": "first_pet", "answer": "Mun", "password": memberPassword}, nil
		},
		attempts: []attempt{
			{name: "a trial", want: "403 member.trial_refused", actor: "trial"}, {name: "no such question", want: "400 member.question_unknown on question", with: map[string]any{"question": "first_kiss"}},
			{name: "no answer", want: "400 validation.required on answer", with: map[string]any{"answer": ""}}, {name: "a short answer", want: "400 validation.range on answer max=64 min=2", with: map[string]any{"answer": "x"}},
			{name: "an answer that cannot be seen", want: "400 validation.pattern on answer", with: map[string]any{"answer": "\u200b\u200b\u200b"}},
			{name: "no password", want: "400 member.password_required on password", with: map[string]any{"password": ""}},
			{name: "too long a password", want: "400 member.password_format on password max=64", with: map[string]any{"password": strings.Repeat("a1", 40)}},
			{name: "a wrong password", want: "422 member.password_wrong on password", with: map[string]any{"password": another}},
			{name: "without the payment password", want: "400 validation.required on paymentPassword", before: inOrder(later, paying)},
			{name: "by a wrong payment password", want: "422 member.password_wrong on paymentPassword", before: later, with: map[string]any{"paymentPassword": "975310"}},
			{name: "by a malformed payment password", want: "400 member.payment_password_format on paymentPassword", before: later, with: map[string]any{"paymentPassword": "12"}},
			{name: "done", want: "200", before: inOrder(later, unpaying)},
			{name: "another, without the old answer", want: "400 member.answer_required on oldAnswer question=first_pet", before: later},
			{name: "another, by a wrong answer", want: "422 member.answer_wrong on oldAnswer", before: later, with: map[string]any{"oldAnswer": "Vàng"}},
		},
	}
}

// paymentCode is asked for by the owner, whom payment has left with a payment password and without anything to be known by.
func paymentCode() callTest {
	return callTest{
		id: "sendPaymentCode", untested: map[string]string{"member.unknown": guarded, "verification.unavailable": "the demo's outbox takes every message"},
		attempts: []attempt{
			{name: "a trial", want: "403 member.trial_refused", actor: "trial"}, {name: "nothing is bound", want: "422 member.payment_lost"},
			{name: "done", want: "200", before: func(p *callers) { p.exec("UPDATE member SET mobile = '+84912345678' WHERE account = 'owner001'") }},
		},
	}
}

// proofCode is asked for by the owner, who has a password and needs none.
func proofCode() callTest {
	return callTest{
		id: "sendProofCode", untested: map[string]string{"member.unknown": guarded, "verification.unavailable": "the demo's outbox takes every message"},
		attempts: []attempt{
			{name: "a trial", want: "403 member.trial_refused", actor: "trial"}, {name: "with a password", want: "422 member.proof_required proof=password"},
			{name: "done", want: "200", before: inOrder(advance(11*time.Minute), func(p *callers) {
				p.exec("UPDATE member SET mobile = '+84912345678', password_hash = '' WHERE account = 'owner001'")
			})},
		},
	}
}

func payment() callTest {
	return callTest{
		id: "setPaymentPassword", untested: map[string]string{"login.overtaken": crossed, "member.unknown": guarded, "member.proof_required": unproved, "verification.expired": "the same check as a binding's"},
		valid: func(*callers) (map[string]any, []string) {
			return map[string]any{"password": memberPassword, "paymentPassword": "246810", "confirmPaymentPassword": "246810"}, nil
		},
		attempts: []attempt{
			{name: "a trial", want: "403 member.trial_refused", actor: "trial"}, {name: "none", want: "400 validation.required on paymentPassword", with: map[string]any{"paymentPassword": ""}},
			{name: "mails", want: "400 member.payment_password_format on paymentPassword", with: map[string]any{"paymentPassword": "abcdef"}},
			{name: "unconfirmed", want: "400 member.password_required on confirmPaymentPassword", with: map[string]any{"confirmPaymentPassword": ""}},
			{name: "confirmed otherwise", want: "400 member.password_confirm on confirmPaymentPassword", with: map[string]any{"confirmPaymentPassword": "246811"}},
			{name: "no password", want: "400 member.password_required on password", with: map[string]any{"password": nil}},
			{name: "too long a password", want: "400 member.password_format on password max=64", with: map[string]any{"password": strings.Repeat("a1", 40)}},
			{name: "a wrong password", want: "422 member.password_wrong on password", before: later, with: map[string]any{"password": another}}, {name: "done", want: "200", before: later},
			{name: "the old one is wrong", want: "422 member.password_wrong on oldPaymentPassword", before: later, with: map[string]any{"password": nil, "oldPaymentPassword": "975310"}},
			{name: "the old one is malformed", want: "400 member.payment_password_format on oldPaymentPassword", with: map[string]any{"password": nil, "oldPaymentPassword": "12"}},
			{name: "the question is asked", want: "400 member.answer_required on answer question=first_pet", before: inOrder(later, func(p *callers) { p.set("security.ask", `["payment_password"]`) })},
			{name: "and answered wrongly", want: "422 member.answer_wrong on answer", before: later, with: map[string]any{"answer": "Vàng"}},
			{name: "and answered too shortly", want: "400 validation.range on answer max=64 min=2", with: map[string]any{"answer": "x"}},
			{name: "and answered with what cannot be seen", want: "400 validation.pattern on answer", with: map[string]any{"answer": "\u200b\u200b\u200b"}},
			{name: "and answered", want: "200", before: later, with: map[string]any{"answer": " mun "}},
			{name: "forgotten, by a wrong code", want: "422 verification.incorrect on verificationCode", before: inOrder(later, func(p *callers) {
				p.exec("UPDATE member SET question = '', answer_hash = '', mobile = '+84912345678' WHERE account = 'owner001'")
			}), with: map[string]any{"verificationCode": "000000"}},
			{name: "forgotten, with nothing to be known by", want: "422 member.payment_lost on oldPaymentPassword", before: inOrder(later, func(p *callers) {
				p.exec("UPDATE member SET mobile = NULL, email = NULL WHERE account = 'owner001'")
			})},
		},
	}
}

func changing() callTest {
	return callTest{
		id: "changePassword", untested: map[string]string{"member.unknown": guarded, "member.proof_required": unproved, "verification.incorrect": unproved, "verification.expired": unproved},
		valid: func(*callers) (map[string]any, []string) {
			return map[string]any{"oldPassword": memberPassword, "newPassword": another, "confirmNewPassword": another}, nil
		},
		attempts: []attempt{
			{name: "a trial", want: "403 member.trial_refused", actor: "trial"}, {name: "no old one", want: "400 member.password_required on oldPassword", with: map[string]any{"oldPassword": ""}},
			{name: "a short new one", want: "400 member.password_format on newPassword max=64 min=8", with: map[string]any{"newPassword": tooShort, "confirmNewPassword": tooShort}},
			{name: "a common new one", want: "400 member.password_common on newPassword", with: map[string]any{"newPassword": common, "confirmNewPassword": common}},
			{name: "the same", want: "400 member.password_same on newPassword", with: map[string]any{"newPassword": memberPassword, "confirmNewPassword": memberPassword}},
			{name: "confirmed otherwise", want: "400 member.password_confirm on confirmNewPassword", with: map[string]any{"confirmNewPassword": "qua-do-998"}},
			{name: "the old one is wrong", want: "422 member.password_wrong on oldPassword", with: map[string]any{"oldPassword": "qua-xanh8"}},
			{name: "a field left out", want: "400 member.password_required on oldPassword", with: map[string]any{"oldPassword": nil}},
			{name: "done", want: "200"},
		},
	}
}

// binding makes a number or an address another member's.
func binding(id string) callTest {
	field, target, broken, taken, path := "mobileNum", "0987654321", "12ab", "912345678", "/wps/verification/sms"
	sentTo, wantMalformed, wantTaken := "+84987654321", "400 member.mobile_format on mobileNum max=20", "409 member.mobile_taken on mobileNum"
	if id == "bindEmail" {
		field, target, broken, taken, path = "email", "new@fairground.example", "a@b", "owner@fairground.example", "/wps/verification/email"
		sentTo, wantMalformed, wantTaken = target, "400 member.email_format on email max=254", "409 member.email_taken on email"
	}
	with := func(to string, more map[string]any) map[string]any {
		fields := map[string]any{field: to}
		if field == "mobileNum" {
			fields["countryDialingCode"] = "84"
		}
		for name, value := range more {
			fields[name] = value
		}
		return fields
	}
	ask := func(p *callers) {
		p.as("other", http.MethodPost, path, body(with(target, map[string]any{"purpose": "bind"})))
	}
	coded := func(p *callers) string {
		return body(with(target, map[string]any{"password": memberPassword, "verificationCode": p.code(sentTo)}))
	}
	return callTest{
		id: id, untested: map[string]string{"login.overtaken": crossed, "member.proof_required": unproved, "member.unknown": guarded},
		valid: func(*callers) (map[string]any, []string) {
			return with(target, map[string]any{"password": memberPassword, "verificationCode": "000000"}), nil
		},
		attempts: []attempt{
			{name: "a trial", want: "403 member.trial_refused", actor: "trial"}, {name: "no password", want: "400 member.password_required on password", actor: "other", with: map[string]any{"password": ""}},
			{name: "too long a password", want: "400 member.password_format on password max=64", actor: "other", with: map[string]any{"password": strings.Repeat("a1", 40)}},
			{name: "a wrong password", want: "422 member.password_wrong on password", actor: "other", with: map[string]any{"password": another}},
			{name: "malformed", want: wantMalformed, actor: "other", before: later, with: map[string]any{field: broken}},
			{name: "a wrong code", want: "422 verification.incorrect on verificationCode", actor: "other", before: inOrder(later, ask)},
			{name: "a code that has run out", want: "422 verification.expired on verificationCode", actor: "other", before: later, body: coded},
			{name: "what was somebody's when they took a break", want: "422 member.bind_not_possible", actor: "other", before: inOrder(inOrder(later, ask), func(p *callers) {
				p.exec("UPDATE member SET email = 'new@fairground.example' WHERE account = 'owner001'")
				startBreak("+84987654321")(p)
				p.exec("UPDATE member SET mobile = '+84912345678', email = 'owner@fairground.example' WHERE account = 'owner001'")
			}), body: coded},
			{name: "done", want: "200", actor: "other", before: inOrder(inOrder(later, ask), endBreaks), body: coded},
			{name: "somebody's", want: wantTaken, actor: "agent", before: func(p *callers) { // sent while it was nobody's, bound by another meanwhile
				p.exec("UPDATE member SET mobile = NULL, email = NULL WHERE account IN ('owner001', 'other001')")
				p.as("agent", http.MethodPost, path, body(with(taken, map[string]any{"purpose": "bind"})))
				p.exec("UPDATE member SET mobile = '+84912345678', email = 'owner@fairground.example' WHERE account = 'owner001'")
			}, body: func(p *callers) string {
				to := map[string]string{"bindMobile": "+84912345678", "bindEmail": taken}[id]
				return body(with(taken, map[string]any{"password": memberPassword, "verificationCode": p.code(to)}))
			}},
			{name: "the question is asked", want: "400 member.answer_required on answer question=first_pet", before: inOrder(later, func(p *callers) {
				p.set("security.ask", `["mobile","email"]`)
				p.as("owner", http.MethodPut, "/wps/member/securityQuestion", `{"question":"first_pet","answer":"Mun","password":"qua-xanh7"}`)
			})},
			{name: "and answered wrongly", want: "422 member.answer_wrong on answer", before: later, with: map[string]any{"answer": "Vàng"}},
			{name: "and answered too shortly", want: "400 validation.range on answer max=64 min=2", with: map[string]any{"answer": "x"}},
			{name: "and answered with what cannot be seen", want: "400 validation.pattern on answer", with: map[string]any{"answer": "\u200b\u200b\u200b"}},
			{name: "the payment password is asked", want: "400 validation.required on paymentPassword", before: inOrder(later, func(p *callers) {
				p.set("security.ask", `[]`)
				paying(p)
			})},
			{name: "by a malformed payment password", want: "400 member.payment_password_format on paymentPassword", before: later, with: map[string]any{"paymentPassword": "12"}},
			{name: "no code", want: "400 validation.required on verificationCode", with: map[string]any{"verificationCode": ""}},
		},
	}
}

// lost is what somebody tells who forgot a password.
func lost(id string) map[string]any {
	if strings.Contains(id, "SMS") {
		return map[string]any{"mobileNum": "0912345678", "countryDialingCode": "84"}
	}
	return map[string]any{"email": "owner@fairground.example"}
}

func asking(id string) callTest {
	malformed := attempt{name: "malformed", want: "400 member.mobile_format on mobileNum max=20", with: map[string]any{"mobileNum": "12ab"}}
	missing := attempt{name: "none", want: "400 validation.required on mobileNum", with: map[string]any{"mobileNum": ""}}
	if id == "resetSendEmail" {
		malformed = attempt{name: "malformed", want: "400 member.email_format on email max=254", with: map[string]any{"email": "a@b"}}
		missing = attempt{name: "none", want: "400 validation.required on email", with: map[string]any{"email": ""}}
	}
	return callTest{
		id: id, untested: map[string]string{"verification.unavailable": "the demo's outbox takes every message; the codes' own tests show it"},
		valid: func(p *callers) (map[string]any, []string) {
			cookie, read := p.captcha()
			fields := lost(id)
			fields["captcha"] = read
			return fields, []string{"Cookie", cookie}
		},
		attempts: []attempt{
			{name: "done", want: "200"}, malformed, missing, {name: "a name too long", want: "400 validation.max on username max=64", with: map[string]any{"username": strings.Repeat("x", 65)}},
			{name: "no captcha", want: "400 captcha.required on captcha", with: map[string]any{"captcha": ""}},
			{name: "a wrong captcha", want: "422 captcha.incorrect on captcha", with: map[string]any{"captcha": "x"}}, {name: "another's name, and no difference", want: "200", with: map[string]any{"username": "other001"}},
		},
	}
}

func proving(id string) callTest {
	send, to := strings.Replace(id, "Verify", "Send", 1), "+84912345678"
	malformed := attempt{name: "malformed", want: "400 member.mobile_format on mobileNum max=20", with: map[string]any{"mobileNum": "12ab"}}
	if id == "resetVerifyEmail" {
		to = "owner@fairground.example"
		malformed = attempt{name: "malformed", want: "400 member.email_format on email max=254", with: map[string]any{"email": "a@b"}}
	}
	ask := func(p *callers) {
		fields, headers := asking(send).valid(p)
		if a := p.send(http.MethodPost, "/wps/member/password/"+map[string]string{"resetSendSMS": "sms", "resetSendEmail": "email"}[send], body(fields), headers...); a.status != http.StatusOK {
			p.t.Fatalf("%+v", a)
		}
	}
	coded := func(p *callers) string {
		fields := lost(id)
		fields["verificationCode"] = p.code(to)
		return body(fields)
	}
	return callTest{
		id: id,
		valid: func(*callers) (map[string]any, []string) {
			fields := lost(id)
			fields["verificationCode"] = "000000"
			return fields, nil
		},
		attempts: []attempt{
			malformed, {name: "no code", want: "400 validation.required on verificationCode", with: map[string]any{"verificationCode": ""}},
			{name: "a name too long", want: "400 validation.max on username max=64", with: map[string]any{"username": strings.Repeat("x", 65)}}, {name: "nothing was sent", want: "422 verification.incorrect on verificationCode"}, {name: "a code of mails", want: "400 verification.incorrect on verificationCode max=10", with: map[string]any{"verificationCode": "abcdef"}},
			{name: "a wrong code", want: "422 verification.incorrect on verificationCode", before: ask}, {name: "a code that has run out", want: "422 verification.expired on verificationCode", before: later, body: coded},
			{name: "of an account that was closed meanwhile", want: "422 member.reset_stale", before: inOrder(inOrder(later, ask), func(p *callers) {
				p.exec("UPDATE member SET status = 'disabled' WHERE account = 'owner001'")
			}), body: coded},
			{name: "done", want: "200", before: inOrder(inOrder(later, func(p *callers) {
				p.exec("UPDATE member SET status = 'active' WHERE account = 'owner001'")
			}), ask), body: coded},
		},
	}
}

func resetting() callTest {
	return callTest{
		id: "resetPassword",
		valid: func(*callers) (map[string]any, []string) {
			return map[string]any{"ticket": "nonsense", "newPassword": another, "confirmNewPassword": another}, nil
		},
		attempts: []attempt{
			{name: "a ticket that is none", want: "422 member.reset_stale on ticket"}, {name: "no new one", want: "400 member.password_required on newPassword", with: map[string]any{"newPassword": ""}},
			{name: "a short new one", want: "400 member.password_format on newPassword max=64 min=8", with: map[string]any{"newPassword": tooShort}},
			{name: "a common new one", want: "400 member.password_common on newPassword", with: map[string]any{"newPassword": common, "confirmNewPassword": common}},
			{name: "confirmed otherwise", want: "400 member.password_confirm on confirmNewPassword", with: map[string]any{"confirmNewPassword": "qua-do-998"}},
			{name: "encrypted, and is not", want: "400 jwe.invalid on data", headers: []string{"Encryption", "jwe"}, body: func(*callers) string { return `{"data":"nonsense"}` }},
			{name: "encrypted a day ago", want: "400 jwe.time now=(varies)", headers: []string{"Encryption", "jwe"}, body: func(p *callers) string {
				return p.sealed("nonce-of-a-day-ago", -24*time.Hour, map[string]any{"ticket": "x", "newPassword": another, "confirmNewPassword": another})
			}},
			{name: "done", want: "200", body: func(p *callers) string {
				return body(map[string]any{"ticket": p.resetTicket(), "newPassword": another, "confirmNewPassword": another})
			}},
		},
	}
}

func choosing() callTest {
	return callTest{
		id: "chooseHeadIcon", untested: map[string]string{"member.unknown": guarded},
		valid:     func(*callers) (map[string]any, []string) { return map[string]any{"preset": "fox"}, nil },
		attempts: []attempt{{name: "a trial", want: "403 member.trial_refused", actor: "trial"}, {name: "no such preset", want: "404 avatar.unknown on preset", with: map[string]any{"preset": "wolf"}}, {name: "done", want: "200"}},
	}
}

func uploading() callTest {
	huge := []byte(smallPNG()) // says that it is 60000 pixels wide and high
	at := bytes.Index(huge, []byte("IHDR")) + 4
	binary.BigEndian.PutUint32(huge[at:], 60000)
	binary.BigEndian.PutUint32(huge[at+4:], 60000)
	asPNG := []string{"Content-Type", "image/png"}
	file := func(*callers) string { return smallPNG() }
	return callTest{
		id: "uploadHeadIcon", untested: map[string]string{"member.unknown": guarded},
		attempts: []attempt{
			{name: "a trial", want: "403 member.trial_refused", actor: "trial", headers: asPNG, body: file},
			{name: "no picture", want: "400 avatar.format", headers: asPNG, body: func(*callers) string { return "<svg/>" }},
			{name: "another kind", want: "400 avatar.format", headers: []string{"Content-Type", "image/gif"}, body: file},
			{name: "too many pixels", want: "413 avatar.too_large", headers: asPNG, body: func(*callers) string { return sum(huge, at-4) }},
			{name: "a square outside", want: "400 avatar.crop", path: "/wps/member/headIcon/upload?x=60&y=0&size=48", headers: asPNG, body: file},
			{name: "done", want: "200", headers: asPNG, body: file},
		},
	}
}

func file() callTest {
	return callTest{
		id: "headIconFile", path: "/wps/member/headIcon/file/nosuch.jpg", untested: map[string]string{"member.unknown": guarded},
		attempts: []attempt{{name: "a trial", want: "403 member.trial_refused", actor: "trial"}, {name: "no such file", want: "404 avatar.unknown"}, {name: "out of the folder", want: "404 avatar.unknown", path: "/wps/member/headIcon/file/..%2f..%2ffairground.db"}},
	}
}
