package catalogue

import (
	"context"
	"fmt"
	"slices"

	"fairground/internal/money"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/spec"
)

const maxWinners = 100

// A Win is a candidate row of the winner board.
type Win struct {
	Username  string // masked before it is sent
	Game      string // code
	Launch    string // code with which the game is launched
	Amount    money.Minor
	Currency  string
	Simulated bool // an illustration; it must always be labelled as one
}

// Wins provides the winner board's rows.
type Wins interface {
	// Latest returns at most limit wins of a category, or of all categories if it is empty, latest first.
	Latest(ctx context.Context, merchantID int64, category string, limit int) ([]Win, error)
}

// winners returns the rows of the board. It omits wins of hidden games, because each row links to its game.
func (s *Service) winners(ctx context.Context, merchantID int64, category string, limit, language int) ([]winner, error) {
	d, err := s.directory(ctx, merchantID)
	if err != nil {
		return nil, err
	}
	if category == spec.ViewAll {
		category = ""
	} else if !d.hasCategory(category) {
		return []winner{}, nil // an unknown category must not scan a month of rounds
	}
	limit = min(limit, maxWinners)
	for _, source := range []Wins{s.o.Wins, s.o.ExampleWins} {
		if source == nil {
			continue
		}
		wins, err := source.Latest(ctx, merchantID, category, limit)
		if err != nil {
			return nil, fmt.Errorf("read wins: %w", err)
		}
		out, err := d.winners(wins[:min(limit, len(wins))], language)
		if err != nil || len(out) > 0 {
			return out, err
		}
	}
	return []winner{}, nil
}

// winners returns the rows of the wins of visible games.
func (d *directory) winners(wins []Win, language int) ([]winner, error) {
	out := make([]winner, 0, len(wins))
	for _, w := range wins {
		g := d.gameOf(w)
		if g == nil {
			continue
		}
		currency, err := money.Find(w.Currency)
		if err != nil {
			return nil, fmt.Errorf("show a win: %w", err)
		}
		out = append(out, winner{Simulated: w.Simulated, Win: winnerVO{
			CustomerName: rest.Mask(w.Username), Vendor: g.vendor.code, GameName: g.names[language], IconURL: g.icon,
			WinAmount: rest.AmountOf(currency, w.Amount), GameID: g.code, NodeID: nodeID(g),
			GameCategory: g.category, NotOpen: g.notOpen, CurrencySymbol: currency.Symbol, Position: string(currency.Position),
		}})
	}
	return out, nil
}

// gameOf returns the visible game of a win, or nil. No list shows the entries of the lottery's games, but other entries open them.
func (d *directory) gameOf(w Win) *gameEntry {
	if g := d.byCode[w.Game]; g != nil {
		return g
	}
	i := slices.IndexFunc(d.games, func(g *gameEntry) bool {
		return (g.category == spec.Lottery || g.category == spec.FastLottery) && g.launchCode == w.Launch
	})
	if i < 0 {
		return nil
	}
	return d.games[i]
}

// hasCategory reports whether the category has games. Views, such as the hot games, are not categories.
func (d *directory) hasCategory(category string) bool {
	return slices.Contains(categories, category) && slices.ContainsFunc(d.games, Filter{Category: category}.matches)
}
