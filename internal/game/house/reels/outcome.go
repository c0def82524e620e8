package reels

import (
	"encoding/json"
	"fmt"

	"fairground/internal/money"
)

// Win is one line that pays, one symbol on neighbouring reels, one symbol anywhere, or the scatters.
type Win struct {
	Line   int         `json:"line"` // from 1; 0 where no line is needed
	Ways   int64       `json:"ways,omitempty"`
	Symbol string      `json:"symbol"`
	Count  int         `json:"count"`
	Times  int64       `json:"times"` // times a part of the stake, on ways for each way; for scatters times the whole stake
	Amount money.Minor `json:"amount"`
	Cells  [][2]int    `json:"cells"` // reel and row of each symbol, from 0
}

// Step is what is seen at once: the reels as they stand, and what pays. After a win of a cascade another step follows,
// so its last one is where nothing falls any more.
type Step struct {
	Grid       [][]string  `json:"grid"` // by reel, from the top
	Wins       []Win       `json:"wins"`
	Multiplier int64       `json:"multiplier"`
	Win        money.Minor `json:"win"`
}

// Spin is one turn of the reels.
type Spin struct {
	Free    bool        `json:"free"`
	Stops   []int       `json:"stops"`
	Win     money.Minor `json:"win"`
	Awarded int         `json:"awarded"` // free rounds that its scatters brought
	Steps   []Step      `json:"steps"`
}

// Outcome is all there is to know of a round: the paid spin, then the free rounds that it brought.
type Outcome struct {
	Spins      []Spin      `json:"spins"`
	FreeRounds int         `json:"freeRounds"`
	Win        money.Minor `json:"win"`
}

// Add puts a win into a step: what it pays for a stake, rounded down to the minor unit.
func (s *Step) Add(w Win, stake money.Minor, parts int64) {
	w.Amount = money.Minor(w.Times * max(1, w.Ways) * s.Multiplier * int64(stake) / parts)
	s.Win += w.Amount
	s.Wins = append(s.Wins, w)
}

// Add puts a step into a spin.
func (s *Spin) Add(step Step) {
	s.Win += step.Win
	s.Steps = append(s.Steps, step)
}

// flat is how outcomes were stored while a round was a spin and a spin was a step.
type flat struct {
	Stops []int       `json:"stops"`
	Grid  [][]string  `json:"grid"`
	Wins  []Win       `json:"wins"`
	Win   money.Minor `json:"win"`
}

// ReadOutcome reads a stored outcome, of whatever age.
func ReadOutcome(text string) (Outcome, error) {
	var stored struct {
		flat
		Spins      []Spin `json:"spins"`
		FreeRounds int    `json:"freeRounds"`
	}
	if err := json.Unmarshal([]byte(text), &stored); err != nil {
		return Outcome{}, fmt.Errorf("read outcome: %w", err)
	}
	if stored.Spins == nil {
		step := Step{Grid: stored.Grid, Wins: stored.Wins, Multiplier: 1, Win: stored.Win}
		stored.Spins = []Spin{{Stops: stored.Stops, Win: stored.Win, Steps: []Step{step}}}
	}
	return Outcome{Spins: stored.Spins, FreeRounds: stored.FreeRounds, Win: stored.Win}, nil
}
