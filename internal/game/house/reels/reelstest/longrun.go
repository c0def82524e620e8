// Package reelstest tries engines on reels as tests do: by playing them for long. It is for tests alone, and holds nothing
// that an engine needs.
package reelstest

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"fairground/internal/game/house/reels"
	"fairground/internal/money"
)

// Machine is an engine that can be played and says what it returns.
type Machine interface {
	Play(draw reels.Draw, stake money.Minor) (reels.Outcome, error)
	Return() *big.Rat
}

type draws struct{ *rand.Rand }

func (d draws) Int(n int) int { return d.IntN(n) }

// LongRun plays so many rounds of a fixed generator: what they return stays near the exact figure, within four standard
// errors.
func LongRun(t *testing.T, m Machine, stake money.Minor, rounds int, seed uint64) {
	t.Helper()
	r := draws{rand.New(rand.NewPCG(seed, seed+1))}
	var sum, squares float64
	for range rounds {
		o, err := m.Play(r, stake)
		if err != nil {
			t.Fatal(err)
		}
		x := float64(o.Win) / float64(stake)
		sum += x
		squares += x * x
	}
	n := float64(rounds)
	mean := sum / n
	deviation := math.Sqrt((squares/n - mean*mean) / n)
	exact, _ := m.Return().Float64()
	t.Logf("%.4f after %d rounds, exactly %.4f, standard error %.4f", mean, rounds, exact, deviation)
	if math.Abs(mean-exact) > 4*deviation {
		t.Errorf("%d rounds returned %.4f, the exact return is %.4f", rounds, mean, exact)
	}
}
