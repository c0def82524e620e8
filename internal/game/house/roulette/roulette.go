// Package roulette spins a wheel with a single zero and settles the spots of the layout. The result depends only on the
// stream. roulette.json lists the spots, their numbers and their payouts.
package roulette

import (
	_ "embed" // the layout
	"math/big"
	"slices"

	"fairground/internal/game/house/spot"
	"fairground/internal/money"
)

// Name is the engine's name.
const Name = "roulette"

// Pockets is the number of pockets of the wheel, 0 to 36.
const Pockets = 37

//go:embed roulette.json
var data []byte

// A Result is the outcome of a round.
type Result struct {
	Number int `json:"number"`
}

// A Game is the engine.
type Game struct {
	spot.Board

	covers map[string][]int
}

// New returns the engine.
func New() *Game {
	g := &Game{Board: spot.Must(Name, data), covers: map[string][]int{}}
	for _, s := range g.Spots {
		g.covers[s.ID] = s.Numbers
	}
	return g
}

// Deal spins the wheel.
func (*Game) Deal(draw spot.Draw) Result { return Result{draw.Int(Pockets)} }

// Share returns the share of a stake that a spot pays.
func (g *Game) Share(r Result, id string) spot.Share {
	if !slices.Contains(g.covers[id], r.Number) {
		return spot.Lost
	}
	return g.Won(id, 1)
}

// Settle returns the payout of a stake on a spot, including the stake.
func (g *Game) Settle(r Result, id string, stake money.Minor) (money.Minor, error) {
	return g.Pay(id, g.Share(r, id), stake)
}

// Returns returns the exact return of each spot.
func (g *Game) Returns() map[string]*big.Rat {
	all := map[string]*big.Rat{}
	for _, s := range g.Spots {
		all[s.ID] = new(big.Rat).Mul(big.NewRat(int64(len(s.Numbers)), Pockets), g.Won(s.ID, 1).Rat())
	}
	return all
}
