package demo

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"fairground/internal/game/catalogue"
	"fairground/internal/money"
)

// Wins fills the winner board of a new demo with example wins. Their names and amounts are invented, and they are marked
// as simulated. They are the same at every start.
type Wins struct{ rows []exampleWin }

type exampleWin struct {
	catalogue.Win
	category string
}

const exampleCount = 600 // over all categories

// NewWins generates example wins of the demo's games.
func NewWins() (*Wins, error) {
	games, err := read[catalogue.GameRow]("games.json")
	if err != nil {
		return nil, fmt.Errorf("draw demo wins: %w", err)
	}
	random := rand.New(rand.NewPCG(0xfa1, 0x960)) // fixed seed, so that screenshots of the board do not change
	w := &Wins{rows: make([]exampleWin, exampleCount)}
	for i := range w.rows {
		game := games[random.IntN(len(games))]
		w.rows[i] = exampleWin{category: game.Category, Win: catalogue.Win{
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

// prize returns an amount in whole thousands. Small amounts are more likely.
func prize(random *rand.Rand) money.Minor {
	const smallest, largest = 50_000, 80_000_000
	amount := smallest * math.Pow(largest/smallest, math.Pow(random.Float64(), 2))
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
