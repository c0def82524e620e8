// Package fairnesstest measures whether outcomes look like chance: chi-square, runs and serial tests, each as one
// number that is standard normal when they do. It judges numbers that others drew, draws none itself, and is used by
// tests and by the benchmark with live randomness, never by the server.
package fairnesstest

import (
	"fmt"
	"math"
)

// Score is how far a statistic lies from what chance gives, in standard deviations. Far below is as bad as far above:
// outcomes that are more even than chance were not left to it.
type Score struct {
	Test string
	Z    float64
}

// Beyond says whether a score lies outside the bound, or is no number at all.
func (s Score) Beyond(bound float64) bool { return !(math.Abs(s.Z) <= bound) }

func (s Score) String() string { return fmt.Sprintf("%s: z = %+.2f", s.Test, s.Z) }

// All makes every test of outcomes from 0 to n-1. The serial test is left out where pairs would be too rare for it.
func All(outcomes []int, n int) []Score {
	scores := []Score{ChiSquare(outcomes, n), Runs(outcomes, n)}
	if len(outcomes)/2 >= enough*n*n {
		scores = append(scores, Serial(outcomes, n))
	}
	return scores
}

// enough is how many of each outcome are expected at least for chi-square to be one: 5 is the usual rule.
const enough = 5

// ChiSquare asks whether each outcome came as often as the others.
func ChiSquare(outcomes []int, n int) Score {
	counts := make([]int, n)
	for _, o := range outcomes {
		counts[o]++
	}
	return Score{"chi-square", evenness(counts, len(outcomes))}
}

// Serial asks whether each pair of outcomes that follow each other came as often as the other pairs. Pairs do not
// overlap, so that they are independent.
func Serial(outcomes []int, n int) Score {
	counts := make([]int, n*n)
	pairs := len(outcomes) / 2
	for i := range pairs {
		counts[outcomes[2*i]*n+outcomes[2*i+1]]++
	}
	return Score{"serial", evenness(counts, pairs)}
}

// evenness is the chi-square of counts against all being equal, brought to a standard normal by Wilson and Hilferty's
// cube root, which is good to two decimals from a few degrees of freedom on.
func evenness(counts []int, total int) float64 {
	if len(counts) < 2 {
		return 0
	}
	expected, sum := float64(total)/float64(len(counts)), 0.0
	for _, c := range counts {
		d := float64(c) - expected
		sum += d * d / expected
	}
	if len(counts) == 2 { // one degree of freedom: exactly the square of a normal, whose sign the counts tell
		return math.Copysign(math.Sqrt(sum), float64(counts[0]-counts[1]))
	}
	freedom := float64(len(counts) - 1)
	spread := 2 / (9 * freedom)
	return (math.Cbrt(sum/freedom) - (1 - spread)) / math.Sqrt(spread)
}

// Runs asks whether outcomes of the lower and the upper half take turns as often as chance lets them (Wald and
// Wolfowitz). The one in the middle, where n is odd, is passed over.
func Runs(outcomes []int, n int) Score {
	var low, high, runs float64
	last := 0
	for _, o := range outcomes {
		var side int
		switch {
		case 2*o < n-1:
			low++
			side = -1
		case 2*o > n-1:
			high++
			side = 1
		default:
			continue
		}
		if side != last {
			runs++
			last = side
		}
	}
	both := low + high
	mean := 2*low*high/both + 1
	return Score{"runs", (runs - mean) / math.Sqrt((mean-1)*(mean-2)/(both-1))}
}
