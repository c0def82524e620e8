// Package secret derives the installation's keys from a root key, which is stored outside the database and shared by all
// replicas. The package seals values into encrypted tokens that expire and can be used once. It also encrypts stored values
// and computes keyed digests. It never returns the root key.
package secret

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// ErrInvalid reports that a token is expired, malformed, or sealed for another purpose or installation.
var ErrInvalid = errors.New("secret: the token is not valid")

const (
	rootSize = 32
	idSize   = 16 // 128 bits, to avoid collisions
	// maxToken is the maximum length of a token in bytes. It limits the work that a client can cause.
	maxToken = 8 << 10
)

// Keys derives the keys of the installation.
type Keys struct {
	store *db.Store
	root  []byte
	now   func() time.Time
	// locked is the error if the root key was not found. Then root is random, and nothing can be sealed or unsealed.
	locked error
}

// Bytes returns n bytes of key material, at most 8160. They are always the same for a purpose.
func (k *Keys) Bytes(purpose string, n int) []byte { return k.derive("bytes", purpose, n) }

// derive returns a separate key for each use and purpose.
func (k *Keys) derive(use, purpose string, n int) []byte {
	key, err := hkdf.Key(sha256.New, k.root, nil, use+"/"+purpose, n)
	if err != nil {
		panic(err) // n is too large: a bug in the caller
	}
	return key
}

// MAC returns a keyed digest of parts. It encodes their lengths, so ("ab", "c") differs from ("a", "bc").
func (k *Keys) MAC(purpose string, parts ...string) []byte {
	return MAC(k.MACKey(purpose), parts...)
}

// MACKey returns the key that MAC uses for a purpose.
func (k *Keys) MACKey(purpose string) []byte { return k.derive("mac", purpose, sha256.Size) }

// MAC is Keys.MAC with a given key.
func MAC(key []byte, parts ...string) []byte {
	mac := hmac.New(sha256.New, key)
	var size [8]byte
	for _, part := range parts {
		binary.BigEndian.PutUint64(size[:], uint64(len(part)))
		mac.Write(size[:])
		mac.Write([]byte(part))
	}
	return mac.Sum(nil)
}

// TokenInfo contains the arguments of Spend for a token.
type TokenInfo struct {
	ID      string
	Expires time.Time
}

// sealed is the plaintext of a token.
type sealed struct {
	ID      []byte          `json:"i"`
	Expires int64           `json:"e"` // Unix milliseconds
	Value   json.RawMessage `json:"v"`
}

// Seal encrypts v into a token that is valid for ttl and for this purpose only.
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
	aead, err := k.aead(purpose)
	if err != nil {
		return "", fmt.Errorf("seal %s: %w", purpose, err)
	}
	token := base64.RawURLEncoding.EncodeToString(aead.Seal(nil, nil, plain, nil)) //nolint:gosec // the AEAD generates a random nonce
	if len(token) > maxToken {
		return "", fmt.Errorf("seal %s: a value of %d bytes is too long", purpose, len(value))
	}
	return token, nil
}

