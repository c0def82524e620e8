// Package reelstest plays slot engines for many rounds, for tests.
package reelstest

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"fairground/internal/game/house/reels"
	"fairground/internal/money"
)

// A Machine is a slot engine.
type Machine interface {
	Play(draw reels.Draw, stake money.Minor) (reels.Outcome, error)
	Return() *big.Rat
}

type draws struct{ *rand.Rand }

func (d draws) Int(n int) int { return d.IntN(n) }

// LongRun plays rounds with a fixed random seed. Their return must be within four standard errors of the exact return.
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
	t.Logf("return of %d rounds = %.4f, exact return %.4f, standard error %.4f", rounds, mean, exact, deviation)
	if math.Abs(mean-exact) > 4*deviation {
		t.Errorf("return of %d rounds = %.4f, want %.4f", rounds, mean, exact)
	}
}
