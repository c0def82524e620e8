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

// Everybody's home asks for the board every few seconds, so it does not read all rounds: neither before the database has counted its rows
// nor after.
func TestCA07TheWinnerBoardUsesItsIndexes(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newWorld(t, store)
		start := merchanttest.Start.UnixMilli()
		// One round in ten was won, over the last sixty days, and a pool each day for years.
		w.exec(t, fmt.Sprintf(`WITH RECURSIVE n (i) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
INSERT INTO vendor_round (first_id, vendor_id, member_id, round, game_id, started, settled, staked, refunded, won, standing, wins, ends)
SELECT i, 1, %d, 'r' || i, %d, %d - (20000 - i) * 259200, %d - (20000 - i) * 259200, 10, 0, CASE i %% 10 WHEN 0 THEN 20 ELSE 0 END, 1, 1, 1 FROM n`,
			minh, w.nodes["G1"], start, start))
		w.exec(t, fmt.Sprintf(`WITH RECURSIVE n (i) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
INSERT INTO jackpot_win (merchant_id, currency, series, member_id, ticket_id, amount, stake, nonce, number, seed, published_at, won_at)
SELECT %d, 'VND', i, %d, i, 5, 1, 1, 1, '', 0, %d - (3000 - i) * 100000000 FROM n`, w.ID, minh, start))
		since := merchanttest.Start.Add(-30 * 24 * time.Hour).UnixMilli()
		check := func(when string) {
			t.Helper()
			for statement, index := range map[string]string{vendor.LatestWins: "vendor_round_won", vendor.LatestPools: "jackpot_win_at"} {
				for _, category := range []string{"", "FISH"} {
					plan := planOf(t, store, statement, since, w.ID, category)
					if !strings.Contains(plan, index) || strings.Contains(plan, "SCAN vendor_") || strings.Contains(plan, "SCAN w") ||
						strings.Contains(plan, "Seq Scan on vendor_round") || strings.Contains(plan, "Seq Scan on jackpot_win") {
						t.Errorf("%s the plan for %q is\n%s", when, category, plan)
					}
				}
			}
		}
		check("before the rows are counted")
		w.exec(t, "ANALYZE")
		check("after it")
	})
}

// planOf is how the engine would run a statement.
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
