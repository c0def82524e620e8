package vendor

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"fairground/internal/fault"
	"fairground/internal/money"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/spec"
)

// maxBody is far more than any call has.
const maxBody = 16 << 10

// refuse answers what the border refuses, in the protocol's shape.
func refuse(w http.ResponseWriter, _ *http.Request, err error) {
	switch fault.KindOf(err) {
	case fault.Invalid, fault.TooLarge:
		send(w, http.StatusBadRequest, refusal{invalidRequest, "body"})
	case fault.Unauth, fault.Forbidden, fault.NotFound:
		send(w, http.StatusUnauthorized, refusal{Code: invalidSignature})
	default:
		send(w, http.StatusServiceUnavailable, refusal{Code: unknownOutcome})
	}
}

// serve answers one of the calls.
func (s *Service) serve(c call) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || len(body) > maxBody {
			send(w, http.StatusBadRequest, refusal{invalidRequest, "body"})
			return
		}
		m, err := s.caller(r, rest.MerchantOf(r.Context()).ID, body)
		if err != nil {
			s.fail(w, r, c, err)
			return
		}
		if m == nil {
			send(w, http.StatusUnauthorized, refusal{Code: invalidSignature})
			return
		}
		in, err := read(c, body)
		var wrong *malformed
		if errors.As(err, &wrong) {
			send(w, http.StatusBadRequest, refusal{wrong.code, wrong.field})
			return
		}
		a, err := s.answer(r.Context(), m, c, in)
		if err != nil {
			s.fail(w, r, c, err)
			return
		}
		send(w, http.StatusOK, a)
	})
}

func (s *Service) answer(ctx context.Context, m *maker, c call, in *request) (answer, error) {
	switch c {
	case callAuthenticate:
		return s.authenticate(ctx, m, in)
	case callBalance:
		return s.balance(ctx, m, in)
	case callRollback:
		return s.rollback(ctx, m, in)
	default:
		return s.move(ctx, m, c, in)
	}
}

// fail answers where nobody knows what became of the call.
func (s *Service) fail(w http.ResponseWriter, r *http.Request, c call, err error) {
	level := slog.LevelError
	if errors.Is(r.Context().Err(), context.Canceled) {
		level = slog.LevelInfo // whoever called has gone: nothing is wrong here
	}
	s.o.Log.Log(r.Context(), level, "vendor call", "call", string(c), "error", err)
	send(w, http.StatusServiceUnavailable, refusal{Code: unknownOutcome})
}

type launchInput struct {
	Body struct {
		GameCategory string `json:"gameCategory" minLength:"1" maxLength:"32"`
		Vendor       string `json:"vendor" minLength:"1" maxLength:"32" doc:"The code of the game's vendor."`
		GameID       string `json:"gameId" minLength:"1" maxLength:"64"`
		NodeID       string `json:"nodeId,omitempty" pattern:"^[0-9]{0,19}$" doc:"Of the same game."`
		SupportPlay  bool   `json:"supportPlay,omitempty" doc:"As the game's entry says."`
	}
}

type launchContent struct {
	GameURL string `json:"game_url"`
}

type launched struct {
	GameURL   string        `json:"gameUrl" doc:"Opens the game once, within 60 s."`
	Content   launchContent `json:"content"`
	PlayID    string        `json:"playId"`
	Mode      string        `json:"mode" enum:"frame,window"`
	Origin    string        `json:"origin" doc:"Where the game's page comes from; empty for the site itself."`
	StartedAt int64         `json:"startedAt" doc:"Unix milliseconds."`
}

type playInput struct {
	PlayID string `query:"playId" required:"true" pattern:"^[0-9]{1,19}$"`
}

type realityCheck struct {
	Minutes *int   `json:"minutes"`
	DueAt   *int64 `json:"dueAt"`
}

type sitting struct {
	PlayID       string       `json:"playId"`
	GameID       string       `json:"gameId"`
	GameName     string       `json:"gameName"`
	Vendor       string       `json:"vendor"`
	VendorName   string       `json:"vendorName"`
	Category     string       `json:"category"`
	NodeID       string       `json:"nodeId"`
	StartedAt    int64        `json:"startedAt" doc:"When the sitting began: with the first launch or stake in any game since 30 minutes without. The figures count from it, in all games and windows."`
	Now          int64        `json:"now" doc:"The server's, to count from."`
	Opened       bool         `json:"opened" doc:"The vendor has taken the launch's ticket: the game has really begun."`
	ClosedAt     *int64       `json:"closedAt"`
	Staked       rest.Amount  `json:"staked"`
	Returned     rest.Amount  `json:"returned"`
	Net          rest.Amount  `json:"net"`
	Rounds       int64        `json:"rounds"`
	Currency     string       `json:"currency"`
	RealityCheck realityCheck `json:"realityCheck"`
	RTP          *string      `json:"rtp" doc:"What the game returns over time, in per cent, as published; null where it is not known here."`
}

