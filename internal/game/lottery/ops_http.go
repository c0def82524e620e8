package lottery

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"fairground/internal/fault"
	"fairground/internal/game/lottery/draw"
	"fairground/internal/game/lottery/play"
	"fairground/internal/game/lottery/schedule"
	"fairground/internal/money"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/oplist"
	"fairground/internal/platform/page"
	"fairground/internal/platform/permission"
	"fairground/internal/platform/rest"
)

// shownLines is how many lines of a numero's exposure are returned to operators.
const shownLines = 200

// An OpsNumero is a draw in a list.
type OpsNumero struct {
	ID        string `json:"id" doc:"The game's id and the numero."`
	GameID    string `json:"gameId"`
	GameCode  string `json:"gameCode"`
	GameName  string `json:"gameName"`
	Numero    string `json:"numero"`
	Type      string `json:"type"`
	OpenTime  int64  `json:"openTime"`
	CloseTime int64  `json:"closeTime"`
	DrawTime  int64  `json:"drawTime"`
	Status    string `json:"status" enum:"open,closed,drawn,settled,void"`
	WinNo     string `json:"winNo"`
	Pending   bool   `json:"pending" doc:"The settlement is running."`
	Simulated bool   `json:"simulated"`
	Version   int64  `json:"version" doc:"0: not stored yet."`

	row int64
}

type opsTotals struct {
	Currency string      `json:"currency"`
	Rounds   int64       `json:"rounds"`
	Staked   rest.Amount `json:"staked"`
	Paid     rest.Amount `json:"paid"`
}

type opsLine struct {
	PlayCode string      `json:"playCode"`
	Line     string      `json:"line"`
	Amount   rest.Amount `json:"amount" doc:"The most that the line can be paid."`
}

type opsPrize struct {
	Code   string `json:"code"`
	Count  int    `json:"count"`
	Digits int    `json:"digits"`
}

type opsDrawDetail struct {
	OpsNumero
	Prizes   map[string][]string `json:"prizes,omitempty"`
	Form     []opsPrize          `json:"form" doc:"The prizes of a regional draw in order."`
	Totals   []opsTotals         `json:"totals"`
	Exposure []opsLine           `json:"exposure" doc:"The highest lines in the merchant's currency."`
	Limit    rest.Amount         `json:"limit" doc:"The most that one line may be paid."`
	Currency string              `json:"currency" doc:"Of exposure and limit."`
	Due      bool                `json:"due" doc:"The draw should have taken place."`
}

type opsNumerosInput struct {
	oplist.Params
	GameID string `query:"gameId" maxLength:"20"`
}

// An OpsIDInput identifies a numero or a game.
type OpsIDInput struct {
	ID string `path:"id" maxLength:"40"`
}

type opsPreviewInput struct {
	OpsIDInput
	Text string `query:"text" maxLength:"4096" doc:"The result: DB=…;G1=… or a JSON object."`
	Void bool   `query:"void" doc:"Preview of voiding instead of a result."`
}

type opsPreviewSum struct {
	Currency  string      `json:"currency"`
	Rounds    int         `json:"rounds"`
	Winners   int         `json:"winners" doc:"Rounds that win."`
	Paid      rest.Amount `json:"paid" doc:"Payouts and rebates now."`
	Due       rest.Amount `json:"due" doc:"Payouts and rebates after the change."`
	Credited  rest.Amount `json:"credited" doc:"Paid to members in addition."`
	TakenBack rest.Amount `json:"takenBack" doc:"Taken from members, or recorded as their debts."`
	Returned  rest.Amount `json:"returned" doc:"Stakes of a void draw."`
}

type opsPreview struct {
	WinNo    string              `json:"winNo,omitempty"`
	Prizes   map[string][]string `json:"prizes,omitempty"`
	Sums     []opsPreviewSum     `json:"sums" doc:"What would change, by currency."`
	Complete bool                `json:"complete" doc:"false: only the first 50,000 rounds were counted."`
}

