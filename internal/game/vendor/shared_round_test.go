package vendor_test

import (
	"testing"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

// Two players use the same round ID. A win with an unknown session is refused, but the refusal is not stored. So the same win is
// accepted with the player's own session.
func TestFT06AmbiguousWinIsNotRemembered(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newVendorSite(t, store)
		mine, others := w.openSession(t, "minhanh92"), w.openSession(t, "quangvu88")
		for _, body := range []fields{bet(mine, "b1", "shared", "100"), bet(others, "b2", "shared", "100")} {
			if r := w.call(t, "bet", body); r.Code != "OK" {
				t.Fatalf("bet = %s, want OK", r.raw)
			}
		}
		for _, c := range []struct {
			call, session, code string
			body                func(session string) fields
		}{
			{"win", "unknown", "SESSION_EXPIRED", func(s string) fields { return win(s, "w1", "shared", "250", false) }},
			{"win", mine, "OK", func(s string) fields { return win(s, "w1", "shared", "250", false) }},
			{"endRound", "unknown", "SESSION_EXPIRED", endFor("e1", "shared")},
			{"endRound", mine, "OK", endFor("e1", "shared")},
			{"win", mine, "ROUND_CLOSED", func(s string) fields { return win(s, "w2", "shared", "1", false) }},
			{"win", others, "OK", func(s string) fields { return win(s, "w3", "shared", "30", true) }},
		} {
			if r := w.call(t, c.call, c.body(c.session)); r.Code != c.code || r.replayed() {
				t.Errorf("FT-06 %s under %.6s: %s, want %s", c.call, c.session, r.raw, c.code)
			}
		}
		if a, b := w.balance(t, minh), w.balance(t, other); a != 1_000_150 || b != 999_930 {
			t.Errorf("FT-06 balances = %d and %d, want 1000150 and 999930", a, b)
		}
		w.verify(t)
	})
}

// A known txId gets its stored response, with any session.
func TestFT06UnknownSessionResponseIsReplayedInOwnSession(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newVendorSite(t, store)
		mine, others := w.openSession(t, "minhanh92"), w.openSession(t, "quangvu88")
		for round, betBetween := range map[string]bool{"unbet": false, "late": true} {
			paid := func(s string) fields { return win(s, "w-"+round, round, "250", false) }
			ended := endFor("e-"+round, round)
			first := map[string]reply{"win": w.call(t, "win", paid("unknown")), "endRound": w.call(t, "endRound", ended("unknown"))}
			if first["win"].Code != "ROUND_NOT_FOUND" || first["endRound"].Code != "OK" {
				t.Fatalf("FT-06 first responses: %+v, want ROUND_NOT_FOUND and OK", first)
			}
			if betBetween {
				if r := w.call(t, "bet", bet(mine, "b-"+round, round, "100")); r.Code != "OK" {
					t.Fatalf("bet = %s, want OK", r.raw)
				}
			}
			for _, session := range []string{mine, others, "unknown", mine} {
				for call, body := range map[string]func(string) fields{"win": paid, "endRound": ended} {
					r := w.call(t, call, body(session))
					if r.Code != first[call].Code || !r.replayed() || r.TransactionID != first[call].TransactionID {
						t.Errorf("FT-06 %s again under %.6s: %s, want a replay of %s", call, session, r.raw, first[call].raw)
					}
				}
				if r := w.call(t, "win", win(session, "w-"+round, round, "251", false)); r.Code != "DUPLICATE_CONFLICT" {
					t.Errorf("FT-06 another win with the same txId: %s, want DUPLICATE_CONFLICT", r.raw)
				}
			}
		}
		w.verify(t)
	})
}
