package account_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"fairground/internal/identity/account"
	"fairground/internal/identity/member"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/notify"
	"fairground/internal/platform/rest"
	"fairground/internal/site/merchant/merchanttest"
)

// wantCode compares a response's error code. An empty code means success.
func wantCode(t *testing.T, what string, reply merchanttest.Reply, code string) {
	t.Helper()
	if code == "" && reply.Status == http.StatusOK || code != "" && strings.Contains(string(reply.Body), `"errorCode":"`+code+`"`) {
		return
	}
	t.Errorf("%s: %d %s, want %q", what, reply.Status, reply.Body, code)
}

// memberCaller creates a member and returns a function that sends requests as this member, without rate limits.
func (h *testServer) memberCaller(t *testing.T) (id int64, call func(method, path string, b any) merchanttest.Reply) {
	t.Helper()
	id, token := h.member(t, "minhanh92", "qua-xanh7", member.Player)
	return id, func(method, path string, b any) merchanttest.Reply {
		h.Clock.Add(6 * time.Minute)
		h.Refill()
		return h.Call(t, method, path, b, "Authorization", token)
	}
}

func TestOS18NewQuestionNeedsTheOldAnswer(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newServer(t, store)
		_, call := h.memberCaller(t)
		const path = "/wps/member/securityQuestion"
		first := body{"question": "first_pet", "answer": "Mun", "password": "qua-xanh7"}
		next := body{"question": "birth_city", "answer": "Huế", "password": "qua-xanh7"}
		wantCode(t, "set a question", call("PUT", path, first), "")
		wantCode(t, "replace it without the old answer", call("PUT", path, next), "member.answer_required")
		wantCode(t, "replace it with a wrong answer", call("PUT", path, next.with("oldAnswer", "Vàng")), "member.answer_wrong")
		wantCode(t, "replace it with the new answer", call("PUT", path, next.with("oldAnswer", "Huế")), "member.answer_wrong")
		wantCode(t, "replace it with the old answer", call("PUT", path, next.with("oldAnswer", " mun ")), "")
	})
}

func TestFirstPasswordAfterExternalRegistration(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newServer(t, store)
		_, token := h.member(t, "minhanh92", "qua-xanh7", member.Player)
		call := func(method, path string, b any) merchanttest.Reply {
			return h.Call(t, method, path, b, "Authorization", token)
		}
		hasPassword := func() bool {
			return merchanttest.Value[struct{ HasPassword bool }](t, call("GET", "/wps/member/security", nil)).HasPassword
		}
		next := body{"newPassword": "qua-do-999", "confirmNewPassword": "qua-do-999"}
		if !hasPassword() {
			t.Error("hasPassword = false, want true")
		}
		wantCode(t, "set a password without the old one", call("PUT", changePath, next), "member.password_required")
		if _, err := store.Writer.ExecContext(t.Context(), "UPDATE member SET password_hash = ''"); err != nil {
			t.Fatal(err)
		}
		if hasPassword() {
			t.Error("hasPassword = true, want false")
		}
		wantCode(t, "set an invalid password", call("PUT", changePath, next.with("newPassword", "x")), "member.password_format")
		wantCode(t, "set the first password", call("PUT", changePath, next), "")
		if !h.isLoggedIn(t.Context(), h.login(t, "minhanh92", "qua-do-999")) {
			t.Error("cannot log in with the new password")
		}
	})
}

func TestForgottenPaymentPassword(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newServer(t, store)
		id, call := h.memberCaller(t)
		const path, codePath = "/wps/member/paymentPassword", "/wps/member/paymentPassword/code"
		pay := body{"password": "qua-xanh7", "paymentPassword": "246810", "confirmPaymentPassword": "246810"}
		wantMethod := func(want string) {
			t.Helper()
			if got := merchanttest.Value[struct{ PaymentReset string }](t, call("GET", "/wps/member/security", nil)).PaymentReset; got != want {
				t.Errorf("paymentReset = %q, want %q", got, want)
			}
		}
		wantCode(t, "set a payment password", call("PUT", path, pay), "")
		wantCode(t, "replace it with the password only", call("PUT", path, pay), "member.payment_lost")
		wantCode(t, "send a code with nothing bound", call("POST", codePath, nil), "member.payment_lost")
		wantMethod("")
		h.setContacts(t, id, "+84912345678", "a@b.co")
		wantMethod("sms")
		wantCode(t, "replace it without a code", call("PUT", path, pay), "validation.required")
		wantCode(t, "send a code", call("POST", codePath, nil), "")
		code := h.code(t, "+84912345678")
		h.Clock.Add(-6 * time.Minute)
		wantCode(t, "replace it with the code and a wrong password", call("PUT", path, pay.with("verificationCode", code).with("password", "x")), "member.password_wrong")
		h.Clock.Add(-6 * time.Minute)
		wantCode(t, "replace it with the code", call("PUT", path, pay.with("verificationCode", code)), "")
		wantCode(t, "replace it with the used code", call("PUT", path, pay.with("verificationCode", code)), "verification.incorrect")
		wantCode(t, "set a question", call("PUT", "/wps/member/securityQuestion", body{"question": "first_pet", "answer": "Mun", "password": "qua-xanh7", "paymentPassword": "246810"}), "")
		wantMethod("answer")
		wantCode(t, "replace it without the answer", call("PUT", path, pay), "member.answer_required")
		wantCode(t, "replace it with a wrong answer", call("PUT", path, pay.with("answer", "Vàng")), "member.answer_wrong")
		wantCode(t, "replace it with the answer", call("PUT", path, pay.with("answer", "mun")), "")
	})
}

