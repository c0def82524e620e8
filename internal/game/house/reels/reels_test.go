package reels

import (
	"math/big"
	"reflect"
	"strings"
	"testing"

	"fairground/internal/money"
)

const small = `{
  "name": "small", "version": 1, "kind": "lines", "rows": 1, "parts": 20, "wild": "", "scatter": "s", "symbols": ["a", "s"],
  "strips": [["a", "a", "s"]], "pays": {"a": {"1": 1}}, "scatterPays": {"1": 1}, "multipliers": [1],
  "freeRounds": {"awards": {"1": 2}, "multipliers": [2, 3], "most": 5}
}`

func table(t *testing.T, text string) *Table {
	t.Helper()
	got, err := Read([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// fixed is a Draw with a fixed sequence.
type fixed []int

func (f *fixed) Int(int) int {
	next := (*f)[0]
	*f = (*f)[1:]
	return next
}

// play plays a round of the small machine. Its stop 2 shows a scatter.
func play(t *testing.T, drawn ...int) (Outcome, int) {
	t.Helper()
	m := table(t, small)
	stream := fixed(drawn)
	o, err := m.Round(&stream, func(stops []int, free bool) (Spin, error) {
		scatters := stops[0] / 2
		return Spin{Free: free, Stops: stops, Win: money.Minor(1 + stops[0]), Awarded: m.Awarded(scatters)}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return o, len(stream)
}

func TestFreeRounds(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		drawn       []int
		spins, free int
		left        int
		won         money.Minor
	}{
		{drawn: []int{0, 9}, spins: 1, left: 1, won: 1},
		{drawn: []int{2, 0, 1, 9}, spins: 3, free: 2, left: 1, won: 3 + 1 + 2},
		{drawn: []int{2, 0, 2, 0, 0, 9}, spins: 5, free: 4, left: 1, won: 3 + 1 + 3 + 1 + 1},
		{drawn: []int{2, 2, 2, 2, 2, 2, 9}, spins: 6, free: 5, left: 1, won: 18}, // at most five
	} {
		o, left := play(t, tt.drawn...)
		if len(o.Spins) != tt.spins || o.FreeRounds != tt.free || left != tt.left || o.Win != tt.won {
			t.Errorf("draws %v: %d spins, %d free, win %d, %d draws left, want %v spins, free rounds %v, %v and win %v", tt.drawn, len(o.Spins), o.FreeRounds, o.Win, left, tt.spins, tt.free, tt.left, tt.won)
		}
		awarded := 0
		for i, spin := range o.Spins {
			awarded += spin.Awarded
			if spin.Free != (i > 0) {
				t.Errorf("draws %v: spin %d has free = %t, want %t", tt.drawn, i, spin.Free, i > 0)
			}
		}
		if awarded != o.FreeRounds {
			t.Errorf("draws %v: spins awarded %d free rounds, the round %d, want %v", tt.drawn, awarded, o.FreeRounds, o.FreeRounds)
		}
	}
}

// FreeRounds matches the mean over all sequences of spins.
func TestFreeRoundsMeanIsExact(t *testing.T) {
	t.Parallel()
	m := table(t, small)
	var walk func(played, awarded int) *big.Rat // the mean final number
	walk = func(played, awarded int) *big.Rat {
		if played == awarded {
			return big.NewRat(int64(awarded), 1)
		}
		with, without := walk(played+1, min(awarded+2, 5)), walk(played+1, awarded)
		with.Mul(with, big.NewRat(1, 3))
		return with.Add(with, without.Mul(without, big.NewRat(2, 3)))
	}
	want := walk(0, 2)
	want.Mul(want, big.NewRat(1, 3))
	if got := m.FreeRounds(m.Scatters()); got.Cmp(want) != 0 {
		t.Errorf("free rounds = %s, want %s", got, want)
	}
	if got := m.Total(big.NewRat(1, 2), big.NewRat(1, 4), m.Scatters()); got.Cmp(new(big.Rat).Add(big.NewRat(1, 2), want.Quo(want, big.NewRat(4, 1)))) != 0 {
		t.Errorf("total return = %s, want 0", got)
	}
}

func TestReadOutcome(t *testing.T) {
	t.Parallel()
	win := Win{Line: 5, Symbol: "dragon", Count: 3, Times: 25, Amount: 50, Cells: [][2]int{{0, 0}}}
	want := Outcome{Spins: []Spin{{Stops: []int{1}, Win: 50, Steps: []Step{{Grid: [][]string{{"dragon"}}, Wins: []Win{win}, Multiplier: 1, Win: 50}}}}, Win: 50}
	for name, text := range map[string]string{
		"oldest form":  `{"stops":[1],"grid":[["dragon"]],"wins":[{"line":5,"symbol":"dragon","count":3,"times":25,"amount":50,"cells":[[0,0]]}],"win":50}`,
		"current form": `{"spins":[{"free":false,"stops":[1],"win":50,"awarded":0,"steps":[{"grid":[["dragon"]],"wins":[{"line":5,"symbol":"dragon","count":3,"times":25,"amount":50,"cells":[[0,0]]}],"multiplier":1,"win":50}]}],"freeRounds":0,"win":50}`,
	} {
		if got, err := ReadOutcome(text); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: outcome = %+v, %v, want %+v", name, got, err, want)
		}
	}
	if _, err := ReadOutcome("no JSON"); err == nil {
		t.Error("ReadOutcome accepts invalid JSON")
	}
}

func TestReadRejectsInvalidData(t *testing.T) {
	t.Parallel()
	for name, change := range map[string][2]string{
		"invalid JSON":               {`"rows"`, `rows`},
		"another number of parts":    {`"parts": 20`, `"parts": 10`},
		"no rows":                    {`"rows": 1`, `"rows": 0`},
		"no multiplier":              {`"multipliers": [1]`, `"multipliers": []`},
		"no free multiplier":         {`"multipliers": [2, 3]`, `"multipliers": []`},
		"an unknown symbol":          {`["a", "a", "s"]`, `["a", "b", "s"]`},
		"an unknown scatter":         {`"scatter": "s"`, `"scatter": "x"`},
		"an unknown wild":            {`"wild": ""`, `"wild": "x"`},
		"an award above the maximum": {`{"1": 2}`, `{"1": 6}`},
		"an award of 0 free rounds":  {`{"1": 2}`, `{"1": 0}`},
		"an award for 0 scatters":    {`{"1": 2}`, `{"0": 2}`},
		"a strip that is too short":  {`"rows": 1`, `"rows": 4`},
	} {
		if _, err := Read([]byte(strings.Replace(small, change[0], change[1], 1))); err == nil {
			t.Errorf("Read accepts data with %s", name)
		}
	}
	m := table(t, small)
	for name, pay := range map[string]Pay{"none": {}, "falling": {"3": 5, "4": 4}, "out of reach": {"3": 5, "6": 9}, "nothing": {"3": 0}} {
		if got, err := m.PaysFrom(pay, 5); err == nil {
			t.Errorf("PaysFrom accepts pays %s: %v", name, got)
		}
	}
	if got, err := m.PaysFrom(Pay{"2": 3, "4": 7}, 5); err != nil || !reflect.DeepEqual(got, []int64{0, 0, 3, 3, 7, 7}) {
		t.Errorf("pays = %v, %v, want [0 0 3 3 7 7]", got, err)
	}
}
