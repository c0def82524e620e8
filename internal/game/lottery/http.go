package lottery

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"fairground/internal/fault"
	"fairground/internal/game/lottery/play"
	"fairground/internal/game/lottery/schedule"
	"fairground/internal/money"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/idempotency"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/spec"
)

const tag = "lottery"

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
	ID        string `path:"id" maxLength:"20"` // not embedded: the router cannot set fields of an unexported struct
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

type nearInput struct {
	GameID string `query:"gameId" required:"true" maxLength:"20"`
}

type numeroReply struct {
	Numero     string `json:"numero"`
	OpenTime   int64  `json:"openTime"`
	CloseTime  int64  `json:"closeTime"`
	DrawTime   int64  `json:"drawTime"`
	ServerTime int64  `json:"serverTime"`
	Status     string `json:"status" enum:"open,closed,drawn,settled,void"`
	Series     string `json:"series,omitempty" doc:"Series of our own draws."`
	Link       int64  `json:"link,omitempty" doc:"Number of the seed in the series."`
	Salt       string `json:"salt,omitempty"`
}

type proofReply struct {
	Series     string `json:"series"`
	Link       int64  `json:"link"`
	Commitment string `json:"commitment"`
	Seed       string `json:"seed"`
	Salt       string `json:"salt"`
	Nonce      int64  `json:"nonce"`
	Version    int    `json:"version"`
}

type drawReply struct {
	Numero    string      `json:"numero"`
	WinNo     string      `json:"winNo"`
	DrawTime  int64       `json:"drawTime"`
	Status    string      `json:"status" enum:"drawn,settled"`
	Proof     *proofReply `json:"proof,omitempty"`
	Simulated bool        `json:"simulated,omitempty" doc:"Drawn by the demo, not the real draw."`
}

type drawInput struct {
	GameID   string `path:"gameId" maxLength:"20"`
	Cursor   string `query:"cursor" maxLength:"20"`
	PageSize int    `query:"pageSize" minimum:"1" maximum:"100" default:"20"`
}

type drawPage struct {
	List []drawReply `json:"list"`
	Next string      `json:"next" doc:"Empty on the last page."`
}

type seriesInput struct {
	Series string `path:"series" maxLength:"20"`
}

type seriesReply struct {
	Series      string `json:"series"`
	GameCode    string `json:"gameCode"`
	End         string `json:"end" doc:"Seed 0."`
	Salt        string `json:"salt"`
	SaltSource  string `json:"saltSource" enum:"operator" doc:"operator: the installation made the salt."`
	FirstNumero string `json:"firstNumero"`
	Length      int64  `json:"length"`
}

type openedInput struct {
	GameID string `query:"gameId" required:"true" maxLength:"20"`
	Numero string `query:"numero" maxLength:"16" doc:"Default: the last draw."`
}

type openedReply struct {
	Numero    string              `json:"numero"`
	Prizes    map[string][]string `json:"prizes" doc:"Empty before the draw."`
	Simulated bool                `json:"simulated,omitempty"`
}

type statsInput struct {
	ID       string `path:"id" maxLength:"20"`
	PlayCode string `query:"playCode" required:"true" maxLength:"32"`
}

type countReply struct {
	Number   string `json:"number" doc:"The entry or a number of it; 1:07 is 07 at position 1."`
	Times    int    `json:"times" doc:"How often it came; lô counts every prize."`
	Draws    int    `json:"draws" doc:"In how many draws it came."`
	Omission int    `json:"omission" doc:"Draws since it came last."`
	Longest  int    `json:"longest" doc:"The longest row of draws without it."`
}

type statsReply struct {
	Label    string       `json:"label" enum:"history" doc:"The counts are history and no forecast: draws are independent."`
	PlayCode string       `json:"playCode"`
	Draws    int          `json:"draws" doc:"How many draws were counted."`
	Numbers  []countReply `json:"numbers"`
}

type ticketBody struct {
	Token string `json:"token" minLength:"1" maxLength:"200" doc:"The launch ticket."`
}

type sessionInput struct{ Body ticketBody }

type sessionReply struct {
	Session   string      `json:"session"`
	ExpiresAt int64       `json:"expiresAt"`
	Currency  string      `json:"currency"`
	Balance   rest.Amount `json:"balance"`
	Trial     bool        `json:"trial"`
	Language  string      `json:"language"`
	GameID    string      `json:"gameId,omitempty" doc:"Absent in a lobby."`
}

// A text is a string, or a number as it is written.
type text string

