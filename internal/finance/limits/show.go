package limits

import (
	"context"
	"fmt"
	"time"

	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// State is everything that a member has set, and how far it is used.
type State struct {
	Limits       []Limit // one for each kind and period, also where there is none
	CheckMinutes int64   // 0: never
	Break        *Break
	Played       *Played // nil: reminded of nothing, or not playing
}

// Played is what play without a rest has come to, in all games together: what a reality check tells.
type Played struct {
	For              time.Duration
	Staked, Returned money.Minor
	Net              money.Minor // of itself: the other two may stand at their bound
}

// Show gives a member's limits.
func (s *Service) Show(ctx context.Context, memberID int64, currency string) (State, error) {
	q := s.o.Store.Q()
	at, err := s.clock(ctx, s.o.Store.Reader)
	if err != nil {
		return State{}, err
	}
	g, err := guardOf(ctx, q, memberID)
	if err != nil {
		return State{}, err
	}
	rows, err := q.PlayLimits(ctx, memberID)
	if err != nil {
		return State{}, fmt.Errorf("read limits: %w", err)
	}
	state := State{CheckMinutes: g.CheckMinutes, Break: breakOf(g, at)}
	since := at + 1 // nothing
	if state.Played, err = sittingOf(ctx, q, g, at); err != nil {
		return State{}, err
	}
	if state.Played != nil {
		since = g.PlayingSince
	}
	used, err := s.used(ctx, memberID, currency, at, since)
	if err != nil {
		return State{}, err
	}
	if p, w := state.Played, used[sitting]; p != nil {
		p.Staked, p.Returned, p.Net = w.stake, w.returned, -w.loss
	}
	for _, kind := range kinds {
		for _, period := range periods {
			l := Limit{Kind: kind, Period: period, Used: used[period].of(kind)}
			for _, row := range rows {
				if row.Kind == string(kind) && row.Period == string(period) {
					amount := money.Minor(row.Amount)
					l.Amount, l.Pending = &amount, pendingOf(row, at)
				}
			}
			state.Limits = append(state.Limits, l)
		}
	}
	return state, nil
}

// sittingOf tells how long the member has played without a rest.
func sittingOf(ctx context.Context, q *query.Queries, g query.LimitGuard, at int64) (*Played, error) {
	if g.CheckMinutes == 0 {
		return nil, nil
	}
	last, err := q.LastStake(ctx, g.MemberID, at-restFor.Milliseconds())
	if err != nil {
		return nil, fmt.Errorf("find the last stake: %w", err)
	}
	if last == 0 {
		return nil, nil
	}
	return &Played{For: time.Duration(at-g.PlayingSince) * time.Millisecond}, nil
}

// Sums are what was staked since a time, and what came back.
type Sums struct{ Staked, Returned, Net money.Minor } // net of itself: the other two may stand at their bound

// Since gives what a member has played since a time, itself among it, in unix milliseconds. It costs the same however much that was.
func (s *Service) Since(ctx context.Context, memberID int64, currency string, since int64) (Sums, error) {
	statement := showSinceSQLite
	if s.o.Store.Engine == db.Postgres {
		statement = showSincePostgres
	}
	used, err := s.sums(ctx, statement, memberID, currency, since-1)
	w := used[sitting]
	return Sums{w.stake, w.returned, -w.loss}, err
}
