// Package ways is a slot with five reels, four rows and 1024 ways. Equal symbols pay on neighbouring reels from the left, in any
// row. The outcome depends only on the draws and the stake. The JSON file lists the payouts, from which the exact return is
// computed.
package ways

import (
	_ "embed" // the machine's strips and pays
	"fmt"

	"fairground/internal/game/house/reels"
	"fairground/internal/money"
)

// Sizes of the machine. They must not change, because proofs of old rounds depend on them.
const (
	Reels    = 5
	Stops    = 32
	Rows     = 4
	minReels = 3 // minimum number of reels or scatters of a win
)

//go:embed version1.json
var first []byte

// A Machine is one version of the slot. It is immutable.
type Machine struct {
	*reels.Table
	seen [Reels][Stops][]int8 // by stop: the visible count of each symbol; wilds count as every symbol except the scatter
	pays [][]int64            // by symbol and count, in parts of the stake
	best int64                // an upper bound on the payout of a spin, in parts of the stake
}

// Versions returns all versions, oldest first. New rounds use the last version. The other versions verify old rounds.
func Versions() []*Machine {
	var all []*Machine
	for i, text := range [][]byte{first} {
		m, err := read(text)
		if err != nil || m.Data().Version != i+1 {
			panic(fmt.Sprintf("ways, version %d: %v", i+1, err)) // the file is embedded, so tests find the error
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
	if d.Kind != reels.Ways || d.Rows != Rows || len(d.Strips) != Reels || len(d.Lines) != 0 || d.FreeRounds == nil || d.Wild == "" {
		return nil, fmt.Errorf("%s, %d rows, %d strips, %d lines, wild %q", d.Kind, d.Rows, len(d.Strips), len(d.Lines), d.Wild)
	}
	for reel, strip := range m.Strips {
		if len(strip) != Stops {
			return nil, fmt.Errorf("strip %d has %d stops", reel, len(strip))
		}
		for stop := range strip {
			if err := m.window(reel, stop); err != nil {
				return nil, err
			}
		}
	}
	return m, m.readPays()
}

// window counts the symbols that a stop shows. It rejects wilds on the first reel: every win then has one symbol, and symbols pay
// independently.
func (m *Machine) window(reel, stop int) error {
	counts := make([]int8, len(m.Data().Symbols))
	for row := range Rows {
		counts[m.Strips[reel][(stop+row)%Stops]]++
	}
	wilds, scatters := counts[m.Wild], counts[m.Scatter]
	if reel == 0 && wilds > 0 || scatters > 1 {
		return fmt.Errorf("stop %d of reel %d shows %d wilds and %d scatters", stop, reel, wilds, scatters)
	}
	for s := range counts {
		if reels.Symbol(s) != m.Scatter && reels.Symbol(s) != m.Wild {
			counts[s] += wilds
		}
	}
	m.seen[reel][stop] = counts
	return nil
}

func (m *Machine) readPays() error {
	d := m.Data()
	m.pays = make([][]int64, len(d.Symbols))
	for number, name := range d.Symbols {
		pay, factor := d.Pays[name], int64(1)
		switch reels.Symbol(number) {
		case m.Scatter:
			pay, factor = d.ScatterPays, reels.Parts
		case m.Wild:
			if len(pay) > 0 {
				return fmt.Errorf("the wild pays %v", pay)
			}
			m.pays[number] = make([]int64, Reels+1)
			continue
		}
		times, err := m.PaysFrom(pay, Reels)
		if err != nil || times[minReels-1] != 0 {
			return fmt.Errorf("%s: %v, %w", name, pay, err)
		}
		for count := range times {
			times[count] *= factor
		}
		m.pays[number] = times
		most := times[Reels]
		if reels.Symbol(number) != m.Scatter {
			for range Reels {
				most *= Rows
			}
		}
		m.best += most
	}
	m.best *= max(m.Multiplier(false, 0), m.Multiplier(true, 0))
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

// Evaluate returns the wins of a spin with these stops. Each win is rounded down to the minor unit.
func (m *Machine) Evaluate(stops []int, free bool, stake money.Minor) (reels.Spin, error) {
	if err := m.CheckStake(stake); err != nil {
		return reels.Spin{}, err
	}
	if err := m.CheckStops(stops); err != nil {
		return reels.Spin{}, err
	}
	step := reels.Step{Grid: m.Grid(stops), Wins: []reels.Win{}, Multiplier: m.Multiplier(free, 0)}
	for number, name := range m.Data().Symbols {
		s := reels.Symbol(number)
		if s == m.Scatter || s == m.Wild {
			continue
		}
		if count, ways := m.count(stops, s); m.pays[s][count] > 0 {
			step.Add(reels.Win{Ways: ways, Symbol: name, Count: count, Times: m.pays[s][count], Cells: m.cells(stops, s, count)}, stake, reels.Parts)
		}
	}
	scatters := m.scatters(stops)
	if scatters >= minReels {
		step.Add(reels.Win{
			Symbol: m.Name(m.Scatter), Count: scatters, Times: m.pays[m.Scatter][scatters] / reels.Parts, Cells: m.cells(stops, m.Scatter, Reels),
		}, stake, 1)
	}
	spin := reels.Spin{Free: free, Stops: stops, Awarded: m.Awarded(scatters)}
	spin.Add(step)
	return spin, nil
}

// count returns the number of reels from the left that show a symbol or a wild, and the number of ways.
func (m *Machine) count(stops []int, s reels.Symbol) (count int, ways int64) {
	ways = 1
	for reel, stop := range stops {
		n := m.seen[reel][stop][s]
		if n == 0 {
			break
		}
		count, ways = count+1, ways*int64(n)
	}
	return count, ways
}

func (m *Machine) scatters(stops []int) int {
	n := 0
	for reel, stop := range stops {
		n += int(m.seen[reel][stop][m.Scatter])
	}
	return n
}

func (m *Machine) cells(stops []int, of reels.Symbol, count int) [][2]int {
	var cells [][2]int
	for reel, stop := range stops[:count] {
		for row := range Rows {
			s := m.Strips[reel][(stop+row)%Stops]
			if s == of || s == m.Wild && of != m.Scatter {
				cells = append(cells, [2]int{reel, row})
			}
		}
	}
	return cells
}
