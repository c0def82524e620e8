package main

import (
	"net/http"
	"strconv"
	"testing"
	"time"

	"fairground/internal/game/vendor"
)

// Player protection applies to games of vendors. The test uses the HTTP calls of the app and the vendor.
func TestPlayerProtectionInVendorGames(t *testing.T) { //nolint:tparallel // sequential subtests
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
	callLimits := func(t *testing.T, method, path, body, want string) {
		t.Helper()
		if a := p.call(method, "/wps/member/limits"+path, o.token, body); a.ErrorCode != want {
			t.Errorf("%s %s %s: %d %s, want %q", method, path, body, a.status, a.ErrorCode, want)
		}
	}
	t.Run("PP-04 after the chosen interval bets are rejected until the check is acknowledged; wins are accepted", func(t *testing.T) {
		callLimits(t, http.MethodPut, "/realityCheck", `{"minutes":15}`, "")
		move(t, "bet", "100", "OK")
		p.clockOffset.Add(int64(17 * time.Minute))
		move(t, "win", "100", "OK")
		move(t, "bet", "100", "LIMIT_REACHED")
		move(t, "bet", "100", "LIMIT_REACHED")
		callLimits(t, http.MethodPost, "/realityCheck/acknowledge", `{"playId":"`+o.playID+`"}`, "")
		move(t, "bet", "100", "OK")
		callLimits(t, http.MethodPut, "/realityCheck", `{"minutes":null}`, "")
	})
	t.Run("PP-05 PP-06 a lower limit applies to the next bet, the lowest limit applies, and an increase needs a day and a confirmation", func(t *testing.T) {
		const stake = `{"kind":"stake","period":"`
		callLimits(t, http.MethodPut, "", stake+`week","amount":5000}`, "")
		callLimits(t, http.MethodPut, "", stake+`day","amount":1000}`, "")
		move(t, "bet", "1000", "LIMIT_REACHED")
		move(t, "bet", "100", "OK")
		callLimits(t, http.MethodPut, "", stake+`day","amount":9000}`, "")
		callLimits(t, http.MethodPost, "/confirm", stake+`day"}`, "limits.too_soon")
		move(t, "bet", "1000", "LIMIT_REACHED")
		p.clockOffset.Add(int64(24 * time.Hour))
		// Log in and open the game again: sessions and plays expire within a day.
		o = openVendorGame(t, p.program, key.KeyID, key.Key, o.Now)
		move(t, "bet", "1001", "LIMIT_REACHED")
		callLimits(t, http.MethodPost, "/confirm", stake+`day"}`, "")
		move(t, "bet", "1001", "OK")
		move(t, "bet", "9000", "LIMIT_REACHED")
	})
}
