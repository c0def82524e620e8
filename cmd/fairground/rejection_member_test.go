package main

import (
	"net/http"
	"strings"
	"time"
)

const (
	neverDeleted = "members are never deleted"
	common       = "password1"
	another      = "qua-do-999"
	noPassword   = "needs a member without a password; internal/identity tests it"
	tooShort     = "a1"
	concurrent   = "needs a concurrent change of the account; internal/identity tests it"
)

// later advances the clock, so that the limit on wrong passwords does not apply.
var later = advance(6 * time.Minute)

func memberCalls() [][]callTest {
	unknown := map[string]string{"member.unknown": neverDeleted}
	trial := attempt{name: "trial", want: "403 member.trial_refused", actor: "trial"}
	plain := func(id string) callTest {
		return callTest{id: id, attempts: []attempt{{name: "done", want: "200"}, trial}, untested: unknown}
	}
	info := callTest{id: "memberInfo", attempts: []attempt{{name: "done", want: "200"}, {name: "done by a trial", want: "200", actor: "trial"}}, untested: unknown}
	return [][]callTest{
		{info, plain("memberSecurity"), plain("securityQuestion"), plain("memberProfile"), plain("headIcon"), confirmAgeCall(), profileCall(), questionCall(), paymentCall(), paymentCodeCall(), proofCodeCall()},
		{changePasswordCall()}, {bindCall("bindMobile")}, {bindCall("bindEmail")},
		{resetSendCall("resetSendSMS"), resetSendCall("resetSendEmail")}, {resetVerifyCall("resetVerifySMS"), resetVerifyCall("resetVerifyEmail")}, {resetPasswordCall()},
		{chooseAvatarCall(), uploadAvatarCall(), avatarFileCall()},
		{{id: "kyc", attempts: []attempt{{name: "done", want: "200"}, trial}}, submitKycCall(), kycImageCall()},
		{{id: "bankCards", attempts: []attempt{{name: "done", want: "200"}, trial}}, addBankCardCall(), bankCardCall("setBankCard", map[string]any{"default": true}), bankCardCall("removeBankCard", nil)},
	}
}

func confirmAgeCall() callTest {
	return callTest{
		id: "confirmAge", untested: map[string]string{"member.unknown": neverDeleted},
		valid: func(*actorServer) (map[string]any, []string) { return map[string]any{"ageConfirmed": true}, nil },
		attempts: []attempt{
			{name: "trial", want: "403 member.trial_refused", actor: "trial"}, {name: "age not confirmed", want: "400 register.age_required on ageConfirmed age=18", with: map[string]any{"ageConfirmed": false}},
			{name: "missing field", want: "400 request_param_err on ageConfirmed", with: map[string]any{"ageConfirmed": nil}}, {name: "text instead of boolean", want: "400 request_param_err on ageConfirmed", with: map[string]any{"ageConfirmed": "true"}}, {name: "done", want: "200"},
		},
	}
}

func profileCall() callTest {
	return callTest{
		id: "changeProfile", untested: map[string]string{"member.unknown": neverDeleted},
		valid: func(*actorServer) (map[string]any, []string) { return map[string]any{"nickname": "Minh Anh"}, nil },
		attempts: []attempt{
			{name: "trial", want: "403 member.trial_refused", actor: "trial"}, {name: "done", want: "200"}, {name: "no nickname", want: "400 validation.required on nickname", with: map[string]any{"nickname": ""}},
			{name: "nickname with a direction override", want: "400 member.nickname_format on nickname max=20", with: map[string]any{"nickname": "a\u202eb"}},
			{name: "malformed payee name", want: "400 member.payee_format on payeeName max=50 min=2", with: map[string]any{"payeeName": "<b>"}},
			{name: "malformed contact", want: "400 member.contact_format on zalo", with: map[string]any{"zalo": "<b>"}},
			{name: "payee name", want: "200", with: map[string]any{"payeeName": "NGUYEN VAN A"}},
			{name: "different payee name", want: "409 member.payee_fixed on payeeName", with: map[string]any{"payeeName": "NGUYEN VAN B"}},
			{name: "number instead of text", want: "400 request_param_err on nickname", with: map[string]any{"nickname": 7}},
			{name: "disabled contact", want: "400 validation.unasked on line", before: func(p *actorServer) { p.set("register.fields", `{"line":{"enabled":false}}`) }, with: map[string]any{"line": "minhanh"}},
		},
	}
}

