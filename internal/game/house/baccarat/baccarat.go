// Package baccarat deals punto banco from a new shoe of eight decks and settles its spots. The result depends only on the
// stream. baccarat.json lists the payouts.
package baccarat

import (
	_ "embed" // the payouts
	"math/big"

	"fairground/internal/game/house/cards"
	"fairground/internal/game/house/spot"
	"fairground/internal/money"
)

// Name is the engine's name.
const Name = "baccarat"

// Decks is the number of decks in the shoe.
const Decks = 8

// Winners of a round. They are also spots.
const (
	Player = "player"
	Banker = "banker"
	Tie    = "tie"
)

//go:embed baccarat.json
var data []byte

// Points are the points of both hands.
type Points struct {
	Player int `json:"player"`
	Banker int `json:"banker"`
}

// A Result is the outcome of a round.
type Result struct {
	Player     []cards.Card `json:"player"`
	Banker     []cards.Card `json:"banker"`
	Winner     string       `json:"winner" enum:"player,banker,tie"`
	PlayerPair bool         `json:"playerPair" doc:"The first two cards have the same rank."`
	BankerPair bool         `json:"bankerPair"`
	Points     Points       `json:"points"`
}

// Drawn returns the number of third cards.
func (r Result) Drawn() int { return max(0, len(r.Player)-2) + max(0, len(r.Banker)-2) }

// A Game is the engine.
type Game struct{ spot.Board }

// New returns the engine.
func New() *Game { return &Game{spot.Must(Name, data)} }

// Deal deals a round.
func (*Game) Deal(draw spot.Draw) Result { return deal(cards.NewShoe(Decks, draw).Next) }

// deal follows the standard rules. Each hand gets two cards in turn, the player first. If either hand has 8 or 9, no
// hand draws. The player draws on 0 to 5, then the banker by its own points and the player's third card.
func deal(next func() cards.Card) Result {
	r := Result{Player: make([]cards.Card, 2, 3), Banker: make([]cards.Card, 2, 3)}
	r.Player[0], r.Banker[0], r.Player[1], r.Banker[1] = next(), next(), next(), next()
	r.PlayerPair = r.Player[0].Rank() == r.Player[1].Rank()
	r.BankerPair = r.Banker[0].Rank() == r.Banker[1].Rank()
	player, banker := sum(r.Player), sum(r.Banker)
	if player < natural && banker < natural {
		third := stood
		if player <= 5 {
			card := next()
			r.Player, third = append(r.Player, card), value(card)
		}
		if bankerDraws(banker, third) {
			r.Banker = append(r.Banker, next())
		}
	}
	r.Points = Points{sum(r.Player), sum(r.Banker)}
	r.Winner = winner(r.Points)
	return r
}

const (
	natural = 8
	stood   = -1 // the player drew no third card
)

func bankerDraws(points, third int) bool {
	if third == stood {
		return points <= 5
	}
	switch points {
	case 0, 1, 2:
		return true
	case 3:
		return third != 8
	case 4:
		return third >= 2 && third <= 7
	case 5:
		return third >= 4 && third <= 7
	case 6:
		return third == 6 || third == 7
	default:
		return false
	}
}

// value returns a card's points: 1 for an ace, 0 for tens and pictures.
func value(c cards.Card) int {
	if rank := c.Rank(); rank < 10 {
		return rank
	}
	return 0
}

func sum(hand []cards.Card) int {
	n := 0
	for _, c := range hand {
		n += value(c)
	}
	return n % 10
}

func winner(p Points) string {
	switch {
	case p.Player > p.Banker:
		return Player
	case p.Banker > p.Player:
		return Banker
	default:
		return Tie
	}
}

// Share returns the share of a stake that a spot pays. A tie returns bets on player and banker.
func (g *Game) Share(r Result, id string) spot.Share {
	switch {
	case id == "playerPair" && r.PlayerPair, id == "bankerPair" && r.BankerPair, id == r.Winner:
		return g.Won(id, 1)
	case r.Winner == Tie && (id == Player || id == Banker):
		return spot.Pushed
	default:
		return spot.Lost
	}
}

// Settle returns the payout of a stake on a spot, including the stake.
func (g *Game) Settle(r Result, id string, stake money.Minor) (money.Minor, error) {
	return g.Pay(id, g.Share(r, id), stake)
}

// Returns returns the exact return of each spot.
func (g *Game) Returns() map[string]*big.Rat {
	player, banker, tie := chances()
	// 31 of the other 415 cards have the rank of the first.
	pair := big.NewRat(Decks*cards.Suits-1, Decks*cards.Deck-1)
	all := map[string]*big.Rat{Tie: times(tie, g.Won(Tie, 1)), "playerPair": times(pair, g.Won("playerPair", 1)), "bankerPair": times(pair, g.Won("bankerPair", 1))}
	for id, chance := range map[string]*big.Rat{Player: player, Banker: banker} {
		all[id] = new(big.Rat).Add(times(chance, g.Won(id, 1)), tie)
	}
	return all
}

func times(chance *big.Rat, s spot.Share) *big.Rat { return new(big.Rat).Mul(chance, s.Rat()) }
