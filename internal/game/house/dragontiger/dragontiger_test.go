package dragontiger

import (
	"math/big"
	"testing"

	"fairground/internal/game/house/cards"
)

func TestSettle(t *testing.T) {
	t.Parallel()
	g := New()
	for cardsOf, want := range map[[2]cards.Card]map[string]int64{
		{"KS", "QS"}: {"dragon": 2000, "tiger": 0, "tie": 0, "suitedTie": 0},
		{"AS", "2S"}: {"dragon": 0, "tiger": 2000, "tie": 0, "suitedTie": 0}, // the ace is lowest
		{"9S", "9H"}: {"dragon": 500, "tiger": 500, "tie": 12_000, "suitedTie": 0},
		{"9S", "9S"}: {"dragon": 500, "tiger": 500, "tie": 12_000, "suitedTie": 51_000},
	} {
		for id, pays := range want {
			if got, err := g.Settle(result(cardsOf[0], cardsOf[1]), id, 1000); err != nil || int64(got) != pays {
				t.Errorf("%v: %s pays %d, %v, want %d", cardsOf, id, got, err, pays)
			}
		}
	}
	if got, _ := g.Settle(result("9S", "9H"), Dragon, 5); got != 2 {
		t.Errorf("half of 5 = %d, want 2", got)
	}
}

// All 416 × 415 ordered pairs of cards.
func TestAllPairsMatchThePublishedReturns(t *testing.T) {
	t.Parallel()
	g := New()
	const shoe = Decks * cards.Deck
	halves, ties := map[string]int64{}, int64(0)
	for a := range shoe {
		for b := range shoe {
			if a == b {
				continue
			}
			r := result(cards.Of(a), cards.Of(b))
			if r.Winner == Tie {
				ties++
			}
			for _, s := range g.Spots {
				share := g.Share(r, s.ID)
				halves[s.ID] += share.Of * 2 / share.By
			}
		}
	}
	if got := big.NewRat(ties, shoe*(shoe-1)); got.Cmp(big.NewRat(31, 415)) != 0 {
		t.Errorf("chance of a tie = %s, want 31/415", got)
	}
	for _, s := range g.Spots {
		if got, want := big.NewRat(halves[s.ID], 2*shoe*(shoe-1)), g.Returns()[s.ID]; got.Cmp(want) != 0 {
			t.Errorf("return of %s = %s, want %s", s.ID, got, want)
		}
	}
	for id, want := range map[string]string{Dragon: "0.96265", Tiger: "0.96265", Tie: "0.89639", suitedTie: "0.86024"} {
		if got := g.Returns()[id].FloatString(5); got != want {
			t.Errorf("return of %s = %s, want %s", id, got, want)
		}
	}
}
