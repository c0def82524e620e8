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

// says holds an answer's code against what it should be; empty is success.
func wantCode(t *testing.T, what string, reply merchanttest.Reply, code string) {
	t.Helper()
	if code == "" && reply.Status == http.StatusOK || code != "" && strings.Contains(string(reply.Body), `"errorCode":"`+code+`"`) {
		return
	}
	t.Errorf("%s: %d %s, want %q", what, reply.Status, reply.Body, code)
}

// memberCaller makes a member and gives calls as them, each after every pause.
func (h *testServer) memberCaller(t *testing.T) (id int64, call func(method, path string, b any) merchanttest.Reply) {
	t.Helper()
	id, token := h.member(t, "minhanh92", "qua-xanh7", member.Player)
	return id, func(method, path string, b any) merchanttest.Reply {
		h.Clock.Add(6 * time.Minute)
		h.Refill()
		return h.Call(t, method, path, b, "Authorization", token)
	}
}

// Who knows only the password cannot put another question in the place of the one that guards the account.
func TestOS18AQuestionIsReplacedByItsAnswer(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newServer(t, store)
		_, call := h.memberCaller(t)
		const path = "/wps/member/securityQuestion"
		first := body{"question": "first_pet", "answer": "Mun", "password": "qua-xanh7"}
		next := body{"question": "birth_city", "answer": "Huế", "password": "qua-xanh7"}
		wantCode(t, "the first", call("PUT", path, first), "")
		wantCode(t, "without the old answer", call("PUT", path, next), "member.answer_required")
		wantCode(t, "by a wrong one", call("PUT", path, next.with("oldAnswer", "Vàng")), "member.answer_wrong")
		wantCode(t, "by the new one", call("PUT", path, next.with("oldAnswer", "Huế")), "member.answer_wrong")
		wantCode(t, "by the old one", call("PUT", path, next.with("oldAnswer", " mun ")), "")
	})
}

// A member who came by an external account sets the first password without an old one.
func TestFirstPasswordOfWhoCameByAnExternalAccount(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newServer(t, store)
		_, token := h.member(t, "minhanh92", "qua-xanh7", member.Player)
		call := func(method, path string, b any) merchanttest.Reply {
			return h.Call(t, method, path, b, "Authorization", token)
		}
		has := func() bool {
			return merchanttest.Value[struct{ HasPassword bool }](t, call("GET", "/wps/member/security", nil)).HasPassword
		}
		next := body{"newPassword": "qua-do-999", "confirmNewPassword": "qua-do-999"}
		if !has() {
			t.Error("a password that is there is not told")
		}
		wantCode(t, "who has one", call("PUT", changePath, next), "member.password_required")
		if _, err := store.Writer.ExecContext(t.Context(), "UPDATE member SET password_hash = ''"); err != nil {
			t.Fatal(err)
		}
		if has() {
			t.Error("a password that is not there is told")
		}
		wantCode(t, "a bad one", call("PUT", changePath, next.with("newPassword", "x")), "member.password_format")
		wantCode(t, "the first", call("PUT", changePath, next), "")
		if !h.isLoggedIn(t.Context(), h.login(t, "minhanh92", "qua-do-999")) {
			t.Error("cannot log in by it")
		}
	})
}

// A payment password that was forgotten is not replaced by the account's password alone.
func TestForgottenPaymentPassword(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newServer(t, store)
		id, call := h.memberCaller(t)
		const path, codePath = "/wps/member/paymentPassword", "/wps/member/paymentPassword/code"
		pay := body{"password": "qua-xanh7", "paymentPassword": "246810", "confirmPaymentPassword": "246810"}
		way := func(want string) {
			t.Helper()
			if got := merchanttest.Value[struct{ PaymentReset string }](t, call("GET", "/wps/member/security", nil)).PaymentReset; got != want {
				t.Errorf("the way is %q, want %q", got, want)
			}
		}
		wantCode(t, "the first", call("PUT", path, pay), "")
		wantCode(t, "by the password alone", call("PUT", path, pay), "member.payment_lost")
		wantCode(t, "a code to nowhere", call("POST", codePath, nil), "member.payment_lost")
		way("")
		h.setContacts(t, id, "+84912345678", "a@b.co")
		way("sms")
		wantCode(t, "without a code", call("PUT", path, pay), "validation.required")
		wantCode(t, "a code", call("POST", codePath, nil), "")
		code := h.code(t, "+84912345678")
		h.Clock.Add(-6 * time.Minute)
		wantCode(t, "by a code and a wrong password", call("PUT", path, pay.with("verificationCode", code).with("password", "x")), "member.password_wrong")
		h.Clock.Add(-6 * time.Minute)
		wantCode(t, "by the code", call("PUT", path, pay.with("verificationCode", code)), "")
		wantCode(t, "by the code again", call("PUT", path, pay.with("verificationCode", code)), "verification.incorrect")
		wantCode(t, "a question", call("PUT", "/wps/member/securityQuestion", body{"question": "first_pet", "answer": "Mun", "password": "qua-xanh7", "paymentPassword": "246810"}), "")
		way("answer")
		wantCode(t, "without the answer", call("PUT", path, pay), "member.answer_required")
		wantCode(t, "by a wrong answer", call("PUT", path, pay.with("answer", "Vàng")), "member.answer_wrong")
		wantCode(t, "by the answer", call("PUT", path, pay.with("answer", "mun")), "")
	})
}

