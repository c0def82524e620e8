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
var later = wait(6 * time.Minute)

func ofMembers() [][]visited {
	gone := map[string]string{"member.unknown": guarded}
	trial := try{name: "a trial", actor: "trial"}
	plain := func(id string) visited {
		return visited{id: id, tries: []try{{name: "done"}, trial}, unseen: gone}
	}
	info := visited{id: "memberInfo", tries: []try{{name: "done", want: "200"}, {name: "done by a trial", want: "200", actor: "trial"}}, unseen: gone}
	return [][]visited{
		{info, plain("memberSecurity"), plain("securityQuestion"), plain("memberProfile"), plain("headIcon"), aged(), profile(), question(), payment(), paymentCode(), proofCode()},
		{changing()}, {binding("bindMobile")}, {binding("bindEmail")},
		{asking("resetSendSMS"), asking("resetSendEmail")}, {proving("resetVerifySMS"), proving("resetVerifyEmail")}, {resetting()},
		{choosing(), uploading(), file()},
	}
}

func aged() visited {
	return visited{
		id: "confirmAge", unseen: map[string]string{"member.unknown": guarded},
		good: func(*people) (map[string]any, []string) { return map[string]any{"ageConfirmed": true}, nil },
		tries: []try{
			{name: "a trial", want: "403 member.trial_refused", actor: "trial"}, {name: "not confirmed", want: "400 register.age_required on ageConfirmed age=18", with: map[string]any{"ageConfirmed": false}},
			{name: "left out", want: "400 request_param_err on ageConfirmed", with: map[string]any{"ageConfirmed": nil}}, {name: "a text for a truth", want: "400 request_param_err on ageConfirmed", with: map[string]any{"ageConfirmed": "true"}}, {name: "done", want: "200"},
		},
	}
}

func profile() visited {
	return visited{
		id: "changeProfile", unseen: map[string]string{"member.unknown": guarded},
		good: func(*people) (map[string]any, []string) { return map[string]any{"nickname": "Minh Anh"}, nil },
		tries: []try{
			{name: "a trial", want: "403 member.trial_refused", actor: "trial"}, {name: "done", want: "200"}, {name: "no nickname", want: "400 validation.required on nickname", with: map[string]any{"nickname": ""}},
			{name: "a nickname that turns the reading direction", want: "400 member.nickname_format on nickname max=20", with: map[string]any{"nickname": "a\u202eb"}},
			{name: "a payee of signs", want: "400 member.payee_format on payeeName max=50 min=2", with: map[string]any{"payeeName": "<b>"}},
			{name: "a contact of signs", want: "400 member.contact_format on zalo", with: map[string]any{"zalo": "<b>"}},
			{name: "a payee", want: "200", with: map[string]any{"payeeName": "NGUYEN VAN A"}},
			{name: "another payee", want: "409 member.payee_fixed on payeeName", with: map[string]any{"payeeName": "NGUYEN VAN B"}},
			{name: "a number for a text", want: "400 request_param_err on nickname", with: map[string]any{"nickname": 7}},
			{name: "a contact that is switched off", want: "400 validation.unasked on line", before: func(p *people) { p.set("register.fields", `{"line":{"enabled":false}}`) }, with: map[string]any{"line": "minhanh"}},
		},
	}
}

// paying gives members a payment password that nobody knows, unpaying takes it away.
func paying(p *people)   { p.exec("UPDATE member SET payment_hash = password_hash") }
func unpaying(p *people) { p.exec("UPDATE member SET payment_hash = ''") }

