package limits_test

import (
	"context"
	"errors"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"fairground/internal/fault"
	"fairground/internal/finance/limits"
	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

// past writes down that a member moved an amount so many times, a moment ago, without moving it. Each may be
// more than a movement can be: that stands for a thousand of them.
func (w *world) past(t testing.TB, id int64, what string, amount money.Minor, times int) {
	t.Helper()
	w.exec(t, `INSERT INTO limit_use (transfer_id, member_id, currency, what, amount, at)
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $1)
SELECT CAST($2 AS BIGINT) + i, CAST($3 AS BIGINT), CAST($4 AS TEXT), CAST($5 AS TEXT), CAST($6 AS BIGINT), CAST($7 AS BIGINT) FROM n WHERE i <= $1`,
		times, w.keys.Add(100_000), id, currency, what, int64(amount), w.now(t)-60_000)
}

// Whatever a member has moved, also more than 64 bits can add up: bets and deposits are decided by what it comes to, and the
// screen tells it or the bound. Nothing fails.
func TestPP05AHistoryBeyond64Bits(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newWorld(t, store)
		id := int64(0)
		whats := map[limits.Kind][]string{limits.Deposit: {"deposit"}, limits.Stake: {"stake"}, limits.Loss: {"stake", "return"}}
		rapid.Check(t, func(rt *rapid.T) {
			id++
			w.join(t, id)
			w.exec(t, "INSERT INTO limit_guard (member_id, check_minutes, checked_at, playing_since) VALUES ($1, 60, $2, $3)", id, w.now(t), w.now(t)-120_000)
			moved := map[string]*big.Int{}
			for _, what := range []string{"stake", "return", "deposit"} {
				amount := rapid.SampledFrom([]money.Minor{1, 999, ledger.MaxAmount, 1_000 * ledger.MaxAmount}).Draw(rt, what)
				times := rapid.SampledFrom([]int{1, 3, 12}).Draw(rt, "times")
				moved[what] = new(big.Int).Mul(big.NewInt(int64(amount)), big.NewInt(int64(times)))
				w.past(t, id, what, amount, times)
			}
			kind := rapid.SampledFrom([]limits.Kind{limits.Deposit, limits.Stake, limits.Loss}).Draw(rt, "kind")
			used := new(big.Int).Set(moved[whats[kind][0]])
			if kind == limits.Loss {
				used.Sub(used, moved["return"])
			}
			most := rapid.SampledFrom([]money.Minor{0, 1_000, ledger.MaxAmount}).Draw(rt, "limit")
			w.set(t, id, kind, limits.Week, most)

			amount := money.Minor(rapid.IntRange(1, 5_000).Draw(rt, "amount"))
			move := w.bet
			if kind == limits.Deposit {
				move = w.deposit
			}
			for range 2 {
				after := new(big.Int).Add(used, big.NewInt(int64(amount)))
				err, fits := move(id, amount), after.Cmp(big.NewInt(int64(most))) <= 0
				var f *fault.Fault
				if fits != (err == nil) || err != nil && (!errors.As(err, &f) || f.Code != reached) {
					rt.Fatalf("%d more after %s, limit %d: %v", amount, used, most, err)
				}
				if fits {
					used = after
				}
			}
			w.tells(rt, id, kind, used)
		})
	})
}

// tells compares what the member is shown of a limit with what it comes to.
func (w *world) tells(rt *rapid.T, id int64, kind limits.Kind, used *big.Int) {
	state, err := w.Show(context.Background(), id, currency)
	if err != nil || state.Played == nil {
		rt.Fatalf("%+v, %v", state.Played, err)
	}
	const far = 4_200_000_000_000_000_000
	for _, l := range state.Limits {
		if l.Kind != kind {
			continue
		}
		switch {
		case used.CmpAbs(big.NewInt(far)) < 0:
			if used.Cmp(big.NewInt(int64(l.Used))) != 0 {
				rt.Fatalf("%s of %s is told as %d", used, kind, l.Used)
			}
		case used.Sign() > 0 && l.Used < far, used.Sign() < 0 && l.Used > -far:
			rt.Fatalf("%s of %s is told as %d", used, kind, l.Used)
		}
	}
	if p := state.Played; p.Net > 0 && p.Returned <= p.Staked && p.Staked < far || p.Net < 0 && p.Returned >= p.Staked && p.Returned < far {
		rt.Fatalf("%d staked, %d returned, net %d", p.Staked, p.Returned, p.Net)
	}
}
