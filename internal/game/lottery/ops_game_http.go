package lottery

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"fairground/internal/game/lottery/play"
	"fairground/internal/money"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/oplist"
	"fairground/internal/platform/page"
	"fairground/internal/platform/permission"
	"fairground/internal/platform/rest"
)

// Statuses of a game in the operator API.
const (
	gameOn  = "on"
	gameOff = "off"
)

// An OpsPricedGame is a game in a list.
type OpsPricedGame struct {
	ID      string `json:"id"`
	Code    string `json:"code"`
	Name    string `json:"name"`
	Type    string `json:"type" enum:"ssc,k3,pk10,keno,regional"`
	Region  string `json:"region,omitempty" enum:"north,central,south"`
	Status  string `json:"status" enum:"on,off"`
	Changed int    `json:"changed" doc:"How many price lists of plays an operator has changed."`
	Version int64  `json:"version"`

	index int
}

type opsOutcome struct {
	When     string `json:"when" doc:"Empty if all entries of the play have the same chance."`
	Odds     string `json:"odds"`
	Chance   string `json:"chance" doc:"An exact fraction; for lô, per prize."`
	RTP      string `json:"rtp" doc:"With the rebate."`
	Standard string `json:"standard" doc:"The odds without changes."`
	Highest  string `json:"highest" doc:"The highest odds that the return allows."`
}

type opsRow struct {
	PrizeMode string       `json:"prizeMode"`
	PlayCode  string       `json:"playCode"`
	Name      string       `json:"name"`
	Rebate    string       `json:"rebate" doc:"Share of every settled stake that is paid back."`
	Changed   bool         `json:"changed" doc:"An operator set the odds."`
	Outcomes  []opsOutcome `json:"outcomes"`
}

type opsPricedGameDetail struct {
	OpsPricedGame
	Plays    []opsRow    `json:"plays"`
	Return   string      `json:"return" doc:"The highest return that odds may have: the setting lottery.return."`
	Limit    rest.Amount `json:"limit" doc:"The most that one line of a draw may be paid: the setting lottery.exposure."`
	Currency string      `json:"currency" doc:"Of the limit."`
}

type opsOddsBody struct {
	Version   int64             `json:"version"`
	PrizeMode string            `json:"prizeMode" maxLength:"16"`
	PlayCode  string            `json:"playCode" maxLength:"32"`
	Odds      map[string]string `json:"odds" doc:"By outcome; the key is empty if the play has one."`
	Reason    string            `json:"reason,omitempty" maxLength:"500"`
}

type opsStatusBody struct {
	Version int64  `json:"version"`
	Enabled bool   `json:"enabled"`
	Reason  string `json:"reason,omitempty" maxLength:"500"`
}

// An OpsDebt is a win that a correction could not take back from a member.
type OpsDebt struct {
	ID        string      `json:"id"`
	DrawID    string      `json:"drawId"`
	MemberID  string      `json:"memberId"`
	Member    string      `json:"member"`
	GameID    string      `json:"gameId"`
	GameName  string      `json:"gameName"`
	Numero    string      `json:"numero"`
	Currency  string      `json:"currency"`
	Amount    rest.Amount `json:"amount"`
	CreatedAt int64       `json:"createdAt"`

	row int64
}

type opsListInput struct{ oplist.Params }

