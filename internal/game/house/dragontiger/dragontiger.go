// Package dragontiger deals one card to each side from a fresh shoe of eight decks; the higher wins, the ace is lowest. It
// is a function of the stream alone: it knows no player, no bank, no earlier round and no clock. What the spots pay stands
// in dragontiger.json.
package dragontiger

import (
	_ "embed" // what the spots pay
	"math/big"

	"fairground/internal/game/house/cards"
	"fairground/internal/game/house/spot"
	"fairground/internal/money"
)

// Name of the engine.
const Name = "dragontiger"

// Decks in the shoe.
const Decks = 8

// Who wins.
const (
	Dragon = "dragon"
	Tiger  = "tiger"
	Tie    = "tie"
)

const suitedTie = "suitedTie"

//go:embed dragontiger.json
var data []byte

// Result is all there is to know of a round.
type Result struct {
	Dragon cards.Card `json:"dragon"`
	Tiger  cards.Card `json:"tiger"`
	Winner string     `json:"winner" enum:"dragon,tiger,tie"`
}

// Game is the engine.
type Game struct{ spot.Board }

// New reads the spots that the program carries.
func New() *Game { return &Game{spot.Must(Name, data)} }

// Deal plays a round: the dragon's card first.
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

// Share tells what a spot brings. A tie gives half of what lies on dragon and tiger back.
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

// Settle is what a stake on a spot comes to.
func (g *Game) Settle(r Result, id string, stake money.Minor) (money.Minor, error) {
	return g.Pay(id, g.Share(r, id), stake)
}

// Returns is what each spot gives back of what is staked, on average and exactly. Whatever card comes first, 31 of the
// 415 others have its rank, 7 of them its suit too; of the rest each side is the higher as often as the other.
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