func setPaymentPasswords(p *actorServer)    { p.exec("UPDATE member SET payment_hash = password_hash") }
func removePaymentPasswords(p *actorServer) { p.exec("UPDATE member SET payment_hash = ''") }

func questionCall() callTest {
	return callTest{
		id: "setSecurityQuestion", untested: map[string]string{"login.overtaken": concurrent, "member.unknown": neverDeleted, "member.proof_required": noPassword, "verification.incorrect": noPassword, "verification.expired": noPassword},
		valid: func(*actorServer) (map[string]any, []string) {
			return map[string]any{"question": "first_pet", "answer": "Mun", "password": memberPassword}, nil
		},
		attempts: []attempt{
			{name: "trial", want: "403 member.trial_refused", actor: "trial"}, {name: "unknown question", want: "400 member.question_unknown on question", with: map[string]any{"question": "first_kiss"}},
			{name: "no answer", want: "400 validation.required on answer", with: map[string]any{"answer": ""}}, {name: "short answer", want: "400 validation.range on answer max=64 min=2", with: map[string]any{"answer": "x"}},
			{name: "invisible answer", want: "400 validation.pattern on answer", with: map[string]any{"answer": "\u200b\u200b\u200b"}},
			{name: "no password", want: "400 member.password_required on password", with: map[string]any{"password": ""}},
			{name: "long password", want: "400 member.password_format on password max=64", with: map[string]any{"password": strings.Repeat("a1", 40)}},
			{name: "wrong password", want: "422 member.password_wrong on password", with: map[string]any{"password": another}},
			{name: "no payment password", want: "400 validation.required on paymentPassword", before: inOrder(later, setPaymentPasswords)},
			{name: "wrong payment password", want: "422 member.password_wrong on paymentPassword", before: later, with: map[string]any{"paymentPassword": "975310"}},
			{name: "malformed payment password", want: "400 member.payment_password_format on paymentPassword", before: later, with: map[string]any{"paymentPassword": "12"}},
			{name: "done", want: "200", before: inOrder(later, removePaymentPasswords)},
			{name: "change without the old answer", want: "400 member.answer_required on oldAnswer question=first_pet", before: later},
			{name: "change with a wrong answer", want: "422 member.answer_wrong on oldAnswer", before: later, with: map[string]any{"oldAnswer": "Vàng"}},
		},
	}
}

// paymentCode runs after payment, which leaves the owner without a number and an email address.
func paymentCodeCall() callTest {
	return callTest{
		id: "sendPaymentCode", untested: map[string]string{"member.unknown": neverDeleted, "verification.unavailable": "the demo accepts every message; internal/identity/verification tests it"},
		attempts: []attempt{
			{name: "trial", want: "403 member.trial_refused", actor: "trial"}, {name: "no number or email", want: "422 member.payment_lost"},
			{name: "done", want: "200", before: func(p *actorServer) { p.exec("UPDATE member SET mobile = '+84912345678' WHERE account = 'owner001'") }},
		},
	}
}

// proofCode tests the owner, who has a password and needs no code at first.
func proofCodeCall() callTest {
	return callTest{
		id: "sendProofCode", untested: map[string]string{"member.unknown": neverDeleted, "verification.unavailable": "the demo accepts every message; internal/identity/verification tests it"},
		attempts: []attempt{
			{name: "trial", want: "403 member.trial_refused", actor: "trial"}, {name: "member with a password", want: "422 member.proof_required proof=password"},
			{name: "done", want: "200", before: inOrder(advance(11*time.Minute), func(p *actorServer) {
				p.exec("UPDATE member SET mobile = '+84912345678', password_hash = '' WHERE account = 'owner001'")
			})},
		},
	}
}

