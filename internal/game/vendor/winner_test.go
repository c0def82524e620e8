package vendor_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"fairground/internal/game/vendor"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
)

// Every open home screen polls the winner board, so its queries must use indexes, with and without table statistics.
func TestCA07WinnerBoardUsesIndexes(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newVendorSite(t, store)
		start := merchanttest.Start.UnixMilli()
		// One round in ten is a win, over sixty days. One pool is won each day, over years.
		w.exec(t, fmt.Sprintf(`WITH RECURSIVE n (i) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
INSERT INTO vendor_round (first_id, vendor_id, member_id, round, game_id, started, settled, staked, refunded, won, standing, wins, ends, board)
SELECT i, 1, %d, 'r' || i, %d, %d - (20000 - i) * 259200, %d - (20000 - i) * 259200, 10, 0, CASE i %% 10 WHEN 0 THEN 20 ELSE 0 END, 1, 1, 1, CASE i %% 10 WHEN 0 THEN %d END FROM n`,
			minh, w.nodes["G1"], start, start, w.ID))
		w.exec(t, fmt.Sprintf(`WITH RECURSIVE n (i) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
INSERT INTO jackpot_win (merchant_id, currency, series, member_id, ticket_id, amount, stake, nonce, number, seed, published_at, won_at)
SELECT %d, 'VND', i, %d, i, 5, 1, 1, 1, '', 0, %d - (3000 - i) * 100000000 FROM n`, w.ID, minh, start))
		since := merchanttest.Start.Add(-30 * 24 * time.Hour).UnixMilli()
		check := func(when string) {
			t.Helper()
			for statement, index := range map[string]string{vendor.LatestWins: "vendor_round_board", vendor.LatestJackpots: "jackpot_win_at"} {
				for _, category := range []string{"", "FISH"} {
					plan := planOf(t, store, statement, since, w.ID, category)
					if !strings.Contains(plan, index) || strings.Contains(plan, "SCAN vendor_") || strings.Contains(plan, "SCAN w") ||
						strings.Contains(plan, "Seq Scan on vendor_round") || strings.Contains(plan, "Seq Scan on jackpot_win") {
						t.Errorf("%s: plan for category %q:\n%s", when, category, plan)
					}
				}
			}
		}
		check("before ANALYZE")
		w.exec(t, "ANALYZE")
		check("after ANALYZE")
	})
}

// planOf returns the engine's query plan.
func planOf(t *testing.T, s *db.Store, text string, args ...any) string {
	t.Helper()
	explain := "EXPLAIN "
	if s.Engine == db.SQLite {
		explain = "EXPLAIN QUERY PLAN "
	}
	rows, err := db.Bind(s.Engine, s.Reader).QueryContext(t.Context(), explain+text, args...)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var lines []string
	for rows.Next() {
		var id, parent, unused int
		var line string
		into := []any{&line}
		if s.Engine == db.SQLite {
			into = []any{&id, &parent, &unused, &line}
		}
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, line)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return strings.Join(lines, "\n")
}

// Wins of other merchants, of trial members and of rounds with a loss do not count towards the scan limit.
func TestCA07WinnerBoardKeepsOwnWins(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newVendorSite(t, store)
		w.winners.SetScanLimit(2)
		const stranger = int64(2005)
		w.exec(t, "INSERT INTO merchant (id, code, name, currency, created_at) VALUES (77, 'second', 'Second', 'VND', 0)")
		w.AddMember(t, stranger, "stranger5")
		w.exec(t, "UPDATE member SET merchant_id = 77 WHERE id = $1", stranger)
		session := w.openSession(t, "minhanh92")
		for _, r := range []reply{w.call(t, "bet", bet(session, "a1", "own", "10")), w.call(t, "win", win(session, "a2", "own", "40", true))} {
			if r.Code != "OK" {
				t.Fatalf("bet or win = %s, want OK", r.raw)
			}
		}
		later := w.Clock.Now().UnixMilli() + 1
		for i, rows := range []struct{ member, won int64 }{{stranger, 90}, {trial, 90}, {other, 5}} {
			for n := range 3 {
				id := int64(i*100 + n*10 + 1)
				w.exec(t, fmt.Sprintf(`INSERT INTO vendor_move (transfer_id, vendor_id, member_id, round, call, tx, amount, currency, play_id, game_id, ends, at)
VALUES (%[1]d, 5, %[3]d, 'r%[1]d', 'bet', 'b%[1]d', 10, 'VND', 1, %[4]d, FALSE, %[5]d), (%[2]d, 5, %[3]d, 'r%[1]d', 'win', 'w%[1]d', %[6]d, 'VND', 1, %[4]d, TRUE, %[5]d)`,
					id, id+1, rows.member, w.nodes["G1"], later, rows.won))
			}
		}
		wins, err := w.winners.Wins(t.Context(), w.ID, "", 10)
		if err != nil || len(wins) != 1 || wins[0].Username != "minhanh92" || wins[0].Amount != 40 {
			t.Errorf("board = %+v, %v, want 1 win, username minhanh92 and amount 40", wins, err)
		}
		if wins, err = w.winners.Wins(t.Context(), 77, "", 10); err != nil || len(wins) != 2 || wins[0].Username != "stranger5" {
			t.Errorf("other merchant's board = %+v, %v, want 2 wins and username stranger5", wins, err)
		}
	})
}
