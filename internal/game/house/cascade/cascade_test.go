package cascade

import (
	"errors"
	"fmt"
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

// figures are a version's exact figures, over 32^5 outcomes of a spin.
type figures struct {
	spin, free     *big.Rat // return of a paid spin and of a free round
	hits, above    int64    // paid spins that pay anything, and more than the stake
	most, mostFree int64    // highest win of a paid spin and of a free round, in parts of the stake
	falls          int64    // of the longest cascade
	total, rounds  string   // return and mean free rounds of a bet, rounded
	shown          string   // the published return
	beyond         []string // pays that no outcome reaches
}

// exact are the published figures of each version (docs/games/cascade.md).
var exact = []figures{
	{
		spin: big.NewRat(276_292_411, 335_544_320), free: big.NewRat(276_292_411, 167_772_160), hits: 14_688_260,
		above: 5_497_097, most: 1_846, mostFree: 3_692, falls: 19, total: "0.96478887", rounds: "0.08584567", shown: "96.47",
		beyond: []string{"diamond 12", "dragon 12", "lantern 12", "lotus 12"},
	},
	{
		spin: big.NewRat(16_753_963, 20_971_520), free: big.NewRat(16_753_963, 10_485_760), hits: 18_148_652,
		above: 5_584_134, most: 3_977, mostFree: 7_954, falls: 20, total: "0.96501560", rounds: "0.10397185", shown: "96.50",
	},
}

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

func TestExactReturn(t *testing.T) {
	t.Parallel()
	for i, m := range Versions() {
		want := exact[i]
		share := func(free bool) *big.Rat {
			sum := int64(0)
			for step, pays := range m.counted.Pays {
				sum += pays * m.Multiplier(free, step)
			}
			return big.NewRat(sum, all*reels.Parts)
		}
		if paid, free := share(false), share(true); paid.Cmp(want.spin) != 0 || free.Cmp(want.free) != 0 {
			t.Errorf("version %d: returns of a spin = %s and %s, want %s and %s", i+1, paid, free, want.spin, want.free)
		}
		if got := m.Return(); got.FloatString(8) != want.total || reels.Percent(got) != want.shown {
			t.Errorf("version %d: return = %s, want %s", i+1, got.FloatString(8), want.total)
		}
		if got := m.FreeRounds(m.scatters()).FloatString(8); got != want.rounds {
			t.Errorf("version %d: free rounds of a bet = %s, want %s", i+1, got, want.rounds)
		}
		outcomes := int64(0)
		for _, n := range m.scatters().Outcomes {
			outcomes += n
		}
		if outcomes != all {
			t.Errorf("version %d: %d outcomes, want %d", i+1, outcomes, all)
		}
	}
}

// showing returns a machine whose reels show these columns at stop 0, with these symbols above, nearest first.
func showing(t *testing.T, version []byte, columns, above [Reels]string) *Machine {
	t.Helper()
	m, err := read(version)
	if err != nil {
		t.Fatal(err)
	}
	number := func(name string) reels.Symbol {
		n, known := m.Number(name)
		if !known {
			t.Fatalf("no symbol %q", name)
		}
		return n
	}
	for reel := range columns {
		for row, name := range strings.Split(columns[reel], "|") {
			m.strips[reel][row] = number(name)
		}
		for i, name := range strings.FieldsFunc(above[reel], func(r rune) bool { return r == '|' }) {
			m.strips[reel][Stops-1-i] = number(name)
		}
	}
	return m
}

func TestWinningSymbolsVanish(t *testing.T) {
	t.Parallel()
	m := showing(t, first,
		[Reels]string{"K|K|A|lotus", "K|Q|K|lotus", "K|A|A|lotus", "K|scatter|Q|diamond", "dragon|Q|diamond|lantern"},
		[Reels]string{"A|A", "A|lotus", "A", "A", ""})
	spin, err := m.Evaluate([]int{0, 0, 0, 0, 0}, false, 2_000)
	if err != nil {
		t.Fatal(err)
	}
	if len(spin.Steps) != 3 {
		t.Fatalf("%d steps: %+v, want 3", len(spin.Steps), spin)
	}
	kings, aces := spin.Steps[0], spin.Steps[1]
	if len(kings.Wins) != 1 || kings.Wins[0].Symbol != "K" || kings.Wins[0].Count != 6 || kings.Wins[0].Amount != 500 || kings.Multiplier != 1 {
		t.Errorf("got %+v, want one win of 6 K that pays 500, not multiplied", kings.Wins)
	}
	want := [][]string{{"A", "A", "A", "lotus"}, {"lotus", "A", "Q", "lotus"}, {"A", "A", "A", "lotus"}, {"A", "scatter", "Q", "diamond"}, {"dragon", "Q", "diamond", "lantern"}}
	if !reflect.DeepEqual(aces.Grid, want) {
		t.Errorf("after a fall %v\nwant %v", aces.Grid, want)
	}
	// Eight aces, doubled after the first fall.
	if len(aces.Wins) != 1 || aces.Wins[0].Count != 8 || aces.Wins[0].Times != 14 || aces.Wins[0].Amount != 2*1_400 || aces.Multiplier != 2 {
		t.Errorf("got %+v, want one win of 8 that pays 2800 with multiplier 2", aces.Wins)
	}
	if last := spin.Steps[2]; last.Multiplier != 3 || spin.Win != kings.Win+aces.Win+last.Win || last.Grid[3][3] != "diamond" {
		t.Errorf("got %+v, want multiplier 3, the sum of the steps and a diamond in the last cell", spin)
	}
	free, err := m.Evaluate([]int{0, 0, 0, 0, 0}, true, 2_000)
	if err != nil || free.Steps[0].Win != 2*500 || free.Steps[1].Win != 4*1_400 || free.Steps[2].Multiplier != 6 {
		t.Errorf("free round = %+v, %v, want wins of 1000 and 5600 and then the multiplier 6", free, err)
	}
}

// Scatters never vanish, and are counted after the last fall.
func TestScattersAreCountedLast(t *testing.T) {
	t.Parallel()
	m := showing(t, first,
		[Reels]string{"K|K|A|scatter", "K|Q|K|lotus", "K|A|dragon|lotus", "K|Q|Q|diamond", "dragon|scatter|diamond|lantern"},
		[Reels]string{"lotus|diamond", "diamond|lantern", "scatter", "lantern", ""})
	spin, err := m.Evaluate([]int{0, 0, 0, 0, 0}, false, 2_000)
	if err != nil {
		t.Fatal(err)
	}
	last := spin.Steps[len(spin.Steps)-1]
	if len(spin.Steps) != 2 || len(last.Wins) != 1 || spin.Awarded != 10 {
		t.Fatalf("got %+v, want two steps, one win in the last, 10 free rounds", spin)
	}
	// Three times the stake, doubled after a fall.
	if w := last.Wins[0]; w.Symbol != "scatter" || w.Count != 3 || w.Times != 3 || w.Amount != 2*3*2_000 || !reflect.DeepEqual(w.Cells, [][2]int{{0, 3}, {2, 0}, {4, 1}}) {
		t.Errorf("got %+v, want 3 scatters that pay 12000", w)
	}
}

// For any draws each step follows from the one before, the wins match their cells and add up, free rounds stay within the
// maximum, and twice the stake wins twice as much.
func TestOutcomesAreConsistent(t *testing.T) {
	t.Parallel()
	for i, m := range Versions() {
		t.Run(fmt.Sprintf("version %d", i+1), func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, m.checkOutcome)
		})
	}
}