func paymentCall() callTest {
	return callTest{
		id: "setPaymentPassword", untested: map[string]string{"login.overtaken": concurrent, "member.unknown": neverDeleted, "member.proof_required": noPassword, "verification.expired": "the same check as a binding's"},
		valid: func(*actorServer) (map[string]any, []string) {
			return map[string]any{"password": memberPassword, "paymentPassword": "246810", "confirmPaymentPassword": "246810"}, nil
		},
		attempts: []attempt{
			{name: "trial", want: "403 member.trial_refused", actor: "trial"}, {name: "no payment password", want: "400 validation.required on paymentPassword", with: map[string]any{"paymentPassword": ""}},
			{name: "payment password with letters", want: "400 member.payment_password_format on paymentPassword", with: map[string]any{"paymentPassword": "abcdef"}},
			{name: "no confirmation", want: "400 member.password_required on confirmPaymentPassword", with: map[string]any{"confirmPaymentPassword": ""}},
			{name: "different confirmation", want: "400 member.password_confirm on confirmPaymentPassword", with: map[string]any{"confirmPaymentPassword": "246811"}},
			{name: "no password", want: "400 member.password_required on password", with: map[string]any{"password": nil}},
			{name: "long password", want: "400 member.password_format on password max=64", with: map[string]any{"password": strings.Repeat("a1", 40)}},
			{name: "wrong password", want: "422 member.password_wrong on password", before: later, with: map[string]any{"password": another}}, {name: "done", want: "200", before: later},
			{name: "wrong old payment password", want: "422 member.password_wrong on oldPaymentPassword", before: later, with: map[string]any{"password": nil, "oldPaymentPassword": "975310"}},
			{name: "malformed old payment password", want: "400 member.payment_password_format on oldPaymentPassword", with: map[string]any{"password": nil, "oldPaymentPassword": "12"}},
			{name: "answer required", want: "400 member.answer_required on answer question=first_pet", before: inOrder(later, func(p *actorServer) { p.set("security.ask", `["payment_password"]`) })},
			{name: "wrong answer", want: "422 member.answer_wrong on answer", before: later, with: map[string]any{"answer": "Vàng"}},
			{name: "short answer", want: "400 validation.range on answer max=64 min=2", with: map[string]any{"answer": "x"}},
			{name: "invisible answer", want: "400 validation.pattern on answer", with: map[string]any{"answer": "\u200b\u200b\u200b"}},
			{name: "answer accepted", want: "200", before: later, with: map[string]any{"answer": " mun "}},
			{name: "forgotten, with a wrong code", want: "422 verification.incorrect on verificationCode", before: inOrder(later, func(p *actorServer) {
				p.exec("UPDATE member SET question = '', answer_hash = '', mobile = '+84912345678' WHERE account = 'owner001'")
			}), with: map[string]any{"verificationCode": "000000"}},
			{name: "forgotten, without a number and an email", want: "422 member.payment_lost on oldPaymentPassword", before: inOrder(later, func(p *actorServer) {
				p.exec("UPDATE member SET mobile = NULL, email = NULL WHERE account = 'owner001'")
			})},
		},
	}
}

func changePasswordCall() callTest {
	return callTest{
		id: "changePassword", untested: map[string]string{"member.unknown": neverDeleted, "member.proof_required": noPassword, "verification.incorrect": noPassword, "verification.expired": noPassword},
		valid: func(*actorServer) (map[string]any, []string) {
			return map[string]any{"oldPassword": memberPassword, "newPassword": another, "confirmNewPassword": another}, nil
		},
		attempts: []attempt{
			{name: "trial", want: "403 member.trial_refused", actor: "trial"}, {name: "no old password", want: "400 member.password_required on oldPassword", with: map[string]any{"oldPassword": ""}},
			{name: "short new password", want: "400 member.password_format on newPassword max=64 min=8", with: map[string]any{"newPassword": tooShort, "confirmNewPassword": tooShort}},
			{name: "common new password", want: "400 member.password_common on newPassword", with: map[string]any{"newPassword": common, "confirmNewPassword": common}},
			{name: "same password", want: "400 member.password_same on newPassword", with: map[string]any{"newPassword": memberPassword, "confirmNewPassword": memberPassword}},
			{name: "different confirmation", want: "400 member.password_confirm on confirmNewPassword", with: map[string]any{"confirmNewPassword": "qua-do-998"}},
			{name: "wrong old password", want: "422 member.password_wrong on oldPassword", with: map[string]any{"oldPassword": "qua-xanh8"}},
			{name: "missing field", want: "400 member.password_required on oldPassword", with: map[string]any{"oldPassword": nil}},
			{name: "done", want: "200"},
		},
	}
}

