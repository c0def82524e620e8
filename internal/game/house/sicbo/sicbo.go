// Package sicbo throws three dice and settles the spots of the table. The result depends only on the stream. sicbo.json lists
// the payouts.
package sicbo

import (
	_ "embed" // the payouts
	"math/big"
	"strconv"
	"strings"

	"fairground/internal/game/house/spot"
	"fairground/internal/money"
)

// Name is the engine's name.
const Name = "sicbo"

const sides = 6

//go:embed sicbo.json
var data []byte

// A Result is the outcome of a round.
type Result struct {
	Dice [3]int `json:"dice"`
}

// A Game is the engine.
type Game struct{ spot.Board }

// New returns the engine.
func New() *Game { return &Game{spot.Must(Name, data)} }

// Deal throws the dice one by one.
func (*Game) Deal(draw spot.Draw) (r Result) {
	for i := range r.Dice {
		r.Dice[i] = 1 + draw.Int(sides)
	}
	return r
}

// Share returns the share of a stake that a spot pays. On a triple, small, big, odd and even lose.
func (g *Game) Share(r Result, id string) spot.Share { return g.Won(id, hits(r.Dice, id)) }

// hits returns how often a spot is hit: a single face up to three times, any other spot once.
func hits(dice [3]int, id string) int {
	total := dice[0] + dice[1] + dice[2]
	triple := dice[0] == dice[1] && dice[1] == dice[2]
	switch id {
	case "small":
		return once(total <= 10 && !triple)
	case "big":
		return once(total >= 11 && !triple)
	case "odd":
		return once(total%2 == 1 && !triple)
	case "even":
		return once(total%2 == 0 && !triple)
	case "anyTriple":
		return once(triple)
	}
	kind, rest := split(id)
	switch kind {
	case "total":
		return once(rest == total)
	case "single":
		return count(dice, rest)
	case "double":
		return once(count(dice, rest) >= 2)
	case "triple":
		return once(triple && rest == dice[0])
	case "pair":
		return once(count(dice, rest/10) > 0 && count(dice, rest%10) > 0)
	default:
		return 0
	}
}

// split splits an ID such as total9 into total and 9.
func split(id string) (kind string, number int) {
	kind = strings.TrimRight(id, "0123456789")
	number, _ = strconv.Atoi(id[len(kind):]) // 0 without a number: no spot has it
	return kind, number
}

func count(dice [3]int, face int) (n int) {
	for _, d := range dice {
		if d == face {
			n++
		}
	}
	return n
}

func once(hit bool) int {
	if hit {
		return 1
	}
	return 0
}

// Settle returns the payout of a stake on a spot, including the stake.
func (g *Game) Settle(r Result, id string, stake money.Minor) (money.Minor, error) {
	return g.Pay(id, g.Share(r, id), stake)
}

// Returns returns the exact return of each spot, over all 216 throws.
func (g *Game) Returns() map[string]*big.Rat {
	all := map[string]*big.Rat{}
	for _, s := range g.Spots {
		sum := new(big.Rat)
		for n := range sides * sides * sides {
			r := Result{[3]int{1 + n%sides, 1 + n/sides%sides, 1 + n/sides/sides}}
			sum.Add(sum, g.Share(r, s.ID).Rat())
		}
		all[s.ID] = sum.Quo(sum, big.NewRat(sides*sides*sides, 1))
	}
	return all
}
