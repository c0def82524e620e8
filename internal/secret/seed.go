package secret

import (
	"fmt"
	"time"

	"fairground/internal/fairness"
)

// seedFor is for good: what was committed to is drawn from, however late.
const seedFor = 200 * 365 * 24 * time.Hour

// SealSeed makes what lies in the database of a seed until it is told: whoever reads a table, a copy of it or a log of statements
// does not know what will be drawn.
func (k *Keys) SealSeed(purpose string, seed fairness.Seed) ([]byte, error) {
	sealed, err := k.Seal(purpose, seed.Hex(), seedFor)
	if err != nil {
		return nil, fmt.Errorf("seal seed: %w", err)
	}
	return []byte(sealed), nil
}

// OpenSeed reads a stored seed: one that is sealed, one that was told, or one from before they were sealed.
func (k *Keys) OpenSeed(purpose string, stored []byte) (fairness.Seed, error) {
	if IsBare(stored) {
		return fairness.Seed(stored), nil
	}
	var hex string
	if _, err := k.Unseal(purpose, string(stored), &hex); err != nil {
		return fairness.Seed{}, fmt.Errorf("unseal seed: %w", err)
	}
	return fairness.ParseSeed(hex)
}

// IsBare tells whether a stored seed lies open.
func IsBare(stored []byte) bool { return len(stored) == len(fairness.Seed{}) }