// Unseal decrypts a token into *into. It fails with ErrInvalid if the token is not valid for this purpose.
func (k *Keys) Unseal(purpose, token string, into any) (TokenInfo, error) {
	if len(token) > maxToken {
		return TokenInfo{}, ErrInvalid
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(token)
	if err != nil {
		return TokenInfo{}, ErrInvalid
	}
	aead, err := k.aead(purpose)
	if err != nil {
		return TokenInfo{}, fmt.Errorf("unseal %s: %w", purpose, err)
	}
	plain, err := aead.Open(nil, nil, raw, nil)
	if err != nil {
		return TokenInfo{}, ErrInvalid
	}
	var s sealed
	if err := json.Unmarshal(plain, &s); err != nil {
		return TokenInfo{}, fmt.Errorf("unseal %s: %w", purpose, err)
	}
	expires := time.UnixMilli(s.Expires)
	if !k.now().Before(expires) {
		return TokenInfo{}, ErrInvalid
	}
	if err := json.Unmarshal(s.Value, into); err != nil {
		return TokenInfo{}, fmt.Errorf("unseal %s: %w", purpose, err)
	}
	return TokenInfo{ID: base64.RawURLEncoding.EncodeToString(s.ID), Expires: expires}, nil
}

// Wrap encrypts a value for storage. Only Unwrap with the same purpose returns it.
func (k *Keys) Wrap(purpose string, value []byte) ([]byte, error) {
	aead, err := k.aead("stored/" + purpose)
	if err != nil {
		return nil, fmt.Errorf("wrap %s: %w", purpose, err)
	}
	return aead.Seal(nil, nil, value, nil), nil //nolint:gosec // the AEAD generates a random nonce
}

// Unwrap decrypts a stored value. It fails with ErrInvalid if the value was not wrapped for this purpose with this root key.
func (k *Keys) Unwrap(purpose string, wrapped []byte) ([]byte, error) {
	aead, err := k.aead("stored/" + purpose)
	if err != nil {
		return nil, fmt.Errorf("unwrap %s: %w", purpose, err)
	}
	value, err := aead.Open(nil, nil, wrapped, nil)
	if err != nil {
		return nil, fmt.Errorf("unwrap %s: %w", purpose, ErrInvalid)
	}
	return value, nil
}

// Stored returns the random key with the given name, and creates it if needed. The database stores the key wrapped. A
// change of the root key does not change it.
func (k *Keys) Stored(ctx context.Context, name string) (key []byte, err error) {
	wrapped, err := k.store.Q().Secret(ctx, name)
	if errors.Is(err, sql.ErrNoRows) {
		newKey := make([]byte, rootSize)
		_, _ = rand.Read(newKey) // never returns an error
		err = k.store.Write(ctx, func(tx *db.Tx) error {
			if err := k.Store(ctx, tx, name, newKey); err != nil {
				return err
			}
			wrapped, err = tx.Q.Secret(ctx, name)
			return err
		})
	}
	if err != nil {
		return nil, fmt.Errorf("read key %s: %w", name, err)
	}
	return k.Unwrap(name, wrapped)
}

// Store adds a key that Stored returns. An existing key with that name stays unchanged.
func (k *Keys) Store(ctx context.Context, tx *db.Tx, name string, key []byte) error {
	wrapped, err := k.Wrap(name, key)
	if err != nil {
		return err
	}
	return tx.Q.AddSecret(ctx, name, wrapped, db.Millis(k.now()))
}

func (k *Keys) aead(purpose string) (cipher.AEAD, error) {
	if k.locked != nil {
		return nil, k.locked
	}
	block, err := aes.NewCipher(k.derive("seal", purpose, 32))
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}

// Spend records the use of an id in the caller's transaction, and reports whether this is the first use. The record is
// deleted after expires, so the caller must reject the token after that time.
func (k *Keys) Spend(ctx context.Context, q *query.Queries, purpose, id string, expires time.Time) (bool, error) {
	n, err := q.AddSpentID(ctx, purpose+"/"+id, db.Millis(expires))
	if err != nil {
		return false, fmt.Errorf("spend %s: %w", purpose, err)
	}
	return n == 1, nil
}

// sweepSlack is how much longer used ids are kept than their tokens are valid, because the replicas' clocks differ.
const sweepSlack = 10 * time.Minute

// Sweep deletes used ids of expired tokens in batches. It runs as a periodic job.
func (k *Keys) Sweep(ctx context.Context) error {
	before := db.Millis(k.now().Add(-sweepSlack))
	for deleted := int64(1); deleted > 0; {
		err := k.store.Write(ctx, func(tx *db.Tx) (err error) {
			deleted, err = tx.Q.DropSpentIDs(ctx, before)
			return err
		})
		if err != nil {
			return fmt.Errorf("drop spent ids: %w", err)
		}
	}
	return nil
}
