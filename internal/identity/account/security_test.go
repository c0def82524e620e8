package account_test

import (
	"net/http"
	"testing"
	"time"

	"fairground/internal/identity/member"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
)

func TestBindings(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newSite(t, store)
		other, _ := h.member(t, "other001", "qua-xanh7", member.Player)
		h.bind(t, other, "+84987654321", "x@b.co")
		_, token := h.member(t, "minhanh92", "qua-xanh7", member.Player)
		call := func(method, path string, b any) merchanttest.Reply {
			h.Clock.Add(6 * time.Minute) // wrong passwords are few an hour
			h.Refill()
			return h.Call(t, method, path, b, "Authorization", token)
		}
		merchanttest.Golden(t, "security_none", call("GET", "/wps/member/security", nil))
		mobile := body{"mobileNum": "0912345678", "countryDialingCode": "84", "password": "qua-xanh7"}
		email := body{"email": "Minh@b.co", "password": "qua-xanh7"}
		ask := func(path string, b body) string {
			if reply := call("POST", path, b.with("password", nil).with("purpose", "bind")); reply.Status != http.StatusOK {
				t.Fatalf("%s", reply.Body)
			}
			return h.sent(t)[0].Body
		}
		digits := func(text string) string { return sixDigits.FindString(text) }
		code := digits(ask("/wps/verification/sms", mobile))
		merchanttest.Golden(t, "bind_password_wrong", h.Call(t, "PUT", "/wps/member/mobile", mobile.with("verificationCode", code).with("password", "x"), "Authorization", token))
		merchanttest.Golden(t, "bind_password_missing", h.Call(t, "PUT", "/wps/member/mobile", mobile.with("verificationCode", code).with("password", ""), "Authorization", token))
		merchanttest.Golden(t, "bind_code_wrong", h.Call(t, "PUT", "/wps/member/mobile", mobile.with("verificationCode", "x"), "Authorization", token))
		merchanttest.Golden(t, "bind_code_other", h.Call(t, "PUT", "/wps/member/mobile", mobile.with("verificationCode", code).with("mobileNum", "0912345679"), "Authorization", token))
		merchanttest.Golden(t, "bind_number", h.Call(t, "PUT", "/wps/member/mobile", mobile.with("verificationCode", code).with("mobileNum", "１２"), "Authorization", token))
		merchanttest.Golden(t, "bind_done", h.Call(t, "PUT", "/wps/member/mobile", mobile.with("verificationCode", code), "Authorization", token))
		code = digits(ask("/wps/verification/email", email))
		merchanttest.Golden(t, "bind_address", h.Call(t, "PUT", "/wps/member/email", email.with("verificationCode", code).with("email", "a@b"), "Authorization", token))
		merchanttest.Golden(t, "bind_done", h.Call(t, "PUT", "/wps/member/email", email.with("verificationCode", code), "Authorization", token))
		merchanttest.Golden(t, "security_bound", call("GET", "/wps/member/security", nil))
		for target, want := range map[string]bool{"minh@B.co": true, "nobody@b.co": false} {
			if got, err := h.members.HasEmail(t.Context(), h.ID, target); got != want || err != nil {
				t.Errorf("%s: %v %v", target, got, err)
			}
		}
		t.Run("another's number gets no code and cannot be bound", func(t *testing.T) {
			before := len(h.sent(t))
			taken := mobile.with("mobileNum", "0987654321")
			if reply := call("POST", "/wps/verification/sms", taken.with("password", nil).with("purpose", "bind")); reply.Status != http.StatusOK || len(h.sent(t)) != before {
				t.Errorf("%s", reply.Body)
			}
			merchanttest.Golden(t, "bind_code_other", h.Call(t, "PUT", "/wps/member/mobile", taken.with("verificationCode", "000000"), "Authorization", token))
		})
	})
}

