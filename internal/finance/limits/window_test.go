package limits_test

import (
	"context"
	"fmt"
	"math/big"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"fairground/internal/finance/limits"
	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

// sumRows adds up a member's rows without using limit_sum.
func (w *fixture) sumRows(t testing.TB, id int64, kind limits.Kind, after int64) *big.Int {
	t.Helper()
	rows, err := db.Bind(w.site.Store.Engine, w.site.Store.Reader).QueryContext(context.Background(),
		"SELECT what, amount FROM limit_use WHERE member_id = $1 AND currency = $2 AND at > $3", id, currency, after)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	total := new(big.Int)
	for rows.Next() {
		var what string
		var amount int64
		if err := rows.Scan(&what, &amount); err != nil {
			t.Fatal(err)
		}
		switch {
		case what == string(kind), what == "stake" && kind == limits.Loss:
			total.Add(total, big.NewInt(amount))
		case what == "return" && kind == limits.Loss:
			total.Sub(total, big.NewInt(amount))
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return total
}

// The shown sums equal the sums of the rows, exact to the millisecond, also for uses near the edges of windows and spans.
// Sweeping does not change them.
func TestPP05SumsEqualTheRows(t *testing.T) {
	t.Parallel()
	edges := []int64{0, 20_000, 900_000, 43_200_000, 24 * hour.Milliseconds(), 7 * 24 * hour.Milliseconds(), 30 * 24 * hour.Milliseconds(), 31 * 24 * hour.Milliseconds()}
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newFixture(t, store)
		id := int64(0)
		rapid.Check(t, func(rt *rapid.T) {
			id++
			w.addMember(t, id)
			w.site.Clock.Add(time.Duration(rapid.Int64Range(0, 8*hour.Milliseconds()).Draw(rt, "time")) * time.Millisecond) // so that now is anywhere within a span
			now := w.now(t)
			offsets := []int64{0} // from the edge of a window to the edges of spans
			for _, span := range []int64{20_000, 900_000, 43_200_000} {
				offsets = append(offsets, now%span, now%span-span)
			}
			for range rapid.IntRange(1, 25).Draw(rt, "rows") {
				age := rapid.SampledFrom(edges).Draw(rt, "edge") + rapid.Int64Range(-3, 3).Draw(rt, "distance") + rapid.SampledFrom(offsets).Draw(rt, "span edge")
				amount := rapid.SampledFrom([]int64{1, 7, 1 << 32, 1<<32 - 1, int64(ledger.MaxAmount)}).Draw(rt, "amount")
				if rapid.IntRange(0, 4).Draw(rt, "cancelled") == 0 {
					amount = -amount
				}
				w.addUse(t, id, rapid.SampledFrom([]string{"stake", "return", "deposit", "promotion"}).Draw(rt, "what"), amount, now-max(0, age))
			}
			if rapid.Bool().Draw(rt, "swept") {
				if err := w.Sweep(context.Background()); err != nil {
					rt.Fatal(err)
				}
			}
			before := w.now(t)
			state, err := w.Show(context.Background(), id, currency)
			if err != nil {
				rt.Fatal(err)
			}
			after := w.now(t)
			for _, l := range state.Limits {
				window := spans[l.Period].Milliseconds()
				if w.leftWindow(t, id, before-window, after-window) {
					continue // a row left the window meanwhile, so the expected sum is unknown
				}
				if want := w.sumRows(t, id, l.Kind, after-window); want.Cmp(big.NewInt(int64(l.Used))) != 0 {
					rt.Fatalf("%s per %s = %d, sum of the rows is %s", l.Kind, l.Period, l.Used, want)
				}
			}
		})
	})
}

// leftWindow reports whether a member's row left a window between two times.
func (w *fixture) leftWindow(t testing.TB, id, after, until int64) bool {
	t.Helper()
	var n int
	err := db.Bind(w.site.Store.Engine, w.site.Store.Reader).QueryRowContext(context.Background(),
		"SELECT COUNT(*) FROM limit_use WHERE member_id = $1 AND at > $2 AND at <= $3", id, after, until).Scan(&n)
	if err != nil {
		t.Fatal(err)
	}
	return n > 0
}

// addUse inserts a use as the ledger does.
func (w *fixture) addUse(t testing.TB, id int64, entryKind string, amount, at int64) {
	t.Helper()
	w.site.Exec(t, "INSERT INTO limit_use (transfer_id, member_id, currency, what, amount, at) VALUES ($1, $2, $3, $4, $5, $6)",
		w.counter.Add(1)+1_000_000_000, id, currency, entryKind, amount, at)
}

func TestPP05GateCountsToTheMillisecond(t *testing.T) {
	t.Parallel()
	w := newFixture(t, dbtest.SQLite(t), 1) // the test controls its clock
	now := w.now(t)
	for i, period := range []limits.Period{limits.Day, limits.Week, limits.Month} {
		id := int64(i + 2)
		w.addMember(t, id)
		w.set(t, id, limits.Stake, period, 100)
		w.addUse(t, id, "stake", 60, now-spans[period].Milliseconds())   // at the edge, which is outside
		w.addUse(t, id, "stake", 70, now-spans[period].Milliseconds()+1) // the first millisecond inside
		wantCode(t, fmt.Sprintf("%s: above the limit", period), w.bet(id, 31), reachedCode)
		wantCode(t, fmt.Sprintf("%s: at the limit", period), w.bet(id, 30), "")
	}
}

func TestPP05SumsOfConcurrentBets(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newFixture(t, store, 1, 2, 3)
		var wg sync.WaitGroup
		for i := range 60 {
			wg.Go(func() {
				id := int64(i%3 + 1)
				if err := w.bet(id, money.Minor(i+1)); err != nil {
					t.Errorf("bet: got %v, want no error", err)
				}
				if err := w.win(id, 1); err != nil {
					t.Errorf("win: got %v, want no error", err)
				}
			})
		}
		wg.Wait()
		for id := int64(1); id <= 3; id++ {
			state, err := w.Show(t.Context(), id, currency)
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range state.Limits {
				if want := w.sumRows(t, id, l.Kind, 0); want.Cmp(big.NewInt(int64(l.Used))) != 0 {
					t.Errorf("member %d, %s per %s = %d, sum of the rows is %s", id, l.Kind, l.Period, l.Used, want)
				}
			}
		}
	})
}
