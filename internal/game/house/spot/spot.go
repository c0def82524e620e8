// Package spot has the common parts of the engines of live tables: the spots of a table and their payouts. A spot is a place to bet
// on, such as "banker" or "red".
package spot

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"fairground/internal/fault"
	"fairground/internal/money"
)

// ErrUnknown is returned for a spot that the table does not have.
var ErrUnknown = fault.New(fault.Invalid, "house.unknown_spot")

// A Draw returns uniform random numbers from 0 to n-1.
type Draw interface {
	Int(n int) int
}

// A Spot is a place on a table to bet on.
type Spot struct {
	ID      string   `json:"id"`
	Times   []string `json:"times" doc:"Profit per unit staked, as a decimal. There are several if it depends on how often the spot is hit."`
	Numbers []int    `json:"numbers,omitempty" doc:"Roulette only: the numbers that the spot covers."`
}

// Data is the published description of an engine.
type Data struct {
	Name    string `json:"name"`
	Version int    `json:"version"`
	Spots   []Spot `json:"spots"`
}

// A Share is the payout as a fraction of the stake, including the stake: 2/1 for a win at even money, 1/1 for a returned bet, 0/1
// for a lost bet.
type Share struct{ Of, By int64 }

// Shares that no spot's pays define.
var (
	Lost   = Share{0, 1}
	Half   = Share{1, 2}
	Pushed = Share{1, 1}
)

// Payout returns the share of a stake, rounded down to the minor unit.
func (s Share) Payout(stake money.Minor) (money.Minor, error) {
	if stake < 0 || s.Of > 0 && int64(stake) > math.MaxInt64/s.Of {
		return 0, fmt.Errorf("%d/%d of the stake %d overflows", s.Of, s.By, stake)
	}
	return money.Minor(s.Of * int64(stake) / s.By), nil
}

// Rat returns the share as a rational number.
func (s Share) Rat() *big.Rat { return big.NewRat(s.Of, s.By) }

// A Board holds an engine's spots. It is immutable.
type Board struct {
	Data

	wins  map[string][]Share
	index map[string]int
}

// Must parses an engine's embedded spots. It panics if they are invalid.
func Must(name string, text []byte) Board {
	b, err := Read(text)
	if err == nil && b.Name != name {
		err = fmt.Errorf("the data belongs to engine %q", b.Name)
	}
	if err != nil {
		panic(name + ".json: " + err.Error())
	}
	return b
}

// Read parses spots.
func Read(text []byte) (Board, error) {
	b := Board{wins: map[string][]Share{}, index: map[string]int{}}
	if err := json.Unmarshal(text, &b.Data); err != nil {
		return b, err
	}
	if b.Version < 1 || len(b.Spots) == 0 {
		return b, fmt.Errorf("version %d, %d spots", b.Version, len(b.Spots))
	}
	for i, s := range b.Spots {
		if _, twice := b.index[s.ID]; twice || s.ID == "" || len(s.Times) == 0 {
			return b, fmt.Errorf("spot %q", s.ID)
		}
		b.index[s.ID] = i
		for _, times := range s.Times {
			won, err := winOf(times)
			if err != nil {
				return b, fmt.Errorf("spot %q: %w", s.ID, err)
			}
			b.wins[s.ID] = append(b.wins[s.ID], won)
		}
	}
	return b, nil
}

func winOf(times string) (Share, error) {
	whole, part, _ := strings.Cut(times, ".")
	by := int64(1)
	for range part {
		by *= 10
	}
	n, err := strconv.ParseInt(whole+part, 10, 32)
	if err != nil || n <= 0 || len(part) > 3 {
		return Share{}, errors.New("pays " + times)
	}
	return Share{n + by, by}, nil
}

// Find returns a spot.
func (b *Board) Find(id string) (Spot, error) {
	i, known := b.index[id]
	if !known {
		return Spot{}, ErrUnknown.On("spots")
	}
	return b.Spots[i], nil
}

// Won returns the share that a spot pays if it is hit this many times.
func (b *Board) Won(id string, hits int) Share {
	wins := b.wins[id]
	if hits < 1 || len(wins) == 0 {
		return Lost
	}
	return wins[min(hits, len(wins))-1]
}

// Pay returns the payout of a stake on a spot, given its share.
func (b *Board) Pay(id string, share Share, stake money.Minor) (money.Minor, error) {
	if _, err := b.Find(id); err != nil {
		return 0, err
	}
	return share.Payout(stake)
}