// An OpsExposure is a numero that is not drawn, with its highest line.
type OpsExposure struct {
	ID        string      `json:"id"`
	GameID    string      `json:"gameId"`
	GameName  string      `json:"gameName"`
	Numero    string      `json:"numero"`
	CloseTime int64       `json:"closeTime"`
	DrawTime  int64       `json:"drawTime"`
	Status    string      `json:"status" enum:"open,closed"`
	Currency  string      `json:"currency"`
	Rounds    int64       `json:"rounds"`
	Staked    rest.Amount `json:"staked"`
	Highest   rest.Amount `json:"highest" doc:"The most that one line can be paid."`
	Limit     rest.Amount `json:"limit" doc:"The most that one line may be paid."`
	Share     string      `json:"share" doc:"Highest divided by limit, with four places."`
	Version   int64       `json:"version"`

	highest int64
	index   int
}

type opsResultBody struct {
	Version       int64               `json:"version"`
	Reason        string              `json:"reason,omitempty" maxLength:"500"`
	Prizes        map[string][]string `json:"prizes,omitempty" doc:"Numbers by prize, with leading zeros."`
	Text          string              `json:"text,omitempty" maxLength:"4096" doc:"Imported result instead of prizes: DB=…;G1=… or a JSON object."`
	AllowRepeated bool                `json:"allowRepeated,omitempty" doc:"Accepts a long number that occurs twice in a prize."`
}

type opsVoidBody struct {
	Version int64  `json:"version"`
	Reason  string `json:"reason" minLength:"1" maxLength:"500"`
}

type opsChanged struct {
	Approval *Approval `json:"approval,omitempty" doc:"Present while the change waits for a second person."`
}

// allowed checks nothing, because the Op names the permission and package rest checks it.
func allowed(context.Context, string) error { return nil }

func opsOp(method, path, id, summary string, faults ...*fault.Fault) rest.Op {
	return rest.Op{
		Method: method, Path: "/ops/v1/lottery" + path, ID: id, Tag: "operators: lottery", Summary: summary, Access: rest.Operators, Permission: permission.LotteryResult, Faults: faults,
		Dangerous: method == http.MethodPost,
	}
}

// OpsRoutes registers the operator endpoints.
func OpsRoutes(a *rest.API, s *Service) {
	opsLists(a, s)
	opsGameRoutes(a, s)
	rest.Typed(a, opsOp(http.MethodGet, "/{id}", "opsLotteryDraw", "Get a draw with its stakes and exposure", schedule.ErrNumero), s.opsShow)
	rest.Typed(a, opsOp(http.MethodGet, "/{id}/result/preview", "opsLotteryPreview", "Show what a result, a correction or voiding would change",
		schedule.ErrNumero, draw.ErrResult, ErrOwnDraw, ErrVoided), func(ctx context.Context, in *opsPreviewInput) (opsPreview, error) {
		p, err := s.previewResult(ctx, rest.MerchantOf(ctx).ID, in.ID, resultChange{Result: in.Text, Void: in.Void})
		if err != nil {
			return opsPreview{}, err
		}
		return showPreview(p)
	})
	type resultInput struct {
		OpsIDInput
		Body opsResultBody
	}
	rest.Typed(a, opsOp(http.MethodPost, "/{id}/result", "opsLotteryResult", "Enter or correct a regional result; another operator confirms it",
		schedule.ErrNumero, draw.ErrResult, rest.ErrStale, ErrSettling, ErrNotDue, ErrOwnDraw, ErrVoided), func(ctx context.Context, in *resultInput) (opsChanged, error) {
		text, err := s.resultText(in.ID, in.Body)
		if err != nil {
			return opsChanged{}, err
		}
		approval, err := s.requestResult(ctx, rest.MerchantOf(ctx).ID, in.ID, resultChange{Version: in.Body.Version, Result: text, Reason: in.Body.Reason})
		return opsChanged{approval}, err
	})
	type voidInput struct {
		OpsIDInput
		Body opsVoidBody
	}
	rest.Typed(a, opsOp(http.MethodPost, "/{id}/void", "opsLotteryVoid", "Void a draw and return its stakes; another operator confirms it",
		schedule.ErrNumero, rest.ErrStale, ErrSettling, ErrNotDue, ErrOwnDraw, ErrVoided), func(ctx context.Context, in *voidInput) (opsChanged, error) {
		approval, err := s.requestResult(ctx, rest.MerchantOf(ctx).ID, in.ID, resultChange{Version: in.Body.Version, Void: true, Reason: in.Body.Reason})
		return opsChanged{approval}, err
	})
}

