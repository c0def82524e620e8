package ledger_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"fairground/internal/ledger"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

// TestAbandonedPostIsNeverPosted blocks the database while a worker has taken one post and another is queued, and
// cancels both. The queued post must not be posted. The taken post must return its result.
func TestAbandonedPostIsNeverPosted(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		w := newTestLedger(t, s, 1, 1000, ledger.Options{BatchConns: 1, DirectConns: -1})
		release := w.blockWriters(t)
		ctx, cancel := context.WithCancel(context.Background())
		type result struct {
			p   ledger.Posted
			err error
		}
		taken, waiting := make(chan result, 1), make(chan result, 1)
		first, second := w.bet(0, 1), w.bet(0, 2)
		go func() {
			p, err := w.Post(ctx, first)
			taken <- result{p, err}
		}()
		w.awaitBlocked(t) // a worker waits for the lock with the first post
		go func() {
			p, err := w.Post(ctx, second)
			waiting <- result{p, err}
		}()
		w.awaitQueued(t, 1)
		cancel()
		if a := <-waiting; !errors.Is(a.err, context.Canceled) {
			t.Errorf("queued post = %+v, want %v", a, context.Canceled)
		}
		select {
		case a := <-taken:
			t.Fatalf("the taken post returned while the database was blocked: %+v", a)
		case <-time.After(50 * time.Millisecond):
		}
		release()
		if a := <-taken; a.err != nil || a.p.DebitAfter != 999 {
			t.Errorf("taken post = %+v, want balance 999", a)
		}
		w.must(t, w.bet(0, 10)) // queued after the abandoned one
		if b := w.balance(t, w.cash[0].ID); b != 989 {
			t.Errorf("balance = %d, want 989", b)
		}
		if _, err := w.Post(ctx, w.bet(0, 1)); !errors.Is(err, context.Canceled) {
			t.Errorf("error with a canceled context = %v, want %v", err, context.Canceled)
		}
		w.verify(t)
	})
}

// blockWriters blocks posts of the first member until release: by a row lock on PostgreSQL, and by the only write connection on
// SQLite.
func (w *testLedger) blockWriters(t *testing.T) (release func()) {
	t.Helper()
	tx, err := w.store.Writer.Begin()
	if err != nil {
		t.Fatal(err)
	}
	if w.store.Engine == db.Postgres {
		if _, err := tx.Exec("SELECT 1 FROM account WHERE id = $1 FOR UPDATE", w.cash[0].ID); err != nil {
			t.Fatal(err)
		}
	}
	w.waitCountAtBlock = w.store.Writer.Stats().WaitCount
	return func() { _ = tx.Rollback() }
}

// awaitBlocked returns when a worker is waiting for the lock of blockWriters.
func (w *testLedger) awaitBlocked(t *testing.T) {
	t.Helper()
	w.await(t, "a worker at the lock", func() bool {
		if w.store.Engine == db.SQLite { // the only connection is in use
			return w.store.Writer.Stats().WaitCount > w.waitCountAtBlock
		}
		var n int
		err := w.store.Reader.QueryRow("SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'").Scan(&n)
		if err != nil {
			t.Fatal(err)
		}
		return n > 0
	})
}

func (w *testLedger) awaitQueued(t *testing.T, n int) {
	t.Helper()
	w.await(t, "posts in the queue", func() bool { return w.Queued() == n })
}

func (w *testLedger) await(t *testing.T, what string, condition func() bool) {
	t.Helper()
	for deadline := time.Now().Add(testTimeout); !condition(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("timed out waiting for %s", what)
		}
	}
}

func TestCloseFinishesAcceptedPosts(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		w := newTestLedger(t, s, 2, 100000, ledger.Options{})
		var mu sync.Mutex
		var posted, refused int
		var wg sync.WaitGroup
		for i := range 20 {
			wg.Go(func() {
				for {
					_, err := w.Post(context.Background(), w.bet(i%2, 1))
					mu.Lock()
					if err == nil {
						posted++
					} else {
						refused++
					}
					mu.Unlock()
					if errors.Is(err, ledger.ErrClosed) {
						return
					}
					if err != nil {
						t.Errorf("got %v, want no error", err)
						return
					}
				}
			})
		}
		w.await(t, "posts", func() bool { mu.Lock(); defer mu.Unlock(); return posted >= 100 })
		w.Close()
		w.Close()
		wg.Wait()
		r := w.verify(t)
		if int(r.Transfers) != posted+2 || refused != 20 {
			t.Errorf("%d transfers, %d refused, want %d and 20", r.Transfers, refused, posted+2)
		}
	})
}

