// Package cascade is the machine of five reels and four rows on which enough equal symbols pay wherever they stand. Those
// that won vanish, what stands above them falls, and the strips go on from above: until nothing wins any more. How all
// of this goes follows from where the reels stopped. It turns numbers from a random stream into an outcome, and knows
// nothing else: no player, no bank, no earlier round, no clock. What each of its versions pays stands
// in its JSON file.
package cascade

import (
	_ "embed" // the machines' strips and pays, and what was counted of them
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strconv"

	"fairground/internal/game/house/reels"
	"fairground/internal/money"
)

// Sizes of the machine. They are part of its versions: proofs of old rounds count on them.
const (
	Reels = 5
	Stops = 32
	Rows  = 4
	cells = Reels * Rows
	// mostFalls ends what would never end. No outcome comes near it: a test goes through all of them.
	mostFalls = 40
	symbols   = 16 // more than there are
)

// all is how many outcomes a spin has, each as likely as any other.
const all = Stops * Stops * Stops * Stops * Stops

//go:embed version1.json
var first []byte

//go:embed counted1.json
var firstCounted []byte

// Version 2 has a wild.
//
//go:embed version2.json
var second []byte

//go:embed counted2.json
var secondCounted []byte

// counted is what going through all outcomes of a spin has shown. It takes too long for a start of the program, so it
// is written down; a test counts again.
type counted struct {
	Pays     []int64          `json:"pays"`     // of all outcomes together, in parts of the stake: at first, after a fall, after two …
	Scatters map[string]int64 `json:"scatters"` // how many outcomes end with so many
}

// Machine is ready to play. It never changes and may be shared.
type Machine struct {
	*reels.Table
	strips  [Reels][Stops]reels.Symbol
	pays    [symbols][cells + 1]int64 // by symbol and count; of scatters in parts of the stake too
	best    int64                     // no spin pays more, times a part of the stake
	wilds   bool                      // there is a wild
	counted counted
}

// Versions are the machines that the program carries, the oldest first. The last one is played; the others are there
// for the rounds that were played with them.
func Versions() []*Machine {
	var all []*Machine
	for i, text := range [][2][]byte{{first, firstCounted}, {second, secondCounted}} {
		m, err := read(text[0])
		if err == nil {
			err = json.Unmarshal(text[1], &m.counted)
		}
		if err != nil || m.Data().Version != i+1 {
			panic(fmt.Sprintf("cascade, version %d: %v", i+1, err)) // part of the program: a test reads it
		}
		all = append(all, m)
	}
	return all
}

func read(text []byte) (*Machine, error) {
	table, err := reels.Read(text)
	if err != nil {
		return nil, err
	}
	d := table.Data()
	m := &Machine{Table: table, wilds: d.Wild != ""}
	if d.Kind != reels.Cascade || d.Rows != Rows || len(d.Strips) != Reels || len(d.Lines) != 0 || len(d.Symbols) > symbols || d.FreeRounds == nil {
		return nil, fmt.Errorf("%s, %d rows, %d strips, %d lines, %d symbols", d.Kind, d.Rows, len(d.Strips), len(d.Lines), len(d.Symbols))
	}
	for reel, strip := range m.Strips {
		if len(strip) != Stops {
			return nil, fmt.Errorf("strip %d has %d stops", reel, len(strip))
		}
		m.strips[reel] = [Stops]reels.Symbol(strip)
		if err := m.apart(reel); err != nil {
			return nil, err
		}
	}
	return m, m.readPays()
}

// apart sees that a reel never shows two wilds. None is left after a win, so what falls in is a piece of the strip that
// is no longer than the reel is high. Fewer wilds than a win needs can be seen at once, then: every win has a symbol of
// its own, and wilds alone need no pay.
func (m *Machine) apart(reel int) error {
	for stop := range Stops {
		seen := 0
		for row := range Rows {
			if m.strips[reel][(stop+row)%Stops] == m.Wild {
				seen++
			}
		}
		if seen > 1 {
			return fmt.Errorf("stop %d of reel %d shows %d wilds", stop, reel, seen)
		}
	}
	return nil
}

