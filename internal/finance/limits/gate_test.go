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
		w := newFixture(t, store, 1, 2, 3, 4, 5, 6, 7)
		t.Run("PP-05 the server's part: stakes in rolling windows, the lowest limit applies", func(t *testing.T) {
			w.set(t, 1, limits.Stake, limits.Day, 100)
			w.set(t, 1, limits.Stake, limits.Week, 150)
			w.set(t, 1, limits.Stake, limits.Month, 180)
			wantCode(t, "first", w.bet(1, 60), "")
			wantCode(t, "above the daily limit", w.bet(1, 41), reachedCode)
			wantCode(t, "up to the limit", w.bet(1, 40), "")
			wantCode(t, "one more", w.bet(1, 1), reachedCode)
			w.advance(t, 23*hour)
			wantCode(t, "not yet a day", w.bet(1, 1), reachedCode)
			w.advance(t, hour)
			wantCode(t, "a day later, above the weekly limit", w.bet(1, 51), reachedCode)
			wantCode(t, "a day later", w.bet(1, 50), "")
			w.advance(t, 6*24*hour)
			wantCode(t, "a week later, above the monthly limit", w.bet(1, 31), reachedCode)
			wantCode(t, "a week later", w.bet(1, 30), "")
			w.advance(t, 23*24*hour)
			wantCode(t, "a month later", w.bet(1, 100), "")
			wantCode(t, "another member", w.bet(2, 1_000_000), "")
		})
		t.Run("PP-05 losses are stakes minus returns", func(t *testing.T) {
			w.set(t, 3, limits.Loss, limits.Day, 100)
			wantCode(t, "up to the limit", w.bet(3, 100), "")
			wantCode(t, "more", w.bet(3, 1), reachedCode)
			wantCode(t, "a win passes", w.win(3, 250), "")
			wantCode(t, "winnings can be staked", w.bet(3, 250), "")
			wantCode(t, "above the winnings", w.bet(3, 1), reachedCode)
			wantCode(t, "a cancelled stake passes", w.undo(3, 100), "")
			wantCode(t, "above the limit after the cancellation", w.bet(3, 101), reachedCode)
			wantCode(t, "up to the limit after the cancellation", w.bet(3, 100), "")
			wantCode(t, "deposits are not stakes", w.deposit(3, 1_000), "")
		})
		t.Run("PP-05 deposits", func(t *testing.T) {
			w.set(t, 4, limits.Deposit, limits.Week, 500)
			wantCode(t, "below the limit", w.deposit(4, 300), "")
			wantCode(t, "above the limit", w.deposit(4, 201), reachedCode)
			wantCode(t, "up to the limit", w.deposit(4, 200), "")
			wantCode(t, "stakes are not deposits", w.bet(4, 10_000), "")
			wantCode(t, "nor are withdrawals", w.withdraw(4, 10_000), "")
		})
		t.Run("PP-05 a limit of 0 refuses every stake", func(t *testing.T) {
			w.set(t, 5, limits.Stake, limits.Day, 0)
			wantCode(t, "smallest stake", w.bet(5, 1), reachedCode)
		})
		t.Run("PP-05 uses from before the limit count", func(t *testing.T) {
			wantCode(t, "before", w.bet(6, 100), "")
			w.set(t, 6, limits.Stake, limits.Day, 100)
			wantCode(t, "after", w.bet(6, 1), reachedCode)
			w.set(t, 6, limits.Stake, limits.Day, 50)
			wantCode(t, "cancelled stake", w.undo(6, 100), "")
			wantCode(t, "up to the new limit", w.bet(6, 50), "")
		})
		t.Run("PP-05 a cancelled stake leaves the window with its bet", func(t *testing.T) {
			wantCode(t, "on the first day", w.bet(7, 60), "")
			w.set(t, 7, limits.Stake, limits.Day, 100)
			w.set(t, 7, limits.Loss, limits.Day, 100)
			w.advance(t, 25*hour)
			wantCode(t, "cancelled on the second day", w.undo(7, 60), "")
			wantCode(t, "above the limit of the second day", w.bet(7, 101), reachedCode)
			wantCode(t, "up to the limit of the second day", w.bet(7, 100), "")
			wantCode(t, "above it", w.bet(7, 1), reachedCode)
		})
	})
}

