package ledger_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"fairground/internal/db"
	"fairground/internal/db/dbtest"
	"fairground/internal/db/query"
	"fairground/internal/ledger"
	"fairground/internal/money"
)

// stakeLimit lets each member stake so much in all. It reads what was staked from the ledger's own rows.
type stakeLimit struct {
	most  money.Minor
	loads atomic.Int64
	fail  atomic.Bool
}

func (s *stakeLimit) Load(ctx context.Context, q *query.Queries, posts []ledger.Guarded) (ledger.Gate, error) {
	s.loads.Add(1)
	if s.fail.Load() {
		return nil, errors.New("limits are down")
	}
	g := &stakeGate{most: s.most, posts: posts, staked: make(map[int64]money.Minor)}
	for _, p := range posts {
		rows, err := q.StatementOfAccount(ctx, p.Debit, 1<<62, 1000)
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
	most   money.Minor
	posts  []ledger.Guarded
	staked map[int64]money.Minor
}

func (g *stakeGate) Admit(i int) string {
	p := g.posts[i]
	if g.staked[p.Debit]+p.Amount > g.most {
		return "limits.stake"
	}
	g.staked[p.Debit] += p.Amount
	return ""
}

func TestLimitsDecideInTheSameTransaction(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		limits := &stakeLimit{most: 55}
		w := newWorld(t, s, 2, 1000, ledger.Options{Limits: limits})
		if limits.loads.Load() != 0 {
			t.Errorf("asked %d times about posts that are not guarded", limits.loads.Load())
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
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if posted.Load() != 10 { // five of ten for each member
			t.Errorf("posted %d", posted.Load())
		}
		limits.most = 1000 // a raised limit does not revive a refused key
		refused.Range(func(_, v any) bool {
			if _, err := w.Post(ctx, v.(ledger.Transfer)); err == nil || err.Error() != "limits.stake" {
				t.Errorf("again: %v", err)
			}
			return true
		})
		bet := w.bet(0, 10)
		bet.Guarded = true
		if err := w.Write(ctx, func(tx *db.Tx) error { _, err := w.PostIn(ctx, tx, bet); return err }); err != nil {
			t.Error(err)
		}
		before := limits.loads.Load()
		if p, err := w.Post(ctx, bet); err != nil || !p.Replayed {
			t.Errorf("replay: %+v, %v", p, err)
		}
		if s.Engine == db.Postgres && limits.loads.Load() != before {
			t.Error("asked about a replay")
		}
		w.verify(t)
	})
}

func TestLimitsThatFailStopOnlyGuardedPosts(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		limits := &stakeLimit{most: 1000}
		w := newWorld(t, s, 3, 1000, ledger.Options{Limits: limits, Lanes: 1, Alone: -1})
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
