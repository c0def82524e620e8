package limits_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"fairground/internal/ledger"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

func TestPP07Breaks(t *testing.T) {
	t.Parallel()
	day := 24 * time.Hour
	durations := map[string][2]time.Duration{ // a time when the break still runs, a time when it is over
		"24h": {day - time.Minute, day}, "1w": {7*day - time.Minute, 7 * day}, "1m": {28*day - time.Minute, 31 * day}, "6w": {42*day - time.Minute, 42 * day},
		"6M": {180 * day, 185 * day}, "1y": {364 * day, 367 * day}, "3y": {3*365*day - day, 3*366*day + day}, "5y": {5*365*day - day, 5*366*day + day}, "life": {200 * 365 * day, 0},
	}
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newFixture(t, store)
		id := int64(0)
		for period, duration := range durations {
			id++
			w.addMember(t, id)
			t.Run("PP-07 "+period+": bets, deposits and launches are refused at once, but wins and withdrawals pass", func(t *testing.T) {
				wantCode(t, "before", w.bet(id, 10), "")
				wantCode(t, "before", w.bet(id, 10), "")
				wantCode(t, "before", w.promotion(id, 10), "")
				wantCode(t, "before", w.Check(t.Context(), id), "")
				wantCode(t, "begin", w.BeginBreak(t.Context(), id, period), "")
				wantExcluded := func(when string) {
					t.Helper()
					wantCode(t, when+": a bet", w.bet(id, 1), excludedCode)
					wantCode(t, when+": a deposit", w.deposit(id, 1), excludedCode)
					wantCode(t, when+": a promotion", w.promotion(id, 1), excludedCode)
					wantCode(t, when+": a launch", w.Check(t.Context(), id), excludedCode)
					wantCode(t, when+": a win", w.win(id, 1), "")
					wantCode(t, when+": a cancelled bet", w.undo(id, 10), "")
					wantCode(t, when+": a withdrawal", w.withdraw(id, 1), "")
				}
				wantExcluded("at once")
				w.advance(t, duration[0])
				wantExcluded("at the end")
				if duration[1] == 0 {
					return
				}
				w.advance(t, duration[1]-duration[0])
				wantCode(t, "after", w.bet(id, 1), "")
				wantCode(t, "after", w.Check(t.Context(), id), "")
			})
		}
	})
}

func TestPP07BreakIsNeverShortened(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newFixture(t, store, 1, 2)
		const shorter = "limits.break_stands"
		for _, s := range []struct{ period, code string }{
			{"1w", ""}, {"24h", shorter}, {"1m", ""}, {"1w", shorter}, {"6M", ""}, {"6w", shorter}, {"24h", shorter}, {"5y", ""}, {"3y", shorter}, {"life", ""}, {"life", shorter}, {"5y", shorter}, {"24h", shorter},
		} {
			before, err := w.Show(t.Context(), 1, currency)
			if err != nil {
				t.Fatal(err)
			}
			wantCode(t, s.period, w.BeginBreak(t.Context(), 1, s.period), s.code)
			after, err := w.Show(t.Context(), 1, currency)
			if err != nil {
				t.Fatal(err)
			}
			if after.Break == nil || before.Break != nil && (after.Break.Until < before.Break.Until || after.Break.Since != before.Break.Since) {
				t.Errorf("%s: break %+v became %+v, want the same start and no earlier end", s.period, before.Break, after.Break)
			}
		}
		wantCode(t, "another member", w.bet(2, 1), "")
		wantCode(t, "the member on a break", w.bet(1, 1), excludedCode)
	})
}

