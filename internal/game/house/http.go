package house

import (
	"context"
	"fmt"
	"net/http"

	"fairground/internal/fault"
	"fairground/internal/game/house/refusal"
	"fairground/internal/game/house/round"
	"fairground/internal/game/house/table"
	"fairground/internal/platform/rest"
)

type sessionInput struct {
	Body struct {
		Ticket string `json:"ticket" minLength:"1" maxLength:"128" pattern:"^[A-Za-z0-9_-]+$"`
	}
}

type gameReply struct {
	Code   string `json:"code"`
	Name   string `json:"name"`
	Engine string `json:"engine"`
	Theme  string `json:"theme"`
	Vendor string `json:"vendor"`
}

type currencyReply struct {
	Code     string `json:"code"`
	Symbol   string `json:"symbol"`
	Position string `json:"position" enum:"F,B"`
	Decimals int    `json:"decimals"`
	Pattern  string `json:"pattern"`
}

type playerReply struct {
	Nickname string        `json:"nickname"`
	Language string        `json:"language"`
	Trial    bool          `json:"trial"`
	Currency currencyReply `json:"currency"`
}

type sessionReply struct {
	Token   string           `json:"token"`
	Game    gameReply        `json:"game"`
	Player  playerReply      `json:"player"`
	Balance rest.Amount      `json:"balance"`
	Slot    *round.SlotReply `json:"slot" doc:"Null if the game is not a slot."`
}

// Routes adds all calls of the House. s may be nil to generate the API document.
func Routes(a *rest.API, s *Service) {
	if s == nil {
		s = &Service{}
	}
	rest.Typed(a, rest.Op{
		Method: http.MethodPost, Path: "/house/v1/session", ID: "houseSession", Tag: "house",
		Summary: "Open a game's frame with a launch ticket", Access: rest.Public,
		// There is no rate limit. Tickets cannot be guessed, and invalid tickets must not block other players with the same IP address.
		Faults: []*fault.Fault{refusal.ErrExpired, refusal.ErrUnavailable, refusal.ErrClosed, refusal.ErrPending, refusal.ErrExcluded},
	}, s.handleSession)
	round.Routes(a, s.Rounds)
	table.Routes(a, s.Tables)
	fairnessRoutes(a, s)
}

func (s *Service) handleSession(ctx context.Context, in *sessionInput) (sessionReply, error) {
	o, err := s.frames.Open(ctx, in.Body.Ticket, rest.NamedMerchant(ctx))
	if err != nil {
		return sessionReply{}, err
	}
	c := o.Currency
	reply := sessionReply{
		Token: o.Token,
		Game:  gameReply{Code: o.Game, Vendor: o.Vendor},
		Player: playerReply{
			Nickname: o.Nickname, Language: o.Language, Trial: o.Trial,
			Currency: currencyReply{c.Code, c.Symbol, string(c.Position), c.Decimals, c.Pattern},
		},
		Balance: rest.AmountOf(c, o.Balance),
	}
	if table.Serves(o.Category) {
		reply.Game.Engine = s.Tables.Open(o.Frame)
	} else {
		opened, err := s.Rounds.Open(ctx, o)
		if err != nil {
			return sessionReply{}, err
		}
		reply.Game.Engine, reply.Game.Theme = opened.Engine, opened.Theme
		reply.Balance, reply.Slot = rest.AmountOf(c, opened.Balance), &opened.Slot
	}
	reply.Game.Name, err = s.o.Games.GameName(ctx, o.Session.Merchant, o.Vendor, o.Game, o.Language)
	if err != nil {
		return sessionReply{}, fmt.Errorf("name game: %w", err)
	}
	return reply, nil
}
