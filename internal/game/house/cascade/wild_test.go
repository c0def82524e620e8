package cascade

import (
	"reflect"
	"strings"
	"testing"
)

// Grids by column.
var (
	// With the two wilds, four kings and five queens win.
	twice = [Reels]string{"K|K|Q|lotus", "wild|A|diamond|lotus", "K|Q|Q|envelope", "K|wild|Q|diamond", "dragon|Q|A|lantern"}
	// No symbol wins, even with the wilds.
	never = [Reels]string{"K|K|Q|lotus", "wild|A|diamond|lotus", "K|Q|A|envelope", "dragon|wild|envelope|diamond", "dragon|lantern|A|lantern"}
)

func TestWildCountsWithEverySymbol(t *testing.T) {
	t.Parallel()
	m := showing(t, second, twice, [Reels]string{"A|lantern|diamond", "envelope", "lotus|dragon|dragon", "envelope|A|lantern", "lotus"})
	spin, err := m.Evaluate([]int{0, 0, 0, 0, 0}, false, 2_000)
	if err != nil {
		t.Fatal(err)
	}
	if len(spin.Steps) != 2 || len(spin.Steps[0].Wins) != 2 || len(spin.Steps[1].Wins) != 0 {
		t.Fatalf("got %+v, want two wins in the first of two steps", spin)
	}
	kings, queens := spin.Steps[0].Wins[0], spin.Steps[0].Wins[1]
	if kings.Symbol != "K" || kings.Count != 6 || kings.Times != 3 || kings.Amount != 300 || !reflect.DeepEqual(kings.Cells, [][2]int{{0, 0}, {0, 1}, {1, 0}, {2, 0}, {3, 0}, {3, 1}}) {
		t.Errorf("got %+v, want 6 K that pay 300", kings)
	}
	if queens.Symbol != "Q" || queens.Count != 7 || queens.Times != 2 || queens.Amount != 200 || !reflect.DeepEqual(queens.Cells, [][2]int{{0, 2}, {1, 0}, {2, 1}, {2, 2}, {3, 1}, {3, 2}, {4, 1}}) {
		t.Errorf("got %+v, want 7 Q that pay 200", queens)
	}
	// Both wilds have vanished with the winning symbols.
	want := [][]string{{"diamond", "lantern", "A", "lotus"}, {"envelope", "A", "diamond", "lotus"}, {"dragon", "dragon", "lotus", "envelope"}, {"lantern", "A", "envelope", "diamond"}, {"lotus", "dragon", "A", "lantern"}}
	if got := spin.Steps[1].Grid; !reflect.DeepEqual(got, want) {
		t.Errorf("after a fall %v\nwant %v", got, want)
	}
}

// A wild without a win stays and pays nothing. It never counts as a scatter.
func TestWildAlonePaysNothing(t *testing.T) {
	t.Parallel()
	with := never
	with[0], with[4] = "K|K|scatter|lotus", "dragon|scatter|A|lantern"
	for name, columns := range map[string][Reels]string{"no scatters": never, "two scatters": with} {
		m := showing(t, second, columns, [Reels]string{})
		spin, err := m.Evaluate([]int{0, 0, 0, 0, 0}, false, 2_000)
		if err != nil || len(spin.Steps) != 1 || spin.Win != 0 || spin.Awarded != 0 || spin.Steps[0].Grid[1][0] != "wild" {
			t.Errorf("%s: spin = %+v, %v, want one step with a wild and no win", name, spin, err)
		}
	}
}

func TestFirstVersionHasNoWild(t *testing.T) {
	t.Parallel()
	all := Versions()
	if _, known := all[0].Number("wild"); known || all[0].wilds || !all[1].wilds {
		t.Errorf("wilds = %t, %t, want false, true", all[0].wilds, all[1].wilds)
	}
	for reel, strip := range all[1].Data().Strips {
		wilds := strings.Count(strings.Join(strip, " "), "wild")
		if want := map[int]int{1: 1, 2: 1, 3: 1}[reel]; wilds != want {
			t.Errorf("reel %d has %d wilds, want %d", reel+1, wilds, want)
		}
	}
}

func TestReadRejectsInvalidWilds(t *testing.T) {
	t.Parallel()
	for name, change := range map[string][2]string{
		"an unknown symbol":       {`"wild": "wild"`, `"wild": "joker"`},
		"a symbol that pays":      {`"pays": {`, `"pays": {"wild": {"6": 5},`},
		"visible twice on a reel": {`"A", "A", "wild", "diamond"`, `"wild", "A", "wild", "diamond"`},
	} {
		text := strings.Replace(string(second), change[0], change[1], 1)
		if text == string(second) {
			t.Errorf("%s: the data did not change", name)
		}
		if _, err := read([]byte(text)); err == nil {
			t.Errorf("read accepts a wild that is %s", name)
		}
	}
}