func TestOS18QuestionAndPaymentPassword(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newSite(t, store)
		_, token := h.member(t, "minhanh92", "qua-xanh7", member.Player)
		call := func(method, path string, b any) merchanttest.Reply {
			h.Clock.Add(6 * time.Minute)
			return h.Call(t, method, path, b, "Authorization", token)
		}
		const questionPath, paymentPath = "/wps/member/securityQuestion", "/wps/member/paymentPassword"
		question := body{"question": "first_pet", "answer": "Mèo  Mun", "password": "qua-xanh7"}
		merchanttest.Golden(t, "question_list", call("GET", questionPath, nil))
		merchanttest.Golden(t, "question_unknown", call("PUT", questionPath, question.with("question", "shoe_size")))
		merchanttest.Golden(t, "question_answer", call("PUT", questionPath, question.with("answer", "x")))
		merchanttest.Golden(t, "question_password", call("PUT", questionPath, question.with("password", "x")))
		merchanttest.Golden(t, "question_set", call("PUT", questionPath, question))
		h.set(t, "security.ask", `["payment_password"]`)
		pay := body{"password": "qua-xanh7", "paymentPassword": "246810", "confirmPaymentPassword": "246810", "answer": "mèo mun"}
		for name, b := range map[string]body{
			"payment_format":       pay.with("paymentPassword", "12345"),
			"payment_confirm":      pay.with("confirmPaymentPassword", "246811"),
			"payment_password":     pay.with("password", "x"),
			"payment_no_password":  pay.with("password", nil),
			"payment_no_answer":    pay.with("answer", nil),
			"payment_wrong_answer": pay.with("answer", "chó"),
		} {
			merchanttest.Golden(t, name, call("PUT", paymentPath, b))
		}
		merchanttest.Golden(t, "payment_set", call("PUT", paymentPath, pay))
		again := pay.with("password", nil).with("paymentPassword", "135791").with("confirmPaymentPassword", "135791")
		merchanttest.Golden(t, "payment_old_wrong", call("PUT", paymentPath, again.with("oldPaymentPassword", "975310")))
		merchanttest.Golden(t, "payment_set", call("PUT", paymentPath, again.with("oldPaymentPassword", "246810")))
		merchanttest.Golden(t, "security_question", call("GET", "/wps/member/security", nil))
		if n := h.count(t, "member WHERE payment_hash LIKE '$argon2id$%' AND answer_hash LIKE '$argon2id$%'"); n != 1 {
			t.Error("not stored as hashes")
		}
	})
}

func TestOS08Profile(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newSite(t, store)
		id, token := h.member(t, "minhanh92", "qua-xanh7", member.Player)
		h.bind(t, id, "+84912345678", "minh@b.co")
		call := func(method string, b any) merchanttest.Reply {
			return h.Call(t, method, "/wps/member/profile", b, "Authorization", token)
		}
		merchanttest.Golden(t, "profile_change", call("PUT", body{"nickname": "Minh Anh", "payeeName": "NGUYEN MINH ANH", "zalo": "0912345678"}))
		merchanttest.Golden(t, "profile", call("GET", nil))
		for name, b := range map[string]body{
			"profile_payee_again":  {"payeeName": "NGUYEN VAN B"},
			"profile_payee_format": {"payeeName": "Nguyễn"},
			"profile_nickname":     {"nickname": "a\u202eb"},
			"profile_contact":      {"facebook": "<b>"},
			"profile_extra":        {"vipLabel": "VIP 9"},
			"profile_id_number":    {"idNumber": "079203001234"},
			"profile_kind":         {"nickname": 7},
		} {
			merchanttest.Golden(t, name, call("PUT", b), "message")
		}
		merchanttest.Golden(t, "profile_change", call("PUT", body{"zalo": "", "payeeName": "NGUYEN MINH ANH"}))
		merchanttest.Golden(t, "profile_contact_back", call("GET", nil))
		_, trial := h.member(t, "trial01", "qua-xanh7", member.Trial)
		for path, method := range map[string]string{
			"/wps/member/profile": "GET", "/wps/member/security": "GET", "/wps/member/securityQuestion": "GET",
		} {
			merchanttest.Golden(t, "password_trial", h.Call(t, method, path, nil, "Authorization", trial))
		}
	})
}