func opsGameRoutes(a *rest.API, s *Service) {
	oplist.Register(a, allowed, oplist.List[opsListInput, OpsPricedGame]{
		Op: opsOp(http.MethodGet, "/games", "opsLotteryGames", "List the games"), Permission: string(permission.LotteryResult),
		Sorts: []string{"order"}, States: []string{gameOn, gameOff}, File: "lottery-games.csv",
		Columns: []oplist.Column[OpsPricedGame]{
			{Name: "id", Text: func(g OpsPricedGame) string { return g.ID }}, {Name: "code", Text: func(g OpsPricedGame) string { return g.Code }},
			{Name: "name", Text: func(g OpsPricedGame) string { return g.Name }}, {Name: "type", Text: func(g OpsPricedGame) string { return g.Type }},
			{Name: "status", Text: func(g OpsPricedGame) string { return g.Status }},
		},
		Select: s.opsGames, Key: func(g OpsPricedGame, _ string) page.Key { return oplist.IndexKey(g.index) },
	})
	oplist.Register(a, allowed, oplist.List[opsListInput, OpsDebt]{
		Op: opsOp(http.MethodGet, "/debts", "opsLotteryDebts", "List what corrections could not take back, newest first"), Permission: string(permission.LotteryResult),
		Sorts: []string{"createdAt"}, File: "lottery-debts.csv",
		Columns: []oplist.Column[OpsDebt]{
			{Name: "id", Text: func(d OpsDebt) string { return d.ID }}, {Name: "draw", Text: func(d OpsDebt) string { return d.DrawID }},
			{Name: "member", Text: func(d OpsDebt) string { return d.Member }}, {Name: "amount", Text: func(d OpsDebt) string { return string(d.Amount) }},
			{Name: "currency", Text: func(d OpsDebt) string { return d.Currency }}, {Name: "createdAt", Text: func(d OpsDebt) string { return timeText(d.CreatedAt) }},
		},
		Select: s.opsDebts, Key: func(d OpsDebt, _ string) page.Key { return page.Key{At: d.row, ID: d.row} },
	})
	rest.Typed(a, opsOp(http.MethodGet, "/games/{id}", "opsLotteryGame", "Get a game with the odds, chances and returns of its plays", play.ErrUnknownGame), s.opsGame)
	type oddsInput struct {
		OpsIDInput
		Body opsOddsBody
	}
	rest.Typed(a, opsOp(http.MethodPost, "/games/{id}/odds", "opsLotteryOdds", "Set the odds of a play", play.ErrUnknownGame, play.ErrUnknownPlay, play.ErrOdds, rest.ErrStale),
		func(ctx context.Context, in *oddsInput) (opsPricedGameDetail, error) {
			g, known := s.findGame(in.ID)
			if !known {
				return opsPricedGameDetail{}, play.ErrUnknownGame
			}
			b := in.Body
			if err := s.setOdds(ctx, rest.MerchantOf(ctx).ID, g, b.PrizeMode, b.PlayCode, b.Odds, b.Version, b.Reason); err != nil {
				return opsPricedGameDetail{}, err
			}
			return s.opsGame(ctx, &in.OpsIDInput)
		})
	type statusInput struct {
		OpsIDInput
		Body opsStatusBody
	}
	rest.Typed(a, opsOp(http.MethodPost, "/games/{id}/status", "opsLotteryStatus", "Switch a game on or off; open bets are still settled", play.ErrUnknownGame, rest.ErrStale),
		func(ctx context.Context, in *statusInput) (opsPricedGameDetail, error) {
			g, known := s.findGame(in.ID)
			if !known {
				return opsPricedGameDetail{}, play.ErrUnknownGame
			}
			if err := s.setEnabled(ctx, rest.MerchantOf(ctx).ID, g, in.Body.Enabled, in.Body.Version, in.Body.Reason); err != nil {
				return opsPricedGameDetail{}, err
			}
			return s.opsGame(ctx, &in.OpsIDInput)
		})
}

func showGame(ctx context.Context, g play.Game, p *prices) OpsPricedGame {
	out := OpsPricedGame{ID: strconv.Itoa(g.ID), Code: g.Code, Name: nameOf(ctx, g.Names), Type: g.Type(), Region: g.Region, Status: gameOn, Version: p.versions[g.ID]}
	if p.disabled[g.ID] {
		out.Status = gameOff
	}
	for key := range p.odds {
		if key.game == g.ID {
			out.Changed++
		}
	}
	return out
}