func TestPP07ShortBreakMayExtendALongOne(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newFixture(t, store, 1)
		for _, c := range []struct {
			left time.Duration
			want string
		}{
			{12 * time.Hour, "[1m 1w 1y 24h 3y 5y 6M 6w life]"},
			{36 * time.Hour, "[1m 1w 1y 3y 5y 6M 6w life]"},
			{41 * 24 * time.Hour, "[1y 3y 5y 6M 6w life]"},
		} {
			wantCode(t, "begin", w.BeginBreak(t.Context(), 1, "6w"), "")
			w.site.Exec(t, "UPDATE limit_guard SET break_until = $1 WHERE member_id = 1", w.now(t)+c.left.Milliseconds())
			got, err := w.Show(t.Context(), 1, currency)
			if err != nil || got.Break == nil || fmt.Sprint(got.Break.Longer) != c.want {
				t.Fatalf("%v left: break = %+v, %v; want Longer %s", c.left, got.Break, err, c.want)
			}
			for _, period := range []string{"24h", "1w", "1m", "6w", "6M", "1y", "3y", "5y", "life"} {
				code := "limits.break_stands"
				if slices.Contains(got.Break.Longer, period) {
					code = ""
				}
				wantCode(t, period, w.BeginBreak(t.Context(), 1, period), code)
				w.site.Exec(t, "UPDATE limit_guard SET break_until = $1 WHERE member_id = 1", w.now(t)+c.left.Milliseconds())
			}
			w.site.Exec(t, "UPDATE limit_guard SET break_until = 0 WHERE member_id = 1")
		}
	})
}

func TestPP07SameContactIsBarred(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newFixture(t, store, 1, 2, 3, 4)
		w.site.Exec(t, "UPDATE member SET mobile = '+84901234567', email = 'An@Example.com' WHERE id = 1")
		w.site.Exec(t, "UPDATE member SET mobile = '+84907777777' WHERE id = 2")
		barred := func(who int64, mobile, email string) (yes bool) {
			t.Helper()
			err := store.Write(ctx, func(tx *db.Tx) (err error) {
				yes, err = w.BarredIn(ctx, tx, w.site.ID, who, mobile, email)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			return yes
		}
		if barred(0, "+84901234567", "an@example.com") {
			t.Error("a contact is barred before any break")
		}
		wantCode(t, "exclude", w.BeginBreak(ctx, 1, "1y"), "")
		w.site.Exec(t, "UPDATE member SET mobile = '+84900000001', email = NULL WHERE id = 1") // new contacts during the break
		for _, c := range []struct {
			who           int64
			mobile, email string
			want          bool
		}{
			{0, "+84901234567", "", true}, {0, "", "AN@example.com", true}, {0, "+84900000001", "", true}, {3, "+84901234567", "", true},
			{1, "+84901234567", "an@example.com", false}, // own contacts
			{0, "+84907777777", "", false}, {0, "", "", false}, {0, "an@example.com", "+84901234567", false},
		} {
			if got := barred(c.who, c.mobile, c.email); got != c.want {
				t.Errorf("BarredIn(%+v) = %v", c, got)
			}
		}

		// Member 3 registered before the break, member 4 during it. Both entered the number, unverified.
		for _, id := range []int64{3, 4} {
			w.site.Exec(t, "INSERT INTO member_detail (member_id, name, value) VALUES ($1, 'mobileNum', '+84901234567')", id)
		}
		w.site.Exec(t, "UPDATE member SET created_at = $1 WHERE id = 4", w.now(t)+1000)
		w.site.Exec(t, "UPDATE member SET created_at = $1 WHERE id = 3", w.now(t)-100_000)
		wantCode(t, "the excluded member logs in, to withdraw", w.Admit(ctx, 1), "")
		wantCode(t, "other contact", w.Admit(ctx, 2), "")
		wantCode(t, "account from before the break", w.Admit(ctx, 3), "")
		wantCode(t, "new account with the same contact", w.Admit(ctx, 4), excludedCode)
		w.advance(t, 367*24*time.Hour)
		wantCode(t, "after the break", w.Admit(ctx, 4), "")
		if barred(0, "+84901234567", "") {
			t.Error("the contact is barred after the break")
		}
	})
}

