package lottery

import (
	"context"
	"errors"
	"fmt"
	"time"

	"fairground/internal/fault"
	"fairground/internal/game/lottery/play"
	"fairground/internal/game/lottery/schedule"
	"fairground/internal/money"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/spec"
)

type lastReply struct {
	Numero string `json:"numero"`
	WinNo  string `json:"winNo"`
}

type gameReply struct {
	GameID      string     `json:"gameId"`
	GameCode    string     `json:"gameCode"`
	GameName    string     `json:"gameName"`
	GameGroupID string     `json:"gameGroupId"`
	Type        string     `json:"type" enum:"ssc,k3,pk10,keno,regional"`
	Period      int        `json:"period" doc:"Seconds between two draws."`
	Region      string     `json:"region,omitempty" enum:"north,central,south"`
	LottoMode   []string   `json:"lottoMode"`
	PrizeModes  []string   `json:"prizeModes" doc:"The default first."`
	IconURL     string     `json:"iconUrl"`
	Numero      string     `json:"numero" doc:"The current numero."`
	OpenTime    int64      `json:"openTime" doc:"Unix milliseconds."`
	CloseTime   int64      `json:"closeTime"`
	DrawTime    int64      `json:"drawTime"`
	ServerTime  int64      `json:"serverTime"`
	Last        *lastReply `json:"last,omitempty" doc:"The last result, once there is one."`
	Simulated   bool       `json:"simulated,omitempty" doc:"The demo draws this regional game itself. Its results are not those of the real draw."`
}

type menuReply struct {
	GameGroupID string   `json:"gameGroupId"`
	Name        string   `json:"name"`
	Games       []string `json:"games" doc:"Ids of games."`
}

type weekdayReply struct {
	Weekday int      `json:"weekday" minimum:"1" maximum:"7" doc:"1 is Monday."`
	Games   []string `json:"games"`
}

type regionReply struct {
	Region string         `json:"region" enum:"north,central,south"`
	Days   []weekdayReply `json:"days"`
}

type playMenuInput struct {
	GameIDInput
	PlayType  string `query:"playType" enum:"trad,ent" default:"trad"`
	PrizeMode string `query:"prizeMode" maxLength:"16" doc:"The default is the game's first prize mode."`
}

type pickReply struct {
	Kind      string   `json:"kind" enum:"number,set,pattern,positions,option"`
	Prefix    string   `json:"prefix,omitempty" doc:"Text in front of an entry's numbers."`
	From      int      `json:"from"`
	To        int      `json:"to"`
	Digits    int      `json:"digits" doc:"Digits of each number, with leading zeros."`
	Min       int      `json:"min" doc:"How many numbers an entry has, per position if there are positions."`
	Max       int      `json:"max"`
	Positions int      `json:"positions"`
	Options   []string `json:"options,omitempty"`
}

type stakeReply struct {
	Unit     rest.Amount `json:"unit"`
	Min      rest.Amount `json:"min"`
	Max      rest.Amount `json:"max"`
	MaxLines int         `json:"maxLines"`
}

type outcomeReply struct {
	When   string `json:"when"`
	Odds   string `json:"odds"`
	Chance string `json:"chance"`
	RTP    string `json:"rtp"`
}

type playReply struct {
	PlayCode string         `json:"playCode"`
	Name     string         `json:"name"`
	Group    string         `json:"group"`
	Pick     pickReply      `json:"pick"`
	Stake    stakeReply     `json:"stake"`
	Prizes   int            `json:"prizes" doc:"How many prizes can win. The stake of a line counts once for each."`
	Odds     string         `json:"odds,omitempty" doc:"What one unit of stake returns, stake included."`
	Chance   string         `json:"chance,omitempty" doc:"An exact fraction; for lô, per prize."`
	RTP      string         `json:"rtp,omitempty" doc:"Share of the stakes that is returned on average, with the rebate."`
	Outcomes []outcomeReply `json:"outcomes,omitempty" doc:"Instead of odds, chance and rtp if the entries differ in chance."`
	Rules    string         `json:"rules"`
}

func (s *Service) handleGames(ctx context.Context, _ *struct{}) ([]gameReply, error) {
	return s.cachedGames(ctx, gamesKey{rest.MerchantOf(ctx).ID, rest.LanguageOf(ctx)}, s.o.Now())
}

// listGames returns a merchant's games with their current numeros and last results.
func (s *Service) listGames(ctx context.Context, merchantID int64, now time.Time) ([]gameReply, error) {
	games, err := s.offeredGames(ctx, merchantID)
	if err != nil {
		return nil, err
	}
	ahead, err := s.readAhead(ctx, merchantID, now)
	if err != nil {
		return nil, err
	}
	reader := numeroReader{s.o.Store.Q(), merchantID, ahead}
	results, err := s.o.Store.Q().LastLotteryResults(ctx, merchantID)
	if err != nil {
		return nil, fmt.Errorf("read results: %w", err)
	}
	last := map[int64]*lastReply{}
	for _, r := range results {
		last[r.GameID] = &lastReply{r.Numero, r.WinNo}
	}
	out := make([]gameReply, len(games))
	for i, g := range games {
		n, err := reader.current(ctx, g, now)
		if err != nil {
			return nil, err
		}
		out[i] = gameReply{
			GameID: fmt.Sprint(g.ID), GameCode: g.Code, GameName: nameOf(ctx, g.Names), GameGroupID: fmt.Sprint(g.GroupID), Type: g.Type(), Period: g.PeriodSeconds(), Region: g.Region,
			LottoMode: []string{spec.PlayTradition, spec.PlayEntertained}, IconURL: "/m/art/vendors/" + vendorIcon(g), Numero: n.ID, OpenTime: n.openAt, CloseTime: millis(n.Close),
			DrawTime: millis(n.Draw), ServerTime: serverTime(now), Last: last[int64(g.ID)], Simulated: g.Form.Regional() && s.o.Demo,
		}
		for _, m := range play.Modes(g.Form) {
			out[i].PrizeModes = append(out[i].PrizeModes, m.Code)
		}
	}
	return out, nil
}

