package limits_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fairground/internal/fault"
	"fairground/internal/finance/limits"
	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

const hour = time.Hour

func TestPP05LimitsAtTheGate(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newWorld(t, store, 1, 2, 3, 4, 5, 6, 7)
		t.Run("PP-05 the server's part: stakes in rolling windows, the lowest applies", func(t *testing.T) {
			w.set(t, 1, limits.Stake, limits.Day, 100)
			w.set(t, 1, limits.Stake, limits.Week, 150)
			w.set(t, 1, limits.Stake, limits.Month, 180)
			is(t, "first", w.bet(1, 60), "")
			is(t, "beyond the day", w.bet(1, 41), reached)
			is(t, "up to it", w.bet(1, 40), "")
			is(t, "one more", w.bet(1, 1), reached)
			w.pass(t, 23*hour)
			is(t, "not yet a day", w.bet(1, 1), reached)
			w.pass(t, hour)
			is(t, "a day later, beyond the week", w.bet(1, 51), reached)
			is(t, "a day later", w.bet(1, 50), "")
			w.pass(t, 6*24*hour)
			is(t, "a week after the first, beyond the month", w.bet(1, 31), reached)
			is(t, "a week after the first", w.bet(1, 30), "")
			w.pass(t, 23*24*hour)
			is(t, "a month after the first", w.bet(1, 100), "")
			is(t, "another member", w.bet(2, 1_000_000), "")
		})
		t.Run("PP-05 losses are stakes less returns", func(t *testing.T) {
			w.set(t, 3, limits.Loss, limits.Day, 100)
			is(t, "all of it", w.bet(3, 100), "")
			is(t, "more", w.bet(3, 1), reached)
			is(t, "a win passes", w.win(3, 250), "")
			is(t, "what was won may be staked", w.bet(3, 250), "")
			is(t, "but no more", w.bet(3, 1), reached)
			is(t, "a stake taken back passes", w.back(3, 100), "")
			is(t, "and counts no longer", w.bet(3, 101), reached)
			is(t, "exactly", w.bet(3, 100), "")
			is(t, "deposits are not stakes", w.deposit(3, 1_000), "")
		})
		t.Run("PP-05 deposits", func(t *testing.T) {
			w.set(t, 4, limits.Deposit, limits.Week, 500)
			is(t, "some", w.deposit(4, 300), "")
			is(t, "too much", w.deposit(4, 201), reached)
			is(t, "the rest", w.deposit(4, 200), "")
			is(t, "stakes are not deposits", w.bet(4, 10_000), "")
			is(t, "nor are withdrawals", w.withdraw(4, 10_000), "")
		})
		t.Run("PP-05 a limit of nothing lets nothing pass", func(t *testing.T) {
			w.set(t, 5, limits.Stake, limits.Day, 0)
			is(t, "the least", w.bet(5, 1), reached)
		})
		t.Run("PP-05 what was used before the limit counts", func(t *testing.T) {
			is(t, "before", w.bet(6, 100), "")
			w.set(t, 6, limits.Stake, limits.Day, 100)
			is(t, "after", w.bet(6, 1), reached)
			w.set(t, 6, limits.Stake, limits.Day, 50)
			is(t, "back below", w.back(6, 100), "")
			is(t, "room again", w.bet(6, 50), "")
		})
		t.Run("PP-05 a stake that is taken back later leaves the window with its bet", func(t *testing.T) {
			is(t, "on the first day", w.bet(7, 60), "")
			w.set(t, 7, limits.Stake, limits.Day, 100)
			w.set(t, 7, limits.Loss, limits.Day, 100)
			w.pass(t, 25*hour)
			is(t, "taken back on the second", w.back(7, 60), "")
			is(t, "makes no room", w.bet(7, 101), reached)
			is(t, "but what there was", w.bet(7, 100), "")
			is(t, "and no more", w.bet(7, 1), reached)
		})
	})
}

