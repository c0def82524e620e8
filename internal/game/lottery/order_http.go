package lottery

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"fairground/internal/game/lottery/play"
	"fairground/internal/money"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/rest"
)

// A text is a JSON string, or a JSON number in its original notation.
type text string

// UnmarshalJSON accepts a string and a number.
func (x *text) UnmarshalJSON(raw []byte) error {
	if !strings.HasPrefix(string(raw), `"`) {
		*x = text(raw)
		return nil
	}
	return json.Unmarshal(raw, (*string)(x))
}

// Schema returns the schema of a text.
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

func (s *Service) handleBetting(ctx context.Context, f gameSession, in *bettingInput) (placedReply, error) {
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

func (s *Service) handleOrders(ctx context.Context, f gameSession, in *ordersInput) (orderPage, error) {
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
