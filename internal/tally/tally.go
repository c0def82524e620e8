// Package tally counts what may happen only so often, in the database, so that replicas share the count and a
// restart forgets nothing. A tally is a token bucket, the same as the border's limiter in memory. What is counted
// is stored as a digest: the table tells nobody's number, name or address. It decides no limit itself.
package tally

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"fairground/internal/db"
	"fairground/internal/db/query"
	"fairground/internal/rest"
	"fairground/internal/secret"
)

// Tallies are all stored buckets.
type Tallies struct {
	store *db.Store
	keys  *secret.Keys
	now   func() time.Time
}

// New makes the tallies.
func New(store *db.Store, keys *secret.Keys, now func() time.Time) *Tallies {
	return &Tallies{store: store, keys: keys, now: now}
}

// Take takes one token of key's bucket. An empty one is refused with rest.ErrRateLimited, and loses nothing.
func (t *Tallies) Take(ctx context.Context, key string, rate rest.Rate) error {
	return t.store.Write(ctx, func(tx *db.Tx) error { return t.TakeIn(ctx, tx, key, rate) })
}

// TakeIn takes one token within the caller's transaction: undone with it.
func (t *Tallies) TakeIn(ctx context.Context, tx *db.Tx, key string, rate rest.Rate) error {
	now, bucket := db.Millis(t.now()), t.bucket(key)
	taken, err := tx.Q.TakeTally(ctx, query.TakeTallyParams{
		Bucket: bucket, Now: now, Every: rate.Every.Milliseconds(), Latest: latest(now, rate),
	})
	if err != nil {
		return fmt.Errorf("take from a tally: %w", err)
	}
	if taken == 1 {
		return nil
	}
	full, err := tx.Q.Tally(ctx, bucket)
	if err != nil {
		return fmt.Errorf("read a tally: %w", err)
	}
	wait := time.Duration(full-latest(now, rate)) * time.Millisecond
	return rest.ErrRateLimited.With("seconds", int((wait+time.Second-1)/time.Second))
}

// latest is when a bucket may be full again at most, for one more token to be taken now.
func latest(now int64, rate rest.Rate) int64 {
	return now + int64(rate.Burst-1)*rate.Every.Milliseconds()
}

// Return gives back a token that was taken for nothing.
func (t *Tallies) Return(ctx context.Context, key string, rate rest.Rate) error {
	return t.store.Write(ctx, func(tx *db.Tx) error { return t.ReturnIn(ctx, tx, key, rate) })
}

// ReturnIn gives back within the caller's transaction. A bucket that is full already stays so.
func (t *Tallies) ReturnIn(ctx context.Context, tx *db.Tx, key string, rate rest.Rate) error {
	if err := tx.Q.ReturnTally(ctx, rate.Every.Milliseconds(), t.bucket(key)); err != nil {
		return fmt.Errorf("give back to a tally: %w", err)
	}
	return nil
}

// Room tells whether a token could be taken now, and takes none.
func (t *Tallies) Room(ctx context.Context, key string, rate rest.Rate) (bool, error) {
	return t.room(ctx, t.store.Q(), key, rate)
}

// RoomIn tells it within the caller's transaction, with what was taken there.
func (t *Tallies) RoomIn(ctx context.Context, tx *db.Tx, key string, rate rest.Rate) (bool, error) {
	return t.room(ctx, tx.Q, key, rate)
}

func (t *Tallies) room(ctx context.Context, q *query.Queries, key string, rate rest.Rate) (bool, error) {
	full, err := q.Tally(ctx, t.bucket(key))
	if errors.Is(err, sql.ErrNoRows) {
		return true, nil
	}
	if err != nil {
		return false, fmt.Errorf("read a tally: %w", err)
	}
	return full <= latest(db.Millis(t.now()), rate), nil
}

func (t *Tallies) bucket(key string) []byte { return t.keys.MAC("tally", key) }

// Sweep forgets buckets that are full, some in each transaction. It is run as a periodic job.
func (t *Tallies) Sweep(ctx context.Context) error {
	now := db.Millis(t.now())
	for dropped := int64(1); dropped > 0; {
		err := t.store.Write(ctx, func(tx *db.Tx) (err error) {
			dropped, err = tx.Q.DropFullTallies(ctx, now)
			return err
		})
		if err != nil {
			return fmt.Errorf("drop full tallies: %w", err)
		}
	}
	return nil
}
