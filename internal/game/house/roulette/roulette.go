// Package roulette turns a wheel of 37 numbers with one zero, and tells what the spots of the cloth bring. It is a function
// of the stream alone: it knows no player, no bank, no earlier round and no clock. Which numbers a spot covers and what it
// pays stands in roulette.json.
package roulette

import (
	_ "embed" // the cloth
	"math/big"
	"slices"

	"fairground/internal/game/house/spot"
	"fairground/internal/money"
)

// Name of the engine.
const Name = "roulette"

// Pockets of the wheel, 0 to 36.
const Pockets = 37

//go:embed roulette.json
var data []byte

// Result is all there is to know of a round.
type Result struct {
	Number int `json:"number"`
}

// Game is the engine.
type Game struct {
	spot.Board

	covers map[string][]int
}

// New reads the cloth that the program carries.
func New() *Game {
	g := &Game{Board: spot.Must(Name, data), covers: map[string][]int{}}
	for _, s := range g.Spots {
		g.covers[s.ID] = s.Numbers
	}
	return g
}

// Deal turns the wheel.
func (*Game) Deal(draw spot.Draw) Result { return Result{draw.Int(Pockets)} }

// Share tells what a spot brings: all or nothing.
func (g *Game) Share(r Result, id string) spot.Share {
	if !slices.Contains(g.covers[id], r.Number) {
		return spot.Lost
	}
	return g.Won(id, 1)
}

// Settle is what a stake on a spot comes to.
func (g *Game) Settle(r Result, id string, stake money.Minor) (money.Minor, error) {
	return g.Pay(id, g.Share(r, id), stake)
}

// Returns is what each spot gives back of what is staked, on average and exactly.
func (g *Game) Returns() map[string]*big.Rat {
	all := map[string]*big.Rat{}
	for _, s := range g.Spots {
		all[s.ID] = new(big.Rat).Mul(big.NewRat(int64(len(s.Numbers)), Pockets), g.Won(s.ID, 1).Rat())
	}
	return all
}
