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
	lengths := map[string][2]time.Duration{ // still, and no longer
		"24h": {day - time.Minute, day}, "1w": {7*day - time.Minute, 7 * day}, "1m": {28*day - time.Minute, 31 * day}, "6w": {42*day - time.Minute, 42 * day},
		"6M": {180 * day, 185 * day}, "1y": {364 * day, 367 * day}, "3y": {3*365*day - day, 3*366*day + day}, "5y": {5*365*day - day, 5*366*day + day}, "life": {200 * 365 * day, 0},
	}
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newWorld(t, store)
		id := int64(0)
		for period, length := range lengths {
			id++
			w.join(t, id)
			t.Run("PP-07 "+period+": at once on bets, deposits and launches; wins and withdrawals pass", func(t *testing.T) {
				is(t, "before", w.bet(id, 10), "")
				is(t, "before", w.bet(id, 10), "")
				is(t, "before", w.promotion(id, 10), "")
				is(t, "before", w.Check(t.Context(), id), "")
				is(t, "begin", w.Begin(t.Context(), id, period), "")
				barred := func(when string) {
					t.Helper()
					is(t, when+": a bet", w.bet(id, 1), excluded)
					is(t, when+": a deposit", w.deposit(id, 1), excluded)
					is(t, when+": a promotion", w.promotion(id, 1), excluded)
					is(t, when+": a launch", w.Check(t.Context(), id), excluded)
					is(t, when+": a win", w.win(id, 1), "")
					is(t, when+": a bet taken back", w.back(id, 10), "")
					is(t, when+": a withdrawal", w.withdraw(id, 1), "")
				}
				barred("at once")
				w.pass(t, length[0])
				barred("at the end")
				if length[1] == 0 {
					return
				}
				w.pass(t, length[1]-length[0])
				is(t, "after", w.bet(id, 1), "")
				is(t, "after", w.Check(t.Context(), id), "")
			})
		}
	})
}

func TestPP07BreakIsNeverShortened(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newWorld(t, store, 1, 2)
		const stands = "limits.break_stands"
		for _, s := range []struct{ period, refused string }{
			{"1w", ""}, {"24h", stands}, {"1m", ""}, {"1w", stands}, {"6M", ""}, {"6w", stands}, {"24h", stands}, {"5y", ""}, {"3y", stands}, {"life", ""}, {"life", stands}, {"5y", stands}, {"24h", stands},
		} {
			before, err := w.Show(t.Context(), 1, currency)
			if err != nil {
				t.Fatal(err)
			}
			is(t, s.period, w.Begin(t.Context(), 1, s.period), s.refused)
			after, err := w.Show(t.Context(), 1, currency)
			if err != nil {
				t.Fatal(err)
			}
			if after.Break == nil || before.Break != nil && (after.Break.Until < before.Break.Until || after.Break.Since != before.Break.Since) {
				t.Errorf("%s: %+v became %+v", s.period, before.Break, after.Break)
			}
		}
		is(t, "another member", w.bet(2, 1), "")
		is(t, "raises stay possible to ask for, and change nothing", w.bet(1, 1), excluded)
	})
}

// What reaches further is a matter of the end, not of the name.
func TestPP07OfABreakThatIsNearlyOverAShortOneReachesFurther(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newWorld(t, store, 1)
		for _, c := range []struct {
			left time.Duration
			want string
		}{
			{12 * time.Hour, "[1m 1w 1y 24h 3y 5y 6M 6w life]"},
			{36 * time.Hour, "[1m 1w 1y 3y 5y 6M 6w life]"},
			{41 * 24 * time.Hour, "[1y 3y 5y 6M 6w life]"},
		} {
			is(t, "begin", w.Begin(t.Context(), 1, "6w"), "")
			w.exec(t, "UPDATE limit_guard SET break_until = $1 WHERE member_id = 1", w.now(t)+c.left.Milliseconds())
			got, err := w.Show(t.Context(), 1, currency)
			if err != nil || got.Break == nil || fmt.Sprint(got.Break.Longer) != c.want {
				t.Fatalf("%v left: %+v, %v", c.left, got.Break, err)
			}
			for _, period := range []string{"24h", "1w", "1m", "6w", "6M", "1y", "3y", "5y", "life"} {
				refused := "limits.break_stands"
				if slices.Contains(got.Break.Longer, period) {
					refused = ""
				}
				is(t, period, w.Begin(t.Context(), 1, period), refused)
				w.exec(t, "UPDATE limit_guard SET break_until = $1 WHERE member_id = 1", w.now(t)+c.left.Milliseconds())
			}
			w.exec(t, "UPDATE limit_guard SET break_until = 0 WHERE member_id = 1")
		}
	})
}