type recordInput struct {
	GameCategory string `query:"gameCategory" maxLength:"32" doc:"ALL or nothing is every one."`
	Vendor       string `query:"vendor" maxLength:"32" doc:"The vendor's code."`
	Status       string `query:"status" enum:"all,open,won,lost,refunded,promo" default:"all" doc:"won: what came back, a jackpot with it, is at least the stake. promo: what vendors gave beside rounds."`
	From         int64  `query:"from" minimum:"0" maximum:"99999999999999" doc:"Unix milliseconds; 7 days before to, at the quarter of an hour then, unless said."`
	To           int64  `query:"to" minimum:"0" maximum:"99999999999999" doc:"Unix milliseconds, itself not among them; now, unless said or if it is ahead. At most 92 days after from."`
	Cursor       string `query:"cursor" maxLength:"64" doc:"What the page before said is next."`
	PageSize     int    `query:"pageSize" minimum:"1" maximum:"100" default:"20"`
}

type roundRow struct {
	RoundID      string       `json:"roundId"`
	Vendor       string       `json:"vendor"`
	VendorName   string       `json:"vendorName"`
	GameID       string       `json:"gameId"`
	GameName     string       `json:"gameName"`
	GameCategory string       `json:"gameCategory"`
	NodeID       string       `json:"nodeId"`
	Stake        rest.Amount  `json:"stake"`
	Win          rest.Amount  `json:"win" doc:"What the game paid."`
	Jackpots     []jackpotRow `json:"jackpots" doc:"The pools that its stakes have won."`
	Net          rest.Amount  `json:"net" doc:"What the game paid and the jackpots, less the stake."`
	Status       string       `json:"status" enum:"open,won,lost,refunded,promo" doc:"promo: no round, but what a vendor gave; roundId is then the vendor's txId."`
	StartedAt    int64        `json:"startedAt"`
	SettledAt    *int64       `json:"settledAt"`
	Provable     bool         `json:"provable" doc:"How it was drawn can be checked."`
}

type jackpotRow struct {
	Series int64       `json:"series"`
	Nonce  int64       `json:"nonce" doc:"Which draw of the series won."`
	Amount rest.Amount `json:"amount"`
}

type recordTotals struct {
	Rounds  int64       `json:"rounds"`
	Stake   rest.Amount `json:"stake"`
	Win     rest.Amount `json:"win" doc:"What the games paid."`
	Jackpot rest.Amount `json:"jackpot" doc:"What the stakes have won beside that."`
	Net     rest.Amount `json:"net" doc:"Of the rounds that are over."`
	Open    rest.Amount `json:"open" doc:"What lies in rounds that still run: neither won nor lost."`
	Promo   rest.Amount `json:"promo" doc:"What vendors gave beside rounds; no part of the net."`
}

type recordHour struct {
	At   int64       `json:"at" doc:"Unix milliseconds: when the hour began, whole hours after from."`
	Won  rest.Amount `json:"won" doc:"What the rounds with more back than staked brought."`
	Lost rest.Amount `json:"lost" doc:"What the rounds with less back than staked cost."`
}

type recordPage struct {
	List     []roundRow   `json:"list"`
	Next     string       `json:"next" doc:"Empty on the last page."`
	Totals   recordTotals `json:"totals" doc:"Of all rounds that are meant, not of this page."`
	Hours    []recordHour `json:"hours" doc:"Of all rounds that are meant, by the hour they began in, where there were any; on the first page only."`
	Currency string       `json:"currency"`
}

// Routes adds the app's calls to the API. refusals are what others keep one from launching with.
func Routes(a *rest.API, s *Service, refusals ...*fault.Fault) {
	session(a, rest.Op{
		Method: http.MethodPost, Path: "/wps/game/launchGame", ID: "launchGame", Summary: "Open a game: an address that is good once",
		Rate: &ratelimit.Limit{Burst: 60, Every: time.Second}, Faults: append([]*fault.Fault{ErrUnavailable, ErrMaintenance, ErrNoTrial, ErrNotOpen}, refusals...),
	}, s.launchGame)
	session(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/game/play", ID: "play", Summary: "A game that is open: since when, and how it goes",
		Faults: []*fault.Fault{ErrUnknownPlay},
	}, s.showPlay)
	session(a, rest.Op{
		Method: http.MethodDelete, Path: "/wps/game/play", ID: "closePlay", Summary: "Close a game: no more bets are taken from it",
		Faults: []*fault.Fault{ErrUnknownPlay},
	}, func(ctx context.Context, who rest.Caller, in *playInput) (struct{}, error) {
		id, err := playID(in)
		if err != nil {
			return struct{}{}, err
		}
		return struct{}{}, s.ClosePlay(ctx, who.MemberID, id)
	})
	session(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/report/accountGameBetHistory", ID: "bettingRecord", Summary: "The caller's rounds, the newest first",
		Faults: []*fault.Fault{ErrPeriod},
	}, s.showRecord)
}

// session declares a call of a member, real or on trial.
func session[I, O any](a *rest.API, op rest.Op, h func(context.Context, rest.Caller, *I) (O, error)) {
	op.Tag, op.Access = "play", rest.Session
	rest.Wps(a, op, func(ctx context.Context, in *I) (O, error) {
		who, known := rest.CallerOf(ctx)
		if !known {
			var none O
			return none, rest.ErrNoSession
		}
		return h(ctx, who, in)
	})
}