func (m *Machine) readPays() error {
	d := m.Data()
	for number, name := range d.Symbols {
		pay, factor := d.Pays[name], int64(1)
		switch reels.Symbol(number) {
		case m.Wild:
			if len(pay) > 0 {
				return fmt.Errorf("the wild pays %v", pay)
			}
			continue
		case m.Scatter:
			pay, factor = d.ScatterPays, reels.Parts
		}
		times, err := m.PaysFrom(pay, cells)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if factor == 1 && times[Reels] != 0 {
			return fmt.Errorf("%s: pays %v for as many as there may be wilds", name, pay)
		}
		for count := range times {
			m.pays[number][count] = times[count] * factor
		}
		m.best += times[cells] * factor // each step pays at most what every symbol on all cells would
	}
	m.best *= (mostFalls + 1) * max(slices.Max(d.Multipliers), slices.Max(d.FreeRounds.Multipliers))
	return nil
}

// CheckStake refuses a stake that cannot be played.
func (m *Machine) CheckStake(stake money.Minor) error { return m.Table.CheckStake(stake, m.best) }

// Play draws the stops, reel by reel from the left, and evaluates them; then those of the free rounds.
func (m *Machine) Play(draw reels.Draw, stake money.Minor) (reels.Outcome, error) {
	if err := m.CheckStake(stake); err != nil {
		return reels.Outcome{}, err // before anything is drawn
	}
	return m.Round(draw, func(stops []int, free bool) (reels.Spin, error) { return m.Evaluate(stops, free, stake) })
}

// Evaluate tells what stops are worth, fall by fall. Where the stake cannot be parted evenly, each win is rounded down
// to the minor unit.
func (m *Machine) Evaluate(stops []int, free bool, stake money.Minor) (reels.Spin, error) {
	if err := m.CheckStake(stake); err != nil {
		return reels.Spin{}, err
	}
	if err := m.CheckStops(stops); err != nil {
		return reels.Spin{}, err
	}
	spin := reels.Spin{Free: free, Stops: stops}
	b := m.begin(stops)
	for falls := 0; ; falls++ {
		m.count(b)
		step := reels.Step{Grid: m.shown(b), Wins: []reels.Win{}, Multiplier: m.Multiplier(free, falls)}
		for number, name := range m.Data().Symbols {
			s := reels.Symbol(number)
			if times := m.pays[s][b.counts[s]]; times > 0 && s != m.Scatter {
				step.Add(reels.Win{Symbol: name, Count: int(b.counts[s]), Times: times, Cells: m.cellsOf(b, s)}, stake, reels.Parts)
			}
		}
		more := len(step.Wins) > 0 && falls < mostFalls
		if scatters := int(b.counts[m.Scatter]); !more { // scatters stay: the last grid has all of them
			if times := m.pays[m.Scatter][scatters]; times > 0 {
				step.Add(reels.Win{Symbol: m.Name(m.Scatter), Count: scatters, Times: times / reels.Parts, Cells: m.cellsOf(b, m.Scatter)}, stake, 1)
			}
			spin.Awarded = m.Awarded(scatters)
		}
		spin.Add(step)
		if !more {
			return spin, nil
		}
		m.fall(b)
	}
}

func (m *Machine) shown(b *board) [][]string {
	grid := make([][]string, Reels)
	for reel := range grid {
		grid[reel] = make([]string, Rows)
		for row := range grid[reel] {
			grid[reel][row] = m.Name(b.grid[reel][row])
		}
	}
	return grid
}

// Return is what the machine gives back of what is staked, on average and exactly.
func (m *Machine) Return() *big.Rat {
	paid, free := int64(0), int64(0)
	for step, pays := range m.counted.Pays {
		paid += pays * m.Multiplier(false, step)
		free += pays * m.Multiplier(true, step)
	}
	return m.Total(big.NewRat(paid, all*reels.Parts), big.NewRat(free, all*reels.Parts), m.scatters())
}

func (m *Machine) scatters() reels.Counts {
	seen := reels.Counts{By: map[int]int64{}, All: all}
	for text, n := range m.counted.Scatters {
		count, _ := strconv.Atoi(text) // a test reads it
		seen.By[count] = n
	}
	return seen
}
