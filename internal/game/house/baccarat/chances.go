package baccarat

import (
	"math/big"

	"fairground/internal/game/house/cards"
)

// A counter counts the orders of the shoe by winner. Only the values of cards decide who wins, so it groups the cards by value:
// there are 32 cards of each value from 1 to 9, and 128 of value 0.
type counter struct {
	left  [10]int64
	total int64
	won   map[string]int64
}

// chances returns the exact chance of each winner, over all orders of six cards. A round uses four to six cards.
func chances() (player, banker, tie *big.Rat) {
	c := counter{total: Decks * cards.Deck, won: map[string]int64{}}
	for v := range c.left {
		c.left[v] = Decks * cards.Suits
	}
	c.left[0] *= 4
	orders := int64(1)
	for i := range int64(6) {
		orders *= c.total - i
	}
	var hand [4]int
	c.first(&hand, 0, 1)
	return big.NewRat(c.won[Player], orders), big.NewRat(c.won[Banker], orders), big.NewRat(c.won[Tie], orders)
}

func (c *counter) each(ways int64, then func(value int, ways int64)) {
	for v := range c.left {
		n := c.left[v]
		c.left[v]--
		c.total--
		then(v, ways*n)
		c.left[v]++
		c.total++
	}
}

func (c *counter) first(hand *[4]int, dealt int, ways int64) {
	if dealt < len(hand) {
		c.each(ways, func(v int, ways int64) {
			hand[dealt] = v
			c.first(hand, dealt+1, ways)
		})
		return
	}
	p := Points{(hand[0] + hand[2]) % 10, (hand[1] + hand[3]) % 10}
	switch {
	case p.Player >= natural || p.Banker >= natural:
		c.end(p, ways, 2)
	case p.Player > 5:
		c.banker(p, stood, ways, 2)
	default:
		c.each(ways, func(v int, ways int64) { c.banker(Points{(p.Player + v) % 10, p.Banker}, v, ways, 1) })
	}
}

func (c *counter) banker(p Points, third int, ways, unused int64) {
	if !bankerDraws(p.Banker, third) {
		c.end(p, ways, unused)
		return
	}
	c.each(ways, func(v int, ways int64) { c.end(Points{p.Player, (p.Banker + v) % 10}, ways, unused-1) })
}

// end counts a round once for every order of the unused cards.
func (c *counter) end(p Points, ways, unused int64) {
	for i := range unused {
		ways *= c.total - i
	}
	c.won[winner(p)] += ways
}