func vendorIcon(g play.Game) string {
	vendor, _ := vendorOf(g)
	return vendor + ".webp"
}

func (s *Service) handleMenus(ctx context.Context, _ *struct{}) ([]menuReply, error) {
	games, err := s.offeredGames(ctx, rest.MerchantOf(ctx).ID)
	if err != nil {
		return nil, err
	}
	out := []menuReply{}
	for _, group := range play.Groups() {
		m := menuReply{GameGroupID: fmt.Sprint(group.ID), Name: nameOf(ctx, group.Names), Games: []string{}}
		for _, g := range games {
			if g.GroupID == group.ID {
				m.Games = append(m.Games, fmt.Sprint(g.ID))
			}
		}
		if len(m.Games) > 0 {
			out = append(out, m)
		}
	}
	return out, nil
}

func (s *Service) handleWeek(ctx context.Context, _ *struct{}) ([]regionReply, error) {
	games, err := s.offeredGames(ctx, rest.MerchantOf(ctx).ID)
	if err != nil {
		return nil, err
	}
	out := []regionReply{}
	for _, region := range []string{schedule.North, schedule.Central, schedule.South} {
		r := regionReply{Region: region, Days: make([]weekdayReply, 7)}
		found := false
		for day := range r.Days {
			r.Days[day] = weekdayReply{Weekday: day + 1, Games: []string{}}
			for _, g := range games {
				if g.Region == region && g.Timetable.Weekdays[day+1] {
					found = true
					r.Days[day].Games = append(r.Days[day].Games, fmt.Sprint(g.ID))
				}
			}
		}
		if found {
			out = append(out, r)
		}
	}
	return out, nil
}

func (s *Service) handlePlays(ctx context.Context, in *playMenuInput) ([]playReply, error) {
	merchantID := rest.MerchantOf(ctx).ID
	g, err := s.game(ctx, merchantID, in.ID)
	if err != nil {
		return nil, err
	}
	mode := play.Modes(g.Form)[0]
	if in.PrizeMode != "" {
		var found bool
		if mode, found = play.FindMode(g.Form, in.PrizeMode); !found {
			return nil, rest.ErrParam.On("prizeMode")
		}
	}
	currency, err := s.stakeCurrency(ctx, merchantID)
	if err != nil {
		return nil, err
	}
	prices, err := s.pricesOf(ctx, merchantID)
	if err != nil {
		return nil, err
	}
	out := []playReply{}
	for _, p := range play.Menu(g.Form, in.PlayType) {
		out = append(out, showPlay(ctx, p, mode, currency, prices.oddsOf(g, mode, p)))
	}
	return out, nil
}

// stakeCurrency returns the currency of the caller's session, or the merchant's currency. Trial play has its own currency.
func (s *Service) stakeCurrency(ctx context.Context, merchantID int64) (money.Currency, error) {
	if token := rest.TokenOf(ctx); token != "" {
		f, err := s.findSession(ctx, token, rest.NamedMerchant(ctx))
		if err == nil && f.MerchantID == merchantID {
			return f.currency, nil
		}
		var refused *fault.Fault
		if err != nil && !errors.As(err, &refused) { // the menu needs no session
			return money.Currency{}, err
		}
	}
	return s.o.Settings.Currency(ctx, merchantID)
}

func showPlay(ctx context.Context, p *play.Play, mode play.Mode, c money.Currency, odds play.Odds) playReply {
	limits := play.StandardLimits(c)
	out := playReply{
		PlayCode: p.Code, Name: nameOf(ctx, p.Names), Group: p.Group, Prizes: p.Prizes, Rules: p.Wins,
		Pick:  pickReply{p.Pick.Kind, p.Pick.Prefix, p.Pick.From, p.Pick.To, p.Pick.Digits, p.Pick.Min, p.Pick.Max, p.Pick.Positions, p.Pick.Options},
		Stake: stakeReply{rest.AmountOf(c, limits.Unit), rest.AmountOf(c, limits.Min), rest.AmountOf(c, limits.Max), p.MaxLines},
	}
	for _, o := range p.Outcomes {
		shown := outcomeReply{o.When, play.OddsText(odds[o.When]), o.Chance.RatString(), play.ReturnText(mode.TotalReturn(p, o.When, odds[o.When]))}
		if !p.HasOutcomes() {
			out.Odds, out.Chance, out.RTP = shown.Odds, shown.Chance, shown.RTP
			return out
		}
		out.Outcomes = append(out.Outcomes, shown)
	}
	return out
}
