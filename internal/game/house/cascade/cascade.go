// Package cascade is a slot with five reels and four rows. Equal symbols pay anywhere if there are enough of them. Winning symbols
// vanish, and symbols from above fall into their cells until nothing wins. The outcome depends only on the draws and the stake.
// The JSON files list the payouts of each version.
package cascade

import (
	_ "embed" // the machines' data, and the precomputed totals
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strconv"

	"fairground/internal/game/house/reels"
	"fairground/internal/money"
)

// Sizes of the machine. They must not change, because proofs of old rounds depend on them.
const (
	Reels = 5
	Stops = 32
	Rows  = 4
	cells = Reels * Rows
	// maxFalls limits a cascade. A test shows that no outcome reaches the limit.
	maxFalls = 40
	symbols  = 16 // an upper bound on the number of symbols
)

// all is the number of equally likely outcomes of a spin.
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

// counted holds totals over all outcomes of a spin. They are stored because computing them at startup takes too long. A test checks
// them.
type counted struct {
	Pays     []int64          `json:"pays"`     // total over all outcomes, in parts of the stake, by number of falls
	Scatters map[string]int64 `json:"scatters"` // outcomes by number of scatters
}

// A Machine is one version of the slot. It is immutable.
type Machine struct {
	*reels.Table
	strips  [Reels][Stops]reels.Symbol
	pays    [symbols][cells + 1]int64 // by symbol and count, in parts of the stake
	best    int64                     // an upper bound on the payout of a spin, in parts of the stake
	wilds   bool                      // the machine has a wild
	counted counted
}

// Versions returns all versions, oldest first. New rounds use the last version. The other versions verify old rounds.
func Versions() []*Machine {
	var all []*Machine
	for i, text := range [][2][]byte{{first, firstCounted}, {second, secondCounted}} {
		m, err := read(text[0])
		if err == nil {
			err = json.Unmarshal(text[1], &m.counted)
		}
		if err != nil || m.Data().Version != i+1 {
			panic(fmt.Sprintf("cascade, version %d: %v", i+1, err)) // the file is embedded, so tests find the error
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
		if err := m.checkWilds(reel); err != nil {
			return nil, err
		}
	}
	return m, m.readPays()
}

// checkWilds checks that no window of a reel shows two wilds. A win removes all wilds, so a reel never shows more wilds than one
// window of its strip. The visible wilds are therefore too few to win alone, and need no payout.
func (m *Machine) checkWilds(reel int) error {
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
			return fmt.Errorf("%s: pays %v for as few symbols as there may be wilds", name, pay)
		}
		for count := range times {
			m.pays[number][count] = times[count] * factor
		}
		m.best += times[cells] * factor // a step pays at most the sum of all symbols on all cells
	}
	m.best *= (maxFalls + 1) * max(slices.Max(d.Multipliers), slices.Max(d.FreeRounds.Multipliers))
	return nil
}

// CheckStake rejects a stake that cannot be played.
func (m *Machine) CheckStake(stake money.Minor) error { return m.Table.CheckStake(stake, m.best) }

// Play draws and evaluates a round.
func (m *Machine) Play(draw reels.Draw, stake money.Minor) (reels.Outcome, error) {
	if err := m.CheckStake(stake); err != nil {
		return reels.Outcome{}, err // before anything is drawn
	}
	return m.Round(draw, func(stops []int, free bool) (reels.Spin, error) { return m.Evaluate(stops, free, stake) })
}

// Evaluate returns the wins of a spin with these stops, fall by fall. Each win is rounded down to the minor unit.
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
		step := reels.Step{Grid: m.grid(b), Wins: []reels.Win{}, Multiplier: m.Multiplier(free, falls)}
		for number, name := range m.Data().Symbols {
			s := reels.Symbol(number)
			if times := m.pays[s][b.counts[s]]; times > 0 && s != m.Scatter {
				step.Add(reels.Win{Symbol: name, Count: int(b.counts[s]), Times: times, Cells: m.cellsOf(b, s)}, stake, reels.Parts)
			}
		}
		more := len(step.Wins) > 0 && falls < maxFalls
		if scatters := int(b.counts[m.Scatter]); !more { // scatters never vanish, so the last grid has all of them
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

func (m *Machine) grid(b *board) [][]string {
	grid := make([][]string, Reels)
	for reel := range grid {
		grid[reel] = make([]string, Rows)
		for row := range grid[reel] {
			grid[reel][row] = m.Name(b.grid[reel][row])
		}
	}
	return grid
}

// Return returns the exact return to player (RTP).
func (m *Machine) Return() *big.Rat {
	paid, free := int64(0), int64(0)
	for step, pays := range m.counted.Pays {
		paid += pays * m.Multiplier(false, step)
		free += pays * m.Multiplier(true, step)
	}
	return m.Total(big.NewRat(paid, all*reels.Parts), big.NewRat(free, all*reels.Parts), m.scatters())
}

func (m *Machine) scatters() reels.Counts {
	seen := reels.Counts{Outcomes: map[int]int64{}, All: all}
	for text, n := range m.counted.Scatters {
		count, _ := strconv.Atoi(text) // a test checks the embedded file
		seen.Outcomes[count] = n
	}
	return seen
}
