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

// closes has a round close so long from now, by the engine's own time.
func (h *hall) closes(round string, in time.Duration) {
	h.T.Helper()
	now, err := h.Store.Now(h.T.Context())
	if err != nil {
		h.T.Fatal(err)
	}
	h.exec(fmt.Sprintf("UPDATE house_table_round SET closes_at = %d WHERE id = %s", db.Millis(now.Add(in)), round))
}

func (h *hall) exec(statement string) {
	h.T.Helper()
	if _, err := h.Store.Writer.ExecContext(h.T.Context(), statement); err != nil {
		h.T.Fatal(err)
	}
}

// The time by which bets are taken is the engine's own, asked for together with all else: nobody gives it in.
func TestPP14TheEnginesOwnTimeCloses(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newHall(t, store)
		h.realTime = true
		h.restart()
		on := map[string]int64{"player": 10_000}
		round := h.betting().Round.ID
		h.closes(round, time.Hour)
		merchanttest.Value[shownBet](t, h.bet(1, round, on))
		t.Run("PP-14 a bet that comes when it has closed", func(t *testing.T) {
			h.closes(round, -time.Millisecond)
			h.WantError(h.bet(2, round, on), 409, "house.betting_closed")
			if h.Wallet.Counts["bet"] != 1 {
				t.Error("the wallet was asked")
			}
		})
		t.Run("PP-14 one that was begun before, and that the wallet took too late", func(t *testing.T) {
			h.closes(round, time.Hour)
			h.Wallet.Fail = func(call string, _ int) housetest.Failure {
				if call == "bet" {
					h.closes(round, -time.Millisecond)
				}
				return housetest.None
			}
			h.WantError(h.bet(3, round, on), 409, "house.betting_closed")
			h.Wallet.Fail = nil
			if got := h.BalanceOf(housetest.Minh); got != tableBalance-10_000 || h.Wallet.Counts["rollback"] != 1 {
				t.Errorf("balance %d after %d rollbacks", got, h.Wallet.Counts["rollback"])
			}
		})
		t.Run("a bet that is known is told again, whatever the time", func(t *testing.T) {
			if again := merchanttest.Value[shownBet](t, h.bet(1, round, on)); again.Bet.Total != 10_000 {
				t.Errorf("%+v", again)
			}
		})
	})
}

// A client that is a minute behind bets on what it still sees: nothing is taken, nothing of what it had is lost, and one look
// brings it to where the table is.
func TestPP14AClientAMinuteBehind(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newHall(t, store)
		seen := h.betting()
		first := merchanttest.Value[shownBet](t, h.bet(1, seen.Round.ID, hedged))
		h.pass(time.Minute)
		balance := h.BalanceOf(housetest.Minh)
		h.WantError(h.bet(2, seen.Round.ID, hedged), 409, "house.betting_closed")
		if again := merchanttest.Value[shownBet](t, h.bet(1, seen.Round.ID, hedged)); again.Bet.ID != first.Bet.ID || again.Bet.Status == "placed" {
			t.Errorf("PP-14 the bet that it does not know the end of: %+v", again)
		}
		if got := h.BalanceOf(housetest.Minh); got != balance {
			t.Errorf("PP-14 a bet on the past was taken: %d, had %d", got, balance)
		}
		now := h.table()
		// A look's age is added to its time by the real clock, so that the first may seem a little later than it was.
		later := time.Duration(now.Now-seen.Now) * time.Millisecond
		if now.Round == nil || now.Round.Number <= seen.Round.Number || later < 50*time.Second || now.Balance != balance {
			t.Errorf("PP-14 the table is at %+v, the client was at %+v", now, seen)
		}
		if own := h.tickets(); len(own) != 1 || own[0].ID != first.Bet.ID || own[0].Win == 0 {
			t.Errorf("PP-15 its own: %+v", own)
		}
		h.checkBalances(t)
	})
}

// A player's tickets in a round are found by both: at a full table everybody's would be gone through with every bet.
func TestTicketsOfAPlayerAreFoundByAnIndex(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newHall(t, store)
		// Two hundred players over twenty rounds, two tickets each.
		h.exec(`WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 7999)
INSERT INTO house_round (id, player, spin_id, vendor, game, wallet_session, currency, engine, version, stake, status, client_seed, nonce, published_at, created_at, table_round, spots)
SELECT i + 1, 'p' || (i % 200), 's' || i, 'V', 'G', '', 'VND', 'baccarat', 1, 1, 'settled', 'x', 1, 0, 0, i / 400, '{}' FROM n`)
		h.exec("ANALYZE")
		const wanted = "SELECT id, spots FROM house_round WHERE table_round = 7 AND player = 'p3' ORDER BY id"
		explain, parts := "EXPLAIN QUERY PLAN ", []string{"USING INDEX house_round_at_table (table_round=? AND player=?)"}
		if store.Engine == db.Postgres {
			explain, parts = "EXPLAIN ", []string{"house_round_at_table", "(table_round = 7) AND (player = 'p3'::text)"}
		}
		err := store.Write(t.Context(), func(tx *db.Tx) error {
			plan, err := planOf(t.Context(), tx, explain+wanted)
			for _, part := range parts {
				if !strings.Contains(plan, part) {
					t.Errorf("%q is not in the plan: %s", part, plan)
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}

func planOf(ctx context.Context, tx *db.Tx, ask string) (plan string, err error) {
	rows, err := tx.QueryContext(ctx, ask)
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
