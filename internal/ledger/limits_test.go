package ledger_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

// stakeLimit limits each member's total stake. It reads the stakes from the ledger's entries.
type stakeLimit struct {
	max      money.Minor
	loads    atomic.Int64
	fail     atomic.Bool
	admitted sync.Map // keys passed to Admit
}

func (s *stakeLimit) Prepare(db.Engine, []*ledger.Transfer) ledger.LimitCheck {
	return ledger.LimitCheck{Open: s.open}
}

func (s *stakeLimit) open(ctx context.Context, v ledger.View, posts []ledger.Guarded) (ledger.Gate, error) {
	s.loads.Add(1)
	if s.fail.Load() {
		return nil, errors.New("limits are down")
	}
	g := &stakeGate{stakeLimit: s, posts: posts, staked: make(map[int64]money.Minor)}
	for _, p := range posts {
		rows, err := v.Q.StatementOfAccount(ctx, p.Debit, 1<<62, 1000)
		if err != nil {
			return nil, err
		}
		g.staked[p.Debit] = 0
		for _, r := range rows {
			if r.Kind == "bet" {
				g.staked[p.Debit] -= money.Minor(r.Amount)
			}
		}
	}
	return g, nil
}

type stakeGate struct {
	*stakeLimit
	posts  []ledger.Guarded
	staked map[int64]money.Minor
}

func (g *stakeGate) Admit(i int) string {
	p := g.posts[i]
	n, _ := g.admitted.LoadOrStore(p.Key, new(atomic.Int64))
	n.(*atomic.Int64).Add(1)
	if g.staked[p.Debit]+p.Amount > g.max {
		return "limits.stake"
	}
	return ""
}

func (g *stakeGate) Count(i int) { g.staked[g.posts[i].Debit] += g.posts[i].Amount }

func (s *stakeLimit) admitCalls(key string) int64 {
	n, ok := s.admitted.Load(key)
	if !ok {
		return 0
	}
	return n.(*atomic.Int64).Load()
}

func TestLimitsAreCheckedInTheTransaction(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		limits := &stakeLimit{max: 55}
		w := newTestLedger(t, s, 2, 1000, ledger.Options{Limits: limits})
		if limits.loads.Load() != 0 {
			t.Errorf("limits were read %d times for unguarded posts, want 0", limits.loads.Load())
		}
		var wg sync.WaitGroup
		var posted atomic.Int64
		var refused sync.Map
		for i := range 20 {
			wg.Go(func() {
				bet := w.bet(i%2, 10)
				bet.Guarded = true
				switch _, err := w.Post(ctx, bet); {
				case err == nil:
					posted.Add(1)
				case err.Error() == "limits.stake":
					refused.Store(bet.Key, bet)
				default:
					t.Errorf("Post: got %v, want no error or limits.stake", err)
				}
			})
		}
		wg.Wait()
		if posted.Load() != 10 { // five per member
			t.Errorf("posted %d, want 10", posted.Load())
		}
		limits.max = 1000 // a higher limit does not change a stored refusal
		refused.Range(func(_, v any) bool {
			if _, err := w.Post(ctx, v.(ledger.Transfer)); err == nil || err.Error() != "limits.stake" {
				t.Errorf("repeated key: %v, want limits.stake", err)
			}
			return true
		})
		bet := w.bet(0, 10)
		bet.Guarded = true
		if err := w.Write(ctx, func(tx *db.Tx) error { _, err := w.PostIn(ctx, tx, bet); return err }); err != nil {
			t.Errorf("got %v, want no error", err)
		}
		w.verify(t)
	})
}

