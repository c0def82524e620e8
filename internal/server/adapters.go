package server

import (
	"context"
	"net/http"
	"strconv"

	"fairground/internal/finance/limits"
	"fairground/internal/game/catalogue"
	"fairground/internal/game/fairness/beacon"
	"fairground/internal/game/fairness/series"
	"fairground/internal/game/house"
	"fairground/internal/game/jackpot"
	"fairground/internal/game/lottery"
	"fairground/internal/game/vendor"
	"fairground/internal/ledger"
	"fairground/internal/platform/db"
	"fairground/internal/site/content"
	"fairground/internal/site/merchant"
	"fairground/internal/site/ops"
)

// jackpotStakes contributes stakes to the jackpots.
type jackpotStakes struct{ jackpots *jackpot.Service }

// Row implements vendor.Jackpot.
func (j jackpotStakes) Row(ctx context.Context, s vendor.Stake) (ledger.Row, bool, error) {
	return j.jackpots.Row(ctx, jackpot.Bet(s))
}

// playedSums returns the sums of a member's stakes and wins, as the limits count them.
type playedSums struct{ limits *limits.Service }

func (p playedSums) since(ctx context.Context, memberID int64, currency string, since int64) (vendor.Sums, error) {
	sums, err := p.limits.SumsSince(ctx, memberID, currency, since)
	return vendor.Sums(sums), err
}

// jackpotPool provides the jackpots for the site's content.
type jackpotPool struct {
	jackpots  *jackpot.Service
	merchants *merchant.Service
}

// Jackpot implements content.Pool.
func (s jackpotPool) Jackpot(ctx context.Context, merchantID int64, code string) (content.Jackpot, bool, error) {
	if code == "" {
		currency, err := s.merchants.Currency(ctx, merchantID)
		if err != nil {
			return content.Jackpot{}, false, err
		}
		code = currency.Code
	}
	p, found, err := s.jackpots.Find(ctx, merchantID, code)
	shown := content.Jackpot{Currency: code, Amount: int64(p.Amount), Start: int64(p.StartAmount)}
	for _, game := range p.Games {
		shown.Games = append(shown.Games, content.PlayedFor(game))
	}
	return shown, found, err
}

// openBets returns the stakes of bets on lottery draws that are still open.
type openBets struct{ s *Server }

// QueueReturnIn implements limits.Bets.
func (b openBets) QueueReturnIn(ctx context.Context, tx *db.Tx, memberID int64) error {
	return b.s.Lottery.QueueReturnIn(ctx, tx, memberID)
}

// lotteryLaunches finds the launches of the lottery's games.
type lotteryLaunches struct{ lottery func() *lottery.Service }

// FindLaunch implements vendor.Lottery.
func (l lotteryLaunches) FindLaunch(ctx context.Context, merchantID int64, c vendor.GameQuery) (vendor.LotteryGame, bool, error) {
	found, known, err := l.lottery().FindLaunch(ctx, merchantID, c.Vendor, c.Category, c.Code)
	return vendor.LotteryGame{
		Game: vendor.Game{
			ID: found.Node, VendorID: found.VendorID, Code: found.Code, Category: found.Category, Vendor: found.Vendor, FreePlay: true, On: true,
		},
		Address: found.Address,
	}, known, err
}

// lotteryApprovals adapts the operators' approvals to lottery.Approvals.
type lotteryApprovals struct{ operators *ops.Service }

// Request implements lottery.Approvals.
func (a lotteryApprovals) Request(ctx context.Context, merchantID int64, action, object string, payload any) (*lottery.Approval, error) {
	waiting, err := a.operators.Request(ctx, merchantID, action, object, payload)
	if err != nil || waiting == nil {
		return nil, err
	}
	return &lottery.Approval{ID: strconv.FormatInt(waiting.ID, 10), State: waiting.State}, nil
}

// seriesApprovals adapts the operators' approvals to series.Approvals.
type seriesApprovals struct{ operators *ops.Service }

// Request implements series.Approvals.
func (a seriesApprovals) Request(ctx context.Context, merchantID int64, action, object string, payload any) (*series.Approval, error) {
	waiting, err := a.operators.Request(ctx, merchantID, action, object, payload)
	if err != nil || waiting == nil {
		return nil, err
	}
	return &series.Approval{ID: strconv.FormatInt(waiting.ID, 10), State: waiting.State}, nil
}

// settingApprovals adapts the operators' approvals to merchant.Approvals.
type settingApprovals struct{ operators *ops.Service }

// Request implements merchant.Approvals.
func (a settingApprovals) Request(ctx context.Context, merchantID int64, action, object string, payload any) (*merchant.Approval, error) {
	waiting, err := a.operators.Request(ctx, merchantID, action, object, payload)
	if err != nil || waiting == nil {
		return nil, err
	}
	return &merchant.Approval{ID: strconv.FormatInt(waiting.ID, 10), State: waiting.State}, nil
}

// beacon returns the client of the configured beacon, or nil.
func (o Options) beacon(client *http.Client) *beacon.Client {
	if len(o.Providers.Beacon) == 0 {
		return nil
	}
	return beacon.New(beacon.Options{URLs: o.Providers.Beacon, Hash: o.Providers.BeaconChain, HTTP: client})
}

// lotteryRecord returns the row of the betting record for a lottery transaction.
func lotteryRecord(m lottery.Move) ledger.Row { return vendor.Move(m).Row() }

// serves reports whether this server itself runs the games of a category.
func serves(category string) bool { return house.Serves(category) || lottery.Serves(category) }

// houseReturn returns the published return to player of a House game.
func houseReturn(g vendor.Game) string { return house.Return(g.Category, g.Code) }

// PlayableGames adapts the catalogue to vendor.Games.
type PlayableGames struct{ Catalogue *catalogue.Service }

// Find implements vendor.Games.
func (c PlayableGames) Find(ctx context.Context, merchantID int64, w vendor.GameQuery) (vendor.Game, error) {
	g, err := c.Catalogue.GameForLaunch(ctx, merchantID, catalogue.GameQuery{Node: w.Node, Code: w.Code, Vendor: w.Vendor, Category: w.Category})
	return vendor.Game{
		ID: g.NodeID, VendorID: g.VendorID, Code: g.Code, LaunchCode: g.LaunchCode, Category: g.Category, Vendor: g.Vendor,
		FreePlay: g.FreePlay, Maintenance: g.Maintenance, On: g.Available,
	}, err
}

// Played implements vendor.Games.
func (c PlayableGames) Played(ctx context.Context, merchantID, memberID, node int64) error {
	return c.Catalogue.AddRecent(ctx, merchantID, memberID, catalogue.GameRef{NodeID: node})
}

// wins returns members' wins.
type wins struct{ winners *vendor.Winners }

// Latest implements catalogue.Wins.
func (w wins) Latest(ctx context.Context, merchantID int64, category string, limit int) ([]catalogue.Win, error) {
	actual, err := w.winners.Wins(ctx, merchantID, category, limit)
	if err != nil {
		return nil, err
	}
	out := make([]catalogue.Win, 0, limit)
	for _, r := range actual {
		out = append(out, catalogue.Win{Username: r.Username, Game: r.Game, Launch: r.Launch, Amount: r.Amount, Currency: r.Currency})
	}
	return out, nil
}
