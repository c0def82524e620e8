package vendor_test

import (
	"testing"

	"fairground/internal/game/vendor"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

// The test makes every call on a player's round as another vendor, with another member's session and with an unknown session. No call
// moves the player's money or reveals the balance. Only repeated calls of the same vendor return the recorded balance, with any
// session.
func TestCallsCannotReachOtherPlayersRounds(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newVendorSite(t, store)
		rival, err := w.vendors.Create(t.Context(), w.ID, "RIVAL", vendor.Launch{URL: "https://rival.test.example/g?t={ticket}", Mode: vendor.ModeFrame})
		if err != nil {
			t.Fatal(err)
		}
		mine, others := w.openSession(t, "minhanh92"), w.openSession(t, "quangvu88")
		ticket, _ := w.launch(t, "minhanh92", "G1", "TEST", "RNG")
		for _, tx := range []string{"own", "gone"} {
			if r := w.call(t, "bet", bet(mine, tx, "round", "700")); r.Code != "OK" {
				t.Fatalf("bet = %s, want OK", r.raw)
			}
		}
		if r := w.call(t, "rollback", rollback(mine, "taken", "gone")); r.Code != "OK" || r.Balance != "999300" {
			t.Fatalf("rollback = %s, want OK and the balance 999300", r.raw)
		}
		before := w.balance(t, minh)
		as := map[string]func(string, fields) reply{
			"RIVAL": func(call string, f fields) reply {
				return w.callAs(t, "RIVAL", rival.KeyID, []byte(rival.Key), call, f)
			},
			"TEST": func(call string, f fields) reply { return w.call(t, call, f) },
		}
		promo := func(session, tx string) fields {
			return fields{"sessionId": session, "currency": "VND", "txId": tx, "amount": "5", "reason": "gift"}
		}
		unknown := "unknown-session"
		for _, c := range []struct {
			name, vendor, call string
			body               fields
			code, balance      string
		}{
			{"another vendor, the player's ticket", "RIVAL", "authenticate", fields{"ticket": ticket}, "SESSION_EXPIRED", "0"},
			{"another vendor, the player's session", "RIVAL", "balance", fields{"sessionId": mine}, "SESSION_EXPIRED", "0"},
			{"another vendor, the player's session", "RIVAL", "bet", bet(mine, "v1", "round", "5"), "SESSION_EXPIRED", "0"},
			{"another vendor, the player's txId", "RIVAL", "bet", bet(mine, "own", "round", "700"), "SESSION_EXPIRED", "0"},
			{"another vendor, the player's round", "RIVAL", "win", win(mine, "v2", "round", "5", true), "ROUND_NOT_FOUND", "0"},
			{"another vendor, the player's bet", "RIVAL", "rollback", rollback(mine, "v3", "own"), "OK", "0"},
			{"another vendor, the player's round", "RIVAL", "endRound", moveFields(mine, "v4", "round", nil), "OK", "0"},
			{"another vendor, the player's session", "RIVAL", "promo", promo(mine, "v5"), "SESSION_EXPIRED", "0"},

			{"another member, the player's txId", "TEST", "bet", bet(others, "own", "round", "700"), "DUPLICATE_CONFLICT", "1000000"},
			{"another member, the player's round", "TEST", "win", win(others, "o1", "round", "5", true), "ROUND_NOT_FOUND", "1000000"},
			{"another member, the player's round", "TEST", "endRound", moveFields(others, "o2", "round", nil), "OK", "1000000"},
			{"another member, replayed rollback", "TEST", "rollback", rollback(others, "taken", "gone"), "OK", "999300"}, // the bet identifies the player
			{"another member, reversed bet", "TEST", "rollback", rollback(others, "o3", "gone"), "OK", "999300"},

			{"unknown session", "TEST", "balance", fields{"sessionId": unknown}, "SESSION_EXPIRED", "0"},
			{"unknown session", "TEST", "bet", bet(unknown, "n1", "round", "5"), "SESSION_EXPIRED", "0"},
			{"unknown session, the player's txId", "TEST", "bet", bet(unknown, "own", "round", "700"), "OK", "999300"}, // its first response
			{"unknown session, replayed rollback", "TEST", "rollback", rollback(unknown, "taken", "gone"), "OK", "999300"},
			{"unknown session, reversed bet", "TEST", "rollback", rollback(unknown, "n2", "gone"), "OK", "999300"},
			{"unknown session", "TEST", "promo", promo(unknown, "n3"), "SESSION_EXPIRED", "0"},
			{"unknown session and round", "TEST", "endRound", moveFields(unknown, "n4", "none", nil), "OK", "0"},
			{"unknown session and round, replayed", "TEST", "endRound", moveFields(unknown, "n4", "none", nil), "OK", "0"},
		} {
			t.Run("SE-03 "+c.call+": "+c.name, func(t *testing.T) {
				if r := as[c.vendor](c.call, c.body); r.Code != c.code || r.Balance != c.balance {
					t.Errorf("%s, want %s and balance %s", r.raw, c.code, c.balance)
				}
				if got := w.balance(t, minh); got != before {
					t.Errorf("balance changed by %d, want 0", got-before)
				}
			})
		}
		if r := w.call(t, "win", win(mine, "last", "round", "1", true)); r.Code != "OK" {
			t.Errorf("the player's own win: %s, want OK", r.raw)
		}
		w.verify(t)
	})
}
