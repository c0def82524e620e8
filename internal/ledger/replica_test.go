package ledger_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

// TestReplicasPostEachKeyOnce posts the same keys, some with other content, on two ledgers and with PostIn. Each key is
// posted once and every caller gets the same result.
func TestReplicasPostEachKeyOnce(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	o := dbtest.Migrated(t, db.Postgres)
	w := newTestLedger(t, dbtest.Open(t, o), 4, 100000, ledger.Options{})
	other := ledger.New(dbtest.Open(t, o), ledger.Options{BatchConns: 3})
	t.Cleanup(other.Close)
	const keys, callers = 40, 12
	var ids [keys]sync.Map // ids returned per key
	var wg sync.WaitGroup
	for c := range callers {
		wg.Go(func() {
			for k := range keys {
				bet := ledger.Transfer{Key: fmt.Sprintf("race:%d", k), Debit: w.cash[k%4].ID, Credit: w.vendor.ID, Amount: 10, Kind: "bet"}
				if k%5 == 0 { // transfers between house accounts take no locks
					bet.Debit, bet.Credit = w.deposits.ID, w.vendor.ID
				}
				if k%7 == 0 && c == 1 { // one caller uses the key with other content
					bet.Debit = w.cash[(k+1)%4].ID
				}
				var p ledger.Posted
				var err error
				switch c % 3 {
				case 0:
					p, err = w.Post(ctx, bet)
				case 1:
					p, err = other.Post(ctx, bet)
				case 2:
					err = w.Write(ctx, func(tx *db.Tx) error {
						got, err := w.PostIn(ctx, tx, bet)
						if len(got) == 1 {
							p = got[0]
						}
						return err
					})
				}
				if errors.Is(err, ledger.ErrConflict) && k%7 == 0 {
					continue
				}
				if err != nil {
					t.Errorf("caller %d, key %d: %v", c, k, err)
					continue
				}
				ids[k].Store(p.ID, true)
			}
		})
	}
	wg.Wait()
	for k := range ids {
		n := 0
		ids[k].Range(func(any, any) bool { n++; return true })
		if n != 1 {
			t.Errorf("key %d returned %d ids, want 1", k, n)
		}
	}
	if r := w.verify(t); r.Transfers != 4+keys || r.Refused != 0 {
		t.Errorf("%d transfers, %d refused, want %d and 0", r.Transfers, r.Refused, 4+keys)
	}
}

// TestWriteRetriesDeadlocks runs two transactions that lock two accounts in opposite order. The database aborts one,
// and Write runs it again.
func TestWriteRetriesDeadlocks(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	w := newTestLedger(t, dbtest.Postgres(t), 2, 1000, ledger.Options{})
	var attempts atomic.Int64
	bothLocked := make(chan struct{}) // closed when both transactions have locked their first account
	var firstLocks sync.WaitGroup
	firstLocks.Add(2)
	go func() { firstLocks.Wait(); close(bothLocked) }()
	var wg sync.WaitGroup
	for i := range 2 {
		bets := []ledger.Transfer{w.bet(i, 10), w.bet(1-i, 10)}
		wg.Go(func() {
			attempt := 0
			err := w.Write(ctx, func(tx *db.Tx) error {
				attempts.Add(1)
				if _, err := tx.Exec("SET LOCAL deadlock_timeout = '20ms'"); err != nil {
					return err
				}
				if _, err := w.PostIn(ctx, tx, bets[0]); err != nil {
					return err
				}
				if attempt++; attempt == 1 {
					firstLocks.Done()
					<-bothLocked
				}
				_, err := w.PostIn(ctx, tx, bets[1])
				return err
			})
			if err != nil {
				t.Errorf("got %v, want no error", err)
			}
		})
	}
	wg.Wait()
	if n := attempts.Load(); n < 3 {
		t.Errorf("%d attempts, want at least 3, because there must be a deadlock", n)
	}
	if a, b := w.balance(t, w.cash[0].ID), w.balance(t, w.cash[1].ID); a != 980 || b != 980 {
		t.Errorf("balances %d and %d, want 980 each", a, b)
	}
	w.verify(t)
}

