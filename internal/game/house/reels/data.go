// Package reels holds what the House's slots share: the published data of a machine, outcomes, free rounds and the return.
// Each engine evaluates its own spins.
package reels

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// Parts is the number of parts of a stake. Symbols pay a multiple of one part, scatters of the whole stake. All offered
// stakes are divisible by it.
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
	Kind        string         `json:"kind" enum:"lines,ways,cascade" doc:"Equal symbols pay along lines, on neighbouring reels in any rows, or anywhere; of a cascade those that won vanish and others fall after them."`
	Rows        int            `json:"rows"`
	Parts       int            `json:"parts" doc:"What a stake is counted in. The stake of a line is one part."`
	Wild        string         `json:"wild" doc:"Stands for every symbol but the scatter. Empty where there is none."`
	Scatter     string         `json:"scatter" doc:"Pays anywhere, times the whole stake."`
	Symbols     []string       `json:"symbols"`
	Strips      [][]string     `json:"strips" doc:"Of each reel, from its stop 0 on; a stop shows its symbol in the top row and the next ones below."`
	Lines       [][]int        `json:"lines" doc:"Of each line, the row on each reel, counted from the top. Empty where there are no lines."`
	Pays        map[string]Pay `json:"pays" doc:"Of each symbol: how many at least, and what they pay times a part of the stake; on ways, for each way."`
	ScatterPays Pay            `json:"scatterPays" doc:"How many anywhere at least, and what they pay times the whole stake."`
	Multipliers []int64        `json:"multipliers" doc:"What wins of a paid spin are multiplied by: at first, and after each fall; the last one stays."`
	FreeRounds  *FreeRounds    `json:"freeRounds" doc:"Null where there are none."`
}

// A Pay maps the least winning counts of a symbol to what they pay.
type Pay map[string]int64

// FreeRounds are the free rounds that scatters award. They are drawn in the same round as the paid spin.
type FreeRounds struct {
	Awards      map[string]int `json:"awards" doc:"How many scatters at least, and how many free rounds they give: in a paid spin, and in a free round once more."`
	Multipliers []int64        `json:"multipliers" doc:"What wins of a free round are multiplied by: at first, and after each fall; the last one stays."`
	Most        int            `json:"most" doc:"A bet never brings more free rounds than this."`
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

// Read parses the data of a machine, and checks what all kinds have in common.
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

// PaysFrom returns what every count up to most pays: as much as the highest listed count that it reaches. It rejects pays that
// decrease.
func (t *Table) PaysFrom(pay Pay, most int) ([]int64, error) {
	out := make([]int64, most+1)
	seen := 0
	for count := 1; count <= most; count++ {
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

// Multiplier returns the multiplier of a step. The first step is 0.
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
