// Package reels is what the House's slots have in common: how a machine is published, the shape of an outcome, the free
// rounds that follow a paid spin, and what these add to the return. What a spin is worth each engine says for itself. It
// knows no player, no bank, no earlier round and no clock.
package reels

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// Parts is what a stake is counted in: symbols pay times one of its parts, scatters times the whole. Stakes on offer
// can be parted evenly.
const Parts = 20

// Kinds of machines.
const (
	Lines   = "lines"   // equal symbols along a line, from the left
	Ways    = "ways"    // equal symbols on neighbouring reels, from the left, in any rows
	Cascade = "cascade" // equal symbols anywhere; those that won vanish, and others fall after them
)

// Data is a machine as it is published: strips, lines and pays by the names of the symbols.
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

// Pay tells what counts of a symbol win: the least count, and how much.
type Pay map[string]int64

// FreeRounds tells how scatters give spins that cost nothing. They are part of the round whose bet brought them, and
// drawn with it: there is nothing to decide.
type FreeRounds struct {
	Awards      map[string]int `json:"awards" doc:"How many scatters at least, and how many free rounds they give: in a paid spin, and in a free round once more."`
	Multipliers []int64        `json:"multipliers" doc:"What wins of a free round are multiplied by: at first, and after each fall; the last one stays."`
	Most        int            `json:"most" doc:"A bet never brings more free rounds than this."`
}

// Symbol is a symbol by its place in Data.Symbols.
type Symbol uint8

// none stands where a machine has no wild: no cell shows it.
const none Symbol = 255

// Table is a machine's data, read and numbered. It never changes and may be shared.
type Table struct {
	data    Data
	Wild    Symbol
	Scatter Symbol
	Strips  [][]Symbol
	numbers map[string]Symbol
}

// Read takes a machine's data and sees that it is whole: what can be wrong in any of them.
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
	for count, given := range f.Awards {
		if n, err := strconv.Atoi(count); err != nil || n < 1 || given < 1 || given > f.Most {
			return fmt.Errorf("%s scatters give %d free rounds of at most %d", count, given, f.Most)
		}
	}
	return nil
}

// Data is what is published of the machine. It is not to be changed.
func (t *Table) Data() Data { return t.data }

// Number gives a symbol's number.
func (t *Table) Number(name string) (Symbol, bool) {
	number, known := t.numbers[name]
	return number, known
}

// Name gives a symbol's name.
func (t *Table) Name(s Symbol) string { return t.data.Symbols[s] }

// PaysFrom writes a symbol's pays out for every count up to most: each count pays what the highest count below it does.
// Pays never fall.
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
		return nil, fmt.Errorf("%d of the pays %v can be had", seen, pay)
	}
	return out, nil
}

// Multiplier of a step: 0 is the first, before anything fell.
func (t *Table) Multiplier(free bool, step int) int64 {
	all := t.data.Multipliers
	if free {
		all = t.data.FreeRounds.Multipliers
	}
	return all[min(step, len(all)-1)]
}

// Awarded tells how many free rounds scatters give.
func (t *Table) Awarded(scatters int) int {
	f := t.data.FreeRounds
	if f == nil {
		return 0
	}
	given := 0
	for count, award := range f.Awards {
		if n, _ := strconv.Atoi(count); scatters >= n {
			given = max(given, award)
		}
	}
	return given
}
