package house

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"

	"fairground/internal/platform/db/query"
)

// standing is where a player is: the round that is open, if any, the last that was settled, and what comes next.
type standing struct {
	seed       query.HouseSeed
	open, last *query.HouseRound
	resumed    bool // a round was brought to its end just now
}

// standing looks. Who resumes also brings on a round that was cut off; who only looks changes nothing.
func (s *Service) standing(ctx context.Context, f frame, resume bool) (st standing, err error) {
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
		if errors.Is(ended(row), ErrPending) {
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
	st.seed, err = s.seedOf(ctx, f.Player)
	return st, err
}

// resume is drive for somebody who looks: a wallet that does not answer is no reason to show nothing.
func (s *Service) resume(ctx context.Context, row query.HouseRound) (query.HouseRound, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), driveWithin)
	defer cancel()
	done, err := s.drive(ctx, row)
	if errors.Is(err, ErrPending) || errors.Is(err, ErrUnavailable) {
		return done, nil
	}
	return done, err
}

// show writes both rounds down.
func (st standing) show() (open, last *roundShown, err error) {
	if st.open != nil {
		shown, err := showRound(*st.open)
		if err != nil {
			return nil, nil, err
		}
		open = &shown
	}
	if st.last != nil {
		shown, err := showRound(*st.last)
		if err != nil {
			return nil, nil, err
		}
		last = &shown
	}
	return open, last, nil
}
