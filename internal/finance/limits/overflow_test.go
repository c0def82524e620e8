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

// addUses inserts identical rows into limit_use, dated one minute ago, that have no transfer. An amount may exceed a transfer's
// maximum.
func (w *fixture) addUses(t testing.TB, id int64, entryKind string, amount money.Minor, times int) {
	t.Helper()
	w.site.Exec(t, `INSERT INTO limit_use (transfer_id, member_id, currency, what, amount, at)
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $1)
SELECT CAST($2 AS BIGINT) + i, CAST($3 AS BIGINT), CAST($4 AS TEXT), CAST($5 AS TEXT), CAST($6 AS BIGINT), CAST($7 AS BIGINT) FROM n WHERE i <= $1`,
		times, w.counter.Add(100_000), id, currency, entryKind, int64(amount), w.now(t)-60_000)
}

// Limits work for histories whose sums exceed 64 bits. Reported sums are exact or capped.
func TestPP05SumsBeyond64Bits(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newFixture(t, store)
		id := int64(0)
		usesOfKind := map[limits.Kind][]string{limits.Deposit: {"deposit"}, limits.Stake: {"stake"}, limits.Loss: {"stake", "return"}}
		rapid.Check(t, func(rt *rapid.T) {
			id++
			w.addMember(t, id)
			w.site.Exec(t, "INSERT INTO limit_guard (member_id, check_minutes, checked_at, playing_since) VALUES ($1, 60, $2, $3)", id, w.now(t), w.now(t)-120_000)
			total := map[string]*big.Int{}
			for _, entryKind := range []string{"stake", "return", "deposit"} {
				amount := rapid.SampledFrom([]money.Minor{1, 999, ledger.MaxAmount, 1_000 * ledger.MaxAmount}).Draw(rt, entryKind)
				times := rapid.SampledFrom([]int{1, 3, 12}).Draw(rt, "times")
				total[entryKind] = new(big.Int).Mul(big.NewInt(int64(amount)), big.NewInt(int64(times)))
				w.addUses(t, id, entryKind, amount, times)
			}
			kind := rapid.SampledFrom([]limits.Kind{limits.Deposit, limits.Stake, limits.Loss}).Draw(rt, "kind")
			used := new(big.Int).Set(total[usesOfKind[kind][0]])
			if kind == limits.Loss {
				used.Sub(used, total["return"])
			}
			limit := rapid.SampledFrom([]money.Minor{0, 1_000, ledger.MaxAmount}).Draw(rt, "limit")
			w.set(t, id, kind, limits.Week, limit)

			amount := money.Minor(rapid.IntRange(1, 5_000).Draw(rt, "amount"))
			post := w.bet
			if kind == limits.Deposit {
				post = w.deposit
			}
			for range 2 {
				after := new(big.Int).Add(used, big.NewInt(int64(amount)))
				err, fits := post(id, amount), after.Cmp(big.NewInt(int64(limit))) <= 0
				var f *fault.Fault
				if fits != (err == nil) || err != nil && (!errors.As(err, &f) || f.Code != reachedCode) {
					rt.Fatalf("transfer of %d after %s, limit %d: error = %v, want success = %v", amount, used, limit, err, fits)
				}
				if fits {
					used = after
				}
			}
			w.checkReportedUse(rt, id, kind, used)
		})
	})
}

// checkReportedUse compares the reported use of a limit with the exact sum.
func (w *fixture) checkReportedUse(rt *rapid.T, id int64, kind limits.Kind, used *big.Int) {
	state, err := w.Show(context.Background(), id, currency)
	if err != nil || state.Played == nil {
		rt.Fatalf("Played = %+v, %v; want it set", state.Played, err)
	}
	const capThreshold = 4_200_000_000_000_000_000
	for _, l := range state.Limits {
		if l.Kind != kind {
			continue
		}
		switch {
		case used.CmpAbs(big.NewInt(capThreshold)) < 0:
			if used.Cmp(big.NewInt(int64(l.Used))) != 0 {
				rt.Fatalf("used of %s = %d, exact sum is %s", kind, l.Used, used)
			}
		case used.Sign() > 0 && l.Used < capThreshold, used.Sign() < 0 && l.Used > -capThreshold:
			rt.Fatalf("used of %s = %d, exact sum is %s", kind, l.Used, used)
		}
	}
	if p := state.Played; p.Net > 0 && p.Returned <= p.Staked && p.Staked < capThreshold || p.Net < 0 && p.Returned >= p.Staked && p.Returned < capThreshold {
		rt.Fatalf("net %[3]d has the wrong sign: %[1]d staked, %[2]d returned", p.Staked, p.Returned, p.Net)
	}
}
