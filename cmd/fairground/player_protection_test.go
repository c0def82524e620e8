package main

import (
	"net/http"
	"strconv"
	"testing"
	"time"

	"fairground/internal/game/vendor"
)

// What protects a player holds at a vendor's game as at the House's: each call goes over HTTP, the app's and the vendor's.
func TestProtectionAtAVendorsGame(t *testing.T) { //nolint:tparallel // its parts follow one another
	t.Parallel()
	p := newCallers(t)
	key, err := createVendor.run(t.Context(), p.services, vendorDraft{
		Code: "TEST", Name: "Test", Launch: vendor.Launch{URL: "http://127.0.0.1:9999/play?t={ticket}", Mode: vendor.ModeFrame}, Games: []vendorGame{{"T1", "JL"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	o := openVendorGame(t, p.program, key.KeyID, key.Key, func() time.Time { return time.Now().Add(time.Duration(p.clockOffset.Load())) })
	calls := 0
	move := func(t *testing.T, call, amount, want string) {
		t.Helper()
		calls++
		id := strconv.Itoa(calls)
		round := "bet" + id
		if call == "win" {
			round = "bet" + strconv.Itoa(calls-1)
		}
		if got := o.callVendor(t, call, o.Fields(id, round, map[string]any{"amount": amount})); got.Code != want {
			t.Errorf("%s %s: %s, want %s", call, amount, got, want)
		}
	}
	own := func(t *testing.T, method, path, body, want string) {
		t.Helper()
		if a := p.call(method, "/wps/member/limits"+path, o.token, body); a.ErrorCode != want {
			t.Errorf("%s %s %s: %d %s, want %q", method, path, body, a.status, a.ErrorCode, want)
		}
	}
	t.Run("PP-04 a vendor's bets stop when the chosen interval is over, until the check is acknowledged; a win comes all the same", func(t *testing.T) {
		own(t, http.MethodPut, "/realityCheck", `{"minutes":15}`, "")
		move(t, "bet", "100", "OK")
		p.clockOffset.Add(int64(17 * time.Minute))
		move(t, "win", "100", "OK")
		move(t, "bet", "100", "LIMIT_REACHED")
		move(t, "bet", "100", "LIMIT_REACHED")
		own(t, http.MethodPost, "/realityCheck/acknowledge", `{"playId":"`+o.playID+`"}`, "")
		move(t, "bet", "100", "OK")
		own(t, http.MethodPut, "/realityCheck", `{"minutes":null}`, "")
	})
	t.Run("PP-05 PP-06 a lower limit holds for the next bet, the lowest applies, and a raise only a day later and when confirmed", func(t *testing.T) {
		const stake = `{"kind":"stake","period":"`
		own(t, http.MethodPut, "", stake+`week","amount":5000}`, "")
		own(t, http.MethodPut, "", stake+`day","amount":1000}`, "")
		move(t, "bet", "1000", "LIMIT_REACHED")
		move(t, "bet", "100", "OK")
		own(t, http.MethodPut, "", stake+`day","amount":9000}`, "")
		own(t, http.MethodPost, "/confirm", stake+`day"}`, "limits.too_soon")
		move(t, "bet", "1000", "LIMIT_REACHED")
		p.clockOffset.Add(int64(24 * time.Hour))
		// The member and the game come anew: neither stays open for a day.
		o = openVendorGame(t, p.program, key.KeyID, key.Key, o.Now)
		move(t, "bet", "1001", "LIMIT_REACHED")
		own(t, http.MethodPost, "/confirm", stake+`day"}`, "")
		move(t, "bet", "1001", "OK")
		move(t, "bet", "9000", "LIMIT_REACHED")
	})
}
