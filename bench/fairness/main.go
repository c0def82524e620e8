// Command fairness runs the statistical tests of package fairness on live random seeds, one per round, and measures
// how fast rounds are drawn.
//
//	go run ./bench/fairness
package main

import (
	"crypto/rand"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"fairground/internal/game/fairness"
	"fairground/internal/game/fairness/fairnesstest"
)

const (
	results = "bench/results/fairness.md"
	rounds  = 200_000
	reels   = 5
	// A correct generator exceeds bound in about one of 100,000 runs.
	bound = 5.0
	// roundBudget covers a round's seed, commitment and five numbers.
	roundBudget = 100 * time.Microsecond
)

func main() {
	if err := run(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "bench/fairness:", err)
		os.Exit(1)
	}
}

func run(w io.Writer) error {
	var rows []string
	var elapsed time.Duration
	for _, n := range []int{2, 10, 37, 48, 100} {
		outcomes := make([]int, 0, rounds*reels)
		start := time.Now()
		for i := range rounds {
			seed, err := fairness.NewSeed(rand.Reader)
			if err != nil {
				return err
			}
			if !seed.Matches(seed.Commitment()) {
				return fmt.Errorf("round %d breaks its commitment", i)
			}
			s := fairness.NewStream(seed, "bench", int64(i+1))
			for range reels {
				outcomes = append(outcomes, s.Int(n))
			}
		}
		elapsed += time.Since(start)
		var scores []string
		worst := 0.0
		for _, score := range fairnesstest.All(outcomes, n) {
			scores = append(scores, fmt.Sprintf("%s %+.2f", score.Test, score.Z))
			worst = max(worst, math.Abs(score.Z))
		}
		rows = append(rows, row(fmt.Sprintf("live chance below %d, %d numbers", n, len(outcomes)), strings.Join(scores, ", "), fmt.Sprintf("within %.0f deviations", bound), worst <= bound))
	}
	perRound := elapsed / (rounds * 5)
	rows = append(rows, row("a round's seed, commitment and 5 numbers", perRound.Round(100*time.Nanosecond).String(), "≤ "+roundBudget.String(), perRound <= roundBudget))
	table := "| what | measured | budget | held |\n|---|---|---|---|\n" + strings.Join(rows, "\n") + "\n"
	fmt.Fprint(w, table)
	if err := os.MkdirAll(filepath.Dir(results), 0o755); err != nil {
		return err
	}
	return os.WriteFile(results, []byte(table), 0o644)
}

func row(what, measured, budget string, held bool) string {
	verdict := "yes"
	if !held {
		verdict = "**no**"
	}
	return fmt.Sprintf("| %s | %s | %s | %s |", what, measured, budget, verdict)
}