// UnmarshalJSON accepts a string and a number.
func (x *text) UnmarshalJSON(raw []byte) error {
	if !strings.HasPrefix(string(raw), `"`) {
		*x = text(raw)
		return nil
	}
	return json.Unmarshal(raw, (*string)(x))
}

// Schema describes the text.
func (text) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{OneOf: []*huma.Schema{{Type: huma.TypeString, MaxLength: pointer(40)}, {Type: huma.TypeNumber}}}
}

func pointer[T any](v T) *T { return &v }

type betBody struct {
	PlayCode  string      `json:"playCode" maxLength:"32"`
	Selection string      `json:"selection" maxLength:"65536"`
	Stake     rest.Amount `json:"stake" doc:"Per line."`
	Multiple  int         `json:"multiple" minimum:"-2147483648" maximum:"2147483647" doc:"1 to 9,999."`
	Odds      text        `json:"odds,omitempty" doc:"The odds that the player saw; absent for a play with outcomes."`
}

type chaseBody struct {
	Count      int  `json:"count" doc:"How many numeros, with the first."`
	Multiplier int  `json:"multiplier" doc:"Each numero multiplies the stake of the one before it by this."`
	StopOnWin  bool `json:"stopOnWin"`
}

type orderBody struct {
	RequestID string     `json:"requestId" minLength:"1" maxLength:"64"`
	GameID    text       `json:"gameId"`
	Numero    string     `json:"numero" maxLength:"16"`
	PlayType  string     `json:"playType" enum:"trad,ent"`
	PrizeMode string     `json:"prizeMode" maxLength:"16"`
	Bets      []betBody  `json:"bets" minItems:"1" maxItems:"100"`
	Chase     *chaseBody `json:"chase,omitempty"`
}

type bettingInput struct{ Body orderBody }

type placedBetReply struct {
	BetID    string            `json:"betId"`
	Numero   string            `json:"numero"`
	PlayCode string            `json:"playCode"`
	Lines    int               `json:"lines"`
	Amount   rest.Amount       `json:"amount"`
	Odds     string            `json:"odds,omitempty"`
	Outcomes map[string]string `json:"outcomes,omitempty" doc:"Odds by outcome, instead of odds."`
}

type placedReply struct {
	OrderID string           `json:"orderId"`
	Bets    []placedBetReply `json:"bets" doc:"One for each bet and numero."`
	Total   rest.Amount      `json:"total"`
	Balance rest.Amount      `json:"balance"`
	Numeros []string         `json:"numeros"`
}

type ordersInput struct {
	From     int64  `query:"from" minimum:"0" maximum:"99999999999999" doc:"Unix milliseconds."`
	To       int64  `query:"to" minimum:"0" maximum:"99999999999999" doc:"Unix milliseconds, exclusive."`
	GameID   string `query:"gameId" maxLength:"20"`
	State    string `query:"state" enum:"open,won,lost,void,cancelled" doc:"Orders with such a bet."`
	Cursor   string `query:"cursor" maxLength:"20"`
	PageSize int    `query:"pageSize" minimum:"1" maximum:"100" default:"20"`
}

type betReply struct {
	BetID     string            `json:"betId"`
	Numero    string            `json:"numero"`
	PlayCode  string            `json:"playCode"`
	Selection string            `json:"selection"`
	Stake     rest.Amount       `json:"stake"`
	Multiple  int64             `json:"multiple"`
	Lines     int64             `json:"lines"`
	Amount    rest.Amount       `json:"amount"`
	Odds      string            `json:"odds,omitempty"`
	Outcomes  map[string]string `json:"outcomes,omitempty"`
	State     string            `json:"state" enum:"open,won,lost,void,cancelled"`
	Payout    rest.Amount       `json:"payout"`
	Rebate    rest.Amount       `json:"rebate"`
}

type orderReply struct {
	OrderID   string      `json:"orderId"`
	GameID    string      `json:"gameId"`
	PrizeMode string      `json:"prizeMode"`
	CreatedAt int64       `json:"createdAt"`
	Total     rest.Amount `json:"total"`
	Bets      []betReply  `json:"bets"`
}

type orderPage struct {
	List []orderReply `json:"list"`
	Next string       `json:"next" doc:"Empty on the last page."`
}

type cancelReply struct {
	Returned rest.Amount `json:"returned"`
	Balance  rest.Amount `json:"balance"`
}

