package reels

import (
	"fmt"
	"math"

	"fairground/internal/fault"
	"fairground/internal/money"
)

// ErrStake is returned for a stake that is not offered, not positive, or so large that its best win overflows.
var ErrStake = fault.New(fault.Invalid, "house.invalid_stake")

// A Draw returns uniform random numbers from 0 to n-1.
type Draw interface {
	Int(n int) int
}

// Round plays a round. It draws the stops of the paid spin, reel by reel from the left, and then the stops of each free round. spin
// evaluates the stops.
func (t *Table) Round(draw Draw, spin func(stops []int, free bool) (Spin, error)) (Outcome, error) {
	var o Outcome
	for left := 1; left > 0; left-- {
		stops := make([]int, len(t.Strips))
		for reel, strip := range t.Strips {
			stops[reel] = draw.Int(len(strip))
		}
		s, err := spin(stops, len(o.Spins) > 0)
		if err != nil {
			return Outcome{}, err
		}
		if f := t.data.FreeRounds; f != nil {
			s.Awarded = min(s.Awarded, f.Most-o.FreeRounds)
		}
		o.Spins = append(o.Spins, s)
		o.FreeRounds += s.Awarded
		o.Win += s.Win
		left += s.Awarded
	}
	return o, nil
}

// CheckStake rejects a stake that cannot be played. best is an upper bound on the payout of a spin, in parts of the stake.
func (t *Table) CheckStake(stake money.Minor, best int64) error {
	if f := t.data.FreeRounds; f != nil {
		best *= int64(1 + f.Most)
	}
	if stake <= 0 || int64(stake) > math.MaxInt64/best {
		return ErrStake.On("stake")
	}
	return nil
}

// CheckStops rejects stops that do not exist on the strips.
func (t *Table) CheckStops(stops []int) error {
	if len(stops) != len(t.Strips) {
		return fmt.Errorf("%d stops for %d reels", len(stops), len(t.Strips))
	}
	for reel, stop := range stops {
		if stop < 0 || stop >= len(t.Strips[reel]) {
			return fmt.Errorf("reel %d has no stop %d", reel, stop)
		}
	}
	return nil
}

// Grid returns the symbols that stops show.
func (t *Table) Grid(stops []int) [][]string {
	grid := make([][]string, len(stops))
	for reel, strip := range t.Strips {
		grid[reel] = make([]string, t.data.Rows)
		for row := range grid[reel] {
			grid[reel][row] = t.Name(strip[(stops[reel]+row)%len(strip)])
		}
	}
	return grid
}
