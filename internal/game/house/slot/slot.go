// Package slot is a slot with five reels, three rows and twenty lines. The outcome depends only on the draws and the stake. The
// JSON files list the payouts of each version, from which the exact return is computed.
package slot

import (
	_ "embed" // the machines' strips, lines and pays
	"fmt"

	"fairground/internal/game/house/reels"
	"fairground/internal/money"
)

// Sizes of the machine. They must not change, because proofs of old rounds depend on them.
const (
	Reels = 5
	Stops = 32
	Rows  = 3
	Lines = reels.Parts
	least = 3 // minimum number of symbols of a win
)

//go:embed version1.json
var first []byte

// Version 2 has free rounds.
//
//go:embed version2.json
var second []byte

// A Machine is one version of the slot. It is immutable.
type Machine struct {
	*reels.Table
	strips [Reels][Stops + Rows - 1]reels.Symbol // with the first symbols repeated at the end, so that no window wraps
	lines  [Lines][Reels]uint8
	pays   [][Reels + 1]int64 // by symbol and count
	best   int64              // an upper bound on the payout of a spin, in line stakes
}

// Versions returns all versions, oldest first. New rounds use the last version. The other versions verify old rounds.
func Versions() []*Machine {
	var all []*Machine
	for i, text := range [][]byte{first, second} {
		m, err := read(text)
		if err != nil || m.Data().Version != i+1 {
			panic(fmt.Sprintf("slot, version %d: %v", i+1, err)) // the file is embedded, so tests find the error
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
	m, d := &Machine{Table: table}, table.Data()
	if d.Kind != reels.Lines || d.Rows != Rows || len(d.Strips) != Reels || len(d.Lines) != Lines {
		return nil, fmt.Errorf("%s, %d rows, %d strips, %d lines", d.Kind, d.Rows, len(d.Strips), len(d.Lines))
	}
	for reel, strip := range m.Strips {
		if len(strip) != Stops {
			return nil, fmt.Errorf("strip %d has %d stops", reel, len(strip))
		}
		for i := range m.strips[reel] {
			m.strips[reel][i] = strip[i%Stops]
		}
	}
	for i, line := range d.Lines {
		if len(line) != Reels {
			return nil, fmt.Errorf("line %d has %d reels", i+1, len(line))
		}
		for reel, row := range line {
			if row < 0 || row >= Rows {
				return nil, fmt.Errorf("line %d goes through row %d", i+1, row)
			}
			m.lines[i][reel] = uint8(row)
		}
	}
	return m, m.readPays()
}

func (m *Machine) readPays() error {
	d := m.Data()
	m.pays = make([][Reels + 1]int64, len(d.Symbols))
	for number, name := range d.Symbols {
		pay, factor := d.Pays[name], int64(1)
		if reels.Symbol(number) == m.Scatter {
			pay, factor = d.ScatterPays, Lines
		}
		times, err := m.PaysFrom(pay, Reels)
		if err != nil || len(pay) != Reels-least+1 || times[least-1] != 0 {
			return fmt.Errorf("%s: %v, %w", name, pay, err)
		}
		for count := range times {
			m.pays[number][count] = times[count] * factor
		}
		m.best = max(m.best, times[Reels]*factor)
	}
	m.best *= (Lines + 1) * max(m.Multiplier(false, 0), m.freeMultiplier())
	return nil
}

func (m *Machine) freeMultiplier() int64 {
	if m.Data().FreeRounds == nil {
		return 0
	}
	return m.Multiplier(true, 0)
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

// Evaluate returns the wins of a spin with these stops. The stake is split equally over all lines. Each win is rounded down to the
// minor unit.
func (m *Machine) Evaluate(stopped []int, free bool, stake money.Minor) (reels.Spin, error) {
	if err := m.CheckStake(stake); err != nil {
		return reels.Spin{}, err
	}
	if err := m.CheckStops(stopped); err != nil {
		return reels.Spin{}, err
	}
	stops := [Reels]int(stopped)
	step := reels.Step{Grid: m.Grid(stopped), Wins: []reels.Win{}, Multiplier: m.Multiplier(free, 0)}
	for i := range m.lines {
		if of, count, times := m.line(&stops, i); times > 0 {
			step.Add(reels.Win{Line: i + 1, Symbol: m.Name(of), Count: count, Times: times, Cells: m.cells(i, count)}, stake, Lines)
		}
	}
	scatters := m.scatters(&stops)
	if scatters >= least {
		step.Add(reels.Win{Symbol: m.Data().Scatter, Count: scatters, Times: m.pays[m.Scatter][scatters] / Lines, Cells: m.scattered(&stops)}, stake, 1)
	}
	spin := reels.Spin{Free: free, Stops: stopped, Awarded: m.Awarded(scatters)}
	spin.Add(step)
	return spin, nil
}

// line returns the payout of a line, in line stakes. Wilds count as the first other symbol from the left, or as themselves if that
// pays more. A line pays only its highest win.
func (m *Machine) line(stops *[Reels]int, i int) (of reels.Symbol, count int, times int64) {
	rows := &m.lines[i]
	of = m.Wild
	wilds := 0
	for reel := range rows {
		s := m.strips[reel][stops[reel]+int(rows[reel])]
		if s == m.Wild {
			if wilds == reel {
				wilds++
			}
		} else if of == m.Wild && s != m.Scatter {
			of = s
		} else if s != of {
			break
		}
		count++
	}
	times = m.pays[of][count]
	if own := m.pays[m.Wild][wilds]; own >= times {
		return m.Wild, wilds, own
	}
	return of, count, times
}

func (m *Machine) cells(line, count int) [][2]int {
	cells := make([][2]int, count)
	for reel := range cells {
		cells[reel] = [2]int{reel, int(m.lines[line][reel])}
	}
	return cells
}

func (m *Machine) scatters(stops *[Reels]int) int {
	n := 0
	for reel, stop := range stops {
		for row := range Rows {
			if m.strips[reel][stop+row] == m.Scatter {
				n++
			}
		}
	}
	return min(n, Reels)
}

func (m *Machine) scattered(stops *[Reels]int) [][2]int {
	var cells [][2]int
	for reel, stop := range stops {
		for row := range Rows {
			if m.strips[reel][stop+row] == m.Scatter {
				cells = append(cells, [2]int{reel, row})
			}
		}
	}
	return cells
}
