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

const maxBody = 16 << 10

// writeRejection writes errors of the API layer in the protocol's format.
func writeRejection(w http.ResponseWriter, _ *http.Request, err error) {
	switch fault.KindOf(err) {
	case fault.Invalid, fault.TooLarge:
		writeJSON(w, http.StatusBadRequest, errorResponse{invalidRequest, "body"})
	case fault.Unauth, fault.Forbidden, fault.NotFound:
		writeJSON(w, http.StatusUnauthorized, errorResponse{Code: invalidSignature})
	default:
		writeJSON(w, http.StatusServiceUnavailable, errorResponse{Code: unknownOutcome})
	}
}

func (s *Service) serve(c call) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || len(body) > maxBody {
			writeJSON(w, http.StatusBadRequest, errorResponse{invalidRequest, "body"})
			return
		}
		v, err := s.verifyCaller(r, rest.MerchantOf(r.Context()).ID, c, body)
		if err != nil {
			s.writeUnknownOutcome(w, r, c, err)
			return
		}
		if v == nil {
			writeJSON(w, http.StatusUnauthorized, errorResponse{Code: invalidSignature})
			return
		}
		in, err := parseRequest(c, body)
		var invalid *malformedError
		if errors.As(err, &invalid) {
			writeJSON(w, http.StatusBadRequest, errorResponse{invalid.code, invalid.field})
			return
		}
		resp, err := s.dispatch(r.Context(), v, c, in)
		if err != nil {
			s.writeUnknownOutcome(w, r, c, err)
			return
		}
		writeJSON(w, http.StatusOK, resp)
	})
}

func (s *Service) dispatch(ctx context.Context, v *vendor, c call, in *request) (response, error) {
	switch c {
	case callAuthenticate:
		return s.authenticate(ctx, v, in)
	case callBalance:
		return s.balance(ctx, v, in)
	case callRollback:
		return s.rollback(ctx, v, in)
	default:
		return s.handleMove(ctx, v, c, in)
	}
}

func (s *Service) writeUnknownOutcome(w http.ResponseWriter, r *http.Request, c call, err error) {
	level := slog.LevelError
	if errors.Is(r.Context().Err(), context.Canceled) {
		level = slog.LevelInfo // the caller has disconnected
	}
	s.o.Log.Log(r.Context(), level, "vendor call", "call", string(c), "error", err)
	writeJSON(w, http.StatusServiceUnavailable, errorResponse{Code: unknownOutcome})
}

type launchInput struct {
	Body struct {
		GameCategory string `json:"gameCategory" minLength:"1" maxLength:"32"`
		Vendor       string `json:"vendor" minLength:"1" maxLength:"32" doc:"The code of the game's vendor."`
		GameID       string `json:"gameId" minLength:"1" maxLength:"64"`
		NodeID       string `json:"nodeId,omitempty" pattern:"^[0-9]{0,19}$" doc:"The same game's node ID."`
		SupportPlay  bool   `json:"supportPlay,omitempty" doc:"The game's supportPlay value in the catalogue."`
	}
}

type launchContent struct {
	GameURL string `json:"game_url"`
}

type launched struct {
	GameURL   string        `json:"gameUrl" doc:"Opens the game once, within 60 seconds."`
	Content   launchContent `json:"content"`
	Ticket    string        `json:"ticket,omitempty" doc:"The ticket in the URL of a lottery frame."`
	PlayID    string        `json:"playId"`
	Mode      string        `json:"mode" enum:"frame,window"`
	Origin    string        `json:"origin" doc:"Origin of the game's page; empty if the site itself serves it."`
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
	StartedAt    int64        `json:"startedAt" doc:"Start of the sitting: the first launch or stake after a pause of 30 minutes. The totals count from then, in all games and windows."`
	Now          int64        `json:"now" doc:"The server's time in Unix milliseconds."`
	Opened       bool         `json:"opened" doc:"The vendor has used the launch ticket, so the game has started."`
	ClosedAt     *int64       `json:"closedAt"`
	Staked       rest.Amount  `json:"staked"`
	Returned     rest.Amount  `json:"returned"`
	Net          rest.Amount  `json:"net"`
	Rounds       int64        `json:"rounds"`
	Currency     string       `json:"currency"`
	RealityCheck realityCheck `json:"realityCheck"`
	RTP          *string      `json:"rtp" doc:"Published return to player in per cent; null if unknown."`
}

