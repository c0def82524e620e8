package slot

import (
	"math/big"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"fairground/internal/game/house/reels"
	"fairground/internal/game/house/reels/reelstest"
	"fairground/internal/money"
)

// current returns version 2, with free rounds.
func current() *Machine { return Versions()[1] }

func TestExactReturnWithFreeRounds(t *testing.T) {
	t.Parallel()
	m := current()
	if got, want := m.spinReturn(), big.NewRat(379_867, 524_288); got.Cmp(want) != 0 {
		t.Errorf("return of a spin = %s, want %s", got, want)
	}
	share := m.Return()
	if got := share.FloatString(8); got != "0.96269965" || reels.Percent(share) != "96.26" {
		t.Errorf("return = %s, want 0.96269965", got)
	}
	if got := m.FreeRounds(m.Scatters()).FloatString(8); got != "0.16435341" {
		t.Errorf("free rounds of a bet = %s, want 0.16435341", got)
	}
}

// Three scatters award eight free rounds, which pay double.
func TestScattersAwardFreeRounds(t *testing.T) {
	t.Parallel()
	m := current()
	drawn := numbers{15, 3, 16, 0, 0} // scatters on the first three reels
	for range 8 {
		drawn = append(drawn, 12, 7, 16, 9, 9) // four dragons on the fifth line
	}
	o, err := m.Play(&drawn, 10_000)
	if err != nil {
		t.Fatal(err)
	}
	if len(drawn) != 0 || len(o.Spins) != 9 || o.FreeRounds != 8 || o.Spins[0].Awarded != 8 {
		t.Fatalf("%d numbers left, %d spins, %+v, want no entries, 9 spins, free rounds 8 and awarded 8", len(drawn), len(o.Spins), o.Spins[0])
	}
	for _, spin := range o.Spins[1:] {
		want := []reels.Win{{Line: 5, Symbol: "dragon", Count: 4, Times: 50, Amount: 2 * 25_000, Cells: [][2]int{{0, 0}, {1, 1}, {2, 2}, {3, 1}}}}
		if step := spin.Steps[0]; !spin.Free || step.Multiplier != 2 || !reflect.DeepEqual(step.Wins, want) {
			t.Errorf("got %+v, want a free round with multiplier 2 and wins %+v", spin, want)
		}
	}
	if o.Win != o.Spins[0].Win+8*50_000 || o.Spins[0].Win < 20_000 {
		t.Errorf("won %d, %d of it in the first spin, want 8 free spins of 50000 more than it", o.Win, o.Spins[0].Win)
	}
}

// For any draws the spins add up to the win, free rounds stay within the maximum, and the win is proportional to the stake.
func TestRoundsWithFreeRoundsAddUp(t *testing.T) {
	t.Parallel()
	m := current()
	most := m.Data().FreeRounds.Most
	rapid.Check(t, func(t *rapid.T) {
		// Stops with scatters are more frequent, so that free rounds award more free rounds.
		stop := rapid.OneOf(rapid.IntRange(0, Stops-1), rapid.SampledFrom([]int{15, 3, 16, 21, 14}))
		drawn := numbers(rapid.SliceOfN(stop, Reels*(1+most), Reels*(1+most)).Draw(t, "stops"))
		parts := money.Minor(rapid.Int64Range(1, 100_000_000).Draw(t, "stake of a line"))
		play := func(stake money.Minor) reels.Outcome {
			stream := slices.Clone(drawn)
			o, err := m.Play(&stream, stake)
			if err != nil {
				t.Fatal(err)
			}
			if used := len(drawn) - len(stream); used != Reels*len(o.Spins) || len(o.Spins) != 1+o.FreeRounds || o.FreeRounds > most {
				t.Fatalf("%d numbers for %d spins, %d free, want %d numbers a spin and at most %d free", used, len(o.Spins), o.FreeRounds, Reels, most)
			}
			return o
		}
		o := play(parts * Lines)
		var sum money.Minor
		for i, spin := range o.Spins {
			step := spin.Steps[0]
			if spin.Free != (i > 0) || spin.Win != step.Win || step.Multiplier != m.Multiplier(i > 0, 0) {
				t.Fatalf("spin %d: %+v, want free = %t, the win of its step %d and the factor %d", i, spin, i > 0, step.Win, m.Multiplier(i > 0, 0))
			}
			for _, w := range step.Wins {
				sum += w.Amount
			}
		}
		if sum != o.Win {
			t.Fatalf("wins add up to %d, not %d", sum, o.Win)
		}
		if double := play(2 * parts * Lines); double.Win != 2*o.Win || double.FreeRounds != o.FreeRounds {
			t.Fatalf("twice the stake wins %d, not %d", double.Win, 2*o.Win)
		}
	})
}

func TestLongRunWithFreeRounds(t *testing.T) {
	t.Parallel()
	reelstest.LongRun(t, current(), Lines, 100_000, 3)
}
