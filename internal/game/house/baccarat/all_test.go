//go:build !race

package baccarat

import (
	"math/big"
	"testing"

	"fairground/internal/game/house/cards"
)

// The test deals and settles every order of ranks. It has no race to find, and would take minutes with the race detector.
func TestAllRanksMatchThePublishedReturns(t *testing.T) {
	t.Parallel()
	g := New()
	w := walk{g: g, hundredths: make([]int64, len(g.Spots))}
	for i := range w.left {
		w.left[i] = Decks * cards.Suits
	}
	w.from(1, Decks*cards.Deck)
	orders := int64(1)
	for i := range int64(6) {
		orders *= Decks*cards.Deck - i
	}
	for i, s := range g.Spots {
		got := new(big.Rat).Quo(big.NewRat(w.hundredths[i], 100), big.NewRat(orders, 1))
		if want := g.Returns()[s.ID]; got.Cmp(want) != 0 {
			t.Errorf("return of %s = %s, want %s", s.ID, got.FloatString(9), want.FloatString(9))
		}
	}
}

// A walk visits all orders of ranks in a round, four to six of them.
type walk struct {
	g          *Game
	left       [cards.Ranks]int64
	path       []cards.Card
	hundredths []int64 // paid per unit on each spot, in hundredths, over all orders of six cards
}

func (w *walk) from(ways, total int64) {
	if len(w.path) >= 4 {
		if r, whole := w.deal(); whole {
			for i := len(w.path); i < 6; i++ { // any unused cards
				ways *= total
				total--
			}
			for i, s := range w.g.Spots {
				share := w.g.Share(r, s.ID)
				w.hundredths[i] += ways * (share.Of * 100 / share.By)
			}
			return
		}
	}
	for rank, n := range w.left {
		w.left[rank]--
		w.path = append(w.path, cards.Of(rank))
		w.from(ways*n, total-1)
		w.path = w.path[:len(w.path)-1]
		w.left[rank]++
	}
}

// deal reports whether the path has all cards of the round.
func (w *walk) deal() (r Result, whole bool) {
	used := 0
	r = deal(func() cards.Card {
		if used++; used > len(w.path) {
			return "AS"
		}
		return w.path[used-1]
	})
	return r, used == len(w.path)
}
