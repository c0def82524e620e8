// Package seal encrypts committed seeds in the database until they are revealed.
package seal

import (
	"fmt"
	"time"

	"fairground/internal/game/fairness"
	"fairground/internal/platform/secret"
)

// sealTTL is practically unlimited, because a committed seed must stay readable.
const sealTTL = 200 * 365 * 24 * time.Hour

// Seed encrypts a seed, so that someone who reads the database, a backup or a statement log cannot predict draws.
func Seed(k *secret.Keys, purpose string, seed fairness.Seed) ([]byte, error) {
	sealed, err := k.Seal(purpose, seed.Hex(), sealTTL)
	if err != nil {
		return nil, fmt.Errorf("seal seed: %w", err)
	}
	return []byte(sealed), nil
}

// Open returns a stored seed. Revealed seeds, and seeds stored by older versions, are not encrypted.
func Open(k *secret.Keys, purpose string, stored []byte) (fairness.Seed, error) {
	if IsUnsealed(stored) {
		return fairness.Seed(stored), nil
	}
	var hex string
	if _, err := k.Unseal(purpose, string(stored), &hex); err != nil {
		return fairness.Seed{}, fmt.Errorf("unseal seed: %w", err)
	}
	return fairness.ParseSeed(hex)
}

// Reseal encrypts a stored seed with the keys of a new root key. Revealed seeds stay unchanged.
func Reseal(old, next *secret.Keys, purpose string, stored []byte) ([]byte, error) {
	if IsUnsealed(stored) {
		return stored, nil
	}
	seed, err := Open(old, purpose, stored)
	if err != nil {
		return nil, err
	}
	return Seed(next, purpose, seed)
}

// IsUnsealed reports whether a stored seed is not encrypted.
func IsUnsealed(stored []byte) bool { return len(stored) == len(fairness.Seed{}) }
