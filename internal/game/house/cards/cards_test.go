package cards_test

import (
	"slices"
	"testing"

	"fairground/internal/game/fairness"
	"fairground/internal/game/house/cards"
)

func TestCards(t *testing.T) {
	t.Parallel()
	for number, want := range map[int]cards.Card{0: "AS", 9: "TS", 12: "KS", 13: "AH", 26: "AD", 51: "KC", 52: "AS", 415: "KC"} {
		if got := cards.Of(number); got != want {
			t.Errorf("Of(%d) = %s, want %s", number, got, want)
		}
	}
	for card, want := range map[cards.Card]int{"AS": 1, "9H": 9, "TD": 10, "JC": 11, "QS": 12, "KH": 13, "": 0, "1S": 0} {
		if got := card.Rank(); got != want {
			t.Errorf("rank of %s = %d, want %d", card, got, want)
		}
	}
}

func TestShoeHasEveryCardOncePerDeck(t *testing.T) {
	t.Parallel()
	shoe := cards.NewShoe(8, fairness.NewStream(fairness.Seed{1}, "shoe", 1))
	seen := map[cards.Card]int{}
	var first []cards.Card
	for range 8 * cards.Deck {
		c := shoe.Next()
		first = append(first, c)
		seen[c]++
	}
	if len(seen) != cards.Deck {
		t.Errorf("%d different cards, want %d", len(seen), cards.Deck)
	}
	for c, n := range seen {
		if n != 8 {
			t.Errorf("%s was drawn %d times, want 8", c, n)
		}
	}
	if again := cards.NewShoe(8, fairness.NewStream(fairness.Seed{1}, "shoe", 1)); !slices.Equal(first[:2], []cards.Card{again.Next(), again.Next()}) {
		t.Error("the same stream draws other cards")
	}
}
