package ways

import (
	"errors"
	"math"
	"math/big"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"fairground/internal/game/house/reels"
	"fairground/internal/game/house/reels/reelstest"
	"fairground/internal/money"
)

// The published figures of version 1 (docs/games/ways.md), over 32^5 outcomes of a spin.
var exactSpin = big.NewRat(483_929, 655_360)

const (
	exactHits   = 19_026_400   // outcomes that pay anything
	exactAbove  = 6_156_028    // outcomes that pay more than the stake, without free rounds
	exactMost   = 2_000        // highest win of a paid spin, in parts of the stake
	exactReturn = "0.96495742" // with the free rounds, rounded
	exactFree   = "0.15339595" // free rounds of a bet
)

// numbers is a Draw with a fixed sequence.
type numbers []int

func (n *numbers) Int(below int) int {
	next := (*n)[0]
	*n = (*n)[1:]
	if next >= below {
		panic("number out of range")
	}
	return next
}

// showing returns a machine whose reels show these columns at stop 0.
func showing(t *testing.T, columns [Reels]string) *Machine {
	t.Helper()
	m, err := read(first)
	if err != nil {
		t.Fatal(err)
	}
	for reel, column := range columns {
		for row, name := range strings.Split(column, "|") {
			number, known := m.Number(name)
			if !known {
				t.Fatalf("no symbol %q", name)
			}
			m.Strips[reel][row] = number
		}
		if err := m.window(reel, 0); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

func TestEvaluate(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		columns [Reels]string
		want    []reels.Win // without cells
	}{
		"nothing": {columns: [Reels]string{"A|K|Q|J", "10|10|10|10", "A|K|Q|J", "A|K|Q|J", "A|K|Q|J"}},
		"three reels": {
			[Reels]string{"A|lotus|lotus|lotus", "A|10|10|10", "K|K|A|K", "J|J|J|J", "A|A|A|A"},
			[]reels.Win{{Ways: 1, Symbol: "A", Count: 3, Times: 4}},
		},
		"two of three on a reel": {
			[Reels]string{"A|A|lotus|lotus", "A|10|A|10", "K|K|A|A", "A|J|J|J", "J|J|J|J"},
			[]reels.Win{{Ways: 8, Symbol: "A", Count: 4, Times: 8}},
		},
		"a wild counts as every symbol": {
			[Reels]string{"A|K|lotus|lotus", "wild|10|10|10", "A|K|K|10", "J|J|J|J", "J|J|J|J"},
			[]reels.Win{{Ways: 1, Symbol: "A", Count: 3, Times: 4}, {Ways: 2, Symbol: "K", Count: 3, Times: 4}},
		},
		"wilds alone": {
			[Reels]string{"dragon|10|10|10", "wild|K|K|K", "wild|K|K|K", "wild|K|K|K", "dragon|dragon|J|J"},
			[]reels.Win{{Ways: 2, Symbol: "dragon", Count: 5, Times: 250}, {Ways: 3, Symbol: "10", Count: 4, Times: 4}},
		},
		"scatters anywhere, and no wild for them": {
			[Reels]string{"scatter|K|10|10", "wild|Q|Q|Q", "Q|scatter|Q|Q", "A|A|A|A", "J|J|J|scatter"},
			[]reels.Win{{Symbol: "scatter", Count: 3, Times: 2}},
		},
	} {
		m := showing(t, tt.columns)
		spin, err := m.Evaluate([]int{0, 0, 0, 0, 0}, false, 2_000)
		if err != nil {
			t.Fatal(err)
		}
		got := slices.Clone(spin.Steps[0].Wins)
		for i, w := range got {
			amount := money.Minor(w.Times * w.Ways * 100)
			if w.Symbol == "scatter" {
				amount = money.Minor(w.Times * 2_000)
			}
			if w.Amount != amount || len(w.Cells) < w.Count {
				t.Errorf("%s: %+v, want %d", name, w, amount)
			}
			got[i].Amount, got[i].Cells = 0, nil
		}
		if len(got) != len(tt.want) || len(got) > 0 && !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: %+v, want %+v", name, got, tt.want)
		}
	}
}