// bindCall tests binding a number or an email address.
func bindCall(id string) callTest {
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
	sendCode := func(p *actorServer) {
		p.as("other", http.MethodPost, path, body(with(target, map[string]any{"purpose": "bind"})))
	}
	withCode := func(p *actorServer) string {
		return body(with(target, map[string]any{"password": memberPassword, "verificationCode": p.code(sentTo)}))
	}
	return callTest{
		id: id, untested: map[string]string{"login.overtaken": concurrent, "member.proof_required": noPassword, "member.unknown": neverDeleted},
		valid: func(*actorServer) (map[string]any, []string) {
			return with(target, map[string]any{"password": memberPassword, "verificationCode": "000000"}), nil
		},
		attempts: []attempt{
			{name: "trial", want: "403 member.trial_refused", actor: "trial"}, {name: "no password", want: "400 member.password_required on password", actor: "other", with: map[string]any{"password": ""}},
			{name: "long password", want: "400 member.password_format on password max=64", actor: "other", with: map[string]any{"password": strings.Repeat("a1", 40)}},
			{name: "wrong password", want: "422 member.password_wrong on password", actor: "other", with: map[string]any{"password": another}},
			{name: "malformed", want: wantMalformed, actor: "other", before: later, with: map[string]any{field: broken}},
			{name: "wrong code", want: "422 verification.incorrect on verificationCode", actor: "other", before: inOrder(later, sendCode)},
			{name: "expired code", want: "422 verification.expired on verificationCode", actor: "other", before: later, body: withCode},
			{name: "target of a member at the start of a break", want: "422 member.bind_not_possible", actor: "other", before: inOrder(inOrder(later, sendCode), func(p *actorServer) {
				p.exec("UPDATE member SET email = 'new@fairground.example' WHERE account = 'owner001'")
				startBreak("+84987654321")(p)
				p.exec("UPDATE member SET mobile = '+84912345678', email = 'owner@fairground.example' WHERE account = 'owner001'")
			}), body: withCode},
			{name: "done", want: "200", actor: "other", before: inOrder(inOrder(later, sendCode), endBreaks), body: withCode},
			{name: "bound to another member after the code was sent", want: wantTaken, actor: "agent", before: func(p *actorServer) {
				p.exec("UPDATE member SET mobile = NULL, email = NULL WHERE account IN ('owner001', 'other001')")
				p.as("agent", http.MethodPost, path, body(with(taken, map[string]any{"purpose": "bind"})))
				p.exec("UPDATE member SET mobile = '+84912345678', email = 'owner@fairground.example' WHERE account = 'owner001'")
			}, body: func(p *actorServer) string {
				to := map[string]string{"bindMobile": "+84912345678", "bindEmail": taken}[id]
				return body(with(taken, map[string]any{"password": memberPassword, "verificationCode": p.code(to)}))
			}},
			{name: "answer required", want: "400 member.answer_required on answer question=first_pet", before: inOrder(later, func(p *actorServer) {
				p.set("security.ask", `["mobile","email"]`)
				p.as("owner", http.MethodPut, "/wps/member/securityQuestion", `{"question":"first_pet","answer":"Mun","password":"qua-xanh7"}`)
			})},
			{name: "wrong answer", want: "422 member.answer_wrong on answer", before: later, with: map[string]any{"answer": "Vàng"}},
			{name: "short answer", want: "400 validation.range on answer max=64 min=2", with: map[string]any{"answer": "x"}},
			{name: "invisible answer", want: "400 validation.pattern on answer", with: map[string]any{"answer": "\u200b\u200b\u200b"}},
			{name: "payment password required", want: "400 validation.required on paymentPassword", before: inOrder(later, func(p *actorServer) {
				p.set("security.ask", `[]`)
				setPaymentPasswords(p)
			})},
			{name: "malformed payment password", want: "400 member.payment_password_format on paymentPassword", before: later, with: map[string]any{"paymentPassword": "12"}},
			{name: "no code", want: "400 validation.required on verificationCode", with: map[string]any{"verificationCode": ""}},
		},
	}
}

