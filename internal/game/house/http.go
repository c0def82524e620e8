package house

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"strconv"

	"fairground/internal/fault"
	"fairground/internal/money"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/rest"
)

type sessionInput struct {
	Body struct {
		Ticket string `json:"ticket" minLength:"1" maxLength:"128" pattern:"^[A-Za-z0-9_-]+$"`
	}
}

type spinInput struct {
	Body struct {
		SpinID string      `json:"spinId" minLength:"36" maxLength:"36" pattern:"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$" doc:"Made by the frame; the same again is the same round."`
		Stake  rest.Amount `json:"stake"`
	}
}

type historyInput struct {
	Before string `query:"before" pattern:"^[1-9][0-9]{0,18}$" maxLength:"19"`
}

const historyPage = 20

// Routes adds the calls of the House's frames.
func Routes(a *rest.API, s *Service) {
	rest.Wps(a, rest.Op{
		Method: http.MethodPost, Path: "/house/v1/session", ID: "houseSession", Tag: "house",
		Summary: "Open a game's frame with a launch ticket", Access: rest.Public,
		// No limit of its own: a ticket cannot be guessed, and made-up ones must not keep others behind the same address out.
		Faults: []*fault.Fault{ErrExpired, ErrUnavailable, ErrClosed, ErrPending, ErrExcluded},
	}, s.session)
	rest.Wps(a, rest.Op{
		Method: http.MethodPost, Path: "/house/v1/spin", ID: "houseSpin", Tag: "house", Summary: "Play a round", Access: rest.Frame,
		Faults: []*fault.Fault{ErrExpired, ErrUnavailable, ErrClosed, ErrPending, ErrFunds, ErrLimit, ErrExcluded, ErrTooFast, ErrConflict, ErrRefunded, ErrSetAside, ErrStake, ErrWrongGame},
	}, func(ctx context.Context, in *spinInput) (spun, error) {
		f, err := s.enterAlone(ctx)
		if err != nil {
			return spun{}, err
		}
		stake, err := f.currency.Parse(string(in.Body.Stake))
		if err != nil {
			return spun{}, ErrStake.On("stake")
		}
		row, err := s.spin(ctx, f, in.Body.SpinID, stake)
		if err != nil {
			return spun{}, err
		}
		return s.showSpun(ctx, f, row)
	})
	rest.Wps(a, rest.Op{
		Method: http.MethodGet, Path: "/house/v1/state", ID: "houseState", Tag: "house", Summary: "The frame's balance, last round and next seed",
		Access: rest.Frame, Faults: []*fault.Fault{ErrExpired, ErrUnavailable, ErrPending, ErrExcluded, ErrWrongGame},
	}, func(ctx context.Context, _ *struct{}) (stateShown, error) {
		f, err := s.enterAlone(ctx)
		if err != nil {
			return stateShown{}, err
		}
		return s.state(ctx, f)
	})
	rest.Wps(a, rest.Op{
		Method: http.MethodGet, Path: "/house/v1/history", ID: "houseHistory", Tag: "house", Summary: "The player's settled rounds of the frame's game, newest first",
		Access: rest.Frame, Faults: []*fault.Fault{ErrExpired, ErrUnavailable, ErrWrongGame},
	}, s.history)
}

func (s *Service) session(ctx context.Context, in *sessionInput) (sessionShown, error) {
	o, err := s.open(ctx, in.Body.Ticket, rest.NamedMerchant(ctx))
	if err != nil {
		return sessionShown{}, err
	}
	if o.table != nil {
		return s.tableSession(ctx, o)
	}
	st, err := s.standing(ctx, o.frame, true)
	if err != nil {
		return sessionShown{}, err
	}
	if st.resumed {
		if o.balance, err = s.balance(ctx, o.frame); err != nil {
			return sessionShown{}, err
		}
	}
	name, err := s.o.Games.GameName(ctx, o.seat.merchant, o.Vendor, o.Game, o.Language)
	if err != nil {
		return sessionShown{}, fmt.Errorf("name game: %w", err)
	}
	c := o.currency
	shown := sessionShown{
		Token: o.token,
		Game:  gameShown{Code: o.Game, Name: name, Engine: o.Engine, Theme: o.Theme, Vendor: o.Vendor},
		Player: playerShown{
			Nickname: o.Nickname, Language: o.Language, Trial: o.Trial,
			Currency: currencyShown{c.Code, c.Symbol, string(c.Position), c.Decimals, c.Pattern},
		},
		Balance: rest.AmountOf(c, o.balance),
	}
	shown.Slot, err = s.showSlot(o.frame, st)
	return shown, err
}

func (s *Service) showSpun(ctx context.Context, f frame, row query.HouseRound) (spun, error) {
	shown, err := showRound(row)
	if err != nil {
		return spun{}, err
	}
	seed, err := s.seedOf(ctx, f.Player)
	if err != nil {
		return spun{}, err
	}
	balance := money.Minor(row.Balance.Int64)
	if row.Nonce+1 != seed.Nonce { // more was played since
		if now, err := s.balance(ctx, f); err == nil {
			balance = now
		}
	}
	return spun{
		Round: shown, Balance: rest.AmountOf(f.currency, balance),
		Next: showNext(seed),
	}, nil
}

func (s *Service) state(ctx context.Context, f frame) (stateShown, error) {
	st, err := s.standing(ctx, f, false)
	if err != nil {
		return stateShown{}, err
	}
	balance, err := s.balance(ctx, f)
	if err != nil {
		return stateShown{}, err
	}
	shown := stateShown{Balance: rest.AmountOf(f.currency, balance), Next: showNext(st.seed)}
	shown.Open, shown.Last, err = st.show()
	return shown, err
}

// enterAlone finds the caller's frame, which must be of a game that is played alone.
func (s *Service) enterAlone(ctx context.Context) (frame, error) {
	f, err := s.enter(ctx, rest.TokenOf(ctx), rest.NamedMerchant(ctx))
	if err == nil && f.table != nil {
		err = ErrWrongGame
	}
	return f, err
}

func (s *Service) history(ctx context.Context, in *historyInput) (historyShown, error) {
	f, err := s.enterAlone(ctx)
	if err != nil {
		return historyShown{}, err
	}
	before := int64(math.MaxInt64)
	if in.Before != "" {
		if before, err = strconv.ParseInt(in.Before, 10, 64); err != nil {
			return historyShown{}, rest.ErrParam.On("before")
		}
	}
	// Only the wallet knows whether the member's own session still stands.
	if _, err := s.balance(ctx, f); err != nil {
		return historyShown{}, err
	}
	rows, err := s.o.Store.Q().HouseRounds(ctx, query.HouseRoundsParams{
		Player: f.Player, Before: before, Game: f.Game, Vendor: f.Vendor, Most: historyPage + 1,
	})
	if err != nil {
		return historyShown{}, fmt.Errorf("read rounds: %w", err)
	}
	shown := historyShown{List: []roundShown{}}
	if len(rows) > historyPage {
		rows = rows[:historyPage]
		next := roundID(rows[historyPage-1])
		shown.Next = &next
	}
	for _, row := range rows {
		one, err := showRound(row)
		if err != nil {
			return historyShown{}, err
		}
		shown.List = append(shown.List, one)
	}
	return shown, nil
}
