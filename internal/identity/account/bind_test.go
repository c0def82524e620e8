package account_test

import (
	"errors"
	"testing"

	"fairground/internal/identity/account"
	"fairground/internal/identity/member"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/rest"
	"fairground/internal/site/merchant/merchanttest"
)

func TestFailedBindingKeepsTheCode(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newServer(t, store)
		other, _ := h.member(t, "other001", "qua-xanh7", member.Player)
		_, token := h.member(t, "minhanh92", "qua-xanh7", member.Player)
		call := func(method, path string, b body) merchanttest.Reply {
			return h.Call(t, method, path, b, "Authorization", token)
		}
		for _, c := range []struct {
			send, bind, column, to, taken string
			target                        body
		}{
			{"/wps/verification/sms", "/wps/member/mobile", "mobile", "+84987654321", "member.mobile_taken", body{"mobileNum": "0987654321", "countryDialingCode": "84"}},
			{"/wps/verification/email", "/wps/member/email", "email", "x@b.co", "member.email_taken", body{"email": "x@b.co"}},
		} {
			wantCode(t, "send a code", call("POST", c.send, c.target.with("purpose", "bind")), "")
			b := c.target.with("password", "qua-xanh7").with("verificationCode", h.code(t, c.to))
			h.exec(t, "UPDATE member SET "+c.column+" = $1 WHERE id = $2", c.to, other)
			wantCode(t, "bind while another member has it", call("PUT", c.bind, b), c.taken)
			wantCode(t, "bind with a wrong code", call("PUT", c.bind, b.with("verificationCode", "000000")), "verification.incorrect")
			h.exec(t, "UPDATE member SET "+c.column+" = NULL WHERE id = $1", other)
			wantCode(t, "bind with the same code", call("PUT", c.bind, b), "")
			wantCode(t, "bind with a used code", call("PUT", c.bind, b), "verification.incorrect")
		}
	})
}

func TestFailedPaymentPasswordChangeKeepsTheCode(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newServer(t, store)
		id, _ := h.member(t, "minhanh92", "qua-xanh7", member.Player)
		h.setContacts(t, id, "+84912345678", "a@b.co")
		h.exec(t, "UPDATE member SET payment_hash = password_hash")
		self := account.Self{Caller: rest.Caller{MemberID: id, MerchantID: h.ID}}
		if _, err := h.accounts.SendPaymentCode(t.Context(), self); err != nil {
			t.Fatal(err)
		}
		form := map[string]string{
			"password": "qua-xanh7", "paymentPassword": "246810", "confirmPaymentPassword": "246810",
			"verificationCode": h.code(t, "+84912345678"),
		}
		o := h.options()
		o.Passwords = interruptedPasswords{Passwords: o.Passwords, interrupt: func() {
			if err := errors.Join(h.accounts.Disable(t.Context(), h.ID, "minhanh92"), h.accounts.Enable(t.Context(), h.ID, "minhanh92")); err != nil {
				t.Errorf("got %v, want no error", err)
			}
		}}
		if err := account.New(o).SetPaymentPassword(t.Context(), self, form); !errors.Is(err, member.ErrOvertaken) {
			t.Errorf("change while all sessions end: %v, want %v", err, member.ErrOvertaken)
		}
		if err := h.accounts.SetPaymentPassword(t.Context(), self, form); err != nil {
			t.Errorf("change with the same code: %v", err)
		}
	})
}

func TestBindingEmailAndMobileRunEqualStatements(t *testing.T) {
	t.Parallel()
	store, statements := dbtest.CountStatements(t, dbtest.SQLite(t))
	h := newServer(t, store)
	h.acceptAnyCode(t)
	_, token := h.member(t, "minhanh92", "qua-xanh7", member.Player)
	cost := func(path string, b body) int64 {
		fewest := int64(1 << 60)
		for range 3 { // background work may add statements to one of the calls
			before := statements.Load()
			wantCode(t, path, h.Call(t, "PUT", path, b.with("password", "qua-xanh7").with("verificationCode", "000000"), "Authorization", token), "")
			fewest = min(fewest, statements.Load()-before)
		}
		return fewest
	}
	mobileCost := cost("/wps/member/mobile", body{"mobileNum": "0912345678", "countryDialingCode": "84"})
	emailCost := cost("/wps/member/email", body{"email": "minh@b.co"})
	if mobileCost != emailCost {
		t.Errorf("statements: %d for an address, want %d as for a number", emailCost, mobileCost)
	}
}