func (m *Machine) checkOutcome(t *rapid.T) {
	most, wild := m.Data().FreeRounds.Most, m.Data().Wild
	drawn := numbers(rapid.SliceOfN(rapid.IntRange(0, Stops-1), Reels*(1+most), Reels*(1+most)).Draw(t, "stops"))
	parts := money.Minor(rapid.Int64Range(1, 10_000_000).Draw(t, "part of the stake"))
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
		if spin.Free != (i > 0) {
			t.Fatalf("spin %d is free: %t, want %t", i, spin.Free, i > 0)
		}
		var sum money.Minor
		for falls, step := range spin.Steps {
			last := falls == len(spin.Steps)-1
			gone := map[[2]int]bool{}
			for _, w := range step.Wins {
				if (w.Symbol == "scatter") != last || len(w.Cells) != w.Count {
					t.Fatalf("step %d of %d: %+v, want scatters only in the last one, and a cell for each symbol", falls, len(spin.Steps), w)
				}
				each := parts
				if w.Symbol == "scatter" {
					each *= reels.Parts
				}
				if w.Amount != each*money.Minor(w.Times*m.Multiplier(spin.Free, falls)) {
					t.Fatalf("win = %+v, want %d times its factors", w, each)
				}
				for _, cell := range w.Cells {
					if gone[cell] = true; !shows(step.Grid[cell[0]][cell[1]], w.Symbol, wild) {
						t.Fatalf("win = %+v, want its cells to show it in %v", w, step.Grid)
					}
				}
				sum += w.Amount
			}
			if !last {
				checkFall(t, step.Grid, spin.Steps[falls+1].Grid, gone)
			}
		}
		if sum != spin.Win {
			t.Fatalf("wins add up to %d, not %d", sum, spin.Win)
		}
		won += sum
	}
	if won != o.Win {
		t.Fatalf("spins add up to %d, not %d", won, o.Win)
	}
	if double := play(2 * parts * reels.Parts); double.Win != 2*o.Win || double.FreeRounds != o.FreeRounds {
		t.Fatalf("twice the stake wins %d, not %d", double.Win, 2*o.Win)
	}
}

// shows reports whether a cell counts as a symbol.
func shows(cell, of, wild string) bool {
	return cell == of || wild != "" && cell == wild && of != "scatter"
}

// checkFall checks that the other symbols are at the bottom of their reel after a fall, in their order.
func checkFall(t *rapid.T, before, after [][]string, gone map[[2]int]bool) {
	for reel := range before {
		var left []string
		for row, name := range before[reel] {
			if !gone[[2]int{reel, row}] {
				left = append(left, name)
			}
		}
		if !slices.Equal(left, after[reel][Rows-len(left):]) {
			t.Fatalf("reel %d: %v fell to %v, want %v at the bottom", reel, before[reel], after[reel], left)
		}
	}
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
		"another kind":             {`"kind": "cascade"`, `"kind": "lines"`},
		"another number of rows":   {`"rows": 4`, `"rows": 3`},
		"a pay that decreases":     {`{"6": 20, "8": 50`, `{"6": 20, "8": 10`},
		"no free rounds":           {`"freeRounds"`, `"other"`},
		"a wild that pays":         {`"wild": ""`, `"wild": "dragon"`},
		"a win of too few symbols": {`"dragon": {"6": 20`, `"dragon": {"5": 20`},
		"a short strip":            {`["` + Versions()[0].Data().Strips[0][0] + `", `, `[`},
	} {
		if _, err := read([]byte(strings.Replace(string(first), change[0], change[1], 1))); err == nil {
			t.Errorf("read accepts data with %s", name)
		}
	}
}

func TestLongRun(t *testing.T) {
	t.Parallel()
	for i, m := range Versions() {
		t.Run(fmt.Sprintf("version %d", i+1), func(t *testing.T) {
			t.Parallel()
			reelstest.LongRun(t, m, reels.Parts, 100_000, 1)
		})
	}
}
