package roulette

import (
	"math/big"
	"slices"
	"testing"
)

func TestSettle(t *testing.T) {
	t.Parallel()
	g := New()
	for number, want := range map[int]map[string]int64{
		0:  {"n0": 36_000, "red": 0, "black": 0, "even": 0, "low": 0, "dozen1": 0, "column1": 0, "split-0-2": 18_000, "street-0-1-2": 12_000, "corner-0-1-2-3": 9000},
		17: {"n17": 36_000, "black": 2000, "red": 0, "odd": 2000, "low": 2000, "high": 0, "dozen2": 3000, "column2": 3000, "split-17-18": 18_000, "street-16-17-18": 12_000, "corner-17-18-20-21": 9000, "line-13-14-15-16-17-18": 6000},
		36: {"red": 2000, "even": 2000, "high": 2000, "dozen3": 3000, "column3": 3000, "n17": 0},
	} {
		for id, pays := range want {
			if got, err := g.Settle(Result{number}, id, 1000); err != nil || int64(got) != pays {
				t.Errorf("%d: %s pays %d, %v, want %d", number, id, got, err, pays)
			}
		}
	}
}

// With a single zero every spot returns 36 of 37.
func TestExactReturns(t *testing.T) {
	t.Parallel()
	g := New()
	for id, share := range g.Returns() {
		sum := new(big.Rat)
		for n := range Pockets {
			sum.Add(sum, g.Share(Result{n}, id).Rat())
		}
		if want := big.NewRat(36, 37); share.Cmp(want) != 0 || sum.Quo(sum, big.NewRat(Pockets, 1)).Cmp(want) != 0 {
			t.Errorf("return of %s = %s, over all numbers %s, want 36/37", id, share, sum)
		}
	}
}

func TestLayout(t *testing.T) {
	t.Parallel()
	kinds := map[int]int{}
	for _, s := range New().Spots {
		if !slices.IsSorted(s.Numbers) || s.Numbers[0] < 0 || s.Numbers[len(s.Numbers)-1] >= Pockets {
			t.Errorf("%s has the invalid numbers %v", s.ID, s.Numbers)
		}
		kinds[len(s.Numbers)]++
	}
	// Straight, splits, streets, corners, lines, dozens and columns, even chances.
	for size, want := range map[int]int{1: 37, 2: 60, 3: 14, 4: 23, 6: 11, 12: 6, 18: 6} {
		if kinds[size] != want {
			t.Errorf("%d spots of %d numbers, want %d", kinds[size], size, want)
		}
	}
}
