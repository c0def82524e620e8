package account_test

import (
	"errors"
	"net/http"
	"testing"

	"fairground/internal/identity/member"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
)

func TestDisable(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newServer(t, store)
		_, token := h.member(t, "minhanh92", "qua-xanh7", member.Player)
		_, other := h.member(t, "other001", "qua-xanh7", member.Player)
		for range 2 {
			if err := h.accounts.Disable(t.Context(), h.ID, "MinhAnh92"); err != nil {
				t.Fatal(err)
			}
		}
		t.Run("SE-01 part (disabled account): disabling an account ends its sessions immediately", func(t *testing.T) {
			merchanttest.Want(t, h.Call(t, "GET", "/wps/member/info", nil, "Authorization", token), http.StatusUnauthorized,
				`{"success":false,"message":"a valid session is needed","errorCode":"user.or.token.invalid"}`)
			if !h.isLoggedIn(t.Context(), other) {
				t.Error("another member's session ended")
			}
			if _, _, err := h.members.Verify(t.Context(), h.ID, "minhanh92", "qua-xanh7"); !errors.Is(err, member.ErrLocked) {
				t.Errorf("verify = %v, want ErrLocked", err)
			}
		})
		if err := h.accounts.Enable(t.Context(), h.ID, "minhanh92"); err != nil {
			t.Fatal(err)
		}
		if h.isLoggedIn(t.Context(), token) || !h.isLoggedIn(t.Context(), h.login(t, "minhanh92", "qua-xanh7")) {
			t.Error("after reopening, want the old session ended and a new login to work")
		}
		for _, err := range []error{h.accounts.Disable(t.Context(), h.ID, "nobody1"), h.accounts.Enable(t.Context(), h.ID, "nobody1")} {
			if !errors.Is(err, member.ErrUnknown) {
				t.Errorf("unknown member: %v, want ErrUnknown", err)
			}
		}
	})
}
