// Package cards deals from a shoe of whole decks, mixed anew for every round: a card is drawn without being put back,
// each that is left as likely as any other. It knows no game.
package cards

// Sizes of a deck.
const (
	Ranks = 13
	Suits = 4
	Deck  = Ranks * Suits
)

const (
	rankNames = "A23456789TJQK"
	suitNames = "SHDC"
)

// Card is one of the 52: its rank and its suit in two letters, such as AS, 9H or TD.
type Card string

// Of gives the card with a number from 0: spades from ace to king, then hearts, diamonds and clubs.
func Of(number int) Card {
	number %= Deck
	return Card([]byte{rankNames[number%Ranks], suitNames[number/Ranks]})
}

// Rank is 1 for an ace, 11 to 13 for jack, queen and king; 0 for what is no card.
func (c Card) Rank() int {
	if len(c) != 2 {
		return 0
	}
	for i := range len(rankNames) {
		if rankNames[i] == c[0] {
			return i + 1
		}
	}
	return 0
}

// Draw gives numbers from 0 to below n, each as likely as any other.
type Draw interface {
	Int(n int) int
}

// Shoe holds the cards that are left.
type Shoe struct {
	left []uint16
	draw Draw
}

// NewShoe fills a shoe: first deck first, each in the order of its cards' numbers.
func NewShoe(decks int, draw Draw) *Shoe {
	s := &Shoe{left: make([]uint16, decks*Deck), draw: draw}
	for i := range s.left {
		s.left[i] = uint16(i)
	}
	return s
}

// Next draws a card: the one at the place that is drawn among those left. The last takes its place.
func (s *Shoe) Next() Card {
	at, last := s.draw.Int(len(s.left)), len(s.left)-1
	card := s.left[at]
	s.left[at] = s.left[last]
	s.left = s.left[:last]
	return Of(int(card))
}
