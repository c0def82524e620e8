// Package reels has the common parts of the House's slots: the published data of a machine, outcomes, free rounds and the return
// to player. Each engine evaluates its own spins.
package reels

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// Parts is the number of parts of a stake. Symbols pay a multiple of one part, and scatters pay a multiple of the whole stake. All
// offered stakes are divisible by Parts.
const Parts = 20

// Kinds of machines.
const (
	Lines   = "lines"   // equal symbols along a line, from the left
	Ways    = "ways"    // equal symbols on neighbouring reels, from the left, in any rows
	Cascade = "cascade" // equal symbols anywhere; winning symbols vanish and others fall
)

// Data is the published description of a machine.
type Data struct {
	Name        string         `json:"name"`
	Version     int            `json:"version"`
	Kind        string         `json:"kind" enum:"lines,ways,cascade" doc:"lines: equal symbols pay along lines. ways: on neighbouring reels in any rows. cascade: anywhere; winning symbols vanish and others fall into their place."`
	Rows        int            `json:"rows"`
	Parts       int            `json:"parts" doc:"Number of parts of a stake. The stake of a line is one part."`
	Wild        string         `json:"wild" doc:"Counts as every symbol except the scatter. Empty if there is none."`
	Scatter     string         `json:"scatter" doc:"Pays anywhere, as a multiple of the whole stake."`
	Symbols     []string       `json:"symbols"`
	Strips      [][]string     `json:"strips" doc:"The symbols of each reel, from stop 0. A stop shows its symbol in the top row and the next symbols below."`
	Lines       [][]int        `json:"lines" doc:"For each line, the row on each reel, counted from the top. Empty if there are no lines."`
	Pays        map[string]Pay `json:"pays" doc:"By symbol and minimum count: the multiplier of a part of the stake, for each way."`
	ScatterPays Pay            `json:"scatterPays" doc:"By minimum count anywhere: the multiplier of the whole stake."`
	Multipliers []int64        `json:"multipliers" doc:"Multipliers of the wins of a paid spin: of the first grid and after each fall. The last one applies to all later falls."`
	FreeRounds  *FreeRounds    `json:"freeRounds" doc:"Null if there are none."`
}

// A Pay maps the minimum counts of a symbol to their multipliers.
type Pay map[string]int64

// FreeRounds are the free rounds that scatters award. They are drawn in the same round as the paid spin.
type FreeRounds struct {
	Awards      map[string]int `json:"awards" doc:"By minimum number of scatters: the number of free rounds, in a paid spin and in a free round."`
	Multipliers []int64        `json:"multipliers" doc:"Multipliers of the wins of a free round: of the first grid and after each fall. The last one applies to all later falls."`
	Most        int            `json:"most" doc:"Maximum number of free rounds of a bet."`
}

// A Symbol is an index into Data.Symbols.
type Symbol uint8

// none is the wild of a machine without one. No cell shows it.
const none Symbol = 255

// A Table is the parsed data of a machine. It is immutable.
type Table struct {
	data    Data
	Wild    Symbol
	Scatter Symbol
	Strips  [][]Symbol
	numbers map[string]Symbol
}

// Read parses the data of a machine, and checks the fields that all kinds share.
func Read(text []byte) (*Table, error) {
	t := &Table{numbers: map[string]Symbol{}, Wild: none}
	d := &t.data
	if err := json.Unmarshal(text, d); err != nil {
		return nil, err
	}
	if d.Parts != Parts || d.Rows < 1 || len(d.Multipliers) == 0 {
		return nil, fmt.Errorf("%d parts, %d rows, multipliers %v", d.Parts, d.Rows, d.Multipliers)
	}
	if d.Lines == nil {
		d.Lines = [][]int{}
	}
	for i, name := range d.Symbols {
		t.numbers[name] = Symbol(i)
	}
	var known bool
	if t.Scatter, known = t.numbers[d.Scatter]; !known {
		return nil, fmt.Errorf("scatter %q", d.Scatter)
	}
	if d.Wild != "" {
		if t.Wild, known = t.numbers[d.Wild]; !known {
			return nil, fmt.Errorf("wild %q", d.Wild)
		}
	}
	for reel, strip := range d.Strips {
		if len(strip) < d.Rows {
			return nil, fmt.Errorf("strip %d has %d stops", reel, len(strip))
		}
		row := make([]Symbol, len(strip))
		for i, name := range strip {
			if row[i], known = t.numbers[name]; !known {
				return nil, fmt.Errorf("strip %d shows %q", reel, name)
			}
		}
		t.Strips = append(t.Strips, row)
	}
	return t, t.checkFree()
}

func (t *Table) checkFree() error {
	f := t.data.FreeRounds
	if f == nil {
		return nil
	}
	if len(f.Multipliers) == 0 || len(f.Awards) == 0 {
		return fmt.Errorf("free rounds %+v", *f)
	}
	for count, award := range f.Awards {
		if n, err := strconv.Atoi(count); err != nil || n < 1 || award < 1 || award > f.Most {
			return fmt.Errorf("%s scatters give %d free rounds of at most %d", count, award, f.Most)
		}
	}
	return nil
}

// Data returns the published data. The caller must not change it.
func (t *Table) Data() Data { return t.data }

// Number returns the symbol with a name.
func (t *Table) Number(name string) (Symbol, bool) {
	number, known := t.numbers[name]
	return number, known
}

// Name returns a symbol's name.
func (t *Table) Name(s Symbol) string { return t.data.Symbols[s] }

// PaysFrom returns the multiplier of every count from 0 to maxCount, which is that of the highest minimum count that it reaches. It
// rejects multipliers that decrease.
func (t *Table) PaysFrom(pay Pay, maxCount int) ([]int64, error) {
	out := make([]int64, maxCount+1)
	seen := 0
	for count := 1; count <= maxCount; count++ {
		times, named := pay[strconv.Itoa(count)]
		switch {
		case !named:
			times = out[count-1]
		case times <= 0 || times < out[count-1]:
			return nil, fmt.Errorf("%d pay %d", count, times)
		default:
			seen++
		}
		out[count] = times
	}
	if seen == 0 || seen != len(pay) {
		return nil, fmt.Errorf("%d of the pays %v are within reach", seen, pay)
	}
	return out, nil
}

// Multiplier returns the multiplier of a step, counted from 0.
func (t *Table) Multiplier(free bool, step int) int64 {
	all := t.data.Multipliers
	if free {
		all = t.data.FreeRounds.Multipliers
	}
	return all[min(step, len(all)-1)]
}

// Awarded returns the number of free rounds for a number of scatters.
func (t *Table) Awarded(scatters int) int {
	f := t.data.FreeRounds
	if f == nil {
		return 0
	}
	most := 0
	for count, award := range f.Awards {
		if n, _ := strconv.Atoi(count); scatters >= n {
			most = max(most, award)
		}
	}
	return most
}