func opsLists(a *rest.API, s *Service) {
	oplist.Register(a, allowed, oplist.List[opsNumerosInput, OpsNumero]{
		Op: opsOp(http.MethodGet, "", "opsLottery", "List lottery draws that were bet on or are due, latest first", play.ErrUnknownGame), Permission: string(permission.LotteryResult),
		Sorts: []string{"drawTime"}, States: []string{statusOpen, statusClosed, stateWaiting, statusDrawn, statusSettled, statusVoid}, File: "lottery.csv",
		Columns: []oplist.Column[OpsNumero]{
			{Name: "id", Text: func(n OpsNumero) string { return n.ID }}, {Name: "game", Text: func(n OpsNumero) string { return n.GameCode }},
			{Name: "numero", Text: func(n OpsNumero) string { return n.Numero }}, {Name: "closeTime", Text: func(n OpsNumero) string { return timeText(n.CloseTime) }},
			{Name: "drawTime", Text: func(n OpsNumero) string { return timeText(n.DrawTime) }}, {Name: "status", Text: func(n OpsNumero) string { return n.Status }},
			{Name: "winNo", Text: func(n OpsNumero) string { return n.WinNo }},
		},
		Select: s.opsList, Key: func(n OpsNumero, _ string) page.Key { return page.Key{At: n.DrawTime, ID: n.row} },
	})
	oplist.Register(a, allowed, oplist.List[opsNumerosInput, OpsExposure]{
		Op: opsOp(http.MethodGet, "/exposure", "opsLotteryExposure", "List the draws with bets that are not drawn yet, next draw first, with their stakes and highest lines", play.ErrUnknownGame), Permission: string(permission.LotteryResult),
		Sorts: []string{"drawTime", "highest"}, File: "lottery-exposure.csv",
		Columns: []oplist.Column[OpsExposure]{
			{Name: "id", Text: func(e OpsExposure) string { return e.ID }}, {Name: "game", Text: func(e OpsExposure) string { return e.GameName }},
			{Name: "drawTime", Text: func(e OpsExposure) string { return timeText(e.DrawTime) }}, {Name: "rounds", Text: func(e OpsExposure) string { return formatID(e.Rounds) }},
			{Name: "staked", Text: func(e OpsExposure) string { return string(e.Staked) }}, {Name: "highest", Text: func(e OpsExposure) string { return string(e.Highest) }},
			{Name: "limit", Text: func(e OpsExposure) string { return string(e.Limit) }}, {Name: "currency", Text: func(e OpsExposure) string { return e.Currency }},
		},
		Select: s.opsExposure, Key: func(e OpsExposure, _ string) page.Key { return oplist.IndexKey(e.index) },
	})
}

// timeText formats a time for CSV files.
func timeText(ms int64) string { return time.UnixMilli(ms).UTC().Format(time.RFC3339) }