// Routes adds the lottery's calls. The refusals are documented as further errors of bets.
func Routes(a *rest.API, s *Service, refusals ...*fault.Fault) {
	readRoutes(a, s)
	rest.Lgw(a, rest.Op{
		Method: http.MethodPost, Path: "/lgw/session", ID: "lotterySession", Tag: tag, Summary: "Exchange a launch ticket for a session, once",
		Rate: &ratelimit.Limit{Burst: 60, Every: time.Second}, Faults: append([]*fault.Fault{rest.ErrTokenInvalid}, refusals...),
	}, func(ctx context.Context, in *sessionInput) (sessionReply, error) {
		o, err := s.open(ctx, in.Body.Token, rest.NamedMerchant(ctx))
		if err != nil {
			return sessionReply{}, err
		}
		out := sessionReply{
			Session: o.token, ExpiresAt: o.expires.UnixMilli(), Currency: o.Currency, Balance: rest.AmountOf(o.currency, o.balance), Trial: o.Trial, Language: o.Language,
		}
		if o.game != nil {
			out.GameID = fmt.Sprint(o.game.ID)
		}
		return out, nil
	})
	inFrame(a, s, rest.Op{
		Method: http.MethodPost, Path: "/lgw/orders/betting", ID: "lotteryBet", Summary: "Bet", MaxBody: 1 << 20,
		Faults: slices.Concat(betFaults(), []*fault.Fault{schedule.ErrNumero, idempotency.ErrConflict}, refusals),
	}, s.handleBetting)
	inFrame(a, s, rest.Op{
		Method: http.MethodGet, Path: "/lgw/orders", ID: "lotteryOrders", Summary: "List the player's orders, newest first", Faults: []*fault.Fault{rest.ErrTokenInvalid, play.ErrUnknownGame},
	}, s.handleOrders)
	type idInput struct {
		ID string `path:"id" maxLength:"20"`
	}
	inFrame(a, s, rest.Op{
		Method: http.MethodGet, Path: "/lgw/orders/{id}", ID: "lotteryOrder", Summary: "Get an order of the player", Faults: []*fault.Fault{rest.ErrTokenInvalid, ErrUnknownOrder},
	}, func(ctx context.Context, f frame, in *idInput) (orderReply, error) {
		id, err := orderID(in.ID)
		if err != nil {
			return orderReply{}, err
		}
		o, err := s.order(ctx, f.MemberID, id)
		if err != nil {
			return orderReply{}, err
		}
		return s.showOrder(o)
	})
	inFrame(a, s, rest.Op{
		Method: http.MethodDelete, Path: "/lgw/orders/{id}", ID: "lotteryCancel", Summary: "Return the stakes of an order's numeros that are not closed yet",
		Faults: []*fault.Fault{rest.ErrTokenInvalid, ErrUnknownOrder},
	}, func(ctx context.Context, f frame, in *idInput) (cancelReply, error) {
		id, err := orderID(in.ID)
		if err != nil {
			return cancelReply{}, err
		}
		returned, balance, err := s.cancel(ctx, f.MemberID, id)
		return cancelReply{rest.AmountOf(f.currency, returned), rest.AmountOf(f.currency, balance)}, err
	})
}

// inFrame declares a call that needs a session of the lottery.
func inFrame[I, O any](a *rest.API, s *Service, op rest.Op, h func(context.Context, frame, *I) (O, error)) {
	op.Tag, op.Access = tag, rest.Frame
	rest.Lgw(a, op, func(ctx context.Context, in *I) (O, error) {
		f, err := s.enter(ctx, rest.TokenOf(ctx), rest.NamedMerchant(ctx))
		if err != nil {
			var none O
			return none, err
		}
		return h(ctx, f, in)
	})
}

