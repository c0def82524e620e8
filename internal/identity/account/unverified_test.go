package account_test

import (
	"testing"
	"time"

	"fairground/internal/identity/member"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/spec"
	"fairground/internal/site/merchant"
	"fairground/internal/site/merchant/merchanttest"
)

// An unverified number cannot be used to reset a password or to log in. Another person can still verify and bind it.
func TestRG09UnverifiedNumberHasNoOwner(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newServer(t, store)
		h.set(t, "register.mobile_verification", `"none"`)
		if err := h.Merchants.SetSwitch(t.Context(), h.ID, merchant.SwitchOf(spec.FlagSMSLogin, true)); err != nil {
			t.Fatal(err)
		}
		number := body{"mobileNum": "0987654321", "countryDialingCode": "84"}
		register := func(username, mobile string) merchanttest.Reply {
			t.Helper()
			return h.register(t, registerByMobilePath, registration(username).with("mobileNum", mobile).with("moduleId", "MOBILENUMREG3"))
		}
		reply := register("typed0001", "0987654321")
		wantCode(t, "register with an unproved number", reply, "")
		token := merchanttest.Value[struct{ Token string }](t, reply).Token
		wantCode(t, "register again with the same number", register("typed0002", "0987654321"), "")
		if owned, err := h.members.HasMobile(t.Context(), h.ID, "+84987654321"); owned || err != nil || len(h.sent(t)) != 0 {
			t.Errorf("HasMobile = %v, %v with %d messages, want false and none", owned, err, len(h.sent(t)))
		}
		for what, send := range map[string]func() merchanttest.Reply{
			"send a reset code": func() merchanttest.Reply { return h.requestReset(t, channels["sms"].path, number) },
			"send a login code": func() merchanttest.Reply { return h.Call(t, "POST", "/wps/verification/sms/noLogin", number) },
		} {
			wantCode(t, what, send(), "")
			if n := h.count(t, "dispatch WHERE state = 'local'"); n != 0 {
				t.Errorf("%s: %d messages sent, want 0", what, n)
			}
		}
		type contacts struct{ Mobile, UnprovedMobile, UnprovedDialingCode string }
		got := merchanttest.Value[contacts](t, h.Call(t, "GET", "/wps/member/security", nil, "Authorization", token))
		if want := (contacts{"", "987654321", "84"}); got != want {
			t.Errorf("contacts = %+v, want %+v", got, want)
		}

		h.Clock.Add(time.Hour)
		h.Refill()
		_, owner := h.member(t, "thanhtung", "qua-xanh7", member.Player)
		wantCode(t, "the owner binds the number", h.bindContact(t, owner, "mobileNum", "0987654321", "+84987654321"), "")
		bound, free := register("typed0003", "0987654321"), register("typed0004", "0987654322")
		for what, reply := range map[string]merchanttest.Reply{"register with the bound number": bound, "register with a free number": free} {
			wantCode(t, what, reply, "")
		}
		h.Clock.Add(time.Hour)
		wantCode(t, "send a login code", h.Call(t, "POST", "/wps/verification/sms/noLogin", number), "")
		credentials := body{"type": "sms", "username": "987654321", "countryDialingCode": "84", "password": h.code(t, "+84987654321")}
		login := h.Call(t, "POST", "/wps/session/login", credentials)
		wantCode(t, "log in with the code", login, "")
		if name := merchanttest.Value[struct{ UserName string }](t, login).UserName; name != "thanhtung" {
			t.Errorf("logged in as %s, want thanhtung", name)
		}
	})
}

func TestRG09UnverifiedNumberRequiresUsername(t *testing.T) {
	t.Parallel()
	h := newServer(t, dbtest.SQLite(t))
	newMember := registration("").with("mobileNum", "0987654321").with("moduleId", "MOBILENUMREG3")
	h.set(t, "register.mobile_verification", `"none"`)
	h.set(t, "register.fields", `{"username": {"required": false}}`) // has no effect on unproved numbers
	wantCode(t, "register without a username", h.register(t, registerByMobilePath, newMember), "validation.required")
	wantCode(t, "register with an invalid username", h.register(t, registerByMobilePath, newMember.with("username", "a b")), "member.username_format")
	wantCode(t, "register with a username", h.register(t, registerByMobilePath, newMember.with("username", "typed0001")), "")
	wantCode(t, "log in with the username", h.Call(t, "POST", "/wps/session/login", body{"username": "typed0001", "password": "qua-xanh7"}), "")

	h.set(t, "register.mobile_verification", `"sms"`)
	form, err := h.Merchants.RegisterForm(t.Context(), h.ID)
	if err != nil {
		t.Fatal(err)
	}
	if _, shown := form.Field("mobile", "username"); shown {
		t.Error("the form asks for a username although the number is proved")
	}
}