func showPreview(p preview) (opsPreview, error) {
	out := opsPreview{Sums: []opsPreviewSum{}, Complete: p.complete}
	if p.result.Form != "" {
		out.WinNo, out.Prizes = p.result.WinNo(), p.result.ByCode()
	}
	for _, sum := range p.sums {
		c, err := money.Find(sum.currency)
		if err != nil {
			return out, rest.ErrSystem.Because(err)
		}
		out.Sums = append(out.Sums, opsPreviewSum{
			sum.currency, sum.rounds, sum.winners, rest.AmountOf(c, sum.paid), rest.AmountOf(c, sum.due), rest.AmountOf(c, sum.credited), rest.AmountOf(c, sum.takenBack),
			rest.AmountOf(c, sum.returned),
		})
	}
	return out, nil
}

// resultText checks an entered result and returns it as text.
func (s *Service) resultText(id string, in opsResultBody) (string, error) {
	g, _, err := s.findNumero(id)
	if err != nil {
		return "", err
	}
	var result draw.Result
	if in.Text != "" {
		if result, err = draw.Parse(g.Form, in.Text); err != nil {
			return "", err
		}
		in.Prizes = result.ByCode()
	}
	if result, err = draw.Check(g.Form, in.Prizes, in.AllowRepeated); err != nil {
		return "", err
	}
	return result.Text(), nil
}

func (s *Service) showNumero(ctx context.Context, row query.LotteryNumero, now int64) OpsNumero {
	g := s.byID[int(row.GameID)]
	out := OpsNumero{
		ID: opsID(row.GameID, row.Numero), GameID: formatID(row.GameID), GameCode: g.Code, GameName: nameOf(ctx, g.Names), Numero: row.Numero, row: row.ID, Type: g.Type(), OpenTime: row.OpenAt, CloseTime: row.CloseAt,
		DrawTime: row.DrawAt, Status: row.Status, WinNo: row.WinNo, Pending: row.Pending, Simulated: row.Simulated, Version: row.Version,
	}
	if row.Status == statusOpen && isClosed(row, now) {
		out.Status = statusClosed
	}
	return out
}

// gameFilter returns the id of the game in the filter, or 0 for all games.
func (s *Service) gameFilter(id string) (int64, error) {
	if id == "" {
		return 0, nil
	}
	g, known := s.findGame(id)
	if !known {
		return 0, play.ErrUnknownGame
	}
	return int64(g.ID), nil
}

func (s *Service) opsList(ctx context.Context, in *opsNumerosInput, after page.Key, limit int) ([]OpsNumero, error) {
	gameID, err := s.gameFilter(in.GameID)
	if err != nil {
		return nil, err
	}
	now := millis(s.o.Now())
	p := query.LotteryNumerosForOperatorsParams{
		MerchantID: rest.MerchantOf(ctx).ID, Since: in.From, Until: in.To, Before: after.At, BeforeID: after.ID, GameID: gameID, Q: in.Q, State: in.State, Now: now, Most: int32(limit),
	}
	if p.Until == 0 {
		p.Until = math.MaxInt64
	}
	rows, err := s.o.Store.Q().LotteryNumerosForOperators(ctx, p)
	if err != nil {
		return nil, fmt.Errorf("read draws: %w", err)
	}
	list := make([]OpsNumero, len(rows))
	for i, row := range rows {
		list[i] = s.showNumero(ctx, row, now)
	}
	return list, nil
}

// maxExposures is the maximum number of draws in the exposure list.
const maxExposures = 1_000

