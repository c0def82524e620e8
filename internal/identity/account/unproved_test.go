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

// Where no proof is asked for, a number that somebody registers by is typed and not theirs: it resets no password, logs nobody in,
// and stays free for whoever proves to hold it.
func TestRG09ANumberWithoutProofIsNobodys(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newServer(t, store)
		h.set(t, "register.mobile_verification", `"none"`)
		if err := h.Merchants.SetSwitch(t.Context(), h.ID, merchant.SwitchOf(spec.FlagSMSLogin, true)); err != nil {
			t.Fatal(err)
		}
		his := body{"mobileNum": "0987654321", "countryDialingCode": "84"}
		register := func(username, number string) merchanttest.Reply {
			t.Helper()
			return h.register(t, byMobile, registration(username).with("mobileNum", number).with("moduleId", "MOBILENUMREG3"))
		}
		reply := register("typed0001", "0987654321")
		wantCode(t, "by a number that is not proved", reply, "")
		token := merchanttest.Value[struct{ Token string }](t, reply).Token
		wantCode(t, "by the same", register("typed0002", "0987654321"), "")
		if owned, err := h.members.HasMobile(t.Context(), h.ID, "+84987654321"); owned || err != nil || len(h.sent(t)) != 0 {
			t.Errorf("it is somebody's: %v %v, %d messages", owned, err, len(h.sent(t)))
		}
		for what, ask := range map[string]func() merchanttest.Reply{
			"a code to reset":  func() merchanttest.Reply { return h.requestReset(t, channels["sms"].path, his) },
			"a code to log in": func() merchanttest.Reply { return h.Call(t, "POST", "/wps/verification/sms/noLogin", his) },
		} {
			wantCode(t, what, ask(), "")
			if n := h.count(t, "dispatch WHERE state = 'local'"); n != 0 {
				t.Errorf("%s was sent", what)
			}
		}
		type guards struct{ Mobile, UnprovedMobile, UnprovedDialingCode string }
		got := merchanttest.Value[guards](t, h.Call(t, "GET", "/wps/member/security", nil, "Authorization", token))
		if want := (guards{"", "987654321", "84"}); got != want {
			t.Errorf("%+v", got)
		}

		h.Clock.Add(time.Hour)
		h.Refill()
		_, owner := h.member(t, "thanhtung", "qua-xanh7", member.Player)
		wantCode(t, "who holds it makes it theirs", h.bindContact(t, owner, "mobileNum", "0987654321", "+84987654321"), "")
		wantCode(t, "and nobody takes it from them", register("typed0003", "0987654321"), "member.mobile_taken")
		h.Clock.Add(time.Hour)
		wantCode(t, "a code to log in", h.Call(t, "POST", "/wps/verification/sms/noLogin", his), "")
		login := body{"type": "sms", "username": "987654321", "countryDialingCode": "84", "password": h.code(t, "+84987654321")}
		entered := h.Call(t, "POST", "/wps/session/login", login)
		wantCode(t, "by the code", entered, "")
		if name := merchanttest.Value[struct{ UserName string }](t, entered).UserName; name != "thanhtung" {
			t.Errorf("%s came in", name)
		}
	})
}

// A number that is not proved logs nobody in: whoever registers by one chooses a name, and comes back by it.
func TestRG09WhoRegistersByAnUnprovedNumberComesBackByName(t *testing.T) {
	t.Parallel()
	h := newServer(t, dbtest.SQLite(t))
	his := registration("").with("mobileNum", "0987654321").with("moduleId", "MOBILENUMREG3")
	h.set(t, "register.mobile_verification", `"none"`)
	h.set(t, "register.fields", `{"username": {"required": false}}`) // which an operator cannot make of it
	wantCode(t, "without a name", h.register(t, byMobile, his), "validation.required")
	wantCode(t, "with a name that breaks the rules", h.register(t, byMobile, his.with("username", "a b")), "member.username_format")
	wantCode(t, "with one", h.register(t, byMobile, his.with("username", "typed0001")), "")
	wantCode(t, "logging in again", h.Call(t, "POST", "/wps/session/login", body{"username": "typed0001", "password": "qua-xanh7"}), "")

	h.set(t, "register.mobile_verification", `"sms"`)
	form, err := h.Merchants.RegisterForm(t.Context(), h.ID)
	if err != nil {
		t.Fatal(err)
	}
	if _, shown := form.Field("mobile", "username"); shown {
		t.Error("where the number is proved, a name is asked for as well")
	}
}
