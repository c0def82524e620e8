package reels

import (
	"encoding/json"
	"fmt"

	"fairground/internal/money"
)

// A Win is one paying line, symbol or group of scatters.
type Win struct {
	Line   int         `json:"line"` // from 1; 0 for wins without a line
	Ways   int64       `json:"ways,omitempty"`
	Symbol string      `json:"symbol"`
	Count  int         `json:"count"`
	Times  int64       `json:"times"` // for scatters, how many times the stake is paid; else how many parts of the stake each way pays
	Amount money.Minor `json:"amount"`
	Cells  [][2]int    `json:"cells"` // reel and row of each symbol, from 0
}

// A Step is one grid and its wins. In a cascade, another step follows every winning step.
type Step struct {
	Grid       [][]string  `json:"grid"` // by reel, from the top
	Wins       []Win       `json:"wins"`
	Multiplier int64       `json:"multiplier"`
	Win        money.Minor `json:"win"`
}

// A Spin is one spin of the reels.
type Spin struct {
	Free    bool        `json:"free"`
	Stops   []int       `json:"stops"`
	Win     money.Minor `json:"win"`
	Awarded int         `json:"awarded"` // number of free rounds
	Steps   []Step      `json:"steps"`
}

// An Outcome is the paid spin of a round, followed by its free rounds.
type Outcome struct {
	Spins      []Spin      `json:"spins"`
	FreeRounds int         `json:"freeRounds"`
	Win        money.Minor `json:"win"`
}

// Add adds a win to a step. Its amount is rounded down to the minor unit.
func (s *Step) Add(w Win, stake money.Minor, parts int64) {
	w.Amount = money.Minor(w.Times * max(1, w.Ways) * s.Multiplier * int64(stake) / parts)
	s.Win += w.Amount
	s.Wins = append(s.Wins, w)
}

// Add adds a step to a spin.
func (s *Spin) Add(step Step) {
	s.Win += step.Win
	s.Steps = append(s.Steps, step)
}

// legacyOutcome is the oldest stored format of an outcome. It has one spin with one step.
type legacyOutcome struct {
	Stops []int       `json:"stops"`
	Grid  [][]string  `json:"grid"`
	Wins  []Win       `json:"wins"`
	Win   money.Minor `json:"win"`
}

// ReadOutcome parses a stored outcome, in the current or the oldest format.
func ReadOutcome(text string) (Outcome, error) {
	var stored struct {
		legacyOutcome
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