func (s *Service) opsExposure(ctx context.Context, in *opsNumerosInput, after page.Key, limit int) ([]OpsExposure, error) {
	merchantID, now := rest.MerchantOf(ctx).ID, millis(s.o.Now())
	gameID, err := s.gameFilter(in.GameID)
	if err != nil {
		return nil, err
	}
	c, err := s.o.Settings.Currency(ctx, merchantID)
	if err != nil {
		return nil, err
	}
	maxPayout, err := s.exposureLimit(ctx, merchantID, c)
	if err != nil {
		return nil, err
	}
	rows, err := s.o.Store.Q().LotteryExposuresForOperators(ctx, query.LotteryExposuresForOperatorsParams{Currency: c.Code, MerchantID: merchantID, GameID: gameID, Most: maxExposures})
	if err != nil {
		return nil, fmt.Errorf("read exposure: %w", err)
	}
	list := []OpsExposure{}
	for _, row := range rows {
		if row.DrawAt < in.From || in.To != 0 && row.DrawAt >= in.To || !strings.HasPrefix(row.Numero, in.Q) {
			continue
		}
		e := OpsExposure{
			ID: opsID(row.GameID, row.Numero), GameID: formatID(row.GameID), GameName: nameOf(ctx, s.byID[int(row.GameID)].Names), Numero: row.Numero, CloseTime: row.CloseAt, DrawTime: row.DrawAt,
			Status: statusOpen, Currency: c.Code, Rounds: row.Rounds, Staked: amountOf(c, row.Staked), Highest: amountOf(c, row.Highest), Limit: rest.AmountOf(c, maxPayout),
			Share: decimal.NewFromInt(row.Highest).DivRound(decimal.NewFromInt(int64(maxPayout)), 4).StringFixed(4), Version: row.Version, highest: row.Highest,
		}
		if row.Closed || now >= row.CloseAt {
			e.Status = statusClosed
		}
		list = append(list, e)
	}
	if in.Sort == "highest" { // the rows are sorted by the time of the draw
		slices.SortStableFunc(list, func(a, b OpsExposure) int { return cmp.Compare(b.highest, a.highest) })
	}
	for i := range list {
		list[i].index = i
	}
	return oplist.Slice(list, after, limit), nil
}

func (s *Service) opsShow(ctx context.Context, in *OpsIDInput) (opsDrawDetail, error) {
	merchantID := rest.MerchantOf(ctx).ID
	g, n, err := s.findNumero(in.ID)
	if err != nil {
		return opsDrawDetail{}, err
	}
	row, err := s.numeroRow(ctx, s.o.Store.Q(), merchantID, g, n)
	if err != nil {
		return opsDrawDetail{}, err
	}
	c, err := s.o.Settings.Currency(ctx, merchantID)
	if err != nil {
		return opsDrawDetail{}, err
	}
	limit, err := s.exposureLimit(ctx, merchantID, c)
	if err != nil {
		return opsDrawDetail{}, err
	}
	out := opsDrawDetail{
		OpsNumero: s.showNumero(ctx, row, millis(s.o.Now())), Form: []opsPrize{}, Totals: []opsTotals{}, Exposure: []opsLine{}, Limit: rest.AmountOf(c, limit), Currency: c.Code,
		Due: row.DrawAt <= millis(s.o.Now()),
	}
	for _, p := range g.Form.Prizes() {
		out.Form = append(out.Form, opsPrize(p))
	}
	if g.Form.Regional() && row.Result != "" {
		result, err := draw.Parse(g.Form, row.Result)
		if err != nil {
			return opsDrawDetail{}, err
		}
		out.Prizes = result.ByCode()
	}
	if row.ID == 0 {
		return out, nil
	}
	totals, err := s.o.Store.Q().LotteryNumeroTotals(ctx, row.ID)
	if err != nil {
		return opsDrawDetail{}, fmt.Errorf("read totals: %w", err)
	}
	for _, t := range totals {
		currency, err := money.Find(t.Currency)
		if err != nil {
			return opsDrawDetail{}, err
		}
		out.Totals = append(out.Totals, opsTotals{t.Currency, t.Rounds, amountOf(currency, t.Staked), amountOf(currency, t.Paid)})
	}
	lines, err := s.o.Store.Q().LotteryExposures(ctx, row.ID, c.Code, shownLines)
	if err != nil {
		return opsDrawDetail{}, fmt.Errorf("read exposure: %w", err)
	}
	for _, l := range lines {
		out.Exposure = append(out.Exposure, opsLine{l.PlayCode, l.Line, amountOf(c, l.Amount)})
	}
	return out, nil
}
