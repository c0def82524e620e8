package catalogue

import (
	"context"
	"fmt"
	"slices"

	"fairground/internal/money"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/spec"
)

// winnersMost is how many rows the winner board has at most.
const winnersMost = 100

// Win is one that the winner board may show.
type Win struct {
	Username  string // whose; it is masked before anybody sees it
	Game      string // its code
	Amount    money.Minor
	Currency  string
	Simulated bool // an illustration, which nobody won: it never stands without its mark
}

// Wins knows what was won: the latest of a category, or of all when it is empty, at most so many.
type Wins interface {
	Latest(ctx context.Context, merchantID int64, category string, limit int) ([]Win, error)
}

// winners are the rows of the board. What was won in a game that is no longer to be seen is not shown: its row leads there.
func (s *Service) winners(ctx context.Context, merchantID int64, category string, limit, language int) ([]winner, error) {
	if s.o.Wins == nil {
		return []winner{}, nil
	}
	d, err := s.directory(ctx, merchantID)
	if err != nil {
		return nil, err
	}
	if category == spec.ViewAll {
		category = ""
	} else if !d.has(category) {
		return []winner{}, nil // nobody reads a month of rounds for a word that is no category
	}
	limit = min(limit, winnersMost)
	wins, err := s.o.Wins.Latest(ctx, merchantID, category, limit)
	if err != nil {
		return nil, fmt.Errorf("read wins: %w", err)
	}
	out := make([]winner, 0, len(wins))
	for _, w := range wins[:min(limit, len(wins))] {
		t := d.codes[w.Game]
		if t == nil {
			continue
		}
		currency, err := money.Find(w.Currency)
		if err != nil {
			return nil, fmt.Errorf("show a win: %w", err)
		}
		out = append(out, winner{Simulated: w.Simulated, Win: winnerVO{
			CustomerName: rest.Mask(w.Username), Vendor: t.maker.code, GameName: t.names[language], IconURL: t.icon,
			WinAmount: rest.AmountOf(currency, w.Amount), GameID: t.code, NodeID: nodeID(t),
			GameCategory: t.category, NotOpen: t.notOpen, CurrencySymbol: currency.Symbol, Position: string(currency.Position),
		}})
	}
	return out, nil
}

// has tells whether there are games of a category; a view, such as the hot games, is none.
func (d *directory) has(category string) bool {
	return slices.Contains(categories, category) && slices.ContainsFunc(d.games, Filter{Category: category}.takes)
}
