package vendor_test

import (
	"testing"

	"fairground/internal/game/vendor"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

// Another vendor, another member's session and one that nobody has try every call with what belongs to a player's round. None moves
// that player's money or tells its balance, and the round goes on as if nothing had come. Only what the vendor itself has settled
// for the player before is told again, whatever the session.
func TestNobodyReachesAnothersRound(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newWorld(t, store)
		rival, err := w.vendors.Create(t.Context(), w.ID, "RIVAL", vendor.Launch{URL: "https://rival.test.example/g?t={ticket}", Mode: vendor.ModeFrame})
		if err != nil {
			t.Fatal(err)
		}
		mine, others := w.enter(t, "minhanh92"), w.enter(t, "quangvu88")
		ticket, _ := w.launch(t, "minhanh92", "G1", "TEST", "RNG")
		for _, tx := range []string{"own", "gone"} {
			if r := w.call(t, "bet", bet(mine, tx, "round", "700")); r.Code != "OK" {
				t.Fatal(r.raw)
			}
		}
		if r := w.call(t, "rollback", rollback(mine, "taken", "gone")); r.Code != "OK" || r.Balance != "999300" {
			t.Fatal(r.raw)
		}
		stood := w.balance(t, minh)
		as := map[string]func(string, fields) reply{
			"RIVAL": func(call string, f fields) reply {
				return w.callAs(t, "RIVAL", rival.KeyID, []byte(rival.Key), call, f)
			},
			"TEST": func(call string, f fields) reply { return w.call(t, call, f) },
		}
		promo := func(session, tx string) fields {
			return fields{"sessionId": session, "currency": "VND", "txId": tx, "amount": "5", "reason": "gift"}
		}
		nobody := "a-session-that-nobody-has"
		for _, c := range []struct {
			name, vendor, call string
			body               fields
			code, balance      string
		}{
			{"another vendor, its ticket", "RIVAL", "authenticate", fields{"ticket": ticket}, "SESSION_EXPIRED", "0"},
			{"another vendor, its session", "RIVAL", "balance", fields{"sessionId": mine}, "SESSION_EXPIRED", "0"},
			{"another vendor, its session", "RIVAL", "bet", bet(mine, "v1", "round", "5"), "SESSION_EXPIRED", "0"},
			{"another vendor, its txId", "RIVAL", "bet", bet(mine, "own", "round", "700"), "SESSION_EXPIRED", "0"},
			{"another vendor, its round", "RIVAL", "win", win(mine, "v2", "round", "5", true), "ROUND_NOT_FOUND", "0"},
			{"another vendor, its bet", "RIVAL", "rollback", rollback(mine, "v3", "own"), "OK", "0"},
			{"another vendor, its round", "RIVAL", "endRound", common(mine, "v4", "round", nil), "OK", "0"},
			{"another vendor, its session", "RIVAL", "promo", promo(mine, "v5"), "SESSION_EXPIRED", "0"},

			{"another member, its txId", "TEST", "bet", bet(others, "own", "round", "700"), "DUPLICATE_CONFLICT", "1000000"},
			{"another member, its round", "TEST", "win", win(others, "o1", "round", "5", true), "ROUND_NOT_FOUND", "1000000"},
			{"another member, its round", "TEST", "endRound", common(others, "o2", "round", nil), "OK", "1000000"},
			{"another member, its rollback again", "TEST", "rollback", rollback(others, "taken", "gone"), "OK", "999300"}, // the bet says whose it is,
			{"another member, a bet taken back", "TEST", "rollback", rollback(others, "o3", "gone"), "OK", "999300"},

			{"nobody", "TEST", "balance", fields{"sessionId": nobody}, "SESSION_EXPIRED", "0"},
			{"nobody", "TEST", "bet", bet(nobody, "n1", "round", "5"), "SESSION_EXPIRED", "0"},
			{"nobody, its txId", "TEST", "bet", bet(nobody, "own", "round", "700"), "OK", "999300"}, // its first answer
			{"nobody, its rollback again", "TEST", "rollback", rollback(nobody, "taken", "gone"), "OK", "999300"},
			{"nobody, a bet taken back", "TEST", "rollback", rollback(nobody, "n2", "gone"), "OK", "999300"},
			{"nobody", "TEST", "promo", promo(nobody, "n3"), "SESSION_EXPIRED", "0"},
			{"nobody, a round of nobody's", "TEST", "endRound", common(nobody, "n4", "none", nil), "OK", "0"},
			{"nobody, a round of nobody's, again", "TEST", "endRound", common(nobody, "n4", "none", nil), "OK", "0"},
		} {
			t.Run("SE-03 "+c.call+": "+c.name, func(t *testing.T) {
				if r := as[c.vendor](c.call, c.body); r.Code != c.code || r.Balance != c.balance {
					t.Errorf("%s, want %s and a balance of %s", r.raw, c.code, c.balance)
				}
				if got := w.balance(t, minh); got != stood {
					t.Errorf("%d moved", got-stood)
				}
			})
		}
		if r := w.call(t, "win", win(mine, "last", "round", "1", true)); r.Code != "OK" {
			t.Errorf("the round does not go on: %s", r.raw)
		}
		w.verify(t)
	})
}
