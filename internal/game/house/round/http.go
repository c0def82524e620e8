package round

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"strconv"

	"fairground/internal/fault"
	"fairground/internal/game/house/bet"
	"fairground/internal/game/house/frame"
	"fairground/internal/game/house/reels"
	"fairground/internal/game/house/refusal"
	"fairground/internal/money"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/rest"
)

type spinInput struct {
	Body struct {
		SpinID string      `json:"spinId" minLength:"36" maxLength:"36" pattern:"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$" doc:"Chosen by the client. A repeated request with the same id returns the same round."`
		Stake  rest.Amount `json:"stake"`

		ClientSeed string `json:"clientSeed,omitempty" maxLength:"64" pattern:"^[A-Za-z0-9_-]*$" doc:"Drawn by the client for this spin, after it has seen the commitment. If empty, the stored one is used. If the player fixed a client seed, that one is always used."`
		Commitment string `json:"commitment,omitempty" maxLength:"64" pattern:"^([0-9a-f]{64})?$" doc:"The commitment that the client has seen. The spin is refused if another round has used its seed."`
	}
}

type historyInput struct {
	Before string `query:"before" pattern:"^[1-9][0-9]{0,18}$" maxLength:"19"`
}

const historyPage = 20

type engineInput struct {
	Name    string `query:"name" required:"true" minLength:"1" maxLength:"32"`
	Version int64  `query:"version" minimum:"0" maximum:"1000" doc:"0 or omitted: the newest version."`
}

type engineReply struct {
	reels.Data
	RTP string `json:"rtp"`
}

// Routes adds the calls of slot frames, and the public description of the machines.
func Routes(a *rest.API, s *Service) {
	rest.Typed(a, rest.Op{
		Method: http.MethodPost, Path: "/house/v1/spin", ID: "houseSpin", Tag: "house", Summary: "Play a round", Access: rest.Frame,
		Faults: []*fault.Fault{
			refusal.ErrExpired, refusal.ErrUnavailable, refusal.ErrClosed, refusal.ErrPending, refusal.ErrFunds, refusal.ErrLimit, refusal.ErrExcluded, refusal.ErrTooFast,
			refusal.ErrConflict, refusal.ErrOtherSeed, refusal.ErrRefunded, refusal.ErrStuck, reels.ErrStake, refusal.ErrWrongGame,
		},
	}, s.handleSpin)
	rest.Typed(a, rest.Op{
		Method: http.MethodGet, Path: "/house/v1/state", ID: "houseState", Tag: "house", Summary: "The frame's balance, last round and next seed",
		Access: rest.Frame, Faults: []*fault.Fault{refusal.ErrExpired, refusal.ErrUnavailable, refusal.ErrPending, refusal.ErrExcluded, refusal.ErrWrongGame},
	}, s.handleState)
	rest.Typed(a, rest.Op{
		Method: http.MethodGet, Path: "/house/v1/history", ID: "houseHistory", Tag: "house", Summary: "The player's settled rounds of the frame's game, newest first",
		Access: rest.Frame, Faults: []*fault.Fault{refusal.ErrExpired, refusal.ErrUnavailable, refusal.ErrWrongGame},
	}, s.handleHistory)
	rest.Typed(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/fairness/engine", ID: "fairnessEngine", Tag: "fairness",
		Summary: "Strips, lines and pays of an engine", Access: rest.Public, Faults: []*fault.Fault{refusal.ErrUnknownEngine},
	}, func(_ context.Context, in *engineInput) (engineReply, error) {
		machine, found := FindMachine(in.Name, in.Version)
		if !found {
			return engineReply{}, refusal.ErrUnknownEngine
		}
		return engineReply{machine.Data(), machines().rtp[machine]}, nil
	})
}

// A Session describes a slot to its client when the frame opens.
type Session struct {
	Slot          SlotReply
	Engine, Theme string
	Balance       money.Minor
}

