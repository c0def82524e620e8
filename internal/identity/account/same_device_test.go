package account_test

import (
	"testing"
	"time"

	"fairground/internal/platform/db/dbtest"
)

// A new account from the device of an excluded member is held, whatever else it enters.
func TestPP07PartSameDeviceIsHeld(t *testing.T) {
	t.Parallel()
	h := newServer(t, dbtest.SQLite(t))
	h.set(t, "register.captcha", `false`)
	const hint, another = "0123456789abcdef0123456789abcdef", "fedcba9876543210fedcba9876543210"
	wantOK(t, "register", h.Call(t, "PUT", byName, registration("firstone1"), "Device-Hint", hint))
	first, err := h.members.Find(t.Context(), h.ID, "firstone1")
	if err != nil {
		t.Fatal(err)
	}
	wantOK(t, "register before the break", h.Call(t, "PUT", byName, registration("before001"), "Device-Hint", hint))
	h.wantHeld(t, "before001", false)
	h.Clock.Add(time.Minute)
	if err := h.Server.Limits.BeginBreak(t.Context(), first.ID, "1y"); err != nil {
		t.Fatal(err)
	}
	wantOK(t, "register from another device", h.Call(t, "PUT", byName, registration("otherdev1"), "Device-Hint", another))
	h.wantHeld(t, "otherdev1", false)
	wantOK(t, "register from the same device", h.Call(t, "PUT", byName, registration("samedev01"), "Device-Hint", hint))
	h.wantHeld(t, "samedev01", true)
}