func TestBadRowFailsOnlyItsPost(t *testing.T) {
	t.Parallel()
	table := ledger.NewTable("extra_row", ledger.Column{Name: "name", Type: ledger.Text})
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		w := newTestLedger(t, s, 3, 1000, ledger.Options{BatchConns: 1, DirectConns: -1})
		w.exec(t, "CREATE TABLE extra_row (transfer_id BIGINT NOT NULL, name TEXT NOT NULL UNIQUE)")
		w.exec(t, "INSERT INTO extra_row VALUES (0, 'taken')")
		release := w.blockWriters(t)
		var wg sync.WaitGroup
		for i := range 30 {
			wg.Go(func() {
				bet := w.bet(i%3, 1)
				name := bet.Key
				if i%10 == 3 {
					name = "taken"
				}
				bet.Rows = []ledger.Row{{Table: table, Values: []any{name}}}
				_, err := w.Post(context.Background(), bet)
				if bad := i%10 == 3; bad != errors.Is(err, ledger.ErrRow) || !bad && err != nil {
					t.Errorf("post %d: %v", i, err)
				}
			})
		}
		w.awaitBlocked(t)
		release()
		wg.Wait()
		if r := w.verify(t); r.Transfers != 3+27 {
			t.Errorf("%d transfers, want 30", r.Transfers)
		}
	})
}

func TestLockedMemberFailsOnlyItsPosts(t *testing.T) {
	t.Parallel()
	w := newTestLedger(t, dbtest.Postgres(t), 2, 1000, ledger.Options{BatchConns: 1, DirectConns: -1, Timeouts: ledger.Timeouts{Lock: time.Second}})
	release := w.blockWriters(t)
	defer release()
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			_, err := w.Post(context.Background(), w.bet(min(i, 1), 1))
			if i == 0 && !errors.Is(err, ledger.ErrUnavailable) || i > 0 && err != nil {
				t.Errorf("post %d: %v", i, err)
			}
		})
	}
	wg.Wait()
	w.verify(t)
}

// Sequential posts share one connection, and each takes one statement. The server process of that connection has warm caches.
// Rotating connections made posts a third slower.
func TestSequentialPostsReuseOneConnection(t *testing.T) {
	t.Parallel()
	w := newTestLedger(t, dbtest.Postgres(t), 3, 1000, ledger.Options{})
	w.must(t, w.bet(0, 1)) // caches the house account
	var start time.Time
	if err := w.store.Reader.QueryRow("SELECT clock_timestamp()").Scan(&start); err != nil {
		t.Fatal(err)
	}
	for i := range 24 {
		w.must(t, w.bet(i%3, 1))
	}
	// countConnectionsByLastStatement counts the connections whose last statement matches a LIKE pattern.
	countConnectionsByLastStatement := func(statement string) (connections int) {
		const count = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND query_start > $1 AND query LIKE $2"
		if err := w.store.Reader.QueryRow(count, start, statement).Scan(&connections); err != nil {
			t.Fatal(err)
		}
		return connections
	}
	if direct, batched := countConnectionsByLastStatement("WITH a AS (%"), countConnectionsByLastStatement("commit"); direct != 1 || batched != 0 {
		t.Errorf("single statements on %d connections, batches on %d; want 1 and 0", direct, batched)
	}
	guarded := w.bet(0, 1) // a transaction, on the same connection
	guarded.Guarded = true
	w.must(t, guarded)
	if direct, transactions := countConnectionsByLastStatement("WITH a AS (%"), countConnectionsByLastStatement("commit"); direct != 0 || transactions != 1 {
		t.Errorf("after a guarded bet: single statements on %d connections, transactions on %d; want 0 and 1", direct, transactions)
	}
	w.verify(t)
}

// panicLimits panics for guarded posts, while their members' accounts are locked.
type panicLimits struct{}

func (panicLimits) Prepare(db.Engine, []*ledger.Transfer) ledger.LimitCheck {
	return ledger.LimitCheck{Open: func(context.Context, ledger.View, []ledger.Guarded) (ledger.Gate, error) { panic("broken limits") }}
}

func TestPanicFailsItsBatchOnly(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		w := newTestLedger(t, s, 1, 1000, ledger.Options{Limits: panicLimits{}, BatchConns: 1, DirectConns: -1})
		guarded := w.bet(0, 1)
		guarded.Guarded = true
		if _, err := w.Post(context.Background(), guarded); !errors.Is(err, ledger.ErrOutcomeUnknown) {
			t.Errorf("error of a post that panics = %v, want %v", err, ledger.ErrOutcomeUnknown)
		}
		if p := w.must(t, w.bet(0, 10)); p.DebitAfter != 990 {
			t.Errorf("balance after the next post = %d, want 990", p.DebitAfter)
		}
		w.verify(t)
	})
}
