package slot

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

// old returns version 1, without free rounds.
func old() *Machine { return Versions()[0] }

// Four dragons, one of them a wild, on the fifth line.
func TestPlay(t *testing.T) {
	t.Parallel()
	got, err := old().Play(&numbers{12, 7, 16, 9, 9}, 10_000)
	if err != nil {
		t.Fatal(err)
	}
	want := reels.Outcome{
		Spins: []reels.Spin{{
			Stops: []int{12, 7, 16, 9, 9}, Win: 30_000,
			Steps: []reels.Step{{
				Grid: [][]string{
					{"dragon", "A", "lantern"}, {"Q", "dragon", "envelope"}, {"scatter", "K", "wild"}, {"lotus", "dragon", "J"}, {"diamond", "A", "envelope"},
				},
				Wins:       []reels.Win{{Line: 5, Symbol: "dragon", Count: 4, Times: 60, Amount: 30_000, Cells: [][2]int{{0, 0}, {1, 1}, {2, 2}, {3, 1}}}},
				Multiplier: 1, Win: 30_000,
			}},
		}},
		Win: 30_000,
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
}

func TestExactReturn(t *testing.T) {
	t.Parallel()
	share := old().Return()
	if want := big.NewRat(16_135_579, 16_777_216); share.Cmp(want) != 0 {
		t.Errorf("return = %s, want %s", share, want)
	}
	if share.Cmp(big.NewRat(960, 1000)) < 0 || share.Cmp(big.NewRat(965, 1000)) > 0 {
		t.Errorf("return = %s, want 0.960 to 0.965", share.FloatString(6))
	}
	for share, want := range map[*big.Rat]string{share: "96.17", big.NewRat(1, 1): "100.00", big.NewRat(19_999, 20_000): "99.99", big.NewRat(2, 10_000): "0.02"} {
		if got := reels.Percent(share); got != want {
			t.Errorf("Percent(%s) = %s, want %s", share, got, want)
		}
	}
}

// rowsOf returns a copy of the machine whose reels show one symbol each.
func rowsOf(t *testing.T, m *Machine, cells [Reels]string) *Machine {
	t.Helper()
	c := *m
	for reel, name := range cells {
		number := -1
		for i, known := range m.Data().Symbols {
			if known == name {
				number = i
			}
		}
		if number < 0 {
			t.Fatalf("no symbol %q", name)
		}
		for i := range c.strips[reel] {
			c.strips[reel][i] = reels.Symbol(number)
		}
	}
	return &c
}

func TestLinePaysItsHighestWin(t *testing.T) {
	t.Parallel()
	m := old()
	for _, tt := range []struct {
		row    string
		symbol string
		count  int
		times  int64
	}{
		{"A|A|A|K|K", "A", 3, 10},
		{"A|A|A|A|K", "A", 4, 30},
		{"A|A|A|A|A", "A", 5, 150},
		{"A|A|K|A|A", "", 0, 0},
		{"K|A|A|A|A", "", 0, 0}, // only from the left
		{"A|wild|A|K|K", "A", 3, 10},
		{"wild|A|A|K|K", "A", 3, 10},
		{"wild|wild|10|10|K", "10", 4, 25},
		{"wild|wild|wild|10|K", "wild", 3, 30}, // 30 for the wilds themselves, 25 for four tens
		{"wild|wild|wild|dragon|K", "dragon", 4, 60},
		{"wild|wild|wild|A|K", "wild", 3, 30}, // pays the same either way, once
		{"wild|wild|wild|wild|dragon", "dragon", 5, 1000},
		{"wild|wild|wild|wild|A", "wild", 4, 200},
		{"wild|wild|wild|wild|wild", "wild", 5, 2000},
		{"wild|wild|wild|scatter|dragon", "wild", 3, 30},
		{"wild|wild|scatter|wild|dragon", "", 0, 0}, // a wild is no scatter
		{"dragon|dragon|scatter|dragon|dragon", "", 0, 0},
		{"dragon|wild|K|wild|dragon", "", 0, 0},
		{"A|wild|wild|wild|K", "A", 4, 30},
	} {
		c := rowsOf(t, m, [Reels]string(strings.Split(tt.row, "|")))
		of, count, times := c.line(&[Reels]int{}, 0)
		if times != tt.times || times > 0 && (c.Name(of) != tt.symbol || count != tt.count) {
			t.Errorf("%s pays %d × %s, times %d; want %d × %s, times %d", tt.row, count, c.Name(of), times, tt.count, tt.symbol, tt.times)
		}
	}
}

func TestScattersPayAnywhere(t *testing.T) {
	t.Parallel()
	m := old()
	at := func(reel int) int { // a stop with a scatter in the bottom row
		for i, s := range m.strips[reel][Rows-1:] {
			if s == m.Scatter {
				return i
			}
		}
		t.Fatalf("reel %d has no scatter", reel)
		return 0
	}
	without := func(reel int) int {
		for stop := range Stops {
			seen := false
			for row := range Rows {
				seen = seen || m.strips[reel][stop+row] == m.Scatter
			}
			if !seen {
				return stop
			}
		}
		return 0
	}
	for count, times := range map[int]int64{2: 0, 3: 4, 4: 25, 5: 250} {
		var stops [Reels]int
		for reel := range stops {
			stops[reel] = without(reel)
			if reel >= Reels-count { // on the right, where no line pays
				stops[reel] = at(reel)
			}
		}
		got, err := m.Evaluate(stops[:], false, 2_000)
		if err != nil {
			t.Fatal(err)
		}
		var paid money.Minor
		for _, w := range got.Steps[0].Wins {
			if w.Symbol == "scatter" {
				paid = w.Amount
				if w.Line != 0 || w.Count != count || w.Times != times || len(w.Cells) != count {
					t.Errorf("%d scatters: %+v, want line 0, count %v, times %v and %v cells", count, w, count, times, count)
				}
			}
		}
		if paid != money.Minor(times)*2_000 {
			t.Errorf("%d scatters pay %d, want %d", count, paid, money.Minor(times)*2_000)
		}
	}
}

// For any stops and stake the wins match their cells and add up, and equal draws have equal outcomes.
func TestOutcomesAreConsistent(t *testing.T) {
	t.Parallel()
	m := old()
	rapid.Check(t, func(t *rapid.T) {
		var drawn [Reels]int
		for reel := range drawn {
			drawn[reel] = rapid.IntRange(0, Stops-1).Draw(t, "stop")
		}
		parts := money.Minor(rapid.Int64Range(1, 1_000_000_000).Draw(t, "stake of a line"))
		odd := money.Minor(rapid.Int64Range(0, Lines-1).Draw(t, "left over"))
		first, second := numbers(drawn[:]), numbers(drawn[:])
		got, err := m.Play(&first, parts*Lines)
		if err != nil {
			t.Fatal(err)
		}
		again, err := old().Play(&second, parts*Lines)
		if err != nil || !reflect.DeepEqual(got, again) {
			t.Fatalf("the same draws gave %+v and %+v, %v, want the same", got, again, err)
		}
		spin := got.Spins[0]
		step := spin.Steps[0]
		if !slices.Equal(spin.Stops, drawn[:]) || len(got.Spins) != 1 || len(spin.Steps) != 1 || spin.Free || got.FreeRounds != 0 {
			t.Fatalf("stops %v of %+v, want one paid spin that stops at %v", spin.Stops, got, drawn)
		}
		var sum money.Minor
		lines := map[int]bool{}
		for _, w := range step.Wins {
			if lines[w.Line] {
				t.Fatalf("line %d pays twice: %+v", w.Line, step.Wins)
			}
			lines[w.Line] = true
			sum += w.Amount
			if len(w.Cells) != w.Count || w.Count < least || w.Line != 0 && w.Amount != parts*money.Minor(w.Times) {
				t.Fatalf("%+v of %d", w, parts)
			}
			for i, cell := range w.Cells {
				shown := step.Grid[cell[0]][cell[1]]
				if shown != w.Symbol && shown != "wild" || w.Line > 0 && (cell[0] != i || m.Data().Lines[w.Line-1][i] != cell[1]) {
					t.Fatalf("%+v shows %s at %v", w, shown, cell)
				}
			}
		}
		if sum != got.Win || sum != spin.Win || sum != step.Win {
			t.Fatalf("wins add up to %d, not %d", sum, got.Win)
		}
		uneven, err := m.Evaluate(drawn[:], false, parts*Lines+odd)
		if err != nil || uneven.Win < got.Win || len(uneven.Steps[0].Wins) != len(step.Wins) {
			t.Fatalf("%d more staked: %+v, %v, want the same wins, at least %d", odd, uneven, err, got.Win)
		}
		for i, w := range uneven.Steps[0].Wins {
			whole := int64(parts*Lines+odd) * w.Times
			if w.Line > 0 {
				whole /= Lines
			}
			if int64(w.Amount) != whole {
				t.Fatalf("win %d of an uneven stake is not rounded down: %+v", i, w)
			}
		}
	})
}

func TestInvalidStakesAndStops(t *testing.T) {
	t.Parallel()
	m := old()
	for _, stake := range []money.Minor{0, -1, math.MinInt64, math.MaxInt64, math.MaxInt64 / 100_000} {
		none := numbers{} // panics on a draw
		if _, err := m.Play(&none, stake); !errors.Is(err, reels.ErrStake) {
			t.Errorf("a stake of %d = %v, want ErrStake", stake, err)
		}
	}
	if _, err := m.Evaluate([]int{0, 0, 0, 0, Stops}, false, 20); err == nil {
		t.Error("Evaluate accepts a stop beyond the strip")
	}
	if _, err := m.Evaluate([]int{-1, 0, 0, 0, 0}, false, 20); err == nil {
		t.Error("Evaluate accepts a negative stop")
	}
}

func TestWindowsShowDifferentSymbols(t *testing.T) {
	t.Parallel()
	m := old()
	for reel := range m.strips {
		for stop := range Stops {
			window := m.strips[reel][stop : stop+Rows]
			if window[0] == window[1] || window[0] == window[2] || window[1] == window[2] {
				t.Errorf("reel %d stop %d shows %v, want three different symbols", reel, stop, window)
			}
		}
	}
}

func TestReadRejectsInvalidData(t *testing.T) {
	t.Parallel()
	for name, change := range map[string][2]string{
		"invalid JSON":              {`"rows"`, `rows`},
		"another number of rows":    {`"rows": 3`, `"rows": 4`},
		"an unknown symbol":         {`["10", "Q", "J"`, `["11", "Q", "J"`},
		"a short strip":             {`["10", "Q", "J"`, `["10", "J"`},
		"a short line":              {`[1, 1, 1, 1, 1]`, `[1, 1, 1, 1]`},
		"a row that does not exist": {`[1, 1, 1, 1, 1]`, `[1, 1, 1, 1, 3]`},
		"too few lines":             {`[1, 1, 1, 1, 1], `, ``},
		"no wild":                   {`"wild": "wild"`, `"wild": "fire"`},
		"a pay that decreases":      {`"3": 25, "4": 60`, `"3": 25, "4": 20`},
		"a missing pay":             {`"3": 25, "4": 60, "5": 1000`, `"3": 25, "4": 60`},
	} {
		if _, err := read([]byte(strings.Replace(string(first), change[0], change[1], 1))); err == nil {
			t.Errorf("read accepts data with %s", name)
		}
	}
}

func TestLongRun(t *testing.T) {
	t.Parallel()
	reelstest.LongRun(t, old(), Lines, 200_000, 1)
}
