package table_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"fairground/internal/game/house/housetest"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
)

// setClose sets the time when bets close, relative to the database's real time.
func (h *fixture) setClose(round string, in time.Duration) {
	h.T.Helper()
	now, err := h.Store.Now(h.T.Context())
	if err != nil {
		h.T.Fatal(err)
	}
	h.exec(fmt.Sprintf("UPDATE house_table_round SET closes_at = %d WHERE id = %s", db.Millis(now.Add(in)), round))
}

func (h *fixture) exec(statement string) {
	h.T.Helper()
	if _, err := h.Store.Writer.ExecContext(h.T.Context(), statement); err != nil {
		h.T.Fatal(err)
	}
}

// Bets close by the real time of the database.
func TestPP14BetsCloseByDatabaseTime(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newFixture(t, store)
		h.useRealTime = true
		h.restart()
		on := map[string]int64{"player": 10_000}
		round := h.waitForBetting().Round.ID
		h.setClose(round, time.Hour)
		merchanttest.Value[betResponse](t, h.placeBet(1, round, on))
		t.Run("PP-14 a bet after the close", func(t *testing.T) {
			h.setClose(round, -time.Millisecond)
			h.WantError(h.placeBet(2, round, on), 409, "house.betting_closed")
			if h.Wallet.Counts["bet"] != 1 {
				t.Errorf("calls = %v, want one bet", h.Wallet.Calls)
			}
		})
		t.Run("PP-14 a bet before the close that the wallet takes after it", func(t *testing.T) {
			h.setClose(round, time.Hour)
			h.Wallet.Fail = func(call string, _ int) housetest.Failure {
				if call == "bet" {
					h.setClose(round, -time.Millisecond)
				}
				return housetest.NoFailure
			}
			h.WantError(h.placeBet(3, round, on), 409, "house.betting_closed")
			h.Wallet.Fail = nil
			if got := h.BalanceOf(housetest.Minh); got != tableBalance-10_000 || h.Wallet.Counts["rollback"] != 1 {
				t.Errorf("balance = %d, %d rollbacks, want one", got, h.Wallet.Counts["rollback"])
			}
		})
		t.Run("a repeated bet after the close", func(t *testing.T) {
			if again := merchanttest.Value[betResponse](t, h.placeBet(1, round, on)); again.Bet.Total != 10_000 {
				t.Errorf("repeated bet = %+v, want 10000", again)
			}
		})
	})
}

// A client that is a minute behind cannot bet on the past round. One request returns the current round.
func TestPP14ClientIsAMinuteLate(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newFixture(t, store)
		seen := h.waitForBetting()
		first := merchanttest.Value[betResponse](t, h.placeBet(1, seen.Round.ID, hedged))
		h.advance(time.Minute)
		balance := h.BalanceOf(housetest.Minh)
		h.WantError(h.placeBet(2, seen.Round.ID, hedged), 409, "house.betting_closed")
		if again := merchanttest.Value[betResponse](t, h.placeBet(1, seen.Round.ID, hedged)); again.Bet.ID != first.Bet.ID || again.Bet.Status == "placed" {
			t.Errorf("PP-14 repeated bet = %+v, want the final status of %s", again, first.Bet.ID)
		}
		if got := h.BalanceOf(housetest.Minh); got != balance {
			t.Errorf("PP-14 balance = %d, want %d", got, balance)
		}
		now := h.getTable()
		// The time in the response includes the age of the cached state on the real clock, so the difference varies a little.
		later := time.Duration(now.Now-seen.Now) * time.Millisecond
		if now.Round == nil || now.Round.Number <= seen.Round.Number || later < 50*time.Second || now.Balance != balance {
			t.Errorf("PP-14 table = %+v, a minute ago %+v, want a newer round and the balance %d", now, seen, balance)
		}
		if own := h.getTickets(); len(own) != 1 || own[0].ID != first.Bet.ID || own[0].Win == 0 {
			t.Errorf("PP-15 tickets = %+v, want a paid one", own)
		}
		h.checkBalances(t)
	})
}

// Without an index on round and player every bet would scan all tickets of a full table.
func TestPlayerTicketsUseAnIndex(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newFixture(t, store)
		// 200 players, 20 rounds, two tickets each.
		h.exec(`WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 7999)
INSERT INTO house_round (id, player, spin_id, vendor, game, wallet_session, currency, engine, version, stake, status, client_seed, nonce, published_at, created_at, table_round, spots)
SELECT i + 1, 'p' || (i % 200), 's' || i, 'V', 'G', '', 'VND', 'baccarat', 1, 1, 'settled', 'x', 1, 0, 0, i / 400, '{}' FROM n`)
		h.exec("ANALYZE")
		const statement = "SELECT id, spots FROM house_round WHERE table_round = 7 AND player = 'p3' ORDER BY id"
		explain, parts := "EXPLAIN QUERY PLAN ", []string{"USING INDEX house_round_at_table (table_round=? AND player=?)"}
		if store.Engine == db.Postgres {
			explain, parts = "EXPLAIN ", []string{"house_round_at_table", "(table_round = 7) AND (player = 'p3'::text)"}
		}
		err := store.Write(t.Context(), func(tx *db.Tx) error {
			plan, err := queryPlan(t.Context(), tx, explain+statement)
			for _, part := range parts {
				if !strings.Contains(plan, part) {
					t.Errorf("query plan = %s, want %q", plan, part)
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}

func queryPlan(ctx context.Context, tx *db.Tx, statement string) (plan string, err error) {
	rows, err := tx.QueryContext(ctx, statement)
	if err != nil {
		return "", err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return "", err
	}
	line := make([]any, len(columns))
	for i := range line {
		line[i] = new(any)
	}
	for rows.Next() {
		if err := rows.Scan(line...); err != nil {
			return "", err
		}
		plan += fmt.Sprintln(*line[len(line)-1].(*any))
	}
	return plan, rows.Err()
}