// recipient returns the number or email address for a password reset.
func recipient(id string) map[string]any {
	if strings.Contains(id, "SMS") {
		return map[string]any{"mobileNum": "0912345678", "countryDialingCode": "84"}
	}
	return map[string]any{"email": "owner@fairground.example"}
}

func resetSendCall(id string) callTest {
	malformed := attempt{name: "malformed", want: "400 member.mobile_format on mobileNum max=20", with: map[string]any{"mobileNum": "12ab"}}
	missing := attempt{name: "none", want: "400 validation.required on mobileNum", with: map[string]any{"mobileNum": ""}}
	if id == "resetSendEmail" {
		malformed = attempt{name: "malformed", want: "400 member.email_format on email max=254", with: map[string]any{"email": "a@b"}}
		missing = attempt{name: "none", want: "400 validation.required on email", with: map[string]any{"email": ""}}
	}
	return callTest{
		id: id, untested: map[string]string{"proof.required": workTested, "verification.unavailable": "the demo accepts every message; internal/identity/verification tests it"},
		valid: func(p *actorServer) (map[string]any, []string) {
			cookie, solution := p.captcha()
			fields := recipient(id)
			fields["captcha"] = solution
			return fields, []string{"Cookie", cookie}
		},
		attempts: []attempt{
			{name: "done", want: "200"}, malformed, missing, {name: "long username", want: "400 validation.max on username max=64", with: map[string]any{"username": strings.Repeat("x", 65)}},
			{name: "no captcha", want: "400 captcha.required on captcha", with: map[string]any{"captcha": ""}},
			{name: "wrong captcha", want: "422 captcha.incorrect on captcha", with: map[string]any{"captcha": "x"}}, {name: "done with another member's username", want: "200", with: map[string]any{"username": "other001"}},
		},
	}
}

func resetVerifyCall(id string) callTest {
	send, to := strings.Replace(id, "Verify", "Send", 1), "+84912345678"
	malformed := attempt{name: "malformed", want: "400 member.mobile_format on mobileNum max=20", with: map[string]any{"mobileNum": "12ab"}}
	if id == "resetVerifyEmail" {
		to = "owner@fairground.example"
		malformed = attempt{name: "malformed", want: "400 member.email_format on email max=254", with: map[string]any{"email": "a@b"}}
	}
	sendCode := func(p *actorServer) {
		fields, headers := resetSendCall(send).valid(p)
		if a := p.send(http.MethodPost, "/wps/member/password/"+map[string]string{"resetSendSMS": "sms", "resetSendEmail": "email"}[send], body(fields), headers...); a.status != http.StatusOK {
			p.t.Fatalf("got %+v, want 200", a)
		}
	}
	withCode := func(p *actorServer) string {
		fields := recipient(id)
		fields["verificationCode"] = p.code(to)
		return body(fields)
	}
	return callTest{
		id: id,
		valid: func(*actorServer) (map[string]any, []string) {
			fields := recipient(id)
			fields["verificationCode"] = "000000"
			return fields, nil
		},
		attempts: []attempt{
			malformed, {name: "no code", want: "400 validation.required on verificationCode", with: map[string]any{"verificationCode": ""}},
			{name: "long username", want: "400 validation.max on username max=64", with: map[string]any{"username": strings.Repeat("x", 65)}}, {name: "no code was sent", want: "422 verification.incorrect on verificationCode"}, {name: "code with letters", want: "400 verification.incorrect on verificationCode max=10", with: map[string]any{"verificationCode": "abcdef"}},
			{name: "wrong code", want: "422 verification.incorrect on verificationCode", before: sendCode}, {name: "expired code", want: "422 verification.expired on verificationCode", before: later, body: withCode},
			{name: "account disabled after the code was sent", want: "422 member.reset_stale", before: inOrder(inOrder(later, sendCode), func(p *actorServer) {
				p.exec("UPDATE member SET status = 'disabled' WHERE account = 'owner001'")
			}), body: withCode},
			{name: "done", want: "200", before: inOrder(inOrder(later, func(p *actorServer) {
				p.exec("UPDATE member SET status = 'active' WHERE account = 'owner001'")
			}), sendCode), body: withCode},
		},
	}
}

