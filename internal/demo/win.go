package demo

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"fairground/internal/game/catalogue"
	"fairground/internal/money"
)

// Wins fills the winner board of a new demo with illustrations: invented names and amounts, marked as simulated. They
// are the same at every start.
type Wins struct{ rows []illustration }

type illustration struct {
	catalogue.Win
	category string
}

const illustrationCount = 600 // over all categories

// NewWins returns random illustrations of the demo's games.
func NewWins() (*Wins, error) {
	games, err := read[catalogue.GameRow]("games.json")
	if err != nil {
		return nil, fmt.Errorf("draw demo wins: %w", err)
	}
	random := rand.New(rand.NewPCG(0xfa1, 0x960)) // fixed, so that screenshots of the board do not change
	w := &Wins{rows: make([]illustration, illustrationCount)}
	for i := range w.rows {
		game := games[random.IntN(len(games))]
		w.rows[i] = illustration{category: game.Category, Win: catalogue.Win{
			Username: syllable(random) + syllable(random) + fmt.Sprintf("%02d", random.IntN(100)), Game: game.GameID,
			Amount: prize(random), Currency: currencyCode, Simulated: true,
		}}
	}
	return w, nil
}

func syllable(random *rand.Rand) string {
	syllables := []string{"an", "binh", "chi", "dung", "giang", "ha", "khoa", "lan", "mai", "nam", "phuc", "quan", "son", "thu", "viet", "yen"}
	return syllables[random.IntN(len(syllables))]
}

// prize returns mostly small and rarely large amounts, in whole thousands.
func prize(random *rand.Rand) money.Minor {
	const least, most = 50_000, 80_000_000
	amount := least * math.Pow(most/least, math.Pow(random.Float64(), 2))
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
