// Package ratelimit keeps token buckets in the database, so that replicas share them and a restart forgets nothing. A bucket's
// key is stored as a digest: the table tells nobody's number, name or address. The package decides no limit itself.
package ratelimit

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/netip"
	"time"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/rate"
	"fairground/internal/platform/secret"
)

// Limiter holds the stored buckets.
type Limiter struct {
	store *db.Store
	keys  *secret.Keys
	now   func() time.Time
}

// New makes the limiter.
func New(store *db.Store, keys *secret.Keys, now func() time.Time) *Limiter {
	return &Limiter{store: store, keys: keys, now: now}
}

// Bucket is a key with its limit.
type Bucket struct {
	Key   string
	Limit rate.Limit
}

// OfNetwork gives the buckets that a network counts in, under a prefix and before a suffix: its own, and of an IPv6 network that of
// the site around it, which may so many times as much.
func OfNetwork(prefix, network, suffix string, limit rate.Limit, times int) []Bucket {
	all := []Bucket{{prefix + network + suffix, limit}}
	address, err := netip.ParseAddr(network)
	if err != nil {
		return all // over a unix socket there is no address
	}
	if site, ok := rate.Site(address); ok {
		all = append(all, Bucket{prefix + site.String() + suffix, limit.Times(times)})
	}
	return all
}

// TakeAll takes one token of every bucket, or none where one is empty.
func (t *Limiter) TakeAll(ctx context.Context, buckets []Bucket) error {
	return t.store.Write(ctx, func(tx *db.Tx) error { return t.TakeAllIn(ctx, tx, buckets) })
}

// TakeAllIn takes within the caller's transaction, which a refusal must undo.
func (t *Limiter) TakeAllIn(ctx context.Context, tx *db.Tx, buckets []Bucket) error {
	for _, b := range buckets {
		if err := t.TakeIn(ctx, tx, b.Key, b.Limit); err != nil {
			return err
		}
	}
	return nil
}

// ReturnAll gives back what was taken for nothing.
func (t *Limiter) ReturnAll(ctx context.Context, buckets []Bucket) error {
	return t.store.Write(ctx, func(tx *db.Tx) error {
		for _, b := range buckets {
			if err := t.ReturnIn(ctx, tx, b.Key, b.Limit); err != nil {
				return err
			}
		}
		return nil
	})
}

// Take takes one token of key's bucket. An empty one is refused with rate.ErrLimited, and loses nothing.
func (t *Limiter) Take(ctx context.Context, key string, limit rate.Limit) error {
	return t.store.Write(ctx, func(tx *db.Tx) error { return t.TakeIn(ctx, tx, key, limit) })
}

// TakeIn takes one token within the caller's transaction: undone with it.
func (t *Limiter) TakeIn(ctx context.Context, tx *db.Tx, key string, limit rate.Limit) error {
	now, bucket := db.Millis(t.now()), t.bucket(key)
	taken, err := tx.Q.TakeTally(ctx, query.TakeTallyParams{
		Bucket: bucket, Now: now, Every: limit.Every.Milliseconds(), Latest: latest(now, limit),
	})
	if err != nil {
		return fmt.Errorf("take from a bucket: %w", err)
	}
	if taken == 1 {
		return nil
	}
	full, err := tx.Q.Tally(ctx, bucket)
	if err != nil {
		return fmt.Errorf("read a bucket: %w", err)
	}
	wait := time.Duration(full-latest(now, limit)) * time.Millisecond
	return rate.ErrLimited.With("seconds", int((wait+time.Second-1)/time.Second))
}

// latest is when a bucket may be full again at most, for one more token to be taken now.
func latest(now int64, limit rate.Limit) int64 {
	return now + int64(limit.Burst-1)*limit.Every.Milliseconds()
}

// Return gives back a token that was taken for nothing.
func (t *Limiter) Return(ctx context.Context, key string, limit rate.Limit) error {
	return t.store.Write(ctx, func(tx *db.Tx) error { return t.ReturnIn(ctx, tx, key, limit) })
}

// ReturnIn gives back within the caller's transaction. A bucket that is full already stays so.
func (t *Limiter) ReturnIn(ctx context.Context, tx *db.Tx, key string, limit rate.Limit) error {
	if err := tx.Q.ReturnTally(ctx, limit.Every.Milliseconds(), t.bucket(key)); err != nil {
		return fmt.Errorf("give back to a bucket: %w", err)
	}
	return nil
}

// Room tells whether a token could be taken now, and takes none.
func (t *Limiter) Room(ctx context.Context, key string, limit rate.Limit) (bool, error) {
	return t.room(ctx, t.store.Q(), key, limit)
}

// RoomIn tells it within the caller's transaction, with what was taken there.
func (t *Limiter) RoomIn(ctx context.Context, tx *db.Tx, key string, limit rate.Limit) (bool, error) {
	return t.room(ctx, tx.Q, key, limit)
}

func (t *Limiter) room(ctx context.Context, q *query.Queries, key string, limit rate.Limit) (bool, error) {
	full, err := q.Tally(ctx, t.bucket(key))
	if errors.Is(err, sql.ErrNoRows) {
		return true, nil
	}
	if err != nil {
		return false, fmt.Errorf("read a bucket: %w", err)
	}
	return full <= latest(db.Millis(t.now()), limit), nil
}

func (t *Limiter) bucket(key string) []byte { return t.keys.MAC("tally", key) }

// Sweep forgets buckets that are full, some in each transaction. It is run as a periodic job.
func (t *Limiter) Sweep(ctx context.Context) error {
	now := db.Millis(t.now())
	for dropped := int64(1); dropped > 0; {
		err := t.store.Write(ctx, func(tx *db.Tx) (err error) {
			dropped, err = tx.Q.DropFullTallies(ctx, now)
			return err
		})
		if err != nil {
			return fmt.Errorf("drop full buckets: %w", err)
		}
	}
	return nil
}
