// Package ratelimit limits how often a caller may do something. A Memory limiter counts in one replica. A Stored limiter keeps its
// buckets in the database, so all replicas share them and they survive a restart. It stores keys as digests. The package sets no
// limits itself.
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
	"fairground/internal/platform/secret"
)

// Limiter holds the stored buckets.
type Stored struct {
	store *db.Store
	keys  *secret.Keys
	now   func() time.Time
}

// New makes the limiter.
func NewStored(store *db.Store, keys *secret.Keys, now func() time.Time) *Stored {
	return &Stored{store: store, keys: keys, now: now}
}

// Bucket is a key with its limit.
type Bucket struct {
	Key   string
	Limit Limit
}

// OfNetwork gives the buckets that a network counts in, under a prefix and before a suffix: its own, and of an IPv6 network that of
// the site around it, which may so many times as much.
func OfNetwork(prefix, network, suffix string, limit Limit, times int) []Bucket {
	all := []Bucket{{prefix + network + suffix, limit}}
	address, err := netip.ParseAddr(network)
	if err != nil {
		return all // over a unix socket there is no address
	}
	if site, ok := IPv6Block(address); ok {
		all = append(all, Bucket{prefix + site.String() + suffix, limit.Times(times)})
	}
	return all
}

// TakeAll takes one token of every bucket, or none where one is empty.
func (t *Stored) TakeAll(ctx context.Context, buckets []Bucket) error {
	return t.store.Write(ctx, func(tx *db.Tx) error { return t.TakeAllIn(ctx, tx, buckets) })
}

// TakeAllIn takes within the caller's transaction, which a refusal must undo.
func (t *Stored) TakeAllIn(ctx context.Context, tx *db.Tx, buckets []Bucket) error {
	for _, b := range buckets {
		if err := t.TakeIn(ctx, tx, b.Key, b.Limit); err != nil {
			return err
		}
	}
	return nil
}

// ReturnAll gives back what was taken for nothing.
func (t *Stored) ReturnAll(ctx context.Context, buckets []Bucket) error {
	return t.store.Write(ctx, func(tx *db.Tx) error {
		for _, b := range buckets {
			if err := t.ReturnIn(ctx, tx, b.Key, b.Limit); err != nil {
				return err
			}
		}
		return nil
	})
}

// Take takes one token of key's bucket. An empty one is refused with ErrLimited, and loses nothing.
func (t *Stored) Take(ctx context.Context, key string, limit Limit) error {
	return t.store.Write(ctx, func(tx *db.Tx) error { return t.TakeIn(ctx, tx, key, limit) })
}

// TakeIn takes one token within the caller's transaction: undone with it.
func (t *Stored) TakeIn(ctx context.Context, tx *db.Tx, key string, limit Limit) error {
	now, bucket := db.Millis(t.now()), t.bucket(key)
	taken, err := tx.Q.TakeToken(ctx, query.TakeTokenParams{
		Bucket: bucket, Now: now, Every: limit.Every.Milliseconds(), Latest: latest(now, limit),
	})
	if err != nil {
		return fmt.Errorf("take from a bucket: %w", err)
	}
	if taken == 1 {
		return nil
	}
	full, err := tx.Q.BucketFullAt(ctx, bucket)
	if err != nil {
		return fmt.Errorf("read a bucket: %w", err)
	}
	wait := time.Duration(full-latest(now, limit)) * time.Millisecond
	return ErrLimited.With("seconds", int((wait+time.Second-1)/time.Second))
}

// latest is when a bucket may be full again at most, for one more token to be taken now.
func latest(now int64, limit Limit) int64 {
	return now + int64(limit.Burst-1)*limit.Every.Milliseconds()
}

// Return gives back a token that was taken for nothing.
func (t *Stored) Return(ctx context.Context, key string, limit Limit) error {
	return t.store.Write(ctx, func(tx *db.Tx) error { return t.ReturnIn(ctx, tx, key, limit) })
}

// ReturnIn gives back within the caller's transaction. A bucket that is full already stays so.
func (t *Stored) ReturnIn(ctx context.Context, tx *db.Tx, key string, limit Limit) error {
	if err := tx.Q.ReturnToken(ctx, limit.Every.Milliseconds(), t.bucket(key)); err != nil {
		return fmt.Errorf("give back to a bucket: %w", err)
	}
	return nil
}

// Room tells whether a token could be taken now, and takes none.
func (t *Stored) Room(ctx context.Context, key string, limit Limit) (bool, error) {
	return t.room(ctx, t.store.Q(), key, limit)
}

// RoomIn tells it within the caller's transaction, with what was taken there.
func (t *Stored) RoomIn(ctx context.Context, tx *db.Tx, key string, limit Limit) (bool, error) {
	return t.room(ctx, tx.Q, key, limit)
}

func (t *Stored) room(ctx context.Context, q *query.Queries, key string, limit Limit) (bool, error) {
	full, err := q.BucketFullAt(ctx, t.bucket(key))
	if errors.Is(err, sql.ErrNoRows) {
		return true, nil
	}
	if err != nil {
		return false, fmt.Errorf("read a bucket: %w", err)
	}
	return full <= latest(db.Millis(t.now()), limit), nil
}

func (t *Stored) bucket(key string) []byte { return t.keys.MAC("tally", key) }

// Sweep forgets buckets that are full, some in each transaction. It is run as a periodic job.
func (t *Stored) Sweep(ctx context.Context) error {
	now := db.Millis(t.now())
	for dropped := int64(1); dropped > 0; {
		err := t.store.Write(ctx, func(tx *db.Tx) (err error) {
			dropped, err = tx.Q.DropFullBuckets(ctx, now)
			return err
		})
		if err != nil {
			return fmt.Errorf("drop full buckets: %w", err)
		}
	}
	return nil
}
