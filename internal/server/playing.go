package server

import (
	"context"

	"fairground/internal/demo"
	"fairground/internal/finance/limits"
	"fairground/internal/game/catalogue"
	"fairground/internal/game/house"
	"fairground/internal/game/jackpot"
	"fairground/internal/game/vendor"
	"fairground/internal/ledger"
	"fairground/internal/site/content"
	"fairground/internal/site/merchant"
)

// stakesIn lets stakes have their part in the jackpots.
type stakesIn struct{ jackpots *jackpot.Service }

// Row implements vendor.Jackpot.
func (j stakesIn) Row(ctx context.Context, s vendor.Stake) (ledger.Row, bool, error) {
	return j.jackpots.Row(ctx, jackpot.Bet(s))
}

// played tells what a member has staked and won, as limits count it.
type played struct{ limits *limits.Service }

// since gives it from a time on.
func (p played) since(ctx context.Context, memberID int64, currency string, since int64) (vendor.Sums, error) {
	sums, err := p.limits.SumsSince(ctx, memberID, currency, since)
	return vendor.Sums(sums), err
}

// shownPool is the jackpot that somebody plays for, as it is shown.
type shownPool struct {
	jackpots  *jackpot.Service
	merchants *merchant.Service
}

// Jackpot implements content.Pool. It grows by what is staked and by nothing else.
func (s shownPool) Jackpot(ctx context.Context, merchantID int64, code string) (content.Jackpot, bool, error) {
	if code == "" {
		currency, err := s.merchants.Currency(ctx, merchantID)
		if err != nil {
			return content.Jackpot{}, false, err
		}
		code = currency.Code
	}
	p, found, err := s.jackpots.Find(ctx, merchantID, code)
	shown := content.Jackpot{Currency: code, Amount: int64(p.Amount), Start: int64(p.StartAmount)}
	for _, one := range p.Games {
		shown.Games = append(shown.Games, content.PlayedFor(one))
	}
	return shown, found, err
}

// houseReturn gives what the House publishes of a game's return.
func houseReturn(g vendor.Game) string { return house.Return(g.Category, g.Code) }

// playable is the catalogue as launching needs it.
type playable struct{ games *catalogue.Service }

// Find implements vendor.Games.
func (c playable) Find(ctx context.Context, merchantID int64, w vendor.GameQuery) (vendor.Game, error) {
	g, err := c.games.GameForLaunch(ctx, merchantID, catalogue.GameQuery{Node: w.Node, Code: w.Code, Vendor: w.Vendor, Category: w.Category})
	return vendor.Game{
		ID: g.NodeID, VendorID: g.VendorID, Code: g.Code, LaunchCode: g.LaunchCode, Category: g.Category, Vendor: g.Vendor,
		FreePlay: g.FreePlay, Maintenance: g.Maintenance, On: g.Available,
	}, err
}

// Played implements vendor.Games.
func (c playable) Played(ctx context.Context, merchantID, memberID, node int64) error {
	return c.games.AddRecent(ctx, merchantID, memberID, catalogue.GameRef{NodeID: node})
}

// wins are those that members had; while there are none, a demo shows its illustrations. A board is real or made up, never
// both: its caption speaks of all of it.
type wins struct {
	winners *vendor.Winners
	demo    *demo.Wins
}

// Latest implements catalogue.Wins.
func (w wins) Latest(ctx context.Context, merchantID int64, category string, limit int) ([]catalogue.Win, error) {
	had, err := w.winners.Wins(ctx, merchantID, category, limit)
	if err != nil {
		return nil, err
	}
	out := make([]catalogue.Win, 0, limit)
	for _, r := range had {
		out = append(out, catalogue.Win{Username: r.Username, Game: r.Game, Amount: r.Amount, Currency: r.Currency})
	}
	if w.demo == nil || len(out) > 0 {
		return out, nil
	}
	return w.demo.Latest(ctx, merchantID, category, limit)
}