type recordInput struct {
	GameCategory string `query:"gameCategory" maxLength:"32" doc:"Empty or ALL selects all categories."`
	Vendor       string `query:"vendor" maxLength:"32" doc:"The vendor's code."`
	Status       string `query:"status" enum:"all,open,won,lost,refunded,promo" default:"all" doc:"won: the returns, including jackpots, are at least the stake. promo: vendors' promotions."`
	From         int64  `query:"from" minimum:"0" maximum:"99999999999999" doc:"Unix milliseconds. Default: 7 days before to, rounded down to a quarter hour."`
	To           int64  `query:"to" minimum:"0" maximum:"99999999999999" doc:"Unix milliseconds, exclusive. Default and maximum: the present. At most 92 days after from."`
	Cursor       string `query:"cursor" maxLength:"64" doc:"The next value of the previous page."`
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
	Win          rest.Amount  `json:"win" doc:"Amount paid by the game."`
	Jackpots     []jackpotRow `json:"jackpots" doc:"Jackpots won by the round's stakes."`
	Net          rest.Amount  `json:"net" doc:"Win and jackpots minus the stake."`
	Status       string       `json:"status" enum:"open,won,lost,refunded,promo" doc:"promo: not a round but a vendor's promotion; roundId is then the vendor's txId."`
	StartedAt    int64        `json:"startedAt"`
	SettledAt    *int64       `json:"settledAt"`
	Provable     bool         `json:"provable" doc:"The draw can be verified."`
}

type jackpotRow struct {
	Series int64       `json:"series"`
	Nonce  int64       `json:"nonce" doc:"Number of the winning draw in the series."`
	Amount rest.Amount `json:"amount"`
}

type recordTotals struct {
	Rounds  int64       `json:"rounds"`
	Stake   rest.Amount `json:"stake"`
	Win     rest.Amount `json:"win" doc:"Amount paid by the games."`
	Jackpot rest.Amount `json:"jackpot" doc:"Jackpots won by the stakes."`
	Net     rest.Amount `json:"net" doc:"Net of finished rounds."`
	Open    rest.Amount `json:"open" doc:"Stakes in running rounds."`
	Promo   rest.Amount `json:"promo" doc:"Vendors' promotions, not included in net."`
}

type recordHour struct {
	At   int64       `json:"at" doc:"Start of the hour in Unix milliseconds, in whole hours after from."`
	Won  rest.Amount `json:"won" doc:"Sum of the gains of rounds with a positive net."`
	Lost rest.Amount `json:"lost" doc:"Sum of the losses of rounds with a negative net."`
}

type recordPage struct {
	List     []roundRow    `json:"list"`
	Next     string        `json:"next" doc:"Empty on the last page."`
	Totals   *recordTotals `json:"totals,omitempty" doc:"Totals of all selected rounds, not of this page only. First page only."`
	Hours    []recordHour  `json:"hours" doc:"All selected rounds by the hour in which they began. Hours are counted from the last quarter hour at or before from. First page only."`
	Currency string        `json:"currency"`
}

// Routes adds the app's calls to the API. The refusals are documented as additional errors of launchGame.
func Routes(a *rest.API, s *Service, refusals ...*fault.Fault) {
	session(a, rest.Op{
		Method: http.MethodPost, Path: "/wps/game/launchGame", ID: "launchGame", Summary: "Launch a game",
		Rate: &ratelimit.Limit{Burst: 60, Every: time.Second}, Faults: append([]*fault.Fault{ErrUnavailable, ErrMaintenance, ErrNoTrial, ErrNotOpen}, refusals...),
	}, s.launchGame)
	session(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/game/play", ID: "play", Summary: "Get an open game and its sitting's totals",
		Faults: []*fault.Fault{ErrUnknownPlay},
	}, s.showPlay)
	session(a, rest.Op{
		Method: http.MethodDelete, Path: "/wps/game/play", ID: "closePlay", Summary: "Close a game; it accepts no more bets",
		Faults: []*fault.Fault{ErrUnknownPlay},
	}, func(ctx context.Context, who rest.Caller, in *playInput) (struct{}, error) {
		id, err := playID(in)
		if err != nil {
			return struct{}{}, err
		}
		return struct{}{}, s.ClosePlay(ctx, who.MemberID, id)
	})
	session(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/report/accountGameBetHistory", ID: "bettingRecord", Summary: "List the caller's rounds, newest first",
		Faults: []*fault.Fault{ErrPeriod},
	}, s.showRecord)
}

