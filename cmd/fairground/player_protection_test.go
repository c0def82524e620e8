package main

import (
	"net/http"
	"strconv"
	"testing"
	"time"

	"fairground/internal/game/vendor"
)

// Player protection applies to vendor games. The test makes the HTTP calls that the app and the vendor make.
func TestPlayerProtectionInVendorGames(t *testing.T) { //nolint:tparallel // sequential subtests
	t.Parallel()
	server := newServerWithActors(t)
	key, err := createVendor.run(t.Context(), server.services, vendorParams{
		Code: "TEST", Name: "Test", Launch: vendor.Launch{URL: "http://127.0.0.1:9999/play?t={ticket}", Mode: vendor.ModeFrame}, Games: []vendorGame{{"T1", "JL"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	game := openVendorGame(t, server.program, key.KeyID, key.Key, func() time.Time { return time.Now().Add(time.Duration(server.clockOffset.Load())) })
	calls := 0
	callVendor := func(t *testing.T, call, amount, want string) {
		t.Helper()
		calls++
		id := strconv.Itoa(calls)
		round := "bet" + id
		if call == "win" {
			round = "bet" + strconv.Itoa(calls-1)
		}
		if got := game.callVendor(t, call, game.Fields(id, round, map[string]any{"amount": amount})); got.Code != want {
			t.Errorf("%s %s: %s, want %s", call, amount, got, want)
		}
	}
	callLimits := func(t *testing.T, method, path, body, want string) {
		t.Helper()
		if a := server.call(method, "/wps/member/limits"+path, game.token, body); a.ErrorCode != want {
			t.Errorf("%s %s %s: %d %s, want %q", method, path, body, a.status, a.ErrorCode, want)
		}
	}
	t.Run("PP-04 after the chosen interval bets are rejected until the check is acknowledged; wins are accepted", func(t *testing.T) {
		callLimits(t, http.MethodPut, "/realityCheck", `{"minutes":15}`, "")
		callVendor(t, "bet", "100", "OK")
		server.clockOffset.Add(int64(17 * time.Minute))
		callVendor(t, "win", "100", "OK")
		callVendor(t, "bet", "100", "LIMIT_REACHED")
		callVendor(t, "bet", "100", "LIMIT_REACHED")
		callLimits(t, http.MethodPost, "/realityCheck/acknowledge", `{"playId":"`+game.playID+`"}`, "")
		callVendor(t, "bet", "100", "OK")
		callLimits(t, http.MethodPut, "/realityCheck", `{"minutes":null}`, "")
	})
	t.Run("PP-05 PP-06 a decrease applies from the next bet, the lowest of several limits applies, and an increase takes effect after 24 hours and a confirmation", func(t *testing.T) {
		const stake = `{"kind":"stake","period":"`
		callLimits(t, http.MethodPut, "", stake+`week","amount":5000}`, "")
		callLimits(t, http.MethodPut, "", stake+`day","amount":1000}`, "")
		callVendor(t, "bet", "1000", "LIMIT_REACHED")
		callVendor(t, "bet", "100", "OK")
		callLimits(t, http.MethodPut, "", stake+`day","amount":9000}`, "")
		callLimits(t, http.MethodPost, "/confirm", stake+`day"}`, "limits.too_soon")
		callVendor(t, "bet", "1000", "LIMIT_REACHED")
		server.clockOffset.Add(int64(24 * time.Hour))
		// Log in and open the game again, because sessions and plays expire within a day.
		game = openVendorGame(t, server.program, key.KeyID, key.Key, game.Now)
		callVendor(t, "bet", "1001", "LIMIT_REACHED")
		callLimits(t, http.MethodPost, "/confirm", stake+`day"}`, "")
		callVendor(t, "bet", "1001", "OK")
		callVendor(t, "bet", "9000", "LIMIT_REACHED")
	})
}
