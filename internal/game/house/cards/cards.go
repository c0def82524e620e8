// Package cards draws cards from a shoe of whole decks, without replacement.
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

// A Card is a rank and a suit in two letters, such as AS, 9H or TD.
type Card string

// Of returns the card with a number from 0: spades from ace to king, then hearts, diamonds and clubs.
func Of(number int) Card {
	number %= Deck
	return Card([]byte{rankNames[number%Ranks], suitNames[number/Ranks]})
}

// Rank returns 1 for an ace, 11 to 13 for jack, queen and king, and 0 for an invalid card.
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

// A Draw returns uniform random numbers from 0 to n-1.
type Draw interface {
	Int(n int) int
}

// A Shoe holds the remaining cards.
type Shoe struct {
	left []uint16
	draw Draw
}

// NewShoe returns a full shoe, deck by deck in the order of Of.
func NewShoe(decks int, draw Draw) *Shoe {
	s := &Shoe{left: make([]uint16, decks*Deck), draw: draw}
	for i := range s.left {
		s.left[i] = uint16(i)
	}
	return s
}

// Next draws a card. The last remaining card moves to the position of the drawn card.
func (s *Shoe) Next() Card {
	at, last := s.draw.Int(len(s.left)), len(s.left)-1
	card := s.left[at]
	s.left[at] = s.left[last]
	s.left = s.left[:last]
	return Of(int(card))
}
