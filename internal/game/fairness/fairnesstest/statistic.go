// Package fairnesstest provides statistical tests of random outcomes: chi-square, runs and serial tests. Each returns
// a score that is standard normal for uniform outcomes. Only tests and the fairness benchmark use the package.
package fairnesstest

import (
	"fmt"
	"math"
)

// A Score is the deviation of a statistic in standard deviations. Large negative values are also suspicious: such
// outcomes are too even.
type Score struct {
	Test string
	Z    float64
}

// Beyond reports whether the score exceeds the bound or is not a number.
func (s Score) Beyond(bound float64) bool { return !(math.Abs(s.Z) <= bound) }

func (s Score) String() string { return fmt.Sprintf("%s: z = %+.2f", s.Test, s.Z) }

// All runs all tests on outcomes from 0 to n-1. It omits the serial test if there are too few outcomes.
func All(outcomes []int, n int) []Score {
	scores := []Score{ChiSquare(outcomes, n), Runs(outcomes, n)}
	if len(outcomes)/2 >= minExpected*n*n {
		scores = append(scores, Serial(outcomes, n))
	}
	return scores
}

// minExpected is the minimum expected count of each outcome for chi-square.
const minExpected = 5

// ChiSquare tests whether all outcomes are equally frequent.
func ChiSquare(outcomes []int, n int) Score {
	counts := make([]int, n)
	for _, o := range outcomes {
		counts[o]++
	}
	return Score{"chi-square", chiSquareScore(counts, len(outcomes))}
}

// Serial tests whether all pairs of consecutive outcomes are equally frequent. Pairs do not overlap, so they are
// independent.
func Serial(outcomes []int, n int) Score {
	counts := make([]int, n*n)
	pairs := len(outcomes) / 2
	for i := range pairs {
		counts[outcomes[2*i]*n+outcomes[2*i+1]]++
	}
	return Score{"serial", chiSquareScore(counts, pairs)}
}

// chiSquareScore returns the chi-square statistic of counts, converted to a standard normal by the Wilson–Hilferty
// transformation.
func chiSquareScore(counts []int, total int) float64 {
	if len(counts) < 2 {
		return 0
	}
	expected, sum := float64(total)/float64(len(counts)), 0.0
	for _, c := range counts {
		d := float64(c) - expected
		sum += d * d / expected
	}
	if len(counts) == 2 { // one degree of freedom: the square of a standard normal
		return math.Copysign(math.Sqrt(sum), float64(counts[0]-counts[1]))
	}
	freedom := float64(len(counts) - 1)
	spread := 2 / (9 * freedom)
	return (math.Cbrt(sum/freedom) - (1 - spread)) / math.Sqrt(spread)
}

// Runs tests how often outcomes change between the lower and the upper half (Wald–Wolfowitz). It ignores the middle
// outcome if n is odd.
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
	total := low + high
	mean := 2*low*high/total + 1
	return Score{"runs", (runs - mean) / math.Sqrt((mean-1)*(mean-2)/(total-1))}
}
