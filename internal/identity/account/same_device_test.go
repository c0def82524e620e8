package account_test

import (
	"testing"
	"time"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

// A new account from the device of an excluded member is held, whatever else it enters.
func TestPP07PartSameDeviceIsHeld(t *testing.T) {
	t.Parallel()
	h := newServer(t, dbtest.SQLite(t))
	h.set(t, "register.captcha", `false`)
	const hint, another = "0123456789abcdef0123456789abcdef", "fedcba9876543210fedcba9876543210"
	wantOK(t, "register", h.Call(t, "PUT", registerByNamePath, registration("firstone1"), "Device-Hint", hint))
	first, err := h.members.Find(t.Context(), h.ID, "firstone1")
	if err != nil {
		t.Fatal(err)
	}
	wantOK(t, "register before the break", h.Call(t, "PUT", registerByNamePath, registration("before001"), "Device-Hint", hint))
	h.wantHeld(t, "before001", false)
	h.Clock.Add(time.Minute)
	if err := h.Server.Limits.BeginBreak(t.Context(), first.ID, "1y"); err != nil {
		t.Fatal(err)
	}
	wantOK(t, "register from another device", h.Call(t, "PUT", registerByNamePath, registration("otherdev1"), "Device-Hint", another))
	h.wantHeld(t, "otherdev1", false)
	wantOK(t, "register from the same device", h.Call(t, "PUT", registerByNamePath, registration("samedev01"), "Device-Hint", hint))
	h.wantHeld(t, "samedev01", true)
}

// A member who takes the name of an excluded member is held. The response does not show it.
func TestPP07PartChangedNameIsHeld(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newServer(t, store)
		h.set(t, "register.captcha", `false`)
		h.set(t, "register.fields", `{"payeeName":{"enabled":true}}`)
		wantOK(t, "register", h.Call(t, "PUT", registerByNamePath, registration("onbreak01").with("payeeName", "NGUYEN VAN A")))
		away, err := h.members.Find(t.Context(), h.ID, "onbreak01")
		if err != nil {
			t.Fatal(err)
		}
		for _, username := range []string{"samename1", "othername"} {
			wantOK(t, "register", h.Call(t, "PUT", registerByNamePath, registration(username)))
		}
		if err := h.Server.Limits.BeginBreak(t.Context(), away.ID, "1y"); err != nil {
			t.Fatal(err)
		}
		for username, c := range map[string]struct {
			name string
			held bool
		}{"samename1": {"Nguyen Van A", true}, "othername": {"TRAN THI B", false}} {
			h.wantHeld(t, username, false)
			token := h.login(t, username, "qua-xanh7")
			wantOK(t, username, h.Call(t, "PUT", "/wps/member/profile", body{"payeeName": c.name}, "Authorization", token))
			h.wantHeld(t, username, c.held)
		}
	})
}