// Members with only an external account are identified by the e-mail address that the provider verified.
func TestPP07ExternalAccountIsBarred(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		ctx := t.Context()
		w := newFixture(t, store, 1, 2, 3)
		identify := func(id int64, subject, email string) {
			t.Helper()
			w.site.Exec(t, "INSERT INTO identity (merchant_id, provider, subject, member_id, created_at, email) VALUES ($1, 'google', $2, $3, 1, $4)", w.site.ID, subject, id, email)
		}
		identify(1, "an", "an@example.com")
		identify(2, "binh", "binh@example.com")
		wantCode(t, "exclude", w.BeginBreak(ctx, 1, "1y"), "")
		w.site.Exec(t, "UPDATE identity SET email = 'an@example.net' WHERE member_id = 1") // new address during the break
		for email, want := range map[string]bool{"An@Example.com": true, "an@example.net": true, "binh@example.com": false, "": false} {
			t.Run("PP-07 "+email, func(t *testing.T) {
				err := store.Write(ctx, func(tx *db.Tx) error {
					barred, err := w.BarredIn(ctx, tx, w.site.ID, 0, "+84901234567", email)
					if barred != want {
						t.Errorf("BarredIn = %v, want %v", barred, want)
					}
					return err
				})
				if err != nil {
					t.Fatal(err)
				}
			})
		}
		identify(3, "an too", "an@example.com")
		w.site.Exec(t, "UPDATE member SET created_at = $1 WHERE id = 3", w.now(t)+1000)
		wantCode(t, "new account with the same contact", w.Admit(ctx, 3), excludedCode)
		wantCode(t, "another person", w.Admit(ctx, 2), "")
		wantCode(t, "the excluded member logs in, to withdraw", w.Admit(ctx, 1), "")
	})
}