// TestUsedKeySkipsGate repeats guarded keys in later posts, within one batch, and within one transaction.
func TestUsedKeySkipsGate(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	limits := map[db.Engine]*stakeLimit{db.SQLite: {max: 100}, db.Postgres: {max: 100}}
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		limits := limits[s.Engine]
		w := newTestLedger(t, s, 1, 1000, ledger.Options{Limits: limits, BatchConns: 1, DirectConns: -1})
		guarded := func(amount money.Minor) ledger.Transfer {
			bet := w.bet(0, amount)
			bet.Guarded = true
			return bet
		}
		bet := guarded(10)
		w.must(t, bet)
		before := limits.loads.Load()
		if p, err := w.Post(ctx, bet); err != nil || !p.Replayed {
			t.Errorf("replay: %+v, error %v, want replayed", p, err)
		}
		if err := w.Write(ctx, func(tx *db.Tx) error { _, err := w.PostIn(ctx, tx, bet); return err }); err != nil {
			t.Errorf("replay in a transaction: %v", err)
		}
		if limits.loads.Load() != before || limits.admitCalls(bet.Key) != 1 {
			t.Errorf("limits were read %d more times, Admit was called %d times; want 0 and 1", limits.loads.Load()-before, limits.admitCalls(bet.Key))
		}

		repeated := guarded(40) // counting it twice would exceed the limit for the last post
		for _, err := range w.postInOneBatch(t, repeated, repeated, repeated) {
			if err != nil {
				t.Errorf("got %v, want no error", err)
			}
		}
		inTransaction := guarded(30)
		if err := w.Write(ctx, func(tx *db.Tx) error { _, err := w.PostIn(ctx, tx, inTransaction, inTransaction); return err }); err != nil {
			t.Errorf("got %v, want no error", err)
		}
		if a, b := limits.admitCalls(repeated.Key), limits.admitCalls(inTransaction.Key); a != 1 || b != 1 {
			t.Errorf("Admit was called %d and %d times, want 1 each", a, b)
		}
		if _, err := w.Post(ctx, guarded(20)); err != nil {
			t.Errorf("post within the limit: %v", err)
		}
		w.verify(t)
	})
}

// TestGateRunsBeforeBalance checks that limits are checked before the balance, and that a post refused for its balance
// does not count against the limit.
func TestGateRunsBeforeBalance(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	limits := map[db.Engine]*stakeLimit{db.SQLite: {max: 200}, db.Postgres: {max: 200}}
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		w := newTestLedger(t, s, 2, 100, ledger.Options{Limits: limits[s.Engine], BatchConns: 1, DirectConns: -1})
		guarded := func(amount money.Minor) ledger.Transfer {
			bet := w.bet(0, amount)
			bet.Guarded = true
			return bet
		}
		if _, err := w.Post(ctx, guarded(201)); err == nil || err.Error() != "limits.stake" {
			t.Errorf("over both: %v, want an error with limits.stake", err)
		}
		errs := w.postInOneBatch(t, guarded(150), guarded(99))
		if !errors.Is(errs[0], ledger.ErrInsufficient) {
			t.Errorf("within the limit, over the balance: %v, want ErrInsufficient", errs[0])
		}
		if errs[1] != nil {
			t.Errorf("within both: %v, want no error", errs[1])
		}
		w.verify(t)
	})
}

// postInOneBatch posts transfers in one batch, in key order. The ledger must have one batch connection. It posts a bet of
// 1 by the first member to keep the worker busy meanwhile.
func (w *testLedger) postInOneBatch(t *testing.T, transfers ...ledger.Transfer) []error {
	t.Helper()
	release := w.blockWriters(t)
	errs := make([]error, len(transfers))
	var wg sync.WaitGroup
	wg.Go(func() {
		busy := w.bet(0, 1)
		busy.Kind = "fee"
		if _, err := w.Post(context.Background(), busy); err != nil {
			t.Errorf("Post: got %v, want no error", err)
		}
	})
	w.awaitBlocked(t)
	for i := range transfers {
		wg.Go(func() { _, errs[i] = w.Post(context.Background(), transfers[i]) })
		w.awaitQueued(t, i+1)
	}
	release()
	wg.Wait()
	return errs
}

func TestFailedLimitsFailOnlyGuardedPosts(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		limits := &stakeLimit{max: 1000}
		w := newTestLedger(t, s, 3, 1000, ledger.Options{Limits: limits, BatchConns: 1, DirectConns: -1})
		limits.fail.Store(true)
		release := w.blockWriters(t)
		var wg sync.WaitGroup
		for i := range 9 {
			wg.Go(func() {
				bet := w.bet(i%3, 10)
				bet.Guarded = i%2 == 0
				_, err := w.Post(context.Background(), bet)
				if bet.Guarded != errors.Is(err, ledger.ErrUnavailable) || !bet.Guarded && err != nil {
					t.Errorf("post %d: %v", i, err)
				}
			})
		}
		release()
		wg.Wait()
		w.verify(t)
	})
}