func readRoutes(a *rest.API, s *Service) {
	get := func(path, id, summary string, faults ...*fault.Fault) rest.Op {
		return rest.Op{Method: http.MethodGet, Path: path, ID: id, Tag: tag, Summary: summary, Faults: faults}
	}
	rest.Lgw(a, get("/lgw/games", "lotteryGames", "List the games with their current numeros"), s.handleGames)
	rest.Lgw(a, get("/lgw/games/game_menus", "lotteryMenus", "List the groups of games"), s.handleMenus)
	rest.Lgw(a, get("/lgw/vn/games/game_menu", "lotteryWeek", "List the weekly schedule of the regions"), s.handleWeek)
	rest.Lgw(a, get("/lgw/games/{id}/play_menu", "lotteryPlays", "List the plays of a game", play.ErrUnknownGame), s.handlePlays)
	rest.Lgw(a, get("/lgw/numeros/near", "lotteryNear", "Get the current numero of a game", play.ErrUnknownGame), s.handleNear)
	rest.Lgw(a, get("/lgw/draw/{gameId}", "lotteryDraws", "List the results of a game, newest first", play.ErrUnknownGame), s.handleDraws)
	rest.Lgw(a, get("/lgw/series/{series}", "lotterySeries", "Get a series of our own draws", ErrNoSeries), s.handleSeries)
	rest.Lgw(a, get("/lgw/vn/numeros/opened/game", "lotteryPrizes", "Get the prizes of a regional draw", play.ErrUnknownGame, schedule.ErrNumero), s.handlePrizes)
	rest.Lgw(a, get("/lgw/games/{id}/stats", "lotteryStats", "Get how often and how long ago each number came", play.ErrUnknownGame, play.ErrUnknownPlay), s.handleStats)
}

func nameOf(ctx context.Context, n play.Names) string {
	if rest.LanguageOf(ctx) == "vi" {
		return n.VI
	}
	return n.EN
}

func (s *Service) handleGames(ctx context.Context, _ *struct{}) ([]gameReply, error) {
	merchantID, now := rest.MerchantOf(ctx).ID, s.o.Now()
	games, err := s.offered(ctx, merchantID)
	if err != nil {
		return nil, err
	}
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
		n, err := s.near(ctx, merchantID, g, now)
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
	games, err := s.offered(ctx, rest.MerchantOf(ctx).ID)
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
	games, err := s.offered(ctx, rest.MerchantOf(ctx).ID)
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
		found := false
		if mode, found = play.FindMode(g.Form, in.PrizeMode); !found {
			return nil, rest.ErrParam.On("prizeMode")
		}
	}
	currency, err := s.o.Settings.Currency(ctx, merchantID)
	if err != nil {
		return nil, err
	}
	prices, err := s.pricesOf(ctx, merchantID)
	if err != nil {
		return nil, err
	}
	out := []playReply{}
	for _, p := range play.Menu(g.Form, in.PlayType) {
		out = append(out, showPlay(ctx, p, mode, currency, prices.of(g, mode, p)))
	}
	return out, nil
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

func (s *Service) handleNear(ctx context.Context, in *nearInput) (numeroReply, error) {
	merchantID, now := rest.MerchantOf(ctx).ID, s.o.Now()
	g, err := s.game(ctx, merchantID, in.GameID)
	if err != nil {
		return numeroReply{}, err
	}
	n, err := s.near(ctx, merchantID, g, now)
	return numeroReply{
		Numero: n.ID, OpenTime: n.openAt, CloseTime: millis(n.Close), DrawTime: millis(n.Draw), ServerTime: serverTime(now), Status: n.status,
		Series: n.series, Link: n.link, Salt: n.salt,
	}, err
}

func (s *Service) handleDraws(ctx context.Context, in *drawInput) (drawPage, error) {
	merchantID := rest.MerchantOf(ctx).ID
	g, err := s.game(ctx, merchantID, in.GameID)
	if err != nil {
		return drawPage{}, err
	}
	rows, next, err := s.draws(ctx, merchantID, g, in.Cursor, in.PageSize)
	if err != nil {
		return drawPage{}, err
	}
	page := drawPage{List: make([]drawReply, len(rows)), Next: next}
	for i, row := range rows {
		proof, err := s.proofOf(ctx, row)
		if err != nil {
			return drawPage{}, err
		}
		page.List[i] = drawReply{row.Numero, row.WinNo, row.DrawAt, row.Status, proof, row.Simulated}
	}
	return page, nil
}

func (s *Service) handleSeries(ctx context.Context, in *seriesInput) (seriesReply, error) {
	row, err := s.series(ctx, rest.MerchantOf(ctx).ID, in.Series)
	if err != nil {
		return seriesReply{}, err
	}
	return seriesReply{formatID(row.ID), s.byID[int(row.GameID)].Code, row.EndSeed, row.Salt, row.SaltSource, row.FirstNumero, row.Length}, nil
}

func (s *Service) handlePrizes(ctx context.Context, in *openedInput) (openedReply, error) {
	merchantID := rest.MerchantOf(ctx).ID
	g, err := s.game(ctx, merchantID, in.GameID)
	if err != nil {
		return openedReply{}, err
	}
	if !g.Form.Regional() {
		return openedReply{}, play.ErrUnknownGame
	}
	row, prizes, err := s.prizes(ctx, merchantID, g, in.Numero)
	return openedReply{row.Numero, prizes, row.Simulated}, err
}

