// Package seal keeps committed seeds encrypted in the database until they are revealed. It draws nothing and proves nothing.
package seal

import (
	"fmt"
	"time"

	"fairground/internal/game/fairness"
	"fairground/internal/platform/secret"
)

// seedFor is for good: what was committed to is drawn from, however late.
const seedFor = 200 * 365 * 24 * time.Hour

// Seed makes what lies in the database of a seed until it is told: whoever reads a table, a copy of it or a log of statements
// does not know what will be drawn.
func Seed(k *secret.Keys, purpose string, seed fairness.Seed) ([]byte, error) {
	sealed, err := k.Seal(purpose, seed.Hex(), seedFor)
	if err != nil {
		return nil, fmt.Errorf("seal seed: %w", err)
	}
	return []byte(sealed), nil
}

// Open reads a stored seed: one that is sealed, one that was told, or one from before they were sealed.
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

// IsUnsealed tells whether a stored seed lies open.
func IsUnsealed(stored []byte) bool { return len(stored) == len(fairness.Seed{}) }
