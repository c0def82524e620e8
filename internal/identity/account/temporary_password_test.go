package account_test

import (
	"testing"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/spec"
	"fairground/internal/site/merchant"
	"fairground/internal/site/merchant/merchanttest"
)

// A member whose password an operator set can only change it and log out.
func TestTemporaryPasswordMustBeChangedFirst(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newServer(t, store)
		d := draft(h, "minhanh92", "qua-xanh7")
		d.FirstTimeLogin = true
		if _, err := h.members.Create(t.Context(), d); err != nil {
			t.Fatal(err)
		}
		token := h.login(t, "minhanh92", "qua-xanh7")
		call := func(method, path string, b any) merchanttest.Reply {
			t.Helper()
			return h.Call(t, method, path, b, "Authorization", token)
		}
		const required = "member.password_change_required"
		other := map[string]func() merchanttest.Reply{
			"the wallet":   func() merchanttest.Reply { return call("GET", "/wps/v2/wallets/balance", nil) },
			"the profile":  func() merchanttest.Reply { return call("GET", "/wps/member/profile", nil) },
			"the sessions": func() merchanttest.Reply { return call("GET", "/wps/session/list", nil) },
			"a favourite": func() merchanttest.Reply {
				return h.Call(t, "GET", "/wps/relay/MCSFE_getFavoriteGames?token="+token, nil)
			},
		}
		for name, send := range other {
			wantCode(t, name, send(), required)
		}
		for _, path := range []string{"/wps/member/info", "/wps/member/security", "/wps/session/touch"} {
			wantCode(t, path, call("GET", path, nil), "")
		}
		wantTemporary := func(want bool) {
			t.Helper()
			got := merchanttest.Value[struct{ TemporaryPassword bool }](t, call("GET", "/wps/member/security", nil)).TemporaryPassword
			if got != want {
				t.Errorf("temporaryPassword = %t, want %t", got, want)
			}
		}
		wantTemporary(true)
		module := func(on bool) {
			t.Helper()
			if err := h.Merchants.SetSwitch(t.Context(), h.ID, merchant.SwitchOf(spec.ModuleChangePassword, on)); err != nil {
				t.Fatal(err)
			}
		}
		module(false)
		wantCode(t, "the wallet while passwords cannot be changed", other["the wallet"](), "")
		module(true)
		reply := call("PUT", "/wps/member/password", body{"oldPassword": "qua-xanh7", "newPassword": "la-xanh77", "confirmNewPassword": "la-xanh77"})
		wantCode(t, "change the password", reply, "")
		token = merchanttest.Value[struct{ Token string }](t, reply).Token
		for name, send := range other {
			wantCode(t, name+" after the change", send(), "")
		}
		wantTemporary(false)
	})
}

func TestTemporaryPasswordAllowsLogout(t *testing.T) {
	t.Parallel()
	h := newServer(t, dbtest.SQLite(t))
	d := draft(h, "minhanh92", "qua-xanh7")
	d.FirstTimeLogin = true
	if _, err := h.members.Create(t.Context(), d); err != nil {
		t.Fatal(err)
	}
	token := h.login(t, "minhanh92", "qua-xanh7")
	wantCode(t, "log out", h.Call(t, "DELETE", "/wps/session/logout", nil, "Authorization", token), "")
	if h.isLoggedIn(t.Context(), token) {
		t.Error("the session is open after the logout")
	}
}