func (s *Service) handleStats(ctx context.Context, in *statsInput) (statsReply, error) {
	merchantID := rest.MerchantOf(ctx).ID
	g, err := s.game(ctx, merchantID, in.ID)
	if err != nil {
		return statsReply{}, err
	}
	counts, draws, err := s.history(ctx, merchantID, g, in.PlayCode)
	out := statsReply{Label: "history", PlayCode: in.PlayCode, Draws: draws, Numbers: make([]countReply, len(counts))}
	for i, c := range counts {
		out.Numbers[i] = countReply{c.Key, c.Times, c.Draws, c.Omission, c.Longest}
	}
	return out, err
}

func (s *Service) handleBetting(ctx context.Context, f frame, in *bettingInput) (placedReply, error) {
	b := in.Body
	request := OrderRequest{RequestID: b.RequestID, GameID: string(b.GameID), Numero: b.Numero, PlayType: b.PlayType, PrizeMode: b.PrizeMode}
	for _, bet := range b.Bets {
		request.Bets = append(request.Bets, BetRequest{bet.PlayCode, bet.Selection, string(bet.Stake), bet.Multiple, string(bet.Odds)})
	}
	if b.Chase != nil {
		request.Chase = &Chase{b.Chase.Count, b.Chase.Multiplier, b.Chase.StopOnWin}
	}
	placed, err := s.place(ctx, f, request)
	if err != nil {
		return placedReply{}, err
	}
	out := placedReply{
		OrderID: formatID(placed.OrderID), Total: rest.AmountOf(f.currency, placed.Total), Balance: rest.AmountOf(f.currency, placed.Balance), Numeros: placed.Numeros,
	}
	for _, bet := range placed.Bets {
		shown := placedBetReply{BetID: formatID(bet.ID), Numero: bet.Numero, PlayCode: bet.PlayCode, Lines: bet.Lines, Amount: rest.AmountOf(f.currency, bet.Amount)}
		shown.Odds, shown.Outcomes = showOdds(bet.Odds)
		out.Bets = append(out.Bets, shown)
	}
	return out, nil
}

// showOdds returns the odds of a bet: one text, or one for each outcome.
func showOdds(odds play.Odds) (single string, outcomes map[string]string) {
	if one, found := odds[""]; found {
		return play.OddsText(one), nil
	}
	outcomes = make(map[string]string, len(odds))
	for when, value := range odds {
		outcomes[when] = play.OddsText(value)
	}
	return "", outcomes
}

func (s *Service) handleOrders(ctx context.Context, f frame, in *ordersInput) (orderPage, error) {
	rows, next, err := s.orders(ctx, f.MemberID, orderFilter{in.From, in.To, in.GameID, in.State, in.Cursor, in.PageSize})
	if err != nil {
		return orderPage{}, err
	}
	page := orderPage{List: make([]orderReply, len(rows)), Next: next}
	for i, o := range rows {
		if page.List[i], err = s.showOrder(o); err != nil {
			return orderPage{}, err
		}
	}
	return page, nil
}

func (s *Service) showOrder(o order) (orderReply, error) {
	c, err := money.Find(o.Currency)
	if err != nil {
		return orderReply{}, rest.ErrSystem.Because(err)
	}
	out := orderReply{
		OrderID: formatID(o.ID), GameID: formatID(o.GameID), PrizeMode: o.PrizeMode, CreatedAt: o.CreatedAt, Total: amountOf(c, o.Total), Bets: make([]betReply, len(o.bets)),
	}
	for i, b := range o.bets {
		if out.Bets[i], err = showBet(c, b); err != nil {
			return orderReply{}, err
		}
	}
	return out, nil
}

func showBet(c money.Currency, b query.LotteryBetsOfOrderRow) (betReply, error) {
	odds, err := parseOdds(b.Odds)
	if err != nil {
		return betReply{}, err
	}
	out := betReply{
		BetID: formatID(b.ID), Numero: b.Numero, PlayCode: b.PlayCode, Selection: b.Selection, Stake: amountOf(c, b.Stake), Multiple: b.Multiple, Lines: b.Lines,
		Amount: amountOf(c, b.Amount), State: b.State, Payout: amountOf(c, b.Payout), Rebate: amountOf(c, b.Rebate),
	}
	out.Odds, out.Outcomes = showOdds(odds)
	return out, nil
}