// mailOnly sends no text messages.
type mailOnly struct{ account.Messages }

func (mailOnly) Can(c notify.Channel) bool { return c == notify.Email }

// Where no text message can be sent, a forgotten payment password is recovered by what can.
func TestForgottenPaymentPasswordWithoutASMSGateway(t *testing.T) {
	t.Parallel()
	h := newServer(t, dbtest.SQLite(t))
	id, call := h.memberCaller(t)
	o := h.options()
	o.Messages = mailOnly{o.Messages}
	h.Server.Accounts = account.New(o)
	h.Reroute(t)
	h.setContacts(t, id, "+84912345678", "a@b.co")
	pay := body{"password": "qua-xanh7", "paymentPassword": "246810", "confirmPaymentPassword": "246810"}
	wantCode(t, "the first", call("PUT", "/wps/member/paymentPassword", pay), "")
	if got := merchanttest.Value[struct{ PaymentReset string }](t, call("GET", "/wps/member/security", nil)).PaymentReset; got != "email" {
		t.Errorf("the way is %q", got)
	}
	wantCode(t, "a code", call("POST", "/wps/member/paymentPassword/code", nil), "")
	h.Clock.Add(-6 * time.Minute)
	wantCode(t, "by the code", call("PUT", "/wps/member/paymentPassword", pay.with("verificationCode", h.code(t, "a@b.co"))), "")
}

// What recovers the payment password is not set by the account's password alone, or that would replace it in two steps.
func TestSE02APaymentPasswordGuardsWhatRecoversIt(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newServer(t, store)
		id, call := h.memberCaller(t)
		asks := func(want string) {
			t.Helper()
			if got := merchanttest.Value[struct{ Ask string }](t, call("GET", "/wps/member/security", nil)).Ask; got != want {
				t.Errorf("asks for %q, want %q", got, want)
			}
		}
		asks("")
		wantCode(t, "a payment password", call("PUT", "/wps/member/paymentPassword", body{"password": "qua-xanh7", "paymentPassword": "246810", "confirmPaymentPassword": "246810"}), "")
		asks("payment")
		const questionPath = "/wps/member/securityQuestion"
		question := body{"question": "first_pet", "answer": "Mun", "password": "qua-xanh7"}
		number := body{"mobileNum": "0987650001", "countryDialingCode": "84"}
		bind := func(with body) merchanttest.Reply {
			wantCode(t, "a code to the new number", call("POST", "/wps/verification/sms", number.with("purpose", "bind")), "")
			b := number.with("password", "qua-xanh7").with("verificationCode", h.code(t, "+84987650001"))
			for name, value := range with {
				b = b.with(name, value)
			}
			h.Clock.Add(-6 * time.Minute)
			return call("PUT", "/wps/member/mobile", b)
		}
		address := body{"email": "thief@b.co", "verificationCode": "000000", "password": "qua-xanh7"}
		wantCode(t, "a question by the password", call("PUT", questionPath, question), "validation.required")
		wantCode(t, "a question by its own answer", call("PUT", questionPath, question.with("oldAnswer", "Mun")), "validation.required")
		wantCode(t, "a number by the password", bind(nil), "validation.required")
		wantCode(t, "an address by the password", call("PUT", "/wps/member/email", address), "validation.required")
		wantCode(t, "by a wrong payment password", call("PUT", questionPath, question.with("paymentPassword", "975310")), "member.password_wrong")
		wantCode(t, "a code to nowhere", call("PUT", questionPath, question.with("recoveryCode", "000000")), "validation.required")
		wantCode(t, "a number by the payment password", bind(body{"paymentPassword": "246810"}), "")

		h.setContacts(t, id, "+84912345678", "a@b.co")
		wantCode(t, "by a wrong code", call("PUT", questionPath, question.with("recoveryCode", "000000")), "verification.incorrect")
		wantCode(t, "a code to what is bound", call("POST", "/wps/member/paymentPassword/code", nil), "")
		h.Clock.Add(-6 * time.Minute)
		wantCode(t, "a question by that code", call("PUT", questionPath, question.with("recoveryCode", h.code(t, "+84912345678"))), "")
		told := map[string]bool{}
		for _, m := range h.sent(t)[:2] {
			told[m.Recipient+" "+m.Kind] = true
		}
		if !told["+84912345678 question_set"] || !told["a@b.co question_set"] {
			t.Errorf("the member was not told: %v", told)
		}
		wantCode(t, "a number by a wrong answer", bind(body{"answer": "Vàng"}), "member.answer_wrong")
		wantCode(t, "a number by the answer", bind(body{"answer": "mun"}), "")
	})
}

