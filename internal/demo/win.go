package demo

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"fairground/internal/game/catalogue"
	"fairground/internal/money"
)

// Wins are illustrations for the winner board of a demo in which nobody has played yet: invented names, and amounts that
// nobody won. Every one of them says so. They are the same in every start.
type Wins struct{ rows []illustration }

type illustration struct {
	catalogue.Win
	category string
}

// illustrations is how many there are, over all categories.
const illustrations = 600

// NewWins draws the illustrations, among the demo's own games.
func NewWins() (*Wins, error) {
	games, err := read[catalogue.GameRow]("games.json")
	if err != nil {
		return nil, fmt.Errorf("draw demo wins: %w", err)
	}
	chance := rand.New(rand.NewPCG(0xfa1, 0x960)) // fixed: nothing depends on it, and pictures of the board stay the same
	w := &Wins{rows: make([]illustration, illustrations)}
	for i := range w.rows {
		game := games[chance.IntN(len(games))]
		w.rows[i] = illustration{category: game.Category, Win: catalogue.Win{
			Username: syllable(chance) + syllable(chance) + fmt.Sprintf("%02d", chance.IntN(100)), Game: game.GameID,
			Amount: prize(chance), Currency: currencyCode, Simulated: true,
		}}
	}
	return w, nil
}

func syllable(chance *rand.Rand) string {
	syllables := []string{"an", "binh", "chi", "dung", "giang", "ha", "khoa", "lan", "mai", "nam", "phuc", "quan", "son", "thu", "viet", "yen"}
	return syllables[chance.IntN(len(syllables))]
}

// prize is mostly small and rarely large, in whole thousands.
func prize(chance *rand.Rand) money.Minor {
	const least, most = 50_000, 80_000_000
	amount := least * math.Pow(most/least, math.Pow(chance.Float64(), 2))
	return money.Minor(amount/1000) * 1000
}

// Latest implements catalogue.Wins.
func (w *Wins) Latest(_ context.Context, _ int64, category string, limit int) ([]catalogue.Win, error) {
	var out []catalogue.Win
	for _, row := range w.rows {
		if len(out) == limit {
			break
		}
		if category == "" || category == row.category {
			out = append(out, row.Win)
		}
	}
	return out, nil
}
