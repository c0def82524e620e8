package account_test

import (
	"testing"
	"time"

	"fairground/internal/identity/member"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
)

func TestProofWithoutAPassword(t *testing.T) {
	t.Parallel()
	question := body{"question": "first_pet", "answer": "Vện"}
	payment := body{"paymentPassword": "135790", "confirmPaymentPassword": "135790"}
	firstPassword := body{"newPassword": "qua-do-999", "confirmNewPassword": "qua-do-999"}
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newServer(t, store)
		id, token := h.member(t, "minhanh92", "qua-xanh7", member.Player)
		call := func(method, path string, b any) merchanttest.Reply {
			return h.Call(t, method, path, b, "Authorization", token)
		}
		proofMethod := func() string {
			return merchanttest.Value[struct{ Proof string }](t, call("GET", "/wps/member/security", nil)).Proof
		}
		if got := proofMethod(); got != "password" {
			t.Errorf("proof = %s with a password, want password", got)
		}
		h.exec(t, "UPDATE member SET password_hash = ''")

		if got := proofMethod(); got != "fresh" {
			t.Errorf("proof = %s after the login, want fresh", got)
		}
		wantCode(t, "send a code to a new number", call("POST", "/wps/verification/sms", body{"mobileNum": "0912345678", "countryDialingCode": "84", "purpose": "bind"}), "")
		bind := body{"mobileNum": "0912345678", "countryDialingCode": "84", "verificationCode": h.code(t, "+84912345678")}
		wantCode(t, "bind the number", call("PUT", "/wps/member/mobile", bind), "")
		wantCode(t, "set a payment password", call("PUT", "/wps/member/paymentPassword", payment), "")
		wantCode(t, "send an unneeded proof code", call("POST", "/wps/member/proof/code", nil), "member.proof_required")

		h.Clock.Add(11 * time.Minute)
		if got := proofMethod(); got != "sms" {
			t.Errorf("proof = %s later, want sms", got)
		}
		wantCode(t, "set a question without proof", call("PUT", "/wps/member/securityQuestion", question), "member.proof_required")
		wantCode(t, "set a password without proof", call("PUT", changePath, firstPassword), "member.proof_required")
		wantCode(t, "send a proof code", call("POST", "/wps/member/proof/code", nil), "")
		wantCode(t, "set a question with a wrong code", call("PUT", "/wps/member/securityQuestion", question.with("proofCode", "000000")), "verification.incorrect")
		code := h.code(t, "+84912345678")
		wantCode(t, "set a question with the code", call("PUT", "/wps/member/securityQuestion", question.with("proofCode", code)), "")
		wantCode(t, "set a password with the used code", call("PUT", changePath, firstPassword.with("proofCode", code)), "verification.incorrect")

		h.exec(t, "UPDATE member SET mobile = NULL WHERE id = $1", id)
		if got := proofMethod(); got != "login" {
			t.Errorf("proof = %s with nothing bound, want login", got)
		}
		wantCode(t, "set a password with nothing bound", call("PUT", changePath, firstPassword), "member.proof_required")
		wantCode(t, "send a proof code with nothing bound", call("POST", "/wps/member/proof/code", nil), "member.proof_required")
	})
}
