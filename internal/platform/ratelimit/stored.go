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

// Stored is a limiter that keeps token buckets in the database. It stores keys as digests.
type Stored struct {
	store *db.Store
	keys  *secret.Keys
	now   func() time.Time
}

// NewStored returns a limiter that counts in store.
func NewStored(store *db.Store, keys *secret.Keys, now func() time.Time) *Stored {
	return &Stored{store: store, keys: keys, now: now}
}

// A Bucket is a key and its limit.
type Bucket struct {
	Key   string
	Limit Limit
}

// NetworkBuckets returns the bucket of a network and, for IPv6, the bucket of its block with factor times the limit. A key
// consists of prefix, the network or block, and suffix.
func NetworkBuckets(prefix, network, suffix string, limit Limit, factor int) []Bucket {
	buckets := []Bucket{{prefix + network + suffix, limit}}
	address, err := netip.ParseAddr(network)
	if err != nil {
		return buckets // callers on a Unix socket have no address
	}
	if block, ok := IPv6Block(address); ok {
		buckets = append(buckets, Bucket{prefix + block.String() + suffix, limit.Times(factor)})
	}
	return buckets
}

// TakeAll takes one token from every bucket. If any bucket is empty, it takes none and fails with ErrLimited.
func (s *Stored) TakeAll(ctx context.Context, buckets []Bucket) error {
	return s.store.Write(ctx, func(tx *db.Tx) error { return s.TakeAllIn(ctx, tx, buckets) })
}

// TakeAllIn is TakeAll in the transaction tx. On ErrLimited the caller must roll back.
func (s *Stored) TakeAllIn(ctx context.Context, tx *db.Tx, buckets []Bucket) error {
	for _, b := range buckets {
		if err := s.TakeIn(ctx, tx, b.Key, b.Limit); err != nil {
			return err
		}
	}
	return nil
}

// ReturnAll puts one token back into every bucket.
func (s *Stored) ReturnAll(ctx context.Context, buckets []Bucket) error {
	return s.store.Write(ctx, func(tx *db.Tx) error {
		for _, b := range buckets {
			if err := s.ReturnIn(ctx, tx, b.Key, b.Limit); err != nil {
				return err
			}
		}
		return nil
	})
}

// Take takes one token from the bucket of key. If the bucket is empty, it fails with ErrLimited.
func (s *Stored) Take(ctx context.Context, key string, limit Limit) error {
	return s.store.Write(ctx, func(tx *db.Tx) error { return s.TakeIn(ctx, tx, key, limit) })
}

// TakeIn is Take in the transaction tx.
func (s *Stored) TakeIn(ctx context.Context, tx *db.Tx, key string, limit Limit) error {
	now, bucket := db.Millis(s.now()), s.bucket(key)
	taken, err := tx.Q.TakeToken(ctx, query.TakeTokenParams{
		Bucket: bucket, Now: now, Every: limit.Every.Milliseconds(), MaxFullAt: maxFullAt(now, limit),
	})
	if err != nil {
		return fmt.Errorf("take a token: %w", err)
	}
	if taken == 1 {
		return nil
	}
	fullAt, err := tx.Q.BucketFullAt(ctx, bucket)
	if err != nil {
		return fmt.Errorf("read bucket: %w", err)
	}
	wait := time.Duration(fullAt-maxFullAt(now, limit)) * time.Millisecond
	return ErrLimited.With("seconds", int((wait+time.Second-1)/time.Second))
}

// maxFullAt returns the time by which a bucket must be full again to have a token now, in Unix milliseconds.
func maxFullAt(now int64, limit Limit) int64 {
	return now + int64(limit.Burst-1)*limit.Every.Milliseconds()
}

// Return puts one token back into the bucket of key. A full bucket stays full.
func (s *Stored) Return(ctx context.Context, key string, limit Limit) error {
	return s.store.Write(ctx, func(tx *db.Tx) error { return s.ReturnIn(ctx, tx, key, limit) })
}

// ReturnIn is Return in the transaction tx.
func (s *Stored) ReturnIn(ctx context.Context, tx *db.Tx, key string, limit Limit) error {
	if err := tx.Q.ReturnToken(ctx, limit.Every.Milliseconds(), s.bucket(key)); err != nil {
		return fmt.Errorf("return a token: %w", err)
	}
	return nil
}

// Taken returns the number of tokens taken from the bucket of key. It falls by one per limit.Every. A bucket without a row is
// full.
func (s *Stored) Taken(ctx context.Context, key string, limit Limit) (int, error) {
	fullAt, err := s.store.Q().BucketFullAt(ctx, s.bucket(key))
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("read bucket: %w", err)
	}
	every := limit.Every.Milliseconds()
	return int((max(fullAt-db.Millis(s.now()), 0) + every - 1) / every), nil
}

// Reset fills the bucket of key.
func (s *Stored) Reset(ctx context.Context, key string) error {
	err := s.store.Write(ctx, func(tx *db.Tx) error { return tx.Q.DropBucket(ctx, s.bucket(key)) })
	if err != nil {
		return fmt.Errorf("reset bucket: %w", err)
	}
	return nil
}

// HasToken reports whether the bucket of key has a token.
func (s *Stored) HasToken(ctx context.Context, key string, limit Limit) (bool, error) {
	return s.hasToken(ctx, s.store.Q(), key, limit)
}

// HasTokenIn is HasToken in the transaction tx.
func (s *Stored) HasTokenIn(ctx context.Context, tx *db.Tx, key string, limit Limit) (bool, error) {
	return s.hasToken(ctx, tx.Q, key, limit)
}

func (s *Stored) hasToken(ctx context.Context, q *query.Queries, key string, limit Limit) (bool, error) {
	fullAt, err := q.BucketFullAt(ctx, s.bucket(key))
	if errors.Is(err, sql.ErrNoRows) {
		return true, nil
	}
	if err != nil {
		return false, fmt.Errorf("read bucket: %w", err)
	}
	return fullAt <= maxFullAt(db.Millis(s.now()), limit), nil
}

// bucket returns the digest that identifies a bucket in the table tally. Another label would reset all buckets.
func (s *Stored) bucket(key string) []byte { return s.keys.MAC("tally", key) }

// Sweep deletes full buckets in batches. It runs as a periodic job.
func (s *Stored) Sweep(ctx context.Context) error {
	now := db.Millis(s.now())
	for dropped := int64(1); dropped > 0; {
		err := s.store.Write(ctx, func(tx *db.Tx) (err error) {
			dropped, err = tx.Q.DropFullBuckets(ctx, now)
			return err
		})
		if err != nil {
			return fmt.Errorf("drop full buckets: %w", err)
		}
	}
	return nil
}