// session adds a call that needs the session of a member or trial member.
func session[I, O any](a *rest.API, op rest.Op, h func(context.Context, rest.Caller, *I) (O, error)) {
	op.Tag, op.Access = "play", rest.Session
	rest.Typed(a, op, func(ctx context.Context, in *I) (O, error) {
		who, known := rest.CallerOf(ctx)
		if !known {
			var none O
			return none, rest.ErrNoSession
		}
		return h(ctx, who, in)
	})
}

func (s *Service) launchGame(ctx context.Context, who rest.Caller, in *launchInput) (launched, error) {
	c := GameQuery{Code: in.Body.GameID, Vendor: in.Body.Vendor, Category: in.Body.GameCategory}
	if in.Body.NodeID != "" {
		var err error
		if c.Node, err = strconv.ParseInt(in.Body.NodeID, 10, 64); err != nil {
			return launched{}, rest.ErrParam.On("nodeId")
		}
	}
	l, err := s.LaunchGame(ctx, who, rest.LanguageOf(ctx), c)
	if err != nil {
		return launched{}, err
	}
	return launched{
		GameURL: l.URL, Content: launchContent{l.URL}, Ticket: l.Ticket, PlayID: formatID(l.PlayID), Mode: l.Mode, Origin: l.Origin, StartedAt: l.StartedAt.UnixMilli(),
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
		return sitting{}, rest.ErrSystem.Because(err) // not a mistake of the caller
	}
	figure := func(v money.Minor) rest.Amount { return rest.AmountOf(currency, v) }
	out := sitting{
		PlayID: formatID(p.ID), GameID: p.Game, GameName: p.GameName, Vendor: p.Vendor, VendorName: p.VendorName, Category: p.Category,
		NodeID: formatID(p.GameID), StartedAt: p.Since, Now: s.o.Now().UnixMilli(), Staked: figure(p.Staked), Returned: figure(p.Returned),
		Net: figure(p.Net), Rounds: p.Rounds, Currency: p.Currency, Opened: p.OpenedAt.Valid,
	}
	if p.ClosedAt.Valid {
		out.ClosedAt = &p.ClosedAt.Int64
	}
	if p.RTP != "" {
		out.RTP = &p.RTP
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
		return recordPage{}, rest.ErrSystem.Because(err) // not a mistake of the caller
	}
	rounds, next, err := s.Record(ctx, who, rest.LanguageOf(ctx), f)
	if err != nil {
		return recordPage{}, err
	}
	figure := func(v money.Minor) rest.Amount { return rest.AmountOf(currency, v) }
	page := recordPage{List: []roundRow{}, Hours: []recordHour{}, Next: next, Currency: currency.Code}
	if f.Cursor == "" {
		t, hours, err := s.RecordTotals(ctx, who, f)
		if err != nil {
			return recordPage{}, err
		}
		page.Totals = &recordTotals{t.Rounds, figure(t.Stake), figure(t.Win), figure(t.Jackpot), figure(t.Net), figure(t.Open), figure(t.Promo)}
		for _, h := range hours {
			page.Hours = append(page.Hours, recordHour{h.At, figure(h.Won), figure(h.Lost)})
		}
	}
	for _, r := range rounds {
		row := roundRow{
			RoundID: r.ID, Vendor: r.Vendor, VendorName: r.VendorName, GameID: r.Game, GameName: r.GameName, GameCategory: r.Category,
			NodeID: formatID(r.GameID), Stake: figure(r.Stake), Win: figure(r.Win), Net: figure(r.Net()), Status: r.Status, StartedAt: r.StartedAt,
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
