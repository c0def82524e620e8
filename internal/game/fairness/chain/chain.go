// Package chain provides the seeds of a series of rounds as a hash chain. SHA-256 of seed k is seed k-1, and seed 0 is
// the published end. The end commits the operator to all seeds before the first round. Each revealed seed can be
// verified with the end or with the seed before it.
//
// SHA-256 of seed k is the secret seed of round k-1, so the commitment of round k must stay secret until round k-1 is
// over.
package chain

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"

	"fairground/internal/game/fairness"
)

// Length is the usual number of links of a series.
const Length = 1_000_000

// Spacing is the number of links between two checkpoints. Computing a seed takes fewer hashes than this.
const Spacing = 1000

// Errors of this package.
var (
	ErrLength = errors.New("chain: the length must be from 1 to 100,000,000")
	ErrLink   = errors.New("chain: the series has no such link")
	ErrStored = errors.New("chain: the stored checkpoints are damaged")
)

const maxLength = 100_000_000

// A Chain has the secret seeds of a series. It stores checkpoints and computes the seeds between them. A Chain does not
// change and is safe for concurrent use.
type Chain struct {
	length int
	points []fairness.Seed // seeds 0, Spacing, 2*Spacing …, and the last seed
}

// New returns the chain whose last seed is top, which must be random and secret.
func New(top fairness.Seed, length int) (*Chain, error) {
	if length < 1 || length > maxLength {
		return nil, ErrLength
	}
	c := &Chain{length: length, points: make([]fairness.Seed, pointCount(length))}
	seed := top
	c.points[len(c.points)-1] = top
	for k := length; k > 0; k-- {
		if k%Spacing == 0 {
			c.points[k/Spacing] = seed
		}
		seed = Previous(seed)
	}
	c.points[0] = seed
	return c, nil
}

// pointCount returns the number of checkpoints of a chain.
func pointCount(length int) int { return 1 + (length+Spacing-1)/Spacing }

// Previous returns the seed of the previous link, which is the SHA-256 of seed.
func Previous(seed fairness.Seed) fairness.Seed { return sha256.Sum256(seed[:]) }

// Length returns the number of links. Links count from 1.
func (c *Chain) Length() int { return c.length }

// End returns seed 0, which is published before the first round.
func (c *Chain) End() fairness.Seed { return c.points[0] }

// Seed returns the seed of link k.
func (c *Chain) Seed(k int) (fairness.Seed, error) {
	if k < 1 || k > c.length {
		return fairness.Seed{}, fmt.Errorf("%w: %d of %d", ErrLink, k, c.length)
	}
	point := (k + Spacing - 1) / Spacing
	seed := c.points[point]
	for i := min(point*Spacing, c.length); i > k; i-- {
		seed = Previous(seed)
	}
	return seed, nil
}

// String hides the seeds, so that logs do not contain them.
func (c *Chain) String() string { return fmt.Sprintf("chain of %d links", c.length) }

// GoString hides the seeds, like String.
func (c *Chain) GoString() string { return c.String() }

// MarshalBinary returns the checkpoints. They are secret, so the caller must encrypt them before storing them.
func (c *Chain) MarshalBinary() ([]byte, error) {
	text := make([]byte, 0, len(c.points)*fairness.SeedSize)
	for _, p := range c.points {
		text = append(text, p[:]...)
	}
	return text, nil
}

// Open returns the chain of stored checkpoints. To be fast, it verifies only the checkpoints at both ends of the chain.
func Open(stored []byte, length int, end fairness.Seed) (*Chain, error) {
	if length < 1 || length > maxLength {
		return nil, ErrLength
	}
	if len(stored) != pointCount(length)*fairness.SeedSize {
		return nil, ErrStored
	}
	c := &Chain{length: length, points: make([]fairness.Seed, pointCount(length))}
	for i := range c.points {
		copy(c.points[i][:], stored[i*fairness.SeedSize:])
	}
	if c.points[0] != end {
		return nil, ErrStored
	}
	last := len(c.points) - 1
	for _, point := range []int{1, last} {
		seed := c.points[point]
		for k := min(point*Spacing, length); k > (point-1)*Spacing; k-- {
			seed = Previous(seed)
		}
		if seed != c.points[point-1] {
			return nil, ErrStored
		}
	}
	return c, nil
}

// Verify reports whether seed is link k of the series with the given end. It computes k hashes.
func Verify(end, seed fairness.Seed, k int) bool {
	return VerifyAfter(end, 0, seed, k)
}

// VerifyAfter reports whether seed is link k of a series whose link j is known. j must be below k. It computes k-j
// hashes.
func VerifyAfter(known fairness.Seed, j int, seed fairness.Seed, k int) bool {
	if j < 0 || k <= j || k > maxLength {
		return false
	}
	for ; k > j; k-- {
		seed = Previous(seed)
	}
	return subtle.ConstantTimeCompare(seed[:], known[:]) == 1
}
