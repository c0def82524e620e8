package vendor_test

import (
	"encoding/json"
	"testing"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

// enlarge sets the amounts of a round far above the maximum of a transfer, as many moves would, and rebuilds the derived rows.
func (w *vendorSite) enlarge(t *testing.T, round string) {
	t.Helper()
	w.exec(t, "DELETE FROM round_sum WHERE member_id IN (SELECT member_id FROM vendor_round WHERE round = $1)", round)
	w.exec(t, "DELETE FROM vendor_round WHERE member_id IN (SELECT member_id FROM vendor_round WHERE round = $1)", round)
	w.exec(t, "UPDATE vendor_move SET transfer_id = -transfer_id WHERE member_id IN (SELECT member_id FROM vendor_move WHERE round = $1)", round)
	w.exec(t, `INSERT INTO vendor_move (transfer_id, vendor_id, member_id, round, call, tx, amount, currency, play_id, game_id, ends, at)
SELECT -transfer_id, vendor_id, member_id, round, call, tx, CASE round WHEN $1 THEN 5000000000000000000 ELSE amount END, currency, play_id, game_id, ends, at
FROM vendor_move WHERE transfer_id < 0 ORDER BY transfer_id DESC`, round)
	w.exec(t, "DELETE FROM vendor_move WHERE transfer_id < 0")
}

// Sums that do not fit into 64 bits are capped, and do not affect other members.
func TestSumsBeyond64BitsAreCapped(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newVendorSite(t, store)
		ticket, playID := w.launch(t, "minhanh92", "G1", "TEST", "RNG")
		session := w.call(t, "authenticate", fields{"ticket": ticket}).SessionID
		for _, c := range []struct {
			call string
			body fields
		}{
			{"bet", bet(session, "a1", "one", "1")},
			{"bet", bet(session, "a2", "one", "2")},
			{"win", win(session, "a3", "one", "3", false)},
			{"win", win(session, "a4", "one", "4", false)},
			{"win", win(session, "a5", "one", "5", true)},
			{"bet", bet(session, "b1", "two", "10")},
			{"win", win(session, "b2", "two", "0", true)},
			{"bet", bet(w.openSession(t, "quangvu88"), "c1", "three", "1")},
			{"win", win("unknown", "c2", "three", "7", true)},
		} {
			if r := w.call(t, c.call, c.body); r.Code != "OK" {
				t.Fatalf("%s: %s, want OK", c.call, r.raw)
			}
		}
		w.enlarge(t, "one")
		const far = 4.2e18
		page := w.record(t, "minhanh92", "")
		tt := page.Totals
		if tt.Rounds != 2 || tt.Stake < far || tt.Win < far || len(page.List) != 2 || len(page.Hours) != 1 {
			t.Errorf("record = %+v, totals = %+v, want 2 rounds with stake and win above %g in 1 hour", page, tt, far)
		}
		for _, r := range page.List {
			if r.RoundID == "one" && (r.Status != "won" || r.Stake < far || r.Win < far) || r.RoundID == "two" && (r.Status != "lost" || r.Stake != 10) {
				t.Errorf("round = %+v, want one won with amounts above %g, or two lost with stake 10", r, far)
			}
		}
		got := w.Call(t, "GET", "/wps/game/play?playId="+playID, nil, "Authorization", "minhanh92")
		var sitting struct {
			Value struct{ Staked, Returned, Net float64 }
		}
		if err := json.Unmarshal(got.Body, &sitting); err != nil || got.Status != 200 || sitting.Value.Staked < far || sitting.Value.Returned < far || sitting.Value.Net < far {
			t.Errorf("play: %d %s, want capped totals", got.Status, got.Body)
		}
		wins, err := w.winners.Wins(t.Context(), w.ID, "", 10)
		if err != nil || len(wins) != 2 || wins[0].Amount != 7 || wins[1].Amount < far {
			t.Errorf("wins: %+v, %v, want 7 and at least %g", wins, err, far)
		}
	})
}