func TestWriteStopsRetrying(t *testing.T) {
	t.Parallel()
	w := newTestLedger(t, dbtest.Postgres(t), 1, 100, ledger.Options{})
	attempts := 0
	err := w.Write(context.Background(), func(tx *db.Tx) error {
		attempts++
		_, err := tx.Exec("DO $$ BEGIN RAISE EXCEPTION 'crossed' USING ERRCODE = 'deadlock_detected'; END $$")
		return err
	})
	if !errors.Is(err, ledger.ErrUnavailable) || attempts != 10 {
		t.Errorf("%d attempts, error %v; want 10 and ErrUnavailable", attempts, err)
	}
	attempts = 0
	broken := errors.New("broken")
	if err := w.Write(context.Background(), func(*db.Tx) error { attempts++; return broken }); !errors.Is(err, broken) || attempts != 1 {
		t.Errorf("%d attempts, error %v; want 1 and the function's error", attempts, err)
	}
}

// TestLostConnectionsLoseNothing repeatedly cuts the ledger's connections under load. No caller gets an error, and no
// bet is lost or posted twice.
func TestLostConnectionsLoseNothing(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	o := dbtest.Migrated(t, db.Postgres)
	w := newTestLedger(t, dbtest.Open(t, o), 4, 1_000_000, ledger.Options{})
	admin, err := sql.Open("pgx", o.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = admin.Close() }()
	var posted atomic.Int64
	var stopped atomic.Bool
	var wg sync.WaitGroup
	for c := range 10 {
		wg.Go(func() {
			for !stopped.Load() {
				if _, err := w.Post(ctx, w.bet(c%4, 1)); err != nil {
					t.Errorf("Post: got %v, want no error", err)
					return
				}
				posted.Add(1)
			}
		})
	}
	cuts := 0
	for range 15 { // after a number of posts, so that a slow machine also posts some
		before := posted.Load()
		w.await(t, "posts", func() bool { return posted.Load() >= before+20 || t.Failed() })
		var n int
		if err := admin.QueryRow(`SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()`).Scan(&n); err != nil {
			t.Fatal(err)
		}
		cuts += n
	}
	stopped.Store(true)
	wg.Wait()
	if cuts == 0 {
		t.Error("no connection was cut")
	}
	var left money.Minor
	for _, a := range w.cash {
		left += w.balance(t, a.ID)
	}
	if got := w.balance(t, w.vendor.ID); got != money.Minor(posted.Load()) || left+got != 4_000_000 {
		t.Errorf("%d acknowledged, the vendor has %d, the members %d, want the vendor to have each and 4000000 in all", posted.Load(), got, left)
	}
	w.verify(t)
}

func TestMissingDatabase(t *testing.T) {
	t.Parallel()
	o := dbtest.Migrated(t, db.Postgres)
	s := dbtest.Open(t, o)
	w := newTestLedger(t, s, 1, 100, ledger.Options{Timeouts: ledger.Timeouts{Reconnect: time.Second}})
	bet := w.bet(0, 1)
	admin, err := sql.Open("pgx", o.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = admin.Close() }()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := admin.Exec(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()`); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Post(context.Background(), bet); !errors.Is(err, ledger.ErrUnavailable) && !errors.Is(err, ledger.ErrOutcomeUnknown) {
		t.Errorf("post: %v", err)
	}
}

// TestIDsOfIdleReplicas posts on one replica, on another, and minutes later on the first again. The ids are in the order of time, so
// that IDRange finds all transfers of a period.
func TestIDsOfIdleReplicas(t *testing.T) {
	t.Parallel()
	o := dbtest.Migrated(t, db.Postgres)
	var minutes atomic.Int64
	clock := ledger.Options{Now: func() time.Time { return time.Unix(1_790_000_000, 0).Add(time.Duration(minutes.Load()) * time.Minute) }}
	w := newTestLedger(t, dbtest.Open(t, o), 1, 100000, clock)
	other := ledger.New(dbtest.Open(t, o), clock)
	t.Cleanup(other.Close)
	last := int64(0)
	for n, l := range []*ledger.Ledger{w.Ledger, other, w.Ledger} {
		minutes.Store(int64(6 * n))
		p, err := l.Post(t.Context(), ledger.Transfer{Key: fmt.Sprint("idle", n), Debit: w.cash[0].ID, Credit: w.vendor.ID, Amount: 10, Kind: "bet"})
		if err != nil {
			t.Fatal(err)
		}
		if p.ID <= last {
			t.Errorf("transfer %d: id %d, want more than %d, the id of an earlier transfer", n, p.ID, last)
		}
		last = p.ID
	}
}
