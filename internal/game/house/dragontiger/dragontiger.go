// Package dragontiger deals one card to each side from a new shoe of eight decks. The higher card wins, and the ace is the
// lowest. The result depends only on the stream. dragontiger.json lists the payouts.
package dragontiger

import (
	_ "embed" // the payouts
	"math/big"

	"fairground/internal/game/house/cards"
	"fairground/internal/game/house/spot"
	"fairground/internal/money"
)

// Name is the engine's name.
const Name = "dragontiger"

// Decks is the number of decks in the shoe.
const Decks = 8

// Winners of a round. They are also spots.
const (
	Dragon = "dragon"
	Tiger  = "tiger"
	Tie    = "tie"
)

const suitedTie = "suitedTie"

//go:embed dragontiger.json
var data []byte

// A Result is the outcome of a round.
type Result struct {
	Dragon cards.Card `json:"dragon"`
	Tiger  cards.Card `json:"tiger"`
	Winner string     `json:"winner" enum:"dragon,tiger,tie"`
}

// A Game is the engine.
type Game struct{ spot.Board }

// New returns the engine.
func New() *Game { return &Game{spot.Must(Name, data)} }

// Deal deals a round, the dragon's card first.
func (*Game) Deal(draw spot.Draw) Result {
	shoe := cards.NewShoe(Decks, draw)
	dragon := shoe.Next()
	return result(dragon, shoe.Next())
}

func result(dragon, tiger cards.Card) Result {
	r := Result{dragon, tiger, Tie}
	switch a, b := dragon.Rank(), tiger.Rank(); {
	case a > b:
		r.Winner = Dragon
	case b > a:
		r.Winner = Tiger
	}
	return r
}

// Share returns the share of a stake that a spot pays. A tie returns half of the bets on dragon and tiger.
func (g *Game) Share(r Result, id string) spot.Share {
	switch {
	case id == r.Winner, id == suitedTie && r.Dragon == r.Tiger:
		return g.Won(id, 1)
	case r.Winner == Tie && (id == Dragon || id == Tiger):
		return spot.Half
	default:
		return spot.Lost
	}
}

// Settle returns the payout of a stake on a spot, including the stake.
func (g *Game) Settle(r Result, id string, stake money.Minor) (money.Minor, error) {
	return g.Pay(id, g.Share(r, id), stake)
}

// Returns returns the exact return of each spot. 31 of the other 415 cards have the first card's rank, and 7 of those also its
// suit. With the rest each side wins equally often.
func (g *Game) Returns() map[string]*big.Rat {
	const others, same, suited = Decks*cards.Deck - 1, Decks*cards.Suits - 1, Decks - 1
	side := big.NewRat(others-same, 2*others)
	half := new(big.Rat).Mul(big.NewRat(same, others), spot.Half.Rat())
	all := map[string]*big.Rat{
		Tie:       new(big.Rat).Mul(big.NewRat(same, others), g.Won(Tie, 1).Rat()),
		suitedTie: new(big.Rat).Mul(big.NewRat(suited, others), g.Won(suitedTie, 1).Rat()),
	}
	for _, id := range []string{Dragon, Tiger} {
		won := new(big.Rat).Mul(side, g.Won(id, 1).Rat())
		all[id] = won.Add(won, half)
	}
	return all
}