// mailOnly cannot send text messages.
type mailOnly struct{ account.Messages }

func (mailOnly) Can(c notify.Channel) bool { return c == notify.Email }

func TestForgottenPaymentPasswordWithoutSMS(t *testing.T) {
	t.Parallel()
	h := newServer(t, dbtest.SQLite(t))
	id, call := h.memberCaller(t)
	o := h.options()
	o.Messages = mailOnly{o.Messages}
	h.Server.Accounts = account.New(o)
	h.Reroute(t)
	h.setContacts(t, id, "+84912345678", "a@b.co")
	pay := body{"password": "qua-xanh7", "paymentPassword": "246810", "confirmPaymentPassword": "246810"}
	wantCode(t, "set a payment password", call("PUT", "/wps/member/paymentPassword", pay), "")
	if got := merchanttest.Value[struct{ PaymentReset string }](t, call("GET", "/wps/member/security", nil)).PaymentReset; got != "email" {
		t.Errorf("paymentReset = %q, want email", got)
	}
	wantCode(t, "send a code", call("POST", "/wps/member/paymentPassword/code", nil), "")
	h.Clock.Add(-6 * time.Minute)
	wantCode(t, "replace it with the code", call("PUT", "/wps/member/paymentPassword", pay.with("verificationCode", h.code(t, "a@b.co"))), "")
}

func TestSE02RecoveryChangesNeedThePaymentPassword(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newServer(t, store)
		id, call := h.memberCaller(t)
		wantExtraProof := func(want string) {
			t.Helper()
			if got := merchanttest.Value[struct{ Ask string }](t, call("GET", "/wps/member/security", nil)).Ask; got != want {
				t.Errorf("ask = %q, want %q", got, want)
			}
		}
		wantExtraProof("")
		wantCode(t, "set a payment password", call("PUT", "/wps/member/paymentPassword", body{"password": "qua-xanh7", "paymentPassword": "246810", "confirmPaymentPassword": "246810"}), "")
		wantExtraProof("payment")
		const questionPath = "/wps/member/securityQuestion"
		question := body{"question": "first_pet", "answer": "Mun", "password": "qua-xanh7"}
		number := body{"mobileNum": "0987650001", "countryDialingCode": "84"}
		bind := func(extra body) merchanttest.Reply {
			wantCode(t, "send a code to the new number", call("POST", "/wps/verification/sms", number.with("purpose", "bind")), "")
			b := number.with("password", "qua-xanh7").with("verificationCode", h.code(t, "+84987650001"))
			for name, value := range extra {
				b = b.with(name, value)
			}
			h.Clock.Add(-6 * time.Minute)
			return call("PUT", "/wps/member/mobile", b)
		}
		address := body{"email": "thief@b.co", "verificationCode": "000000", "password": "qua-xanh7"}
		wantCode(t, "set a question with the password", call("PUT", questionPath, question), "validation.required")
		wantCode(t, "set a question with its own answer", call("PUT", questionPath, question.with("oldAnswer", "Mun")), "validation.required")
		wantCode(t, "bind a number with the password", bind(nil), "validation.required")
		wantCode(t, "bind an address with the password", call("PUT", "/wps/member/email", address), "validation.required")
		wantCode(t, "set a question with a wrong payment password", call("PUT", questionPath, question.with("paymentPassword", "975310")), "member.password_wrong")
		wantCode(t, "set a question with a code that was not sent", call("PUT", questionPath, question.with("recoveryCode", "000000")), "validation.required")
		wantCode(t, "bind a number with the payment password", bind(body{"paymentPassword": "246810"}), "")

		h.setContacts(t, id, "+84912345678", "a@b.co")
		wantCode(t, "set a question with a wrong code", call("PUT", questionPath, question.with("recoveryCode", "000000")), "verification.incorrect")
		wantCode(t, "send a code to the bound number", call("POST", "/wps/member/paymentPassword/code", nil), "")
		h.Clock.Add(-6 * time.Minute)
		wantCode(t, "set a question with that code", call("PUT", questionPath, question.with("recoveryCode", h.code(t, "+84912345678"))), "")
		messages := map[string]bool{}
		for _, m := range h.sent(t)[:2] {
			messages[m.Recipient+" "+m.Kind] = true
		}
		if !messages["+84912345678 question_set"] || !messages["a@b.co question_set"] {
			t.Errorf("messages = %v, want question_set to the number and the address", messages)
		}
		wantCode(t, "bind a number with a wrong answer", bind(body{"answer": "Vàng"}), "member.answer_wrong")
		wantCode(t, "bind a number with the answer", bind(body{"answer": "mun"}), "")
	})
}

