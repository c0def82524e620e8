package lottery

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"strconv"

	"fairground/internal/fault"
	"fairground/internal/game/lottery/draw"
	"fairground/internal/game/lottery/play"
	"fairground/internal/game/lottery/schedule"
	"fairground/internal/money"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/permission"
	"fairground/internal/platform/rest"
)

// shownLines is how many lines of a numero's exposure operators see.
const shownLines = 200

// An OpsNumero is a draw in a list.
type OpsNumero struct {
	ID        string `json:"id" doc:"The game's id and the numero."`
	GameID    string `json:"gameId"`
	GameCode  string `json:"gameCode"`
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

type opsDetail struct {
	OpsNumero
	Prizes   map[string][]string `json:"prizes,omitempty"`
	Totals   []opsTotals         `json:"totals"`
	Exposure []opsLine           `json:"exposure" doc:"The highest lines in the merchant's currency."`
	Limit    rest.Amount         `json:"limit" doc:"The highest exposure of a line."`
}

type opsNumeroPage struct {
	List []OpsNumero `json:"list"`
	Next string      `json:"next" doc:"Empty on the last page."`
}

type opsListInput struct {
	GameID   string `query:"gameId" maxLength:"20"`
	From     int64  `query:"from" minimum:"0" doc:"First draw, Unix milliseconds."`
	To       int64  `query:"to" minimum:"0" doc:"Time after the last draw."`
	Cursor   int64  `query:"cursor" minimum:"0"`
	PageSize int    `query:"pageSize" minimum:"1" maximum:"100" default:"50"`
}

type opsIDInput struct {
	ID string `path:"id" maxLength:"40"`
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

type opsGame struct {
	ID      string   `json:"id"`
	Code    string   `json:"code"`
	Name    string   `json:"name"`
	Type    string   `json:"type"`
	Status  string   `json:"status" enum:"on,off"`
	Version int64    `json:"version"`
	Plays   []opsRow `json:"plays"`
}

type opsRow struct {
	PrizeMode string         `json:"prizeMode"`
	PlayCode  string         `json:"playCode"`
	Changed   bool           `json:"changed" doc:"An operator set the odds."`
	Outcomes  []outcomeReply `json:"outcomes"`
}

type opsGames struct {
	List   []opsGame `json:"list"`
	Return string    `json:"return" doc:"The highest return that odds may have."`
}

type opsOddsBody struct {
	Version   int64             `json:"version"`
	PrizeMode string            `json:"prizeMode" maxLength:"16"`
	PlayCode  string            `json:"playCode" maxLength:"32"`
	Odds      map[string]string `json:"odds" doc:"By outcome; the key is empty if the play has one."`
}

type opsStatusBody struct {
	Version int64 `json:"version"`
	Enabled bool  `json:"enabled"`
}

type opsDebt struct {
	ID        string      `json:"id"`
	MemberID  string      `json:"memberId"`
	Member    string      `json:"member"`
	GameID    string      `json:"gameId"`
	Numero    string      `json:"numero"`
	Currency  string      `json:"currency"`
	Amount    rest.Amount `json:"amount"`
	CreatedAt int64       `json:"createdAt"`
}

type opsDebtPage struct {
	List []opsDebt `json:"list"`
	Next string    `json:"next"`
}

// OpsRoutes adds the operators' calls.
func OpsRoutes(a *rest.API, s *Service) {
	op := func(method, path, id, summary string, faults ...*fault.Fault) rest.Op {
		return rest.Op{
			Method: method, Path: path, ID: id, Tag: "operators", Summary: summary, Access: rest.Operators, Permission: permission.LotteryResult, Faults: faults,
			Dangerous: method == http.MethodPost,
		}
	}
	rest.Wps(a, op(http.MethodGet, "/ops/v1/lottery", "opsLottery", "List lottery draws, newest first", play.ErrUnknownGame), s.opsList)
	rest.Wps(a, op(http.MethodGet, "/ops/v1/lottery/{id}", "opsLotteryDraw", "Get a draw with its stakes and exposure", schedule.ErrNumero), s.opsShow)
	type resultInput struct {
		opsIDInput
		Body opsResultBody
	}
	rest.Wps(a, op(http.MethodPost, "/ops/v1/lottery/{id}/result", "opsLotteryResult", "Enter or correct a regional result; another operator confirms it",
		schedule.ErrNumero, draw.ErrResult, ErrStale, ErrSettling, ErrNotDue, ErrOwnDraw, ErrVoided), func(ctx context.Context, in *resultInput) (opsChanged, error) {
		text, err := s.resultText(in.ID, in.Body)
		if err != nil {
			return opsChanged{}, err
		}
		approval, err := s.requestResult(ctx, rest.MerchantOf(ctx).ID, in.ID, resultChange{Version: in.Body.Version, Result: text, Reason: in.Body.Reason})
		return opsChanged{approval}, err
	})
	type voidInput struct {
		opsIDInput
		Body opsVoidBody
	}
	rest.Wps(a, op(http.MethodPost, "/ops/v1/lottery/{id}/void", "opsLotteryVoid", "Void a draw and return its stakes; another operator confirms it",
		schedule.ErrNumero, ErrStale, ErrSettling, ErrNotDue, ErrVoided), func(ctx context.Context, in *voidInput) (opsChanged, error) {
		approval, err := s.requestResult(ctx, rest.MerchantOf(ctx).ID, in.ID, resultChange{Version: in.Body.Version, Void: true, Reason: in.Body.Reason})
		return opsChanged{approval}, err
	})
	rest.Wps(a, op(http.MethodGet, "/ops/v1/lottery/games", "opsLotteryGames", "List the games with their odds, chances and returns"), s.opsGames)
	type oddsInput struct {
		opsIDInput
		Body opsOddsBody
	}
	rest.Wps(a, op(http.MethodPost, "/ops/v1/lottery/games/{id}/odds", "opsLotteryOdds", "Set the odds of a play", play.ErrUnknownGame, play.ErrUnknownPlay, play.ErrOdds, ErrStale),
		func(ctx context.Context, in *oddsInput) (struct{}, error) {
			g, known := s.findGame(in.ID)
			if !known {
				return struct{}{}, play.ErrUnknownGame
			}
			return struct{}{}, s.setOdds(ctx, rest.MerchantOf(ctx).ID, g, in.Body.PrizeMode, in.Body.PlayCode, in.Body.Odds, in.Body.Version)
		})
	type statusInput struct {
		opsIDInput
		Body opsStatusBody
	}
	rest.Wps(a, op(http.MethodPost, "/ops/v1/lottery/games/{id}/status", "opsLotteryStatus", "Switch a game on or off", play.ErrUnknownGame, ErrStale),
		func(ctx context.Context, in *statusInput) (struct{}, error) {
			g, known := s.findGame(in.ID)
			if !known {
				return struct{}{}, play.ErrUnknownGame
			}
			return struct{}{}, s.setEnabled(ctx, rest.MerchantOf(ctx).ID, g, in.Body.Enabled, in.Body.Version)
		})
	type debtInput struct {
		Cursor   int64 `query:"cursor" minimum:"0"`
		PageSize int   `query:"pageSize" minimum:"1" maximum:"100" default:"50"`
	}
	rest.Wps(a, op(http.MethodGet, "/ops/v1/lottery/debts", "opsLotteryDebts", "List what corrections could not take back, newest first"),
		func(ctx context.Context, in *debtInput) (opsDebtPage, error) {
			return s.opsDebts(ctx, rest.MerchantOf(ctx).ID, in.Cursor, in.PageSize)
		})
}

// resultText returns the entered result as text.
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

func (s *Service) showNumero(row query.LotteryNumero, now int64) OpsNumero {
	g := s.byID[int(row.GameID)]
	out := OpsNumero{
		ID: formatID(row.GameID) + "-" + row.Numero, GameID: formatID(row.GameID), GameCode: g.Code, Numero: row.Numero, Type: g.Type(), OpenTime: row.OpenAt, CloseTime: row.CloseAt,
		DrawTime: row.DrawAt, Status: row.Status, WinNo: row.WinNo, Pending: row.Pending, Simulated: row.Simulated, Version: row.Version,
	}
	if row.Status == statusOpen && now >= row.CloseAt {
		out.Status = statusClosed
	}
	return out
}

func (s *Service) opsList(ctx context.Context, in *opsListInput) (opsNumeroPage, error) {
	p := query.LotteryScheduleFromParams{MerchantID: rest.MerchantOf(ctx).ID, Since: in.From, Until: in.To, Most: int32(in.PageSize + 1)}
	if in.GameID != "" {
		g, known := s.findGame(in.GameID)
		if !known {
			return opsNumeroPage{}, play.ErrUnknownGame
		}
		p.GameID = int64(g.ID)
	}
	if p.Until == 0 {
		p.Until = math.MaxInt64
	}
	if in.Cursor > 0 {
		p.Until = min(p.Until, in.Cursor)
	}
	rows, err := s.o.Store.Q().LotteryScheduleFrom(ctx, p)
	if err != nil {
		return opsNumeroPage{}, fmt.Errorf("read draws: %w", err)
	}
	page, now := opsNumeroPage{List: []OpsNumero{}}, millis(s.o.Now())
	if len(rows) > in.PageSize { // pages end between two times, so that none is split
		last := rows[in.PageSize].DrawAt
		kept := rows[:in.PageSize]
		for len(kept) > 1 && kept[len(kept)-1].DrawAt == last && kept[0].DrawAt != last {
			kept = kept[:len(kept)-1]
		}
		rows, page.Next = kept, formatID(kept[len(kept)-1].DrawAt)
	}
	for _, row := range rows {
		page.List = append(page.List, s.showNumero(row, now))
	}
	return page, nil
}

func (s *Service) opsShow(ctx context.Context, in *opsIDInput) (opsDetail, error) {
	merchantID := rest.MerchantOf(ctx).ID
	g, n, err := s.findNumero(in.ID)
	if err != nil {
		return opsDetail{}, err
	}
	row, err := s.numeroRow(ctx, s.o.Store.Q(), merchantID, g, n)
	if err != nil {
		return opsDetail{}, err
	}
	c, err := s.o.Settings.Currency(ctx, merchantID)
	if err != nil {
		return opsDetail{}, err
	}
	limit, err := s.exposureLimit(ctx, merchantID, c)
	if err != nil {
		return opsDetail{}, err
	}
	out := opsDetail{OpsNumero: s.showNumero(row, millis(s.o.Now())), Totals: []opsTotals{}, Exposure: []opsLine{}, Limit: rest.AmountOf(c, limit)}
	if g.Form.Regional() && row.Result != "" {
		result, err := draw.Parse(g.Form, row.Result)
		if err != nil {
			return opsDetail{}, err
		}
		out.Prizes = result.ByCode()
	}
	if row.ID == 0 {
		return out, nil
	}
	totals, err := s.o.Store.Q().LotteryNumeroTotals(ctx, row.ID)
	if err != nil {
		return opsDetail{}, fmt.Errorf("read totals: %w", err)
	}
	for _, t := range totals {
		currency, err := money.Find(t.Currency)
		if err != nil {
			return opsDetail{}, err
		}
		out.Totals = append(out.Totals, opsTotals{t.Currency, t.Rounds, amountOf(currency, t.Staked), amountOf(currency, t.Paid)})
	}
	lines, err := s.o.Store.Q().LotteryExposures(ctx, row.ID, c.Code, shownLines)
	if err != nil {
		return opsDetail{}, fmt.Errorf("read exposure: %w", err)
	}
	for _, l := range lines {
		out.Exposure = append(out.Exposure, opsLine{l.PlayCode, l.Line, amountOf(c, l.Amount)})
	}
	return out, nil
}

func (s *Service) opsGames(ctx context.Context, _ *struct{}) (opsGames, error) {
	merchantID := rest.MerchantOf(ctx).ID
	t, err := s.tenantOf(ctx, merchantID)
	if err != nil {
		return opsGames{}, err
	}
	prices, err := s.readPrices(ctx, merchantID)
	if err != nil {
		return opsGames{}, err
	}
	perMille, err := s.o.Settings.LotteryReturn(ctx, merchantID)
	if err != nil {
		return opsGames{}, err
	}
	out := opsGames{List: []opsGame{}, Return: strconv.FormatFloat(float64(perMille)/1000, 'f', 3, 64)}
	for _, g := range s.games {
		if !t.has(g) {
			continue
		}
		shown := opsGame{ID: fmt.Sprint(g.ID), Code: g.Code, Name: nameOf(ctx, g.Names), Type: g.Type(), Status: "on", Version: prices.versions[g.ID]}
		if prices.disabled[g.ID] {
			shown.Status = "off"
		}
		for _, m := range play.Modes(g.Form) {
			for _, p := range play.All(g.Form) {
				_, changed := prices.odds[priceKey{g.ID, m.Code, p.Code}]
				row, odds := opsRow{PrizeMode: m.Code, PlayCode: p.Code, Changed: changed}, prices.of(g, m, p)
				for _, o := range p.Outcomes {
					row.Outcomes = append(row.Outcomes, outcomeReply{o.When, play.OddsText(odds[o.When]), o.Chance.RatString(), play.ReturnText(m.TotalReturn(p, o.When, odds[o.When]))})
				}
				shown.Plays = append(shown.Plays, row)
			}
		}
		out.List = append(out.List, shown)
	}
	return out, nil
}

func (s *Service) opsDebts(ctx context.Context, merchantID, cursor int64, size int) (opsDebtPage, error) {
	if cursor == 0 {
		cursor = math.MaxInt64
	}
	rows, err := s.o.Store.Q().LotteryDebts(ctx, merchantID, cursor, int32(size+1))
	if err != nil {
		return opsDebtPage{}, fmt.Errorf("read debts: %w", err)
	}
	page := opsDebtPage{List: []opsDebt{}}
	if len(rows) > size {
		rows = rows[:size]
		page.Next = formatID(rows[size-1].ID)
	}
	for _, d := range rows {
		c, err := money.Find(d.Currency)
		if err != nil {
			return opsDebtPage{}, err
		}
		page.List = append(page.List, opsDebt{
			formatID(d.ID), formatID(d.MemberID), d.Account, formatID(d.GameID), d.Numero, d.Currency, amountOf(c, d.Amount), d.CreatedAt,
		})
	}
	return page, nil
}