// A name that was typed wrong takes no code from the right one.
func TestAMistypedNameSwallowsNoCode(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newServer(t, store)
		id, _ := h.member(t, "minhanh92", "qua-xanh7", member.Player)
		h.setContacts(t, id, "+84912345678", "a@b.co")
		way := channels["sms"]
		wantCode(t, "a wrong name", h.requestReset(t, way.path, way.bound.with("username", "minhanh29")), "")
		wantCode(t, "the right one", h.requestReset(t, way.path, way.bound.with("username", "minhanh92")), "")
		proof := way.bound.with("username", "minhanh92").with("verificationCode", h.code(t, way.to))
		wantCode(t, "the code for another name", h.Call(t, "POST", way.path+"/verification", proof.with("username", "minhanh29")), "verification.incorrect")
		wantCode(t, "the code", h.Call(t, "POST", way.path+"/verification", proof), "")
	})
}

// Where nobody can register, or the form asks for more, nobody becomes a member by an external account either.
func TestInviteFollowsTheForm(t *testing.T) {
	t.Parallel()
	h := newServer(t, dbtest.SQLite(t))
	register := func() error {
		_, err := h.members.RegisterExternal(t.Context(), h.ID, true, "", rest.VisitorOf(t.Context()), func(*db.Tx, int64) error { return nil })
		return err
	}
	h.set(t, "register.fields", `{"payeeName":{"enabled":true,"required":true}}`)
	if err := register(); !errors.Is(err, member.ErrFormRequired) {
		t.Errorf("more is asked for: %v", err)
	}
	h.set(t, "register.fields", `{}`)
	h.set(t, "register.methods", `["mobile"]`)
	if err := register(); !errors.Is(err, member.ErrFormRequired) {
		t.Errorf("a number is asked for: %v", err)
	}
	h.disableModule(t, "REG3")
	if err := register(); !errors.Is(err, member.ErrClosed) {
		t.Errorf("closed: %v", err)
	}
}

// That a number is a member's is told to whoever holds it; and a code that came to nothing stays good.
func TestRegisteringSpendsItsCodeLast(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newServer(t, store)
		other, _ := h.member(t, "other001", "qua-xanh7", member.Player)
		ask := body{"mobileNum": "0987654321", "countryDialingCode": "84"}
		wantCode(t, "a code", h.Call(t, "POST", "/wps/verification/sms/noLogin", ask, "ModuleId", "REGMOBVERF3"), "")
		code := h.code(t, "+84987654321")
		b := registration("").with("username", nil).with("mobileNum", "0987654321")
		h.setContacts(t, other, "+84987654321", "a@b.co")
		wantCode(t, "another's number, by a wrong code", h.register(t, byMobile, b.with("verificationCode", "000000")), "verification.incorrect")
		wantCode(t, "another's number, by its code", h.register(t, byMobile, b.with("verificationCode", code)), "member.mobile_taken")
		h.setContacts(t, other, "+84987654322", "a@b.co")
		wantCode(t, "with the same code", h.register(t, byMobile, b.with("verificationCode", code)), "")
	})
}

// What was typed at registering and never proved is there to be bound.
func TestUnprovedContacts(t *testing.T) {
	t.Parallel()
	h := newServer(t, dbtest.SQLite(t))
	h.set(t, "register.fields", `{"email":{"enabled":true}}`)
	reply := h.register(t, byName, registration("minhanh92").with("mobileNum", "0912345678").with("email", "minh@b.co"))
	token := merchanttest.Value[struct{ Token string }](t, reply).Token
	type unproved struct{ UnprovedDialingCode, UnprovedMobile, UnprovedEmail string }
	read := func() unproved {
		return merchanttest.Value[unproved](t, h.Call(t, "GET", "/wps/member/security", nil, "Authorization", token))
	}
	if got := read(); got != (unproved{"84", "912345678", "minh@b.co"}) {
		t.Errorf("%+v", got)
	}
	who, err := h.members.Find(t.Context(), h.ID, "minhanh92")
	if err != nil {
		t.Fatal(err)
	}
	h.setContacts(t, who.ID, "+84912345670", "x@b.co")
	if got := read(); got != (unproved{}) {
		t.Errorf("bound: %+v", got)
	}
}

// What the merchant wants of a contact holds in the profile too.
func TestOS08ProfileFollowsTheForm(t *testing.T) {
	t.Parallel()
	h := newServer(t, dbtest.SQLite(t))
	_, call := h.memberCaller(t)
	h.set(t, "register.fields", `{"zalo":{"pattern":"^09"},"line":{"enabled":false}}`)
	wantCode(t, "the merchant's own pattern", call("PUT", "/wps/member/profile", body{"zalo": "0812345678"}), "member.contact_format")
	wantCode(t, "one that fits", call("PUT", "/wps/member/profile", body{"zalo": "0912345678"}), "")
	wantCode(t, "one that is switched off", call("PUT", "/wps/member/profile", body{"line": "minhanh"}), "validation.unasked")
	wantCode(t, "one that the form does not ask for", call("PUT", "/wps/member/profile", body{"wechat": "minhanh92"}), "")
}
