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

// countLimit limits the number of debits per account. It reads only through LimitCheck.Reads.
type countLimit struct{ max int64 }

func (c countLimit) Prepare(engine db.Engine, posts []*ledger.Transfer) ledger.LimitCheck {
	counts := map[int64]int64{}
	var reads []ledger.Read
	for _, t := range posts {
		reads = append(reads, ledger.Read{
			Statement: "SELECT COUNT(*) FROM transfer WHERE debit_id = $1 AND kind = 'bet' AND refusal IS NULL", Args: []any{t.Debit},
			Take: func(row ledger.Scanner) error {
				var n int64
				err := row.Scan(&n)
				counts[t.Debit] = n
				return err
			},
		})
	}
	return ledger.LimitCheck{Reads: reads, Open: func(_ context.Context, v ledger.View, posts []ledger.Guarded) (ledger.Gate, error) {
		return countGate{c.max, counts, posts}, nil
	}}
}

type countGate struct {
	max    int64
	counts map[int64]int64
	posts  []ledger.Guarded
}

func (g countGate) Admit(i int) string {
	if g.counts[g.posts[i].Debit] >= g.max {
		return "limits.count"
	}
	return ""
}

func (g countGate) Count(i int) { g.counts[g.posts[i].Debit]++ }

// The gate's reads are sent with the locks. They must see everything that the locks waited for. Otherwise the two
// ledgers in this test would post more than the limit.
func TestGateReadsAfterLocks(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		limits := countLimit{max: 7}
		w := newTestLedger(t, s, 2, 1000, ledger.Options{Limits: limits})
		second := w.Ledger
		if s.Engine == db.Postgres { // a SQLite file has one ledger
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
					t.Errorf("got %v, want limits.count", err)
				}
			})
		}
		wg.Wait()
		if a, b := posted[0].Load(), posted[1].Load(); a != limits.max || b != limits.max {
			t.Errorf("posted %d and %d, want %d each", a, b, limits.max)
		}
		w.verify(t)
	})
}

// A failed limits read fails the guarded posts, but not the other posts of the batch or the connection.
func TestFailedLimitsReadFailsOnlyGuardedPosts(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		w := newTestLedger(t, s, 2, 1000, ledger.Options{Limits: failingLimits{}, BatchConns: 1, DirectConns: -1})
		plain, guarded := w.bet(0, 1), w.bet(1, 1)
		guarded.Guarded = true
		errs := w.postInOneBatch(t, plain, guarded)
		if errs[0] != nil || errs[1] == nil || w.balance(t, w.cash[1].ID) != 1000 {
			t.Errorf("errors %v, want an error for the second post only", errs)
		}
		w.must(t, w.bet(1, 1))
		w.verify(t)
	})
}

type failingLimits struct{}

func (failingLimits) Prepare(db.Engine, []*ledger.Transfer) ledger.LimitCheck {
	return ledger.LimitCheck{
		Reads: []ledger.Read{{Statement: "SELECT no FROM such_table", Take: func(ledger.Scanner) error { return nil }}},
		Open: func(context.Context, ledger.View, []ledger.Guarded) (ledger.Gate, error) {
			return countGate{max: 1 << 40, counts: map[int64]int64{}}, nil
		},
	}
}