func (s *Service) launchGame(ctx context.Context, who rest.Caller, in *launchInput) (launched, error) {
	c := Choice{Code: in.Body.GameID, Vendor: in.Body.Vendor, Category: in.Body.GameCategory}
	if in.Body.NodeID != "" {
		var err error
		if c.Node, err = strconv.ParseInt(in.Body.NodeID, 10, 64); err != nil {
			return launched{}, rest.ErrParam.On("nodeId")
		}
	}
	l, err := s.Open(ctx, who, rest.LanguageOf(ctx), c)
	if err != nil {
		return launched{}, err
	}
	return launched{
		GameURL: l.URL, Content: launchContent{l.URL}, PlayID: text(l.PlayID), Mode: l.Mode, Origin: l.Origin, StartedAt: l.StartedAt.UnixMilli(),
	}, nil
}

func playID(in *playInput) (int64, error) {
	id, err := strconv.ParseInt(in.PlayID, 10, 64)
	if err != nil {
		return 0, rest.ErrParam.On("playId")
	}
	return id, nil
}

func (s *Service) showPlay(ctx context.Context, who rest.Caller, in *playInput) (sitting, error) {
	id, err := playID(in)
	if err != nil {
		return sitting{}, err
	}
	p, err := s.Sitting(ctx, who, rest.LanguageOf(ctx), id)
	if err != nil {
		return sitting{}, err
	}
	currency, err := money.Find(p.Currency)
	if err != nil {
		return sitting{}, rest.ErrSystem.Because(err) // not the caller's mistake
	}
	figure := func(m money.Minor) rest.Amount { return rest.AmountOf(currency, m) }
	out := sitting{
		PlayID: text(p.ID), GameID: p.Game, GameName: p.GameName, Vendor: p.Vendor, VendorName: p.VendorName, Category: p.Category,
		NodeID: text(p.GameID), StartedAt: p.Since, Now: s.o.Now().UnixMilli(), Staked: figure(p.Staked), Returned: figure(p.Returned),
		Net: figure(p.Net), Rounds: p.Rounds, Currency: p.Currency, Opened: p.OpenedAt.Valid,
	}
	if p.ClosedAt.Valid {
		out.ClosedAt = &p.ClosedAt.Int64
	}
	if p.Return != "" {
		out.RTP = &p.Return
	}
	if p.Minutes > 0 {
		out.RealityCheck.Minutes = &p.Minutes
		if due := p.Due.UnixMilli(); !p.Due.IsZero() {
			out.RealityCheck.DueAt = &due
		}
	}
	return out, nil
}

func (s *Service) showRecord(ctx context.Context, who rest.Caller, in *recordInput) (recordPage, error) {
	f := Filter{Category: in.GameCategory, Vendor: in.Vendor, Status: in.Status, Cursor: in.Cursor, Size: in.PageSize}
	if f.Category == spec.ViewAll {
		f.Category = ""
	}
	if f.Status == "all" {
		f.Status = ""
	}
	if in.From > 0 {
		f.From = time.UnixMilli(in.From)
	}
	if in.To > 0 {
		f.To = time.UnixMilli(in.To)
	}
	currency, err := money.Find(who.Currency)
	if err != nil {
		return recordPage{}, rest.ErrSystem.Because(err) // not the caller's mistake
	}
	totals, hours, err := s.Sums(ctx, who, f)
	if err != nil {
		return recordPage{}, err
	}
	rounds, next, err := s.Record(ctx, who, rest.LanguageOf(ctx), f)
	if err != nil {
		return recordPage{}, err
	}
	figure := func(m money.Minor) rest.Amount { return rest.AmountOf(currency, m) }
	page := recordPage{List: []roundRow{}, Hours: []recordHour{}, Next: next, Currency: currency.Code, Totals: recordTotals{
		totals.Rounds, figure(totals.Stake), figure(totals.Win), figure(totals.Jackpot), figure(totals.Net), figure(totals.Open), figure(totals.Promo),
	}}
	if f.Cursor == "" {
		for _, h := range hours {
			page.Hours = append(page.Hours, recordHour{h.At, figure(h.Won), figure(h.Lost)})
		}
	}
	for _, r := range rounds {
		row := roundRow{
			RoundID: r.ID, Vendor: r.Vendor, VendorName: r.VendorName, GameID: r.Game, GameName: r.GameName, GameCategory: r.Category,
			NodeID: text(r.GameID), Stake: figure(r.Stake), Win: figure(r.Win), Net: figure(r.Net()), Status: r.Status, StartedAt: r.StartedAt,
			Provable: r.Provable, Jackpots: make([]jackpotRow, 0, len(r.Jackpots)),
		}
		for _, j := range r.Jackpots {
			row.Jackpots = append(row.Jackpots, jackpotRow{j.Series, j.Nonce, figure(j.Amount)})
		}
		if r.SettledAt > 0 {
			row.SettledAt = &r.SettledAt
		}
		page.List = append(page.List, row)
	}
	return page, nil
}
