package account_test

import (
	"testing"
	"time"

	"fairground/internal/identity/member"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
)

// A member without a password proves a change by a recent login, by a code to what is bound, or by logging in again.
func TestChangesOfWhoHasNoPassword(t *testing.T) {
	t.Parallel()
	question := body{"question": "first_pet", "answer": "Vện"}
	payment := body{"paymentPassword": "135790", "confirmPaymentPassword": "135790"}
	first := body{"newPassword": "qua-do-999", "confirmNewPassword": "qua-do-999"}
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newServer(t, store)
		id, token := h.member(t, "minhanh92", "qua-xanh7", member.Player)
		call := func(method, path string, b any) merchanttest.Reply {
			return h.Call(t, method, path, b, "Authorization", token)
		}
		proof := func() string {
			return merchanttest.Value[struct{ Proof string }](t, call("GET", "/wps/member/security", nil)).Proof
		}
		if got := proof(); got != "password" {
			t.Errorf("with a password: %s", got)
		}
		h.exec(t, "UPDATE member SET password_hash = ''")

		if got := proof(); got != "fresh" {
			t.Errorf("just logged in: %s", got)
		}
		wantCode(t, "the code of a number to bind", call("POST", "/wps/verification/sms", body{"mobileNum": "0912345678", "countryDialingCode": "84", "purpose": "bind"}), "")
		bind := body{"mobileNum": "0912345678", "countryDialingCode": "84", "verificationCode": h.code(t, "+84912345678")}
		wantCode(t, "a number", call("PUT", "/wps/member/mobile", bind), "")
		wantCode(t, "a payment password", call("PUT", "/wps/member/paymentPassword", payment), "")
		wantCode(t, "a code that is not needed", call("POST", "/wps/member/proof/code", nil), "member.proof_required")

		h.Clock.Add(11 * time.Minute)
		if got := proof(); got != "sms" {
			t.Errorf("later: %s", got)
		}
		wantCode(t, "no proof", call("PUT", "/wps/member/securityQuestion", question), "member.proof_required")
		wantCode(t, "a first password without proof", call("PUT", changePath, first), "member.proof_required")
		wantCode(t, "a code", call("POST", "/wps/member/proof/code", nil), "")
		wantCode(t, "a wrong one", call("PUT", "/wps/member/securityQuestion", question.with("proofCode", "000000")), "verification.incorrect")
		code := h.code(t, "+84912345678")
		wantCode(t, "the right one", call("PUT", "/wps/member/securityQuestion", question.with("proofCode", code)), "")
		wantCode(t, "the right one again", call("PUT", changePath, first.with("proofCode", code)), "verification.incorrect")

		h.exec(t, "UPDATE member SET mobile = NULL WHERE id = $1", id)
		if got := proof(); got != "login" {
			t.Errorf("nothing is bound: %s", got)
		}
		wantCode(t, "nothing is bound", call("PUT", changePath, first), "member.proof_required")
		wantCode(t, "nowhere to send a code", call("POST", "/wps/member/proof/code", nil), "member.proof_required")
	})
}