func (s *Service) opsGames(ctx context.Context, in *opsListInput, after page.Key, limit int) ([]OpsPricedGame, error) {
	merchantID := rest.MerchantOf(ctx).ID
	t, err := s.tenantOf(ctx, merchantID)
	if err != nil {
		return nil, err
	}
	prices, err := s.readPrices(ctx, merchantID)
	if err != nil {
		return nil, err
	}
	list, q := []OpsPricedGame{}, strings.ToLower(in.Q)
	for _, g := range s.games {
		shown := showGame(ctx, g, prices)
		found := strings.Contains(strings.ToLower(shown.Name), q) || strings.Contains(strings.ToLower(shown.Code), q)
		if t.offers(g) && found && (in.State == "" || in.State == shown.Status) {
			shown.index = len(list)
			list = append(list, shown)
		}
	}
	return oplist.Slice(list, after, limit), nil
}

func (s *Service) opsGame(ctx context.Context, in *OpsIDInput) (opsPricedGameDetail, error) {
	merchantID := rest.MerchantOf(ctx).ID
	g, known := s.findGame(in.ID)
	if !known {
		return opsPricedGameDetail{}, play.ErrUnknownGame
	}
	prices, err := s.readPrices(ctx, merchantID)
	if err != nil {
		return opsPricedGameDetail{}, err
	}
	perMille, err := s.o.Settings.LotteryReturn(ctx, merchantID)
	if err != nil {
		return opsPricedGameDetail{}, err
	}
	c, err := s.o.Settings.Currency(ctx, merchantID)
	if err != nil {
		return opsPricedGameDetail{}, err
	}
	limit, err := s.exposureLimit(ctx, merchantID, c)
	if err != nil {
		return opsPricedGameDetail{}, err
	}
	maxReturn := decimal.New(perMille, -3)
	out := opsPricedGameDetail{OpsPricedGame: showGame(ctx, g, prices), Plays: []opsRow{}, Return: maxReturn.StringFixed(3), Limit: rest.AmountOf(c, limit), Currency: c.Code}
	for _, m := range play.Modes(g.Form) {
		for _, p := range play.All(g.Form) {
			_, changed := prices.odds[priceKey{g.ID, m.Code, p.Code}]
			row := opsRow{PrizeMode: m.Code, PlayCode: p.Code, Name: nameOf(ctx, p.Names), Rebate: m.Rebate.String(), Changed: changed, Outcomes: []opsOutcome{}}
			odds, standard, highest := prices.oddsOf(g, m, p), play.StandardOdds(p, m), play.HighestOdds(p, m, maxReturn)
			for _, o := range p.Outcomes {
				row.Outcomes = append(row.Outcomes, opsOutcome{
					o.When, play.OddsText(odds[o.When]), o.Chance.RatString(), play.ReturnText(m.TotalReturn(p, o.When, odds[o.When])), play.OddsText(standard[o.When]),
					play.OddsText(highest[o.When]),
				})
			}
			out.Plays = append(out.Plays, row)
		}
	}
	return out, nil
}

func (s *Service) opsDebts(ctx context.Context, in *opsListInput, after page.Key, limit int) ([]OpsDebt, error) {
	p := query.LotteryDebtsForOperatorsParams{MerchantID: rest.MerchantOf(ctx).ID, Before: after.ID, Since: in.From, Until: in.To, Q: in.Q, Most: int32(limit)}
	if p.Until == 0 {
		p.Until = math.MaxInt64
	}
	rows, err := s.o.Store.Q().LotteryDebtsForOperators(ctx, p)
	if err != nil {
		return nil, fmt.Errorf("read debts: %w", err)
	}
	list := make([]OpsDebt, len(rows))
	for i, d := range rows {
		c, err := money.Find(d.Currency)
		if err != nil {
			return nil, rest.ErrSystem.Because(err)
		}
		list[i] = OpsDebt{
			formatID(d.ID), opsID(d.GameID, d.Numero), formatID(d.MemberID), d.Account, formatID(d.GameID), nameOf(ctx, s.byID[int(d.GameID)].Names), d.Numero, d.Currency,
			amountOf(c, d.Amount), d.CreatedAt, d.ID,
		}
	}
	return list, nil
}
