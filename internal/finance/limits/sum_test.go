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

// summed adds up a member's rows one by one, as limits did before sums were kept.
func (w *world) summed(t testing.TB, id int64, kind limits.Kind, after int64) *big.Int {
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

// Whatever was moved and whenever, on either side of every edge that windows and spans have, taken back in time or late: what is
// told is the sum of the rows in the window, to the millisecond, and sweeping changes nothing of it.
func TestPP05SumsAreThoseOfTheRows(t *testing.T) {
	t.Parallel()
	edges := []int64{0, 20_000, 900_000, 43_200_000, 24 * hour.Milliseconds(), 7 * 24 * hour.Milliseconds(), 30 * 24 * hour.Milliseconds(), 31 * 24 * hour.Milliseconds()}
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newWorld(t, store)
		id := int64(0)
		rapid.Check(t, func(rt *rapid.T) {
			id++
			w.join(t, id)
			w.site.Clock.Add(time.Duration(rapid.Int64Range(0, 8*hour.Milliseconds()).Draw(rt, "passes")) * time.Millisecond) // anywhere within a span
			now := w.now(t)
			beside := []int64{0} // where spans begin and end around the edge of a window
			for _, span := range []int64{20_000, 900_000, 43_200_000} {
				beside = append(beside, now%span, now%span-span)
			}
			for range rapid.IntRange(1, 25).Draw(rt, "rows") {
				age := rapid.SampledFrom(edges).Draw(rt, "edge") + rapid.Int64Range(-3, 3).Draw(rt, "beside") + rapid.SampledFrom(beside).Draw(rt, "span's edge")
				amount := rapid.SampledFrom([]int64{1, 7, 1 << 32, 1<<32 - 1, int64(ledger.MaxAmount)}).Draw(rt, "amount")
				if rapid.IntRange(0, 4).Draw(rt, "back") == 0 {
					amount = -amount
				}
				w.use(t, id, rapid.SampledFrom([]string{"stake", "return", "deposit", "promotion"}).Draw(rt, "what"), amount, now-max(0, age))
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
				if w.left(t, id, before-window, after-window) {
					continue // where the clock goes on: it is not known on which side they were seen
				}
				if want := w.summed(t, id, l.Kind, after-window); want.Cmp(big.NewInt(int64(l.Used))) != 0 {
					rt.Fatalf("%s in a %s: %d is told, the rows give %s", l.Kind, l.Period, l.Used, want)
				}
			}
		})
	})
}

// left tells whether the edge of a window has passed a member's row.
func (w *world) left(t testing.TB, id, after, until int64) bool {
	t.Helper()
	var n int
	err := db.Bind(w.site.Store.Engine, w.site.Store.Reader).QueryRowContext(context.Background(),
		"SELECT COUNT(*) FROM limit_use WHERE member_id = $1 AND at > $2 AND at <= $3", id, after, until).Scan(&n)
	if err != nil {
		t.Fatal(err)
	}
	return n > 0
}

// use writes down a use of a time, as the ledger does.
func (w *world) use(t testing.TB, id int64, what string, amount, at int64) {
	t.Helper()
	w.exec(t, "INSERT INTO limit_use (transfer_id, member_id, currency, what, amount, at) VALUES ($1, $2, $3, $4, $5, $6)",
		w.keys.Add(1)+1_000_000_000, id, currency, what, amount, at)
}

// The gate counts to the millisecond as well: what lies in the window by one leaves no room, what has left it makes room.
func TestPP05TheGateCountsToTheMillisecond(t *testing.T) {
	t.Parallel()
	w := newWorld(t, dbtest.SQLite(t), 1) // where the clock can be held
	now := w.now(t)
	for i, period := range []limits.Period{limits.Day, limits.Week, limits.Month} {
		id := int64(i + 2)
		w.join(t, id)
		w.set(t, id, limits.Stake, period, 100)
		w.use(t, id, "stake", 60, now-spans[period].Milliseconds())   // at the edge: outside
		w.use(t, id, "stake", 70, now-spans[period].Milliseconds()+1) // the first millisecond inside
		is(t, fmt.Sprintf("a %s: beyond", period), w.bet(id, 31), reached)
		is(t, fmt.Sprintf("a %s: just within", period), w.bet(id, 30), "")
	}
}

// Bets of one member from many sides at once add to the same sums, beside those of others: nothing is lost, nothing counted twice.
func TestPP05SumsOfBetsAtOnce(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newWorld(t, store, 1, 2, 3)
		var wg sync.WaitGroup
		for i := range 60 {
			wg.Go(func() {
				id := int64(i%3 + 1)
				if err := w.bet(id, money.Minor(i+1)); err != nil {
					t.Error(err)
				}
				if err := w.win(id, 1); err != nil {
					t.Error(err)
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
				if want := w.summed(t, id, l.Kind, 0); want.Cmp(big.NewInt(int64(l.Used))) != 0 {
					t.Errorf("member %d, %s in a %s: %d is told, the rows give %s", id, l.Kind, l.Period, l.Used, want)
				}
			}
		}
	})
}