func question() visited {
	return visited{
		id: "setSecurityQuestion", unseen: map[string]string{"login.overtaken": crossed, "member.unknown": guarded, "member.proof_required": unproved, "verification.incorrect": unproved, "verification.expired": unproved},
		good: func(*people) (map[string]any, []string) {
			return map[string]any{"question": "first_pet", "answer": "Mun", "password": theirPassword}, nil
		},
		tries: []try{
			{name: "a trial", want: "403 member.trial_refused", actor: "trial"}, {name: "no such question", want: "400 member.question_unknown on question", with: map[string]any{"question": "first_kiss"}},
			{name: "no answer", want: "400 validation.required on answer", with: map[string]any{"answer": ""}}, {name: "a short answer", want: "400 validation.range on answer max=64 min=2", with: map[string]any{"answer": "x"}},
			{name: "an answer that cannot be seen", want: "400 validation.pattern on answer", with: map[string]any{"answer": "\u200b\u200b\u200b"}},
			{name: "no password", want: "400 member.password_required on password", with: map[string]any{"password": ""}},
			{name: "too long a password", want: "400 member.password_format on password max=64", with: map[string]any{"password": strings.Repeat("a1", 40)}},
			{name: "a wrong password", want: "422 member.password_wrong on password", with: map[string]any{"password": another}},
			{name: "without the payment password", want: "400 validation.required on paymentPassword", before: both(later, paying)},
			{name: "by a wrong payment password", want: "422 member.password_wrong on paymentPassword", before: later, with: map[string]any{"paymentPassword": "975310"}},
			{name: "by a malformed payment password", want: "400 member.payment_password_format on paymentPassword", before: later, with: map[string]any{"paymentPassword": "12"}},
			{name: "done", want: "200", before: both(later, unpaying)},
			{name: "another, without the old answer", want: "400 member.answer_required on oldAnswer question=first_pet", before: later},
			{name: "another, by a wrong answer", want: "422 member.answer_wrong on oldAnswer", before: later, with: map[string]any{"oldAnswer": "Vàng"}},
		},
	}
}

// paymentCode is asked for by the owner, whom payment has left with a payment password and without anything to be known by.
func paymentCode() visited {
	return visited{
		id: "sendPaymentCode", unseen: map[string]string{"member.unknown": guarded, "verification.unavailable": "the demo's outbox takes every message"},
		tries: []try{
			{name: "a trial", want: "403 member.trial_refused", actor: "trial"}, {name: "nothing is bound", want: "422 member.payment_lost"},
			{name: "done", want: "200", before: func(p *people) { p.exec("UPDATE member SET mobile = '+84912345678' WHERE account = 'owner001'") }},
		},
	}
}

// proofCode is asked for by the owner, who has a password and needs none.
func proofCode() visited {
	return visited{
		id: "sendProofCode", unseen: map[string]string{"member.unknown": guarded, "verification.unavailable": "the demo's outbox takes every message"},
		tries: []try{
			{name: "a trial", want: "403 member.trial_refused", actor: "trial"}, {name: "with a password", want: "422 member.proof_required proof=password"},
			{name: "done", want: "200", before: both(wait(11*time.Minute), func(p *people) {
				p.exec("UPDATE member SET mobile = '+84912345678', password_hash = '' WHERE account = 'owner001'")
			})},
		},
	}
}

func payment() visited {
	return visited{
		id: "setPaymentPassword", unseen: map[string]string{"login.overtaken": crossed, "member.unknown": guarded, "member.proof_required": unproved, "verification.expired": "the same check as a binding's"},
		good: func(*people) (map[string]any, []string) {
			return map[string]any{"password": theirPassword, "paymentPassword": "246810", "confirmPaymentPassword": "246810"}, nil
		},
		tries: []try{
			{name: "a trial", want: "403 member.trial_refused", actor: "trial"}, {name: "none", want: "400 validation.required on paymentPassword", with: map[string]any{"paymentPassword": ""}},
			{name: "letters", want: "400 member.payment_password_format on paymentPassword", with: map[string]any{"paymentPassword": "abcdef"}},
			{name: "unconfirmed", want: "400 member.password_required on confirmPaymentPassword", with: map[string]any{"confirmPaymentPassword": ""}},
			{name: "confirmed otherwise", want: "400 member.password_confirm on confirmPaymentPassword", with: map[string]any{"confirmPaymentPassword": "246811"}},
			{name: "no password", want: "400 member.password_required on password", with: map[string]any{"password": nil}},
			{name: "too long a password", want: "400 member.password_format on password max=64", with: map[string]any{"password": strings.Repeat("a1", 40)}},
			{name: "a wrong password", want: "422 member.password_wrong on password", before: later, with: map[string]any{"password": another}}, {name: "done", want: "200", before: later},
			{name: "the old one is wrong", want: "422 member.password_wrong on oldPaymentPassword", before: later, with: map[string]any{"password": nil, "oldPaymentPassword": "975310"}},
			{name: "the old one is malformed", want: "400 member.payment_password_format on oldPaymentPassword", with: map[string]any{"password": nil, "oldPaymentPassword": "12"}},
			{name: "the question is asked", want: "400 member.answer_required on answer question=first_pet", before: both(later, func(p *people) { p.set("security.ask", `["payment_password"]`) })},
			{name: "and answered wrongly", want: "422 member.answer_wrong on answer", before: later, with: map[string]any{"answer": "Vàng"}},
			{name: "and answered too shortly", want: "400 validation.range on answer max=64 min=2", with: map[string]any{"answer": "x"}},
			{name: "and answered with what cannot be seen", want: "400 validation.pattern on answer", with: map[string]any{"answer": "\u200b\u200b\u200b"}},
			{name: "and answered", want: "200", before: later, with: map[string]any{"answer": " mun "}},
			{name: "forgotten, by a wrong code", want: "422 verification.incorrect on verificationCode", before: both(later, func(p *people) {
				p.exec("UPDATE member SET question = '', answer_hash = '', mobile = '+84912345678' WHERE account = 'owner001'")
			}), with: map[string]any{"verificationCode": "000000"}},
			{name: "forgotten, with nothing to be known by", want: "422 member.payment_lost on oldPaymentPassword", before: both(later, func(p *people) {
				p.exec("UPDATE member SET mobile = NULL, email = NULL WHERE account = 'owner001'")
			})},
		},
	}
}