func TestPP05ManyBetsAtOnceStayWithin(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newWorld(t, store, 1, 2)
		w.set(t, 1, limits.Stake, limits.Day, 200)
		w.set(t, 2, limits.Loss, limits.Month, 195)
		var wg sync.WaitGroup
		var posted [3]atomic.Int64
		for range 50 {
			for id := range int64(2) {
				wg.Go(func() {
					err := w.bet(id+1, 10)
					if err == nil {
						posted[id+1].Add(1)
						return
					}
					is(t, "beyond", err, reached)
				})
			}
		}
		wg.Wait()
		if a, b := posted[1].Load(), posted[2].Load(); a != 20 || b != 19 {
			t.Errorf("posted %d and %d, want 20 and 19", a, b)
		}
	})
}

// A refusal is kept under its key; a raised limit does not revive it.
func TestRefusedKeyStaysRefused(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newWorld(t, store, 1)
		w.set(t, 1, limits.Stake, limits.Day, 5)
		bet := ledger.Transfer{Key: "once", Debit: w.cash[1].ID, Credit: w.vendor.ID, Amount: 6, Kind: "bet", Guarded: true,
			Rows: []ledger.Row{w.Stake(1, currency, 6)}}
		_, err := w.ledger.Post(t.Context(), bet)
		is(t, "refused", err, reached)
		w.exec(t, "DELETE FROM play_limit")
		_, err = w.ledger.Post(t.Context(), bet)
		is(t, "again", err, reached)
	})
}

// A limit that changes while bets run is decided one way or the other: once the change is answered, nothing that it
// forbids is posted any more, also not what was under way.
func TestPP06ChangeWhileBetsRun(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newWorld(t, store, 1, 2)
		run := func(name string, id int64, change func() error) {
			t.Run(name, func(t *testing.T) {
				stop := make(chan struct{})
				var wg sync.WaitGroup
				for range 16 {
					wg.Go(func() {
						for {
							select {
							case <-stop:
								return
							default:
							}
							if err := w.bet(id, 1); err != nil && fault.KindOf(err) != fault.Refused {
								t.Error(err)
								return
							}
						}
					})
				}
				for end := time.Now().Add(time.Minute); w.bets(t, id) == 0 && time.Now().Before(end); time.Sleep(time.Millisecond) {
				}
				if err := change(); err != nil {
					t.Error(err)
				}
				then := w.bets(t, id)
				time.Sleep(50 * time.Millisecond)
				close(stop)
				wg.Wait()
				if after := w.bets(t, id); after != then || then == 0 {
					t.Errorf("member %d: %d bets when the change was answered, %d later", id, then, after)
				}
			})
		}
		run("PP-06 a stake limit that is set while bets run", 1, func() error {
			zero := money.Minor(0)
			return w.Set(t.Context(), 1, currency, limits.Stake, limits.Day, &zero)
		})
		run("PP-06 an exclusion that begins while bets run", 2, func() error { return w.Begin(t.Context(), 2, "6M") })
	})
}

// bets counts what a member has staked on.
func (w *world) bets(t testing.TB, id int64) (n int) {
	t.Helper()
	row := db.Bind(w.site.Store.Engine, w.site.Store.Writer).QueryRowContext(t.Context(), "SELECT COUNT(*) FROM limit_use WHERE member_id = $1", id)
	if err := row.Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// FT-09, the limits' part: windows and waits follow the database's time where it has one, however the server's clock jumps.
func TestFT09LimitsFollowTheDatabasesTime(t *testing.T) {
	t.Parallel()
	w := newWorld(t, dbtest.Postgres(t), 1, 2)
	w.set(t, 1, limits.Stake, limits.Day, 10)
	is(t, "all of it", w.bet(1, 10), "")
	w.set(t, 1, limits.Stake, limits.Day, 20) // waits
	is(t, "break", w.Begin(t.Context(), 2, "24h"), "")
	for _, jump := range []time.Duration{48 * time.Hour, -96 * time.Hour} {
		w.site.Clock.Add(jump)
		is(t, "a jump opens no window", w.bet(1, 1), reached)
		is(t, "nor ends a wait", w.Confirm(t.Context(), 1, limits.Stake, limits.Day), "limits.too_soon")
		is(t, "nor a break", w.bet(2, 1), excluded)
		is(t, "nor for a launch", w.Check(t.Context(), 2), excluded)
	}
}