func TestPP07SamePersonAgain(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newWorld(t, store, 1, 2, 3, 4)
		w.exec(t, "UPDATE member SET mobile = '+84901234567', email = 'An@Example.com' WHERE id = 1")
		w.exec(t, "UPDATE member SET mobile = '+84907777777' WHERE id = 2")
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
			t.Error("nobody is on a break yet")
		}
		is(t, "exclude", w.Begin(ctx, 1, "1y"), "")
		w.exec(t, "UPDATE member SET mobile = '+84900000001', email = NULL WHERE id = 1") // a new number afterwards
		for _, c := range []struct {
			who           int64
			mobile, email string
			want          bool
		}{
			{0, "+84901234567", "", true}, {0, "", "AN@example.com", true}, {0, "+84900000001", "", true}, {3, "+84901234567", "", true},
			{1, "+84901234567", "an@example.com", false}, // their own
			{0, "+84907777777", "", false}, {0, "", "", false}, {0, "an@example.com", "+84901234567", false},
		} {
			if got := barred(c.who, c.mobile, c.email); got != c.want {
				t.Errorf("%+v: %v", c, got)
			}
		}

		// Member 3 is from before the break, member 4 from after it; both typed the number when they registered.
		for _, id := range []int64{3, 4} {
			w.exec(t, "INSERT INTO member_detail (member_id, name, value) VALUES ($1, 'mobileNum', '+84901234567')", id)
		}
		w.exec(t, "UPDATE member SET created_at = $1 WHERE id = 4", w.now(t)+1000)
		w.exec(t, "UPDATE member SET created_at = $1 WHERE id = 3", w.now(t)-100_000)
		is(t, "the excluded member logs in, to withdraw", w.Admit(ctx, 1), "")
		is(t, "another person", w.Admit(ctx, 2), "")
		is(t, "an account from before", w.Admit(ctx, 3), "")
		is(t, "a new account of the same person", w.Admit(ctx, 4), excluded)
		w.pass(t, 367*24*time.Hour)
		is(t, "when the break is over", w.Admit(ctx, 4), "")
		if barred(0, "+84901234567", "") {
			t.Error("barred after the break")
		}
	})
}

// Who has only an external account is known again by the address that its provider has seen proved.
func TestPP07ExternalAccountsOnABreak(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		ctx := t.Context()
		w := newWorld(t, store, 1, 2, 3)
		identify := func(id int64, subject, email string) {
			t.Helper()
			w.exec(t, "INSERT INTO identity (merchant_id, provider, subject, member_id, created_at, email) VALUES ($1, 'google', $2, $3, 1, $4)", w.site.ID, subject, id, email)
		}
		identify(1, "an", "an@example.com")
		identify(2, "binh", "binh@example.com")
		is(t, "exclude", w.Begin(ctx, 1, "1y"), "")
		w.exec(t, "UPDATE identity SET email = 'an@example.net' WHERE member_id = 1") // another address afterwards
		for email, want := range map[string]bool{"An@Example.com": true, "an@example.net": true, "binh@example.com": false, "": false} {
			t.Run("PP-07 "+email, func(t *testing.T) {
				err := store.Write(ctx, func(tx *db.Tx) error {
					barred, err := w.BarredIn(ctx, tx, w.site.ID, 0, "+84901234567", email)
					if barred != want {
						t.Errorf("barred: %v", barred)
					}
					return err
				})
				if err != nil {
					t.Fatal(err)
				}
			})
		}
		identify(3, "an too", "an@example.com")
		w.exec(t, "UPDATE member SET created_at = $1 WHERE id = 3", w.now(t)+1000)
		is(t, "a new account of the same person", w.Admit(ctx, 3), excluded)
		is(t, "another person", w.Admit(ctx, 2), "")
		is(t, "the excluded member logs in, to withdraw", w.Admit(ctx, 1), "")
	})
}