func TestWrongUsernameKeepsTheResetCode(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newServer(t, store)
		id, _ := h.member(t, "minhanh92", "qua-xanh7", member.Player)
		h.setContacts(t, id, "+84912345678", "a@b.co")
		sms := channels["sms"]
		wantCode(t, "request a reset with a wrong username", h.requestReset(t, sms.path, sms.bound.with("username", "minhanh29")), "")
		wantCode(t, "request a reset with the username", h.requestReset(t, sms.path, sms.bound.with("username", "minhanh92")), "")
		proof := sms.bound.with("username", "minhanh92").with("verificationCode", h.code(t, sms.to))
		wantCode(t, "verify the code with a wrong username", h.Call(t, "POST", sms.path+"/verification", proof.with("username", "minhanh29")), "verification.incorrect")
		wantCode(t, "verify the code", h.Call(t, "POST", sms.path+"/verification", proof), "")
	})
}

func TestExternalRegistrationFollowsTheForm(t *testing.T) {
	t.Parallel()
	h := newServer(t, dbtest.SQLite(t))
	register := func() error {
		_, err := h.members.RegisterExternal(t.Context(), h.ID, true, "", rest.VisitorOf(t.Context()), func(*db.Tx, int64) error { return nil })
		return err
	}
	h.set(t, "register.fields", `{"payeeName":{"enabled":true,"required":true}}`)
	if err := register(); !errors.Is(err, member.ErrFormRequired) {
		t.Errorf("required payee name: %v, want ErrFormRequired", err)
	}
	h.set(t, "register.fields", `{}`)
	h.set(t, "register.methods", `["mobile"]`)
	if err := register(); !errors.Is(err, member.ErrFormRequired) {
		t.Errorf("required number: %v, want ErrFormRequired", err)
	}
	h.disableModule(t, "REG3")
	if err := register(); !errors.Is(err, member.ErrClosed) {
		t.Errorf("registration closed: %v, want ErrClosed", err)
	}
}

func TestFailedRegistrationKeepsTheCode(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newServer(t, store)
		other, _ := h.member(t, "other001", "qua-xanh7", member.Player)
		number := body{"mobileNum": "0987654321", "countryDialingCode": "84"}
		wantCode(t, "send a code", h.requestRegisterCode(t, number), "")
		code := h.code(t, "+84987654321")
		b := registration("").with("username", nil).with("mobileNum", "0987654321")
		h.setContacts(t, other, "+84987654321", "a@b.co")
		wantCode(t, "register a taken number with a wrong code", h.register(t, registerByMobilePath, b.with("verificationCode", "000000")), "verification.incorrect")
		wantCode(t, "register a taken number with its code", h.register(t, registerByMobilePath, b.with("verificationCode", code)), "member.mobile_taken")
		h.setContacts(t, other, "+84987654322", "a@b.co")
		wantCode(t, "register the free number with the same code", h.register(t, registerByMobilePath, b.with("verificationCode", code)), "")
	})
}

func TestUnverifiedContacts(t *testing.T) {
	t.Parallel()
	h := newServer(t, dbtest.SQLite(t))
	h.set(t, "register.fields", `{"email":{"enabled":true}}`)
	reply := h.register(t, registerByNamePath, registration("minhanh92").with("mobileNum", "0912345678").with("email", "minh@b.co"))
	token := merchanttest.Value[struct{ Token string }](t, reply).Token
	type unproved struct{ UnprovedDialingCode, UnprovedMobile, UnprovedEmail string }
	read := func() unproved {
		return merchanttest.Value[unproved](t, h.Call(t, "GET", "/wps/member/security", nil, "Authorization", token))
	}
	if got := read(); got != (unproved{"84", "912345678", "minh@b.co"}) {
		t.Errorf("unproved contacts = %+v, want 84 912345678 and minh@b.co", got)
	}
	who, err := h.members.Find(t.Context(), h.ID, "minhanh92")
	if err != nil {
		t.Fatal(err)
	}
	h.setContacts(t, who.ID, "+84912345670", "x@b.co")
	if got := read(); got != (unproved{}) {
		t.Errorf("unproved contacts after binding = %+v, want none", got)
	}
}

func TestOS08ProfileFollowsTheForm(t *testing.T) {
	t.Parallel()
	h := newServer(t, dbtest.SQLite(t))
	_, call := h.memberCaller(t)
	h.set(t, "register.fields", `{"zalo":{"pattern":"^09"},"line":{"enabled":false}}`)
	wantCode(t, "a value against the merchant's pattern", call("PUT", "/wps/member/profile", body{"zalo": "0812345678"}), "member.contact_format")
	wantCode(t, "a value that matches", call("PUT", "/wps/member/profile", body{"zalo": "0912345678"}), "")
	wantCode(t, "a disabled field", call("PUT", "/wps/member/profile", body{"line": "minhanh"}), "validation.unasked")
	wantCode(t, "a field that the form does not show", call("PUT", "/wps/member/profile", body{"wechat": "minhanh92"}), "")
}
