package account_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"fairground/internal/identity/member"
	"fairground/internal/platform/db/dbtest"
)

// Every operation rejects invalid values in every field. It does not repeat them in the response, and it changes nothing.
func TestVA09EveryFieldOfMemberOperations(t *testing.T) {
	t.Parallel()
	h := newServer(t, dbtest.SQLite(t))
	id, _ := h.member(t, "minhanh92", "qua-xanh7", member.Player)
	h.setContacts(t, id, "+84912345678", "a@b.co")
	const code, words = "verificationCode", "another alphabet,full-width digits,emoji,SQL"
	more := func(b body, fields ...string) body {
		for _, field := range append(fields, "proofCode", "recoveryCode", "paymentPassword", "answer") {
			if b[field] == nil && (field != "recoveryCode" || b["confirmPaymentPassword"] == nil) {
				b = b.with(field, "246810")
			}
		}
		return b.with("password", "qua-xanh8")
	}
	contact := func(name string) map[string]string { return map[string]string{name: "empty,missing"} }
	for _, call := range []struct {
		method, path string
		body         body
		accepted     map[string]string // names of badValues that a field accepts, or leaves to another field
	}{
		{"PUT", changePath, change("qua-xanh7", "qua-do-999", "qua-do-999"), nil},
		{"PUT", resetPath, body{"ticket": "x", "newPassword": "qua-do-999", "confirmNewPassword": "qua-do-999"}, nil},
		{"POST", channels["sms"].path, channels["sms"].bound.with("captcha", "1"), nil},
		{"POST", channels["email"].path, channels["email"].bound.with("captcha", "1"), nil},
		{"POST", channels["sms"].path + "/verification", channels["sms"].bound.with(code, "000000"), nil},
		{"POST", channels["email"].path + "/verification", channels["email"].bound.with(code, "000000"), nil},
		{"PUT", "/wps/member/mobile", channels["sms"].unbound.with(code, "000000").with("password", "qua-xanh7"), nil},
		{"PUT", "/wps/member/email", channels["email"].unbound.with(code, "000000").with("password", "qua-xanh7"), nil},
		// The password is wrong in these operations, so that they fail even if the field accepts the value.
		{"PUT", "/wps/member/mobile", more(channels["sms"].unbound, code), nil},
		{"PUT", "/wps/member/email", more(channels["email"].unbound, code), nil},
		{"PUT", "/wps/member/paymentPassword", more(body{"paymentPassword": "246810", "confirmPaymentPassword": "246810"}, code, "oldPaymentPassword"), nil},
		{"PUT", "/wps/member/securityQuestion", more(body{"question": "first_pet", "answer": "Mun"}, "oldAnswer"), nil},
		{"PUT", changePath, change("qua-xanh8", "qua-do-999", "qua-do-999").with("proofCode", "000000"), nil},
		{"POST", channels["sms"].path, channels["sms"].bound.with("captcha", "1").with("username", "minhanh92"), nil},
		{"POST", channels["sms"].path + "/verification", channels["sms"].bound.with(code, "000000").with("username", "minhanh92"), nil},
		{"PUT", "/wps/member/age", body{"ageConfirmed": true}, nil},
		{"PUT", "/wps/member/paymentPassword", body{"password": "qua-xanh7", "paymentPassword": "246810", "confirmPaymentPassword": "246810"}, nil},
		{"PUT", "/wps/member/securityQuestion", body{"question": "first_pet", "answer": "Mèo Mun", "password": "qua-xanh7"}, map[string]string{"answer": words + ",HTML"}},
		{"PUT", "/wps/member/profile", body{"nickname": "Minh"}, map[string]string{"nickname": words + ",missing"}},
		{"PUT", "/wps/member/profile", body{"payeeName": "NGUYEN VAN A"}, map[string]string{"payeeName": "missing"}},
		{"PUT", "/wps/member/profile", body{"qqNum": "12345678"}, contact("qqNum")},
		{"PUT", "/wps/member/profile", body{"facebook": "minh.anh"}, contact("facebook")},
		{"PUT", "/wps/member/profile", body{"wechat": "minh_anh"}, contact("wechat")},
		{"PUT", "/wps/member/profile", body{"line": "minh.anh"}, contact("line")},
		{"PUT", "/wps/member/profile", body{"whatsapp": "84912345678"}, contact("whatsapp")},
		{"PUT", "/wps/member/profile", body{"zalo": "0912345678"}, contact("zalo")},
		{"PUT", headIcon, body{"preset": "fox"}, nil},
	} {
		for field := range call.body {
			token := h.login(t, "minhanh92", "qua-xanh7")
			for name, value := range badValues {
				if slices.Contains(strings.Split(call.accepted[field], ","), name) {
					continue
				}
				h.Clock.Add(6 * time.Minute) // refills the limit of wrong passwords
				h.Refill()
				reply := h.Call(t, call.method, call.path, call.body.with(field, value), "Authorization", token)
				if reply.Status/100 != 4 || refusalOf(t, reply).ErrorCode == "user.or.token.invalid" {
					t.Errorf("%s %s, %s: %d %s, want 4xx", call.path, field, name, reply.Status, reply.Body)
				}
				if text, ok := value.(string); ok && len(text) > 3 && strings.TrimSpace(text) != "" && strings.Contains(string(reply.Body), text) {
					t.Errorf("%s %s, %s: the response repeats the value", call.path, field, name)
				}
			}
		}
	}
	h.login(t, "minhanh92", "qua-xanh7")
	untouched := "member WHERE mobile = '+84912345678' AND email = 'a@b.co' AND payment_hash = '' AND question = '' AND nickname = '' AND payee_name = '' AND avatar = ''"
	if h.count(t, untouched) != 1 || h.count(t, "member_detail WHERE value <> ''") != 0 {
		t.Error("a refused request changed the account")
	}
}
