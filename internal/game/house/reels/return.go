package reels

import "math/big"

// Counts is a distribution over all equally likely outcomes of a spin.
type Counts struct {
	Outcomes map[int]int64 // by count
	All      int64         // the number of outcomes
}

// Scatters returns the distribution of the number of visible scatters.
func (t *Table) Scatters() Counts {
	seen := Counts{Outcomes: map[int]int64{0: 1}, All: 1}
	for _, strip := range t.Strips {
		next := map[int]int64{}
		for stop := range strip {
			here := 0
			for row := range t.data.Rows {
				if strip[(stop+row)%len(strip)] == t.Scatter {
					here++
				}
			}
			for n, ways := range seen.Outcomes {
				next[n+here] += ways
			}
		}
		seen.Outcomes, seen.All = next, seen.All*int64(len(strip))
	}
	return seen
}

// FreeRounds returns the exact mean number of free rounds of a bet.
//
// Whether a free round is played depends only on earlier spins, so all free rounds have the same mean win. A bet's return is
// therefore the return of its paid spin, plus this number times the return of a free round.
func (t *Table) FreeRounds(scatters Counts) *big.Rat {
	f := t.data.FreeRounds
	if f == nil {
		return new(big.Rat)
	}
	awards := map[int]int64{}
	for n, ways := range scatters.Outcomes {
		awards[t.Awarded(n)] += ways
	}
	all := big.NewInt(scatters.All)
	// expected[p][g] is the expected final number of free rounds when p were played and g were awarded. It is scaled by
	// all^(rounds that could still be played), so that it is an integer.
	expected := make([][]*big.Int, f.Most+1)
	for played := f.Most; played >= 0; played-- {
		expected[played] = make([]*big.Int, f.Most+1)
		weight := new(big.Int).Exp(all, big.NewInt(int64(f.Most-played)), nil)
		expected[played][played] = new(big.Int).Mul(weight, big.NewInt(int64(played)))
		for awarded := played + 1; awarded <= f.Most; awarded++ {
			expected[played][awarded] = weightedSum(awards, expected[played+1], awarded)
		}
	}
	sum := weightedSum(awards, expected[0], 0)
	return new(big.Rat).SetFrac(sum, new(big.Int).Exp(all, big.NewInt(int64(f.Most+1)), nil))
}

// weightedSum returns the sum of the values in next after each award, weighted by the award's number of outcomes.
func weightedSum(awards map[int]int64, next []*big.Int, awarded int) *big.Int {
	sum := new(big.Int)
	for award, ways := range awards {
		sum.Add(sum, new(big.Int).Mul(big.NewInt(ways), next[min(awarded+award, len(next)-1)]))
	}
	return sum
}

// Total returns a bet's return, given the returns of a paid spin and of a free round.
func (t *Table) Total(paid, free *big.Rat, scatters Counts) *big.Rat {
	rounds := t.FreeRounds(scatters)
	return rounds.Mul(rounds, free).Add(rounds, paid)
}

// Percent formats a share as a percentage with two decimals. It rounds down, so that the published return is never too high.
func Percent(share *big.Rat) string {
	hundredths := new(big.Int).Mul(share.Num(), big.NewInt(100*100))
	hundredths.Quo(hundredths, share.Denom())
	whole, part := new(big.Int).QuoRem(hundredths, big.NewInt(100), new(big.Int))
	text := part.String()
	if len(text) == 1 {
		text = "0" + text
	}
	return whole.String() + "." + text
}