func TestPP05ConcurrentBetsStayWithinLimits(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newFixture(t, store, 1, 2)
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
					wantCode(t, "above the limit", err, reachedCode)
				})
			}
		}
		wg.Wait()
		if a, b := posted[1].Load(), posted[2].Load(); a != 20 || b != 19 {
			t.Errorf("%d and %d bets posted, want 20 and 19", a, b)
		}
	})
}

func TestRefusedKeyStaysRefused(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newFixture(t, store, 1)
		w.set(t, 1, limits.Stake, limits.Day, 5)
		bet := ledger.Transfer{Key: "once", Debit: w.cash[1].ID, Credit: w.vendor.ID, Amount: 6, Kind: "bet", Guarded: true,
			Rows: []ledger.Row{w.Stake(1, currency, 6)}}
		_, err := w.ledger.Post(t.Context(), bet)
		wantCode(t, "refused", err, reachedCode)
		w.site.Exec(t, "DELETE FROM play_limit")
		_, err = w.ledger.Post(t.Context(), bet)
		wantCode(t, "again", err, reachedCode)
	})
}

// After a change has returned, the ledger posts no bet that the change forbids.
func TestPP06ChangeDuringBets(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newFixture(t, store, 1, 2)
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
								t.Errorf("bet: got %v, want no error or a refusal", err)
								return
							}
						}
					})
				}
				for deadline := time.Now().Add(time.Minute); w.countBets(t, id) == 0 && time.Now().Before(deadline); time.Sleep(time.Millisecond) {
				}
				if err := change(); err != nil {
					t.Errorf("change: got %v, want no error", err)
				}
				before := w.countBets(t, id)
				time.Sleep(50 * time.Millisecond)
				close(stop)
				wg.Wait()
				if after := w.countBets(t, id); after != before || before == 0 {
					t.Errorf("member %d: %d bets after the change, %d later; want no more", id, before, after)
				}
			})
		}
		run("PP-06 setting a stake limit during bets", 1, func() error {
			zero := money.Minor(0)
			return w.Set(t.Context(), 1, currency, limits.Stake, limits.Day, &zero)
		})
		run("PP-06 starting an exclusion during bets", 2, func() error { return w.BeginBreak(t.Context(), 2, "6M") })
	})
}

func (w *fixture) countBets(t testing.TB, id int64) (n int) {
	t.Helper()
	row := db.Bind(w.site.Store.Engine, w.site.Store.Writer).QueryRowContext(t.Context(), "SELECT COUNT(*) FROM limit_use WHERE member_id = $1", id)
	if err := row.Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// FT-09, the limits' part: on PostgreSQL windows and waits use the database's clock, even if the server's clock jumps.
func TestFT09LimitsUseTheDatabaseClock(t *testing.T) {
	t.Parallel()
	w := newFixture(t, dbtest.Postgres(t), 1, 2)
	w.set(t, 1, limits.Stake, limits.Day, 10)
	wantCode(t, "up to the limit", w.bet(1, 10), "")
	w.set(t, 1, limits.Stake, limits.Day, 20) // pending
	wantCode(t, "break", w.BeginBreak(t.Context(), 2, "24h"), "")
	for _, jump := range []time.Duration{48 * time.Hour, -96 * time.Hour} {
		w.site.Clock.Add(jump)
		wantCode(t, "bet after a clock jump", w.bet(1, 1), reachedCode)
		wantCode(t, "confirmation after a clock jump", w.Confirm(t.Context(), 1, limits.Stake, limits.Day), "limits.too_soon")
		wantCode(t, "bet on a break after a clock jump", w.bet(2, 1), excludedCode)
		wantCode(t, "launch on a break after a clock jump", w.Check(t.Context(), 2), excludedCode)
	}
}