// Open resumes the player's open round, if there is one, and returns the frame's session.
func (s *Service) Open(ctx context.Context, o frame.Opened) (Session, error) {
	f, err := newSlotFrame(o.Frame)
	if err != nil {
		return Session{}, err
	}
	st, err := s.readState(ctx, f, true)
	if err != nil {
		return Session{}, err
	}
	session := Session{Engine: f.Engine, Theme: f.Theme, Balance: o.Balance}
	if st.resumed {
		if session.Balance, err = s.o.Frames.Balance(ctx, f.Frame); err != nil {
			return Session{}, err
		}
	}
	session.Slot, err = newSlotReply(f, st)
	return session, err
}

// callerFrame returns the caller's frame. It fails if the frame is not a slot's.
func (s *Service) callerFrame(ctx context.Context) (slotFrame, error) {
	f, err := s.o.Frames.Enter(ctx, rest.TokenOf(ctx), rest.NamedMerchant(ctx))
	if err != nil {
		return slotFrame{}, err
	}
	if !Serves(f.Category) {
		return slotFrame{}, refusal.ErrWrongGame
	}
	return newSlotFrame(f)
}

func (s *Service) handleSpin(ctx context.Context, in *spinInput) (spinResultReply, error) {
	f, err := s.callerFrame(ctx)
	if err != nil {
		return spinResultReply{}, err
	}
	stake, err := f.Currency.Parse(string(in.Body.Stake))
	if err != nil {
		return spinResultReply{}, reels.ErrStake.On("stake")
	}
	row, err := s.spin(ctx, f, spinRequest{in.Body.SpinID, stake, in.Body.ClientSeed, in.Body.Commitment})
	if err != nil {
		return spinResultReply{}, err
	}
	reply, err := newRoundReply(row)
	if err != nil {
		return spinResultReply{}, err
	}
	next, err := s.o.Seeds.Next(ctx, f.Player)
	if err != nil {
		return spinResultReply{}, err
	}
	balance := money.Minor(row.Balance.Int64)
	if row.Nonce+1 != next.Nonce { // for a repeated request, later rounds have changed the balance
		if now, err := s.o.Frames.Balance(ctx, f.Frame); err == nil {
			balance = now
		}
	}
	return spinResultReply{Round: reply, Balance: rest.AmountOf(f.Currency, balance), Next: newNextReply(next)}, nil
}

func (s *Service) handleState(ctx context.Context, _ *struct{}) (stateReply, error) {
	f, err := s.callerFrame(ctx)
	if err != nil {
		return stateReply{}, err
	}
	st, err := s.readState(ctx, f, false)
	if err != nil {
		return stateReply{}, err
	}
	balance, err := s.o.Frames.Balance(ctx, f.Frame)
	if err != nil {
		return stateReply{}, err
	}
	reply := stateReply{Balance: rest.AmountOf(f.Currency, balance), Next: newNextReply(st.seed)}
	reply.Open, reply.Last, err = st.replies()
	return reply, err
}

func (s *Service) handleHistory(ctx context.Context, in *historyInput) (historyReply, error) {
	f, err := s.callerFrame(ctx)
	if err != nil {
		return historyReply{}, err
	}
	before := int64(math.MaxInt64)
	if in.Before != "" {
		if before, err = strconv.ParseInt(in.Before, 10, 64); err != nil {
			return historyReply{}, rest.ErrParam.On("before")
		}
	}
	if _, err := s.o.Frames.Balance(ctx, f.Frame); err != nil { // checks the member's session
		return historyReply{}, err
	}
	rows, err := s.o.Store.Q().HouseRounds(ctx, query.HouseRoundsParams{
		Player: f.Player, Before: before, Game: f.Game, Vendor: f.Vendor, Most: historyPage + 1,
	})
	if err != nil {
		return historyReply{}, fmt.Errorf("read rounds: %w", err)
	}
	reply := historyReply{List: []roundReply{}}
	if len(rows) > historyPage {
		rows = rows[:historyPage]
		next := bet.RoundID(rows[historyPage-1])
		reply.Next = &next
	}
	for _, row := range rows {
		one, err := newRoundReply(row)
		if err != nil {
			return historyReply{}, err
		}
		reply.List = append(reply.List, one)
	}
	return reply, nil
}
