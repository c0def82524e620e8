package ledger_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"

	"fairground/internal/ledger"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

// counted lets each account be debited so often. What it reads is sent with the locks, and it asks nothing more.
type counted struct{ most int64 }

func (c counted) Prepare(engine db.Engine, posts []*ledger.Transfer) ledger.LimitCheck {
	had := map[int64]int64{}
	var reads []ledger.Read
	for _, t := range posts {
		reads = append(reads, ledger.Read{
			Statement: "SELECT COUNT(*) FROM transfer WHERE debit_id = $1 AND kind = 'bet' AND refusal IS NULL", Args: []any{t.Debit},
			Take: func(row ledger.Scanner) error {
				var n int64
				err := row.Scan(&n)
				had[t.Debit] = n
				return err
			},
		})
	}
	return ledger.LimitCheck{Reads: reads, Open: func(_ context.Context, v ledger.View, posts []ledger.Guarded) (ledger.Gate, error) {
		return countGate{c.most, had, posts}, nil
	}}
}

type countGate struct {
	most  int64
	had   map[int64]int64
	posts []ledger.Guarded
}

func (g countGate) Admit(i int) string {
	if g.had[g.posts[i].Debit] >= g.most {
		return "limits.count"
	}
	return ""
}

func (g countGate) Count(i int) { g.had[g.posts[i].Debit]++ }

// What the gate reads goes out with the locks, before anybody has them: it must still see whatever those have waited for. Two
// ledgers post for the same members at once, alone, in lanes and in transactions of their callers; one more than allowed
// would be posted by a read that came too early.
func TestGateReadsBehindTheLocks(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		limits := counted{most: 7}
		w := newWorld(t, s, 2, 1000, ledger.Options{Limits: limits})
		second := w.Ledger
		if s.Engine == db.Postgres { // a SQLite file has one
			second = ledger.New(s, ledger.Options{Limits: limits})
			t.Cleanup(second.Close)
		}
		var posted [2]atomic.Int64
		var wg sync.WaitGroup
		for i := range 60 {
			bet := w.bet(i%2, 1)
			bet.Guarded = true
			wg.Go(func() {
				l := []*ledger.Ledger{w.Ledger, second}[i/2%2]
				var err error
				if i%5 == 0 {
					err = l.Write(ctx, func(tx *db.Tx) error { _, err := l.PostIn(ctx, tx, bet); return err })
				} else {
					_, err = l.Post(ctx, bet)
				}
				switch {
				case err == nil:
					posted[i%2].Add(1)
				case err.Error() != "limits.count":
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if a, b := posted[0].Load(), posted[1].Load(); a != limits.most || b != limits.most {
			t.Errorf("posted %d and %d, %d allowed", a, b, limits.most)
		}
		w.verify(t)
	})
}

// A question that fails spoils the posts that it is about, not the others of their batch nor the connection.
func TestQuestionThatFailsStopsOnlyGuardedPosts(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		w := newWorld(t, s, 2, 1000, ledger.Options{Limits: wrong{}, BatchConns: 1, DirectConns: -1})
		plain, guarded := w.bet(0, 1), w.bet(1, 1)
		guarded.Guarded = true
		errs := w.inOneBatch(t, plain, guarded)
		if errs[0] != nil || errs[1] == nil || w.balance(t, w.cash[1].ID) != 1000 {
			t.Errorf("%v", errs)
		}
		w.must(t, w.bet(1, 1))
		w.verify(t)
	})
}

type wrong struct{}

func (wrong) Prepare(db.Engine, []*ledger.Transfer) ledger.LimitCheck {
	return ledger.LimitCheck{
		Reads: []ledger.Read{{Statement: "SELECT no FROM such_table", Take: func(ledger.Scanner) error { return nil }}},
		Open: func(context.Context, ledger.View, []ledger.Guarded) (ledger.Gate, error) {
			return countGate{most: 1 << 40, had: map[int64]int64{}}, nil
		},
	}
}