func resetPasswordCall() callTest {
	return callTest{
		id: "resetPassword",
		valid: func(*actorServer) (map[string]any, []string) {
			return map[string]any{"ticket": "nonsense", "newPassword": another, "confirmNewPassword": another}, nil
		},
		attempts: []attempt{
			{name: "invalid ticket", want: "422 member.reset_stale on ticket"}, {name: "no new password", want: "400 member.password_required on newPassword", with: map[string]any{"newPassword": ""}},
			{name: "short new password", want: "400 member.password_format on newPassword max=64 min=8", with: map[string]any{"newPassword": tooShort}},
			{name: "common new password", want: "400 member.password_common on newPassword", with: map[string]any{"newPassword": common, "confirmNewPassword": common}},
			{name: "different confirmation", want: "400 member.password_confirm on confirmNewPassword", with: map[string]any{"confirmNewPassword": "qua-do-998"}},
			{name: "invalid encryption", want: "400 jwe.invalid on data", headers: []string{"Encryption", "jwe"}, body: func(*actorServer) string { return `{"data":"nonsense"}` }},
			{name: "encrypted with a time of yesterday", want: "400 jwe.time now=(varies)", headers: []string{"Encryption", "jwe"}, body: func(p *actorServer) string {
				return p.sealed("nonce-of-a-day-ago", -24*time.Hour, map[string]any{"ticket": "x", "newPassword": another, "confirmNewPassword": another})
			}},
			{name: "done", want: "200", body: func(p *actorServer) string {
				return body(map[string]any{"ticket": p.resetTicket(), "newPassword": another, "confirmNewPassword": another})
			}},
		},
	}
}

func chooseAvatarCall() callTest {
	return callTest{
		id: "chooseHeadIcon", untested: map[string]string{"member.unknown": neverDeleted},
		valid:    func(*actorServer) (map[string]any, []string) { return map[string]any{"preset": "fox"}, nil },
		attempts: []attempt{{name: "trial", want: "403 member.trial_refused", actor: "trial"}, {name: "unknown preset", want: "404 avatar.unknown on preset", with: map[string]any{"preset": "wolf"}}, {name: "done", want: "200"}},
	}
}

func uploadAvatarCall() callTest {
	asPNG := []string{"Content-Type", "image/png"}
	file := func(*actorServer) string { return smallPNG() }
	return callTest{
		id: "uploadHeadIcon", untested: map[string]string{"member.unknown": neverDeleted},
		attempts: []attempt{
			{name: "trial", want: "403 member.trial_refused", actor: "trial", headers: asPNG, body: file},
			{name: "not a picture", want: "400 avatar.format", headers: asPNG, body: func(*actorServer) string { return "<svg/>" }},
			{name: "unsupported type", want: "400 avatar.format", headers: []string{"Content-Type", "image/gif"}, body: file},
			{name: "too many pixels", want: "413 avatar.too_large", headers: asPNG, body: func(*actorServer) string { return hugePNG() }},
			{name: "crop outside the picture", want: "400 avatar.crop", path: "/wps/member/headIcon/upload?x=60&y=0&size=48", headers: asPNG, body: file},
			{name: "done", want: "200", headers: asPNG, body: file},
		},
	}
}

func avatarFileCall() callTest {
	return callTest{
		id: "headIconFile", path: "/wps/member/headIcon/file/nosuch.jpg", untested: map[string]string{"member.unknown": neverDeleted},
		attempts: []attempt{{name: "trial", want: "403 member.trial_refused", actor: "trial"}, {name: "unknown file", want: "404 avatar.unknown"}, {name: "path outside the folder", want: "404 avatar.unknown", path: "/wps/member/headIcon/file/..%2f..%2ffairground.db"}},
	}
}