// For any draws the wins match their cells and add up, free rounds stay within the maximum, and twice the stake wins twice as
// much.
func TestOutcomesAreConsistent(t *testing.T) {
	t.Parallel()
	m := Versions()[0]
	most := m.Data().FreeRounds.Most
	rapid.Check(t, func(t *rapid.T) {
		drawn := numbers(rapid.SliceOfN(rapid.IntRange(0, Stops-1), Reels*(1+most), Reels*(1+most)).Draw(t, "stops"))
		parts := money.Minor(rapid.Int64Range(1, 100_000_000).Draw(t, "part of the stake"))
		odd := money.Minor(rapid.Int64Range(0, reels.Parts-1).Draw(t, "left over"))
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
		o := play(parts * reels.Parts)
		var won money.Minor
		for i, spin := range o.Spins {
			step := spin.Steps[0]
			if spin.Free != (i > 0) || len(spin.Steps) != 1 || step.Multiplier != m.Multiplier(spin.Free, 0) || spin.Win != step.Win {
				t.Fatalf("spin %d: %+v, want free = %t, and one step with its win", i, spin, i > 0)
			}
			var sum money.Minor
			for _, w := range step.Wins {
				ways := map[int]int64{}
				for _, cell := range w.Cells {
					shown := step.Grid[cell[0]][cell[1]]
					if shown != w.Symbol && (shown != "wild" || w.Symbol == "scatter") || cell[0] >= w.Count && w.Symbol != "scatter" {
						t.Fatalf("%+v shows %s at %v", w, shown, cell)
					}
					ways[cell[0]]++
				}
				product := int64(1)
				for _, n := range ways {
					product *= n
				}
				base := parts * money.Minor(w.Ways)
				if w.Symbol == "scatter" {
					product, base = 0, parts*reels.Parts
				}
				if product != w.Ways || w.Amount != base*money.Minor(w.Times*step.Multiplier) {
					t.Fatalf("win = %+v, want %d ways and %d times its factors", w, product, base)
				}
				sum += w.Amount
			}
			if sum != spin.Win {
				t.Fatalf("wins add up to %d, not %d", sum, spin.Win)
			}
			won += sum
		}
		if won != o.Win {
			t.Fatalf("spins add up to %d, not %d", won, o.Win)
		}
		if again := play(parts * reels.Parts); !reflect.DeepEqual(o, again) {
			t.Fatalf("the same draws gave %+v and %+v, want the same", o, again)
		}
		if double := play(2 * parts * reels.Parts); double.Win != 2*o.Win || double.FreeRounds != o.FreeRounds {
			t.Fatalf("twice the stake wins %d, not %d", double.Win, 2*o.Win)
		}
		if more := play(parts*reels.Parts + odd); more.Win < o.Win || more.Win > o.Win*2+odd*1_000_000 || more.FreeRounds != o.FreeRounds {
			t.Fatalf("%d more staked: %d, not %d", odd, more.Win, o.Win)
		}
	})
}

func TestInvalidStakesAndStops(t *testing.T) {
	t.Parallel()
	m := Versions()[0]
	for _, stake := range []money.Minor{0, -1, math.MinInt64, math.MaxInt64, math.MaxInt64 / 1_000_000} {
		none := numbers{} // panics on a draw
		if _, err := m.Play(&none, stake); !errors.Is(err, reels.ErrStake) {
			t.Errorf("a stake of %d = %v, want ErrStake", stake, err)
		}
	}
	for _, stops := range [][]int{{0, 0, 0, 0, Stops}, {-1, 0, 0, 0, 0}, {0, 0, 0, 0}, nil} {
		if _, err := m.Evaluate(stops, false, 20); err == nil {
			t.Errorf("Evaluate accepts stops %v", stops)
		}
	}
}

func TestReadRejectsInvalidData(t *testing.T) {
	t.Parallel()
	for name, change := range map[string][2]string{
		"another kind":             {`"kind": "ways"`, `"kind": "lines"`},
		"another number of rows":   {`"rows": 4`, `"rows": 3`},
		"a pay that decreases":     {`{"3": 15, "4": 45`, `{"3": 15, "4": 14`},
		"a pay for two reels":      {`{"3": 15, "4": 45`, `{"2": 15, "4": 45`},
		"pays of the wild":         {`"dragon": {`, `"wild": {"3": 1}, "dragon": {`},
		"no free rounds":           {`"freeRounds"`, `"other"`},
		"no wild":                  {`"wild": "wild"`, `"wild": ""`},
		"a wild on the first reel": {`["` + Versions()[0].Data().Strips[0][0], `["wild`},
		"two scatters at one stop": {`["` + strings.Join(Versions()[0].Data().Strips[0][:2], `", "`), `["scatter", "scatter`},
	} {
		if _, err := read([]byte(strings.Replace(string(first), change[0], change[1], 1))); err == nil {
			t.Errorf("read accepts data with %s", name)
		}
	}
}

func TestLongRun(t *testing.T) {
	t.Parallel()
	reelstest.LongRun(t, Versions()[0], reels.Parts, 100_000, 1)
}
