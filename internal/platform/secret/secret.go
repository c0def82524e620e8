// Package secret holds the installation's own keys: made once at random, kept in the database, the same on every
// replica. With them it seals values into tokens that only this installation can read, that expire, and that can be
// used once; and it makes digests that only this installation can make. It never hands out the root key and
// decides nothing about what a token allows.
package secret

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// ErrStale is all that is said of a token that has expired, was sealed for another purpose or elsewhere, or was
// never one. The caller's own fault tells the member what to do about it.
var ErrStale = errors.New("secret: the token is no longer good")

const (
	rootName = "root"
	rootSize = 32
	idSize   = 16 // 128 bits: no two tokens share an id
	// longest is far more than any token of ours: what is longer is not even decoded.
	longest = 8 << 10
)

// Keys are the installation's keys.
type Keys struct {
	store *db.Store
	root  []byte
	now   func() time.Time
}

// Open reads the root key, made first where there is none. Replicas that start together agree on one.
func Open(ctx context.Context, store *db.Store, now func() time.Time) (*Keys, error) {
	fresh := make([]byte, rootSize)
	_, _ = rand.Read(fresh) // never fails (it aborts the program instead)
	k := &Keys{store: store, now: now}
	err := store.Write(ctx, func(tx *db.Tx) error {
		if err := tx.Q.AddSecret(ctx, rootName, fresh, db.Millis(now())); err != nil {
			return err
		}
		root, err := tx.Q.Secret(ctx, rootName)
		k.root = root
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("open keys: %w", err)
	}
	if len(k.root) != rootSize {
		return nil, fmt.Errorf("open keys: the root key has %d bytes", len(k.root))
	}
	return k, nil
}

// Bytes gives n bytes, at most 8160, that are always the same for a purpose: material for keys of other kinds.
func (k *Keys) Bytes(purpose string, n int) []byte { return k.derive("bytes", purpose, n) }

// derive makes a key of its own for each use and purpose, so that none can stand in for another.
func (k *Keys) derive(use, purpose string, n int) []byte {
	key, err := hkdf.Key(sha256.New, k.root, nil, use+"/"+purpose, n)
	if err != nil {
		panic(err) // n is a constant of the caller
	}
	return key
}

// MAC digests parts so that only this installation can. Parts are told apart: ("ab", "c") is not ("a", "bc").
func (k *Keys) MAC(purpose string, parts ...string) []byte {
	mac := hmac.New(sha256.New, k.derive("mac", purpose, sha256.Size))
	var size [8]byte
	for _, part := range parts {
		binary.BigEndian.PutUint64(size[:], uint64(len(part)))
		mac.Write(size[:])
		mac.Write([]byte(part))
	}
	return mac.Sum(nil)
}

// Mark names one token, and says how long its use must be remembered.
type Mark struct {
	ID      string
	Expires time.Time
}

// sealed is what stands inside a token.
type sealed struct {
	ID      []byte          `json:"i"`
	Expires int64           `json:"e"` // unix ms
	Value   json.RawMessage `json:"v"`
}

// Seal makes a token that holds v: unreadable outside, good for ttl, and only for this purpose.
func (k *Keys) Seal(purpose string, v any, ttl time.Duration) (string, error) {
	value, err := json.Marshal(v)
	if err != nil {
		return "", fmt.Errorf("seal %s: %w", purpose, err)
	}
	id := make([]byte, idSize)
	_, _ = rand.Read(id)
	plain, err := json.Marshal(sealed{ID: id, Expires: db.Millis(k.now().Add(ttl)), Value: value})
	if err != nil {
		return "", fmt.Errorf("seal %s: %w", purpose, err)
	}
	box, err := k.box(purpose)
	if err != nil {
		return "", fmt.Errorf("seal %s: %w", purpose, err)
	}
	token := base64.RawURLEncoding.EncodeToString(box.Seal(nil, nil, plain, nil)) //nolint:gosec // the box draws a nonce of its own each time
	if len(token) > longest {
		return "", fmt.Errorf("seal %s: %d bytes are too many", purpose, len(value))
	}
	return token, nil
}

// Unseal reads a token that was sealed for this purpose. Whatever is wrong with it, the answer is ErrStale.
func (k *Keys) Unseal(purpose, token string, into any) (Mark, error) {
	if len(token) > longest {
		return Mark{}, ErrStale
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(token)
	if err != nil {
		return Mark{}, ErrStale
	}
	box, err := k.box(purpose)
	if err != nil {
		return Mark{}, fmt.Errorf("unseal %s: %w", purpose, err)
	}
	plain, err := box.Open(nil, nil, raw, nil)
	if err != nil {
		return Mark{}, ErrStale
	}
	var s sealed
	if err := json.Unmarshal(plain, &s); err != nil {
		return Mark{}, fmt.Errorf("unseal %s: %w", purpose, err)
	}
	expires := time.UnixMilli(s.Expires)
	if !k.now().Before(expires) {
		return Mark{}, ErrStale
	}
	if err := json.Unmarshal(s.Value, into); err != nil {
		return Mark{}, fmt.Errorf("unseal %s: %w", purpose, err)
	}
	return Mark{ID: base64.RawURLEncoding.EncodeToString(s.ID), Expires: expires}, nil
}

func (k *Keys) box(purpose string) (cipher.AEAD, error) {
	block, err := aes.NewCipher(k.derive("seal", purpose, 32))
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}

// Spend notes the use of an id within the caller's transaction. It is true the first time only; after expires the id
// may be forgotten, so what carries it must be refused by then.
func (k *Keys) Spend(ctx context.Context, q *query.Queries, purpose, id string, expires time.Time) (bool, error) {
	n, err := q.Spend(ctx, purpose+"/"+id, db.Millis(expires))
	if err != nil {
		return false, fmt.Errorf("spend %s: %w", purpose, err)
	}
	return n == 1, nil
}

// sweepSlack keeps used ids a little longer than their tokens, for replicas whose clocks differ.
const sweepSlack = 10 * time.Minute

// Sweep forgets used ids whose tokens have expired, some in each transaction. It is run as a periodic job.
func (k *Keys) Sweep(ctx context.Context) error {
	before := db.Millis(k.now().Add(-sweepSlack))
	for dropped := int64(1); dropped > 0; {
		err := k.store.Write(ctx, func(tx *db.Tx) (err error) {
			dropped, err = tx.Q.DropSpent(ctx, before)
			return err
		})
		if err != nil {
			return fmt.Errorf("drop spent ids: %w", err)
		}
	}
	return nil
}