func TestPP04RealityCheckAtTheGate(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newWorld(t, store, 1, 2, 3)
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
		t.Run("PP-04 the gate's part: only where an interval was chosen", func(t *testing.T) {
			for range 4 {
				is(t, "none", w.bet(1, 1), "")
				w.pass(t, 25*time.Minute)
			}
		})
		t.Run("PP-04 what was played before the choice counts, and a choice is no answer", func(t *testing.T) {
			is(t, "choose", w.SetCheck(ctx, 1, 60), "")
			is(t, "after 100 minutes of play", w.bet(1, 1), checkDue)
			is(t, "choose another", w.SetCheck(ctx, 1, 30), "")
			is(t, "still due", w.bet(1, 1), checkDue)
			is(t, "a win", w.win(1, 1), "")
			is(t, "answer", w.Acknowledge(ctx, 1, 1), "")
			is(t, "goes on", w.bet(1, 1), "")
			if got := dueIn(1); got != 30*time.Minute {
				t.Errorf("due in %v", got)
			}
		})
		t.Run("PP-04 a stake is refused once the check is due, a minute's grace apart; no launch starts it anew", func(t *testing.T) {
			is(t, "choose", w.SetCheck(ctx, 2, 30), "")
			if minutes, due, err := w.RealityCheck(ctx, 2); minutes != 30 || !due.IsZero() || err != nil {
				t.Errorf("before anything was staked: %d, %v, %v", minutes, due, err)
			}
			is(t, "first", w.bet(2, 1), "")
			if got := dueIn(2); got != 30*time.Minute {
				t.Errorf("due in %v", got)
			}
			w.pass(t, 15*time.Minute)
			is(t, "within", w.bet(2, 1), "")
			w.pass(t, 15*time.Minute+30*time.Second)
			is(t, "in the grace", w.bet(2, 1), "")
			w.pass(t, 31*time.Second)
			is(t, "due", w.bet(2, 1), checkDue)
			w.pass(t, 20*time.Minute)
			is(t, "and stays so", w.bet(2, 1), checkDue)
			is(t, "answer", w.Acknowledge(ctx, 2, 1), "")
			is(t, "goes on", w.bet(2, 1), "")
		})
		t.Run("PP-04 whoever rested begins anew", func(t *testing.T) {
			is(t, "choose", w.SetCheck(ctx, 3, 30), "")
			is(t, "first", w.bet(3, 1), "")
			w.pass(t, 29*time.Minute)
			is(t, "goes on", w.bet(3, 1), "")
			w.pass(t, 31*time.Minute)
			if got := dueIn(3); got != -hour {
				t.Errorf("due in %v though nobody plays", got)
			}
			is(t, "after a rest", w.bet(3, 1), "")
			w.pass(t, 29*time.Minute)
			is(t, "within", w.bet(3, 1), "")
			w.pass(t, 3*time.Minute)
			is(t, "due", w.bet(3, 1), checkDue)
		})
		t.Run("PP-04 a check that is due is answered, and not put off", func(t *testing.T) {
			is(t, "never", w.SetCheck(ctx, 3, 0), checkDue)
			is(t, "later", w.SetCheck(ctx, 3, 60), checkDue)
			is(t, "another's game", w.Acknowledge(ctx, 3, 2), "request_param_err")
			is(t, "sooner", w.SetCheck(ctx, 3, 15), "")
			is(t, "still due", w.bet(3, 1), checkDue)
			is(t, "back to what it was", w.SetCheck(ctx, 3, 30), checkDue)
			is(t, "answer", w.Acknowledge(ctx, 3, 1), "")
		})
		is(t, "never again", w.SetCheck(ctx, 3, 0), "")
		is(t, "not asked", w.bet(3, 1), "")
		if minutes, due, err := w.RealityCheck(ctx, 3); minutes != 0 || !due.IsZero() || err != nil {
			t.Errorf("%d, %v, %v", minutes, due, err)
		}
	})
}

// Movements that carry nothing of ours are none of the gate's business, and members who set nothing cost one query for
// all of a batch.
func TestGateReadsOnceForABatch(t *testing.T) {
	t.Parallel()
	w := newWorld(t, dbtest.Postgres(t), 1, 2, 3)
	posts, asked := make([]ledger.Guarded, 300), make([]*ledger.Transfer, 300)
	for i := range posts {
		posts[i].Rows = []ledger.Row{w.Stake(int64(i%3+1), currency, 1)}
		asked[i] = &posts[i].Transfer
	}
	q := w.Prepare(db.Postgres, asked)
	if len(q.Reads) != 1 {
		t.Fatalf("%d statements", len(q.Reads))
	}
	gate, err := q.Open(t.Context(), ledger.View{Engine: db.Postgres}, posts) // who has set nothing has no row to take
	if err != nil {
		t.Fatal(err)
	}
	for i := range posts {
		if code := gate.Admit(i); code != "" {
			t.Errorf("%d: %s", i, code)
		}
		gate.Count(i)
	}
	if q := w.Prepare(db.Postgres, []*ledger.Transfer{{}, {}}); len(q.Reads) != 0 {
		t.Errorf("%d statements about movements without uses", len(q.Reads))
	}
}
