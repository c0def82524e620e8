package round

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"

	"fairground/internal/game/house/bet"
	"fairground/internal/game/house/refusal"
	"fairground/internal/platform/db/query"
)

// A state is a player's state in a game.
type state struct {
	seed       query.HouseSeed
	open, last *query.HouseRound
	resumed    bool // readState tried to finish the open round
}

// readState returns the player's state. If resume is set, it first tries to finish the open round.
func (s *Service) readState(ctx context.Context, f slotFrame, resume bool) (st state, err error) {
	open, err := s.o.Store.Q().OpenHouseRound(ctx, f.Player)
	switch {
	case errors.Is(err, sql.ErrNoRows):
	case err != nil:
		return st, fmt.Errorf("read open round: %w", err)
	case !resume:
		st.open = &open
	default:
		row, err := s.resume(ctx, open)
		if err != nil {
			return st, err
		}
		if errors.Is(bet.Failure(row), refusal.ErrPending) {
			st.open = &row
		}
		st.resumed = true
	}
	last, err := s.o.Store.Q().HouseRounds(ctx, query.HouseRoundsParams{Player: f.Player, Before: math.MaxInt64, Game: f.Game, Vendor: f.Vendor, Most: 1})
	if err != nil {
		return st, fmt.Errorf("read last round: %w", err)
	}
	if len(last) > 0 {
		st.last = &last[0]
	}
	st.seed, err = s.o.Seeds.Next(ctx, f.Player)
	return st, err
}

// resume tries to finish an open round. If the wallet does not respond, the round stays open and resume returns no error.
func (s *Service) resume(ctx context.Context, row query.HouseRound) (query.HouseRound, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), bet.Timeout)
	defer cancel()
	done, err := s.o.Bets.Continue(ctx, row)
	if errors.Is(err, refusal.ErrPending) || errors.Is(err, refusal.ErrUnavailable) {
		return done, nil
	}
	return done, err
}

func (st state) replies() (open, last *roundReply, err error) {
	if st.open != nil {
		reply, err := newRoundReply(*st.open)
		if err != nil {
			return nil, nil, err
		}
		open = &reply
	}
	if st.last != nil {
		reply, err := newRoundReply(*st.last)
		if err != nil {
			return nil, nil, err
		}
		last = &reply
	}
	return open, last, nil
}
