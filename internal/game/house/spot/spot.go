// Package spot holds what the engines of the live tables share: the places that can be bet on, what each pays as data,
// and the arithmetic of a payout. It knows no game's rules, no player and no bank.
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

// ErrUnknown is about a place that the table does not have.
var ErrUnknown = fault.New(fault.Invalid, "house.unknown_spot")

// Draw gives numbers from 0 to below n, each as likely as any other.
type Draw interface {
	Int(n int) int
}

// Spot is a place that can be bet on.
type Spot struct {
	ID      string   `json:"id"`
	Times   []string `json:"times" doc:"Profit for each unit staked, as a decimal; several where it depends on how often the spot is hit."`
	Numbers []int    `json:"numbers,omitempty" doc:"Of a wheel: the numbers that it covers."`
}

// Data is an engine's spots as they are published.
type Data struct {
	Name    string `json:"name"`
	Version int    `json:"version"`
	Spots   []Spot `json:"spots"`
}

// Share is the part of a stake that comes back, the stake itself included: 2 of 1 for a win at even money, 1 of 1 for a
// bet that is given back, 0 for one that is lost.
type Share struct{ Of, By int64 }

// Shares that need no table of pays.
var (
	Lost   = Share{0, 1}
	Half   = Share{1, 2}
	Pushed = Share{1, 1}
)

// Payout is the share of a stake, rounded down to the minor unit.
func (s Share) Payout(stake money.Minor) (money.Minor, error) {
	if stake < 0 || s.Of > 0 && int64(stake) > math.MaxInt64/s.Of {
		return 0, fmt.Errorf("%d of %d of a stake of %d cannot be counted", s.Of, s.By, stake)
	}
	return money.Minor(s.Of * int64(stake) / s.By), nil
}

// Rat is the share as a number.
func (s Share) Rat() *big.Rat { return big.NewRat(s.Of, s.By) }

// Board is an engine's spots, ready to be paid. It never changes and may be shared.
type Board struct {
	Data

	wins  map[string][]Share
	index map[string]int
}

// Must reads the spots that the program carries.
func Must(name string, text []byte) Board {
	b, err := Read(text)
	if err == nil && b.Name != name {
		err = fmt.Errorf("it is of %q", b.Name)
	}
	if err != nil {
		panic(name + ".json: " + err.Error()) // part of the program: a test reads it
	}
	return b
}

// Read takes spots from their data.
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

// winOf reads a profit such as 0.95: the stake comes back with it.
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

// Find gives a spot.
func (b *Board) Find(id string) (Spot, error) {
	i, known := b.index[id]
	if !known {
		return Spot{}, ErrUnknown.On("spots")
	}
	return b.Spots[i], nil
}

// Won is the share of a spot that was hit so many times, from 1.
func (b *Board) Won(id string, hits int) Share {
	wins := b.wins[id]
	if hits < 1 || len(wins) == 0 {
		return Lost
	}
	return wins[min(hits, len(wins))-1]
}

// Pay is what a stake on a spot comes to, when the spot brings that share.
func (b *Board) Pay(id string, share Share, stake money.Minor) (money.Minor, error) {
	if _, err := b.Find(id); err != nil {
		return 0, err
	}
	return share.Payout(stake)
}
