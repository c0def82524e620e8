package idempotency_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"fairground/internal/fault"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/idempotency"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

type response struct{ ID int64 }

type content struct{ Amount int64 }

var start = time.Date(2026, time.March, 14, 9, 0, 0, 0, time.UTC)

// A fixture runs idempotent inserts into the table change.
type fixture struct {
	store *db.Store
	keys  *idempotency.Keys
	now   time.Time
	err   error // returned by the change
}

func newFixture(t *testing.T, store *db.Store) *fixture {
	t.Helper()
	if _, err := store.Writer.ExecContext(t.Context(), "CREATE TABLE change (id BIGINT NOT NULL)"); err != nil {
		t.Fatal(err)
	}
	c := &fixture{store: store, now: start}
	c.keys = idempotency.New(store, func() time.Time { return c.now })
	return c
}

// insert adds a row and returns the number of rows.
func (c *fixture) insert(ctx context.Context, r idempotency.Request) (response, error) {
	return idempotency.Do(ctx, c.keys, c.store, r, func(tx *db.Tx) (response, error) {
		if _, err := tx.Tx.ExecContext(ctx, "INSERT INTO change (id) VALUES (1)"); err != nil {
			return response{}, err
		}
		var n int64
		if err := tx.Tx.QueryRowContext(ctx, "SELECT COUNT(*) FROM change").Scan(&n); err != nil {
			return response{}, err
		}
		return response{ID: n}, c.err
	})
}

func (c *fixture) count(t *testing.T, table string) (n int) {
	t.Helper()
	if err := c.store.Writer.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM "+table).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func (c *fixture) want(t *testing.T, request string, r idempotency.Request, wantID int64, wantErr error) {
	t.Helper()
	got, err := c.insert(t.Context(), r)
	if !errors.Is(err, wantErr) || (wantErr == nil && (err != nil || got.ID != wantID)) {
		t.Errorf("%s: got %d, %v, want %d, %v", request, got.ID, err, wantID, wantErr)
	}
}

func TestRepeatedRequestGetsTheFirstResponse(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		c := newFixture(t, store)
		r := idempotency.Request{Owner: idempotency.Member(1), Call: "deposit", Key: "k1", Content: content{5}}
		with := func(change func(*idempotency.Request)) idempotency.Request {
			copied := r
			change(&copied)
			return copied
		}
		c.want(t, "first", r, 1, nil)
		c.want(t, "repeated", r, 1, nil)
		c.want(t, "another body", with(func(r *idempotency.Request) { r.Content = content{6} }), 0, idempotency.ErrConflict)
		c.want(t, "another key", with(func(r *idempotency.Request) { r.Key = "k2" }), 2, nil)
		c.want(t, "another call", with(func(r *idempotency.Request) { r.Call = "withdraw" }), 3, nil)
		c.want(t, "another member", with(func(r *idempotency.Request) { r.Owner = idempotency.Member(2) }), 4, nil)
		c.want(t, "an operator with the member's id", with(func(r *idempotency.Request) { r.Owner = idempotency.Operator(1) }), 5, nil)
		c.want(t, "no key", with(func(r *idempotency.Request) { r.Key = "" }), 6, nil)
		c.want(t, "no key again", with(func(r *idempotency.Request) { r.Key = "" }), 7, nil)
	})
}

func TestRefusalsAreReplayedButFailuresAreNot(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		c := newFixture(t, store)
		refused := fault.New(fault.Refused, "withdraw.balance")
		r := idempotency.Request{Owner: idempotency.Member(1), Call: "withdraw", Key: "k1", Content: content{5}}
		c.err = refused.With("max", 3)
		c.want(t, "refused", r, 0, refused)
		c.err = nil
		_, err := c.insert(t.Context(), r)
		var f *fault.Fault
		if !errors.As(err, &f) || f.Code != refused.Code || f.Kind != fault.Refused || f.Args["max"] != "3" {
			t.Errorf("repeated after a refusal: got %v, want withdraw.balance with max 3", err)
		}
		if got := c.count(t, "change"); got != 0 {
			t.Errorf("changes after a refusal = %d, want 0", got)
		}
		broken := errors.New("connection lost")
		for _, failure := range []error{broken, fault.New(fault.TooMany, "rate.limited")} {
			r.Key += "x"
			c.err = failure
			c.want(t, "failed", r, 0, failure)
		}
		c.err = nil
		c.want(t, "repeated after a failure", r, 1, nil)
	})
}

func TestConcurrentRequestsRunOnce(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		c := newFixture(t, store)
		r := idempotency.Request{Owner: idempotency.Member(1), Call: "deposit", Key: "k1", Content: content{5}}
		results := make([]string, 8)
		var wait sync.WaitGroup
		for i := range results {
			wait.Go(func() {
				got, err := c.insert(t.Context(), r)
				results[i] = fmt.Sprint(got.ID, err)
			})
		}
		wait.Wait()
		for i, got := range results {
			if want := "1 <nil>"; got != want {
				t.Errorf("request %d: got %s, want %s", i, got, want)
			}
		}
		if got := c.count(t, "change"); got != 1 {
			t.Errorf("changes = %d, want 1", got)
		}
	})
}

func TestSweepDeletesOldResponses(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		c := newFixture(t, store)
		r := idempotency.Request{Owner: idempotency.Member(1), Call: "deposit", Key: "old", Content: content{5}}
		c.want(t, "old", r, 1, nil)
		c.now = start.Add(time.Hour)
		r.Key = "new"
		c.want(t, "new", r, 2, nil)
		c.now = start.Add(idempotency.Lifetime + time.Minute)
		if err := c.keys.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		c.want(t, "kept response", r, 2, nil)
		r.Key = "old"
		c.want(t, "dropped response", r, 3, nil)
	})
}