func TestPP04RealityCheckAtTheGate(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newFixture(t, store, 1, 2, 3)
		ctx := t.Context()
		dueIn := func(id int64) time.Duration {
			t.Helper()
			_, due, err := w.RealityCheck(ctx, id)
			if err != nil {
				t.Fatal(err)
			}
			if due.IsZero() {
				return -hour
			}
			return due.Sub(time.UnixMilli(w.now(t))).Round(time.Minute)
		}
		t.Run("PP-04 the gate's part: no checks without an interval", func(t *testing.T) {
			for range 4 {
				wantCode(t, "none", w.bet(1, 1), "")
				w.advance(t, 25*time.Minute)
			}
		})
		t.Run("PP-04 earlier play counts, and a new interval does not acknowledge a due check", func(t *testing.T) {
			wantCode(t, "set interval", w.SetRealityCheck(ctx, 1, 60), "")
			wantCode(t, "after 100 minutes of play", w.bet(1, 1), checkDueCode)
			wantCode(t, "set another interval", w.SetRealityCheck(ctx, 1, 30), "")
			wantCode(t, "still due", w.bet(1, 1), checkDueCode)
			wantCode(t, "a win", w.win(1, 1), "")
			wantCode(t, "acknowledge", w.Acknowledge(ctx, 1, 1), "")
			wantCode(t, "after the acknowledgement", w.bet(1, 1), "")
			if got := dueIn(1); got != 30*time.Minute {
				t.Errorf("due in %v, want 30m", got)
			}
		})
		t.Run("PP-04 a stake is refused one minute after the check is due", func(t *testing.T) {
			wantCode(t, "set interval", w.SetRealityCheck(ctx, 2, 30), "")
			if minutes, due, err := w.RealityCheck(ctx, 2); minutes != 30 || !due.IsZero() || err != nil {
				t.Errorf("RealityCheck before any stake = %d, %v, %v; want 30 and no time", minutes, due, err)
			}
			wantCode(t, "first", w.bet(2, 1), "")
			if got := dueIn(2); got != 30*time.Minute {
				t.Errorf("due in %v, want 30m", got)
			}
			w.advance(t, 15*time.Minute)
			wantCode(t, "within", w.bet(2, 1), "")
			w.advance(t, 15*time.Minute+30*time.Second)
			wantCode(t, "during the grace minute", w.bet(2, 1), "")
			w.advance(t, 31*time.Second)
			wantCode(t, "due", w.bet(2, 1), checkDueCode)
			w.advance(t, 20*time.Minute)
			wantCode(t, "still due later", w.bet(2, 1), checkDueCode)
			wantCode(t, "acknowledge", w.Acknowledge(ctx, 2, 1), "")
			wantCode(t, "after the acknowledgement", w.bet(2, 1), "")
		})
		t.Run("PP-04 a rest restarts the interval", func(t *testing.T) {
			wantCode(t, "set interval", w.SetRealityCheck(ctx, 3, 30), "")
			wantCode(t, "first", w.bet(3, 1), "")
			w.advance(t, 29*time.Minute)
			wantCode(t, "within 30 minutes", w.bet(3, 1), "")
			w.advance(t, 31*time.Minute)
			if got := dueIn(3); got != -hour {
				t.Errorf("due in %v, want no check while not playing", got)
			}
			wantCode(t, "after a rest", w.bet(3, 1), "")
			w.advance(t, 29*time.Minute)
			wantCode(t, "within", w.bet(3, 1), "")
			w.advance(t, 3*time.Minute)
			wantCode(t, "due", w.bet(3, 1), checkDueCode)
		})
		t.Run("PP-04 a check that is due cannot be postponed", func(t *testing.T) {
			wantCode(t, "disable", w.SetRealityCheck(ctx, 3, 0), checkDueCode)
			wantCode(t, "longer interval", w.SetRealityCheck(ctx, 3, 60), checkDueCode)
			wantCode(t, "game of another member", w.Acknowledge(ctx, 3, 2), "request_param_err")
			wantCode(t, "shorter interval", w.SetRealityCheck(ctx, 3, 15), "")
			wantCode(t, "still due", w.bet(3, 1), checkDueCode)
			wantCode(t, "previous interval", w.SetRealityCheck(ctx, 3, 30), checkDueCode)
			wantCode(t, "acknowledge", w.Acknowledge(ctx, 3, 1), "")
		})
		wantCode(t, "disable after the acknowledgement", w.SetRealityCheck(ctx, 3, 0), "")
		wantCode(t, "bet without checks", w.bet(3, 1), "")
		if minutes, due, err := w.RealityCheck(ctx, 3); minutes != 0 || !due.IsZero() || err != nil {
			t.Errorf("RealityCheck = %d, %v, %v; want none", minutes, due, err)
		}
	})
}

// Members without limits cost one query per batch. Transfers without uses cost none.
func TestGateReadsOncePerBatch(t *testing.T) {
	t.Parallel()
	w := newFixture(t, dbtest.Postgres(t), 1, 2, 3)
	guarded, transfers := make([]ledger.Guarded, 300), make([]*ledger.Transfer, 300)
	for i := range guarded {
		guarded[i].Rows = []ledger.Row{w.Stake(int64(i%3+1), currency, 1)}
		transfers[i] = &guarded[i].Transfer
	}
	q := w.Prepare(db.Postgres, transfers)
	if len(q.Reads) != 1 {
		t.Fatalf("%d statements, want 1", len(q.Reads))
	}
	gate, err := q.Open(t.Context(), ledger.View{Engine: db.Postgres}, guarded) // members without limits have no rows
	if err != nil {
		t.Fatal(err)
	}
	for i := range guarded {
		if code := gate.Admit(i); code != "" {
			t.Errorf("transfer %d refused: %s", i, code)
		}
		gate.Count(i)
	}
	if q := w.Prepare(db.Postgres, []*ledger.Transfer{{}, {}}); len(q.Reads) != 0 {
		t.Errorf("%d statements for transfers without uses, want 0", len(q.Reads))
	}
}