func changing() visited {
	return visited{
		id: "changePassword", unseen: map[string]string{"member.unknown": guarded, "member.proof_required": unproved, "verification.incorrect": unproved, "verification.expired": unproved},
		good: func(*people) (map[string]any, []string) {
			return map[string]any{"oldPassword": theirPassword, "newPassword": another, "confirmNewPassword": another}, nil
		},
		tries: []try{
			{name: "a trial", actor: "trial"}, {name: "no old one", with: map[string]any{"oldPassword": ""}},
			{name: "a short new one", with: map[string]any{"newPassword": tooShort, "confirmNewPassword": tooShort}},
			{name: "a common new one", with: map[string]any{"newPassword": common, "confirmNewPassword": common}},
			{name: "the same", with: map[string]any{"newPassword": theirPassword, "confirmNewPassword": theirPassword}},
			{name: "confirmed otherwise", with: map[string]any{"confirmNewPassword": "qua-do-998"}},
			{name: "the old one is wrong", with: map[string]any{"oldPassword": "qua-xanh8"}},
			{name: "a field left out", with: map[string]any{"oldPassword": nil}},
			{name: "done"},
		},
	}
}

// binding makes a number or an address another member's.
func binding(id string) visited {
	field, target, broken, taken, path := "mobileNum", "0987654321", "12ab", "912345678", "/wps/verification/sms"
	sentTo := "+84987654321"
	if id == "bindEmail" {
		field, target, broken, taken, path = "email", "new@fairground.example", "a@b", "owner@fairground.example", "/wps/verification/email"
		sentTo = target
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
	ask := func(p *people) {
		p.as("other", http.MethodPost, path, body(with(target, map[string]any{"purpose": "bind"})))
	}
	coded := func(p *people) string {
		return body(with(target, map[string]any{"password": theirPassword, "verificationCode": p.code(sentTo)}))
	}
	return visited{
		id: id, unseen: map[string]string{"login.overtaken": crossed, "member.proof_required": unproved, "member.unknown": guarded},
		good: func(*people) (map[string]any, []string) {
			return with(target, map[string]any{"password": theirPassword, "verificationCode": "000000"}), nil
		},
		tries: []try{
			{name: "a trial", actor: "trial"}, {name: "no password", actor: "other", with: map[string]any{"password": ""}},
			{name: "too long a password", actor: "other", with: map[string]any{"password": strings.Repeat("a1", 40)}},
			{name: "a wrong password", actor: "other", with: map[string]any{"password": another}},
			{name: "malformed", actor: "other", before: later, with: map[string]any{field: broken}},
			{name: "a wrong code", actor: "other", before: both(later, ask)},
			{name: "a code that has run out", actor: "other", before: later, body: coded},
			{name: "what was somebody's when they took a break", actor: "other", before: both(both(later, ask), func(p *people) {
				p.exec("UPDATE member SET email = 'new@fairground.example' WHERE account = 'owner001'")
				away("+84987654321")(p)
				p.exec("UPDATE member SET mobile = '+84912345678', email = 'owner@fairground.example' WHERE account = 'owner001'")
			}), body: coded},
			{name: "done", actor: "other", before: both(both(later, ask), back), body: coded},
			{name: "somebody's", actor: "agent", before: func(p *people) { // sent while it was nobody's, bound by another meanwhile
				p.exec("UPDATE member SET mobile = NULL, email = NULL WHERE account IN ('owner001', 'other001')")
				p.as("agent", http.MethodPost, path, body(with(taken, map[string]any{"purpose": "bind"})))
				p.exec("UPDATE member SET mobile = '+84912345678', email = 'owner@fairground.example' WHERE account = 'owner001'")
			}, body: func(p *people) string {
				to := map[string]string{"bindMobile": "+84912345678", "bindEmail": taken}[id]
				return body(with(taken, map[string]any{"password": theirPassword, "verificationCode": p.code(to)}))
			}},
			{name: "the question is asked", before: both(later, func(p *people) {
				p.set("security.ask", `["mobile","email"]`)
				p.as("owner", http.MethodPut, "/wps/member/securityQuestion", `{"question":"first_pet","answer":"Mun","password":"qua-xanh7"}`)
			})},
			{name: "and answered wrongly", before: later, with: map[string]any{"answer": "Vàng"}},
			{name: "and answered too shortly", with: map[string]any{"answer": "x"}},
			{name: "and answered with what cannot be seen", with: map[string]any{"answer": "\u200b\u200b\u200b"}},
			{name: "the payment password is asked", before: both(later, func(p *people) {
				p.set("security.ask", `[]`)
				paying(p)
			})},
			{name: "by a malformed payment password", before: later, with: map[string]any{"paymentPassword": "12"}},
			{name: "no code", with: map[string]any{"verificationCode": ""}},
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

func asking(id string) visited {
	malformed, missing := map[string]any{"mobileNum": "12ab"}, map[string]any{"mobileNum": ""}
	if id == "resetSendEmail" {
		malformed, missing = map[string]any{"email": "a@b"}, map[string]any{"email": ""}
	}
	return visited{
		id: id, unseen: map[string]string{"verification.unavailable": "the demo's outbox takes every message; the codes' own tests show it"},
		good: func(p *people) (map[string]any, []string) {
			cookie, read := p.picture()
			fields := lost(id)
			fields["captcha"] = read
			return fields, []string{"Cookie", cookie}
		},
		tries: []try{
			{name: "done"}, {name: "malformed", with: malformed}, {name: "none", with: missing}, {name: "a name too long", with: map[string]any{"username": strings.Repeat("x", 65)}},
			{name: "no captcha", with: map[string]any{"captcha": ""}},
			{name: "a wrong captcha", with: map[string]any{"captcha": "x"}}, {name: "another's name, and no difference", with: map[string]any{"username": "other001"}},
		},
	}
}

func proving(id string) visited {
	send, to := strings.Replace(id, "Verify", "Send", 1), "+84912345678"
	malformed := map[string]any{"mobileNum": "12ab"}
	if id == "resetVerifyEmail" {
		to, malformed = "owner@fairground.example", map[string]any{"email": "a@b"}
	}
	ask := func(p *people) {
		fields, headers := asking(send).good(p)
		if a := p.send(http.MethodPost, "/wps/member/password/"+map[string]string{"resetSendSMS": "sms", "resetSendEmail": "email"}[send], body(fields), headers...); a.status != http.StatusOK {
			p.t.Fatalf("%+v", a)
		}
	}
	coded := func(p *people) string {
		fields := lost(id)
		fields["verificationCode"] = p.code(to)
		return body(fields)
	}
	return visited{
		id: id,
		good: func(*people) (map[string]any, []string) {
			fields := lost(id)
			fields["verificationCode"] = "000000"
			return fields, nil
		},
		tries: []try{
			{name: "malformed", with: malformed}, {name: "no code", with: map[string]any{"verificationCode": ""}},
			{name: "a name too long", with: map[string]any{"username": strings.Repeat("x", 65)}}, {name: "nothing was sent"}, {name: "a code of letters", with: map[string]any{"verificationCode": "abcdef"}},
			{name: "a wrong code", before: ask}, {name: "a code that has run out", before: later, body: coded},
			{name: "of an account that was closed meanwhile", before: both(both(later, ask), func(p *people) {
				p.exec("UPDATE member SET status = 'disabled' WHERE account = 'owner001'")
			}), body: coded},
			{name: "done", before: both(both(later, func(p *people) {
				p.exec("UPDATE member SET status = 'active' WHERE account = 'owner001'")
			}), ask), body: coded},
		},
	}
}

func resetting() visited {
	return visited{
		id: "resetPassword",
		good: func(*people) (map[string]any, []string) {
			return map[string]any{"ticket": "nonsense", "newPassword": another, "confirmNewPassword": another}, nil
		},
		tries: []try{
			{name: "a ticket that is none", want: "422 member.reset_stale on ticket"}, {name: "no new one", want: "400 member.password_required on newPassword", with: map[string]any{"newPassword": ""}},
			{name: "a short new one", want: "400 member.password_format on newPassword max=64 min=8", with: map[string]any{"newPassword": tooShort}},
			{name: "a common new one", want: "400 member.password_common on newPassword", with: map[string]any{"newPassword": common, "confirmNewPassword": common}},
			{name: "confirmed otherwise", want: "400 member.password_confirm on confirmNewPassword", with: map[string]any{"confirmNewPassword": "qua-do-998"}},
			{name: "encrypted, and is not", want: "400 jwe.invalid on data", headers: []string{"Encryption", "jwe"}, body: func(*people) string { return `{"data":"nonsense"}` }},
			{name: "encrypted a day ago", want: "400 jwe.time now=(varies)", headers: []string{"Encryption", "jwe"}, body: func(p *people) string {
				return p.sealed("nonce-of-a-day-ago", -24*time.Hour, map[string]any{"ticket": "x", "newPassword": another, "confirmNewPassword": another})
			}},
			{name: "done", want: "200", body: func(p *people) string {
				return body(map[string]any{"ticket": p.resetTicket(), "newPassword": another, "confirmNewPassword": another})
			}},
		},
	}
}

func choosing() visited {
	return visited{
		id: "chooseHeadIcon", unseen: map[string]string{"member.unknown": guarded},
		good:  func(*people) (map[string]any, []string) { return map[string]any{"preset": "fox"}, nil },
		tries: []try{{name: "a trial", want: "403 member.trial_refused", actor: "trial"}, {name: "no such preset", want: "404 avatar.unknown on preset", with: map[string]any{"preset": "wolf"}}, {name: "done", want: "200"}},
	}
}

func uploading() visited {
	huge := []byte(drawing()) // says that it is 60000 pixels wide and high
	at := bytes.Index(huge, []byte("IHDR")) + 4
	binary.BigEndian.PutUint32(huge[at:], 60000)
	binary.BigEndian.PutUint32(huge[at+4:], 60000)
	asPNG := []string{"Content-Type", "image/png"}
	file := func(*people) string { return drawing() }
	return visited{
		id: "uploadHeadIcon", unseen: map[string]string{"member.unknown": guarded},
		tries: []try{
			{name: "a trial", want: "403 member.trial_refused", actor: "trial", headers: asPNG, body: file},
			{name: "no picture", want: "400 avatar.format", headers: asPNG, body: func(*people) string { return "<svg/>" }},
			{name: "another kind", want: "400 avatar.format", headers: []string{"Content-Type", "image/gif"}, body: file},
			{name: "too many pixels", want: "413 avatar.too_large", headers: asPNG, body: func(*people) string { return sum(huge, at-4) }},
			{name: "a square outside", want: "400 avatar.crop", path: "/wps/member/headIcon/upload?x=60&y=0&size=48", headers: asPNG, body: file},
			{name: "done", want: "200", headers: asPNG, body: file},
		},
	}
}

func file() visited {
	return visited{
		id: "headIconFile", path: "/wps/member/headIcon/file/nosuch.jpg", unseen: map[string]string{"member.unknown": guarded},
		tries: []try{{name: "a trial", want: "403 member.trial_refused", actor: "trial"}, {name: "no such file", want: "404 avatar.unknown"}, {name: "out of the folder", want: "404 avatar.unknown", path: "/wps/member/headIcon/file/..%2f..%2ffairground.db"}},
	}
}
