package fairness

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"testing"

	"fairground/internal/game/fairness/fairnesstest"
)

// The test tries every word of small word sizes. Each number must result from equally many words.
func TestPP16RejectionIsExact(t *testing.T) {
	t.Parallel()
	for _, size := range []uint64{16, 256, 4096} {
		for n := uint64(1); n <= size; n++ {
			counts, skipped := make([]uint64, n), uint64(0)
			for w := range size {
				first := true
				got := below(n, size, func() uint64 {
					if !first {
						skipped++
						return 0
					}
					first = false
					return w
				})
				counts[got]++
			}
			counts[0] -= skipped // numbers drawn after a skipped word
			for v, c := range counts {
				if c != size/n {
					t.Fatalf("of %d words %d yield %d below %d, want %d", size, c, v, n, size/n)
				}
			}
			if skipped != size%n {
				t.Fatalf("of %d words %d were skipped for %d, want %d", size, skipped, n, size%n)
			}
		}
	}
}

// bound is the maximum deviation in standard deviations. A correct generator exceeds it in one of 10,000 statistics.
// Fixed seeds make the result repeatable. They were not selected to pass.
const bound = 3.89

// sizes are the ranges that games use: coin, die, digits, wheel, reel, deck, percentages, long reel.
var sizes = []int{2, 6, 10, 37, 48, 52, 100, 4096}

func seedOf(name string) Seed { return sha256.Sum256([]byte(name)) }

func TestPP16NumbersAreUniform(t *testing.T) {
	t.Parallel()
	const draws = 120_000 // enough for pairs below 100
	// A new stream is expensive, so each is created once and copied for every size.
	firstNumber := func(open func(i int) *Stream) func(i, n int) int {
		streams := make([]Stream, draws)
		for i := range streams {
			streams[i] = *open(i)
			streams[i].Word()
			streams[i].used = 0
		}
		return func(i, n int) int {
			s := streams[i]
			return s.Int(n)
		}
	}
	sources := map[string]func() func(i, n int) int{
		"one long stream": func() func(i, n int) int {
			long := NewStream(seedOf("statistics"), "player", 1)
			return func(_, n int) int { return long.Int(n) }
		},
		"first number of each nonce": func() func(i, n int) int {
			seed := seedOf("nonces")
			return firstNumber(func(i int) *Stream { return NewStream(seed, "player", int64(i+1)) })
		},
		"first number of each seed": func() func(i, n int) int {
			return firstNumber(func(i int) *Stream { return NewStream(seedOf(fmt.Sprint("seed ", i)), "player", 1) })
		},
	}
	for name, newSource := range sources {
		t.Run("PP-16 "+name, func(t *testing.T) {
			t.Parallel()
			draw := newSource()
			for _, n := range sizes {
				outcomes := make([]int, draws)
				for i := range outcomes {
					outcomes[i] = draw(i, n)
				}
				for _, score := range fairnesstest.All(outcomes, n) {
					if score.Beyond(bound) {
						t.Errorf("below %d: %s, want at most %v", n, score, bound)
					}
				}
			}
		})
	}
}

func TestPP16ShuffleIsUniform(t *testing.T) {
	t.Parallel()
	const decks = 60_000
	first, last, orders := make([]int, decks), make([]int, decks), make([]int, decks)
	for i := range decks {
		s := NewStream(seedOf("decks"), "player", int64(i+1))
		deck := make([]int, 52)
		for c := range deck {
			deck[c] = c
		}
		s.Shuffle(52, func(i, j int) { deck[i], deck[j] = deck[j], deck[i] })
		first[i], last[i] = deck[0], deck[51]
		few := []int{0, 1, 2, 3} // all 24 orders of four
		s.Shuffle(4, func(i, j int) { few[i], few[j] = few[j], few[i] })
		rank := 0
		for a := range few {
			smaller := 0
			for _, later := range few[a+1:] {
				if later < few[a] {
					smaller++
				}
			}
			rank = rank*(len(few)-a) + smaller
		}
		orders[i] = rank
	}
	for name, outcomes := range map[string][]int{"first card": first, "last card": last} {
		for _, score := range fairnesstest.All(outcomes, 52) {
			if score.Beyond(bound) {
				t.Errorf("%s: score = %s, want it within the bound", name, score)
			}
		}
	}
	for _, score := range fairnesstest.All(orders, 24) {
		if score.Beyond(bound) {
			t.Errorf("order of four: %s, want at most %v", score, bound)
		}
	}
}

// The statistics must detect each kind of biased generator.
func TestPP16StatisticsDetectBias(t *testing.T) {
	t.Parallel()
	const draws, n = 400_000, 6
	random := rand.New(rand.NewPCG(1, 2))
	for name, c := range map[string]struct {
		test string
		draw func(i int) int
	}{
		"remainder of a byte, not rejected": {"chi-square", func(int) int { return int(uint8(random.Uint32())) % n }},
		"one in fifty zeros becomes 1": {"chi-square", func(int) int {
			if v := random.IntN(n); v != 0 || random.IntN(50) > 0 {
				return v
			}
			return 1
		}},
		"too even":                   {"chi-square", func(i int) int { return i % n }},
		"repeats outcomes too often": {"runs", sticky(random, n, 0.02)},
		"pairs depend on each other": {"serial", paired(random, n)},
	} {
		outcomes := make([]int, draws)
		for i := range outcomes {
			outcomes[i] = c.draw(i)
		}
		detected := false
		for _, score := range fairnesstest.All(outcomes, n) {
			detected = detected || score.Test == c.test && score.Beyond(bound)
		}
		if !detected {
			t.Errorf("%s: passes the %s test: %v", name, c.test, fairnesstest.All(outcomes, n))
		}
	}
	unbiased := make([]int, draws)
	for i := range unbiased {
		unbiased[i] = random.IntN(n)
	}
	for _, score := range fairnesstest.All(unbiased, n) {
		if score.Beyond(bound) {
			t.Errorf("unbiased generator: %s, want at most %v", score, bound)
		}
	}
}

// sticky sometimes repeats the last outcome. Its outcomes are equally frequent, but have too few runs.
func sticky(random *rand.Rand, n int, chance float64) func(int) int {
	last := 0
	return func(int) int {
		if random.Float64() >= chance {
			last = random.IntN(n)
		}
		return last
	}
}

// paired sometimes derives the second outcome of a pair from the first. Counts and runs do not detect it.
func paired(random *rand.Rand, n int) func(int) int {
	first := 0
	return func(i int) int {
		if i%2 == 0 || random.IntN(20) > 0 {
			first = random.IntN(n)
			return first
		}
		return (first + 1) % n
	}
}
