package limits

import (
	"context"
	"fmt"
	"time"

	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// A State is all of a member's limits and their use.
type State struct {
	Limits       []Limit // one for each kind and period, set or not
	CheckMinutes int64   // 0: no reality checks
	Break        *Break
	Played       *Played // nil: no reality checks, or not playing
}

// Played is the continuous play that a reality check reports, over all games.
type Played struct {
	For              time.Duration
	Staked, Returned money.Minor
	Net              money.Minor // not the difference of the others, which may be capped
}

// Show returns a member's limits.
func (s *Service) Show(ctx context.Context, memberID int64, currency string) (State, error) {
	q := s.o.Store.Q()
	now, err := s.clock(ctx, s.o.Store.Reader)
	if err != nil {
		return State{}, err
	}
	g, err := loadGuard(ctx, q, memberID)
	if err != nil {
		return State{}, err
	}
	rows, err := q.PlayLimits(ctx, memberID)
	if err != nil {
		return State{}, fmt.Errorf("read limits: %w", err)
	}
	state := State{CheckMinutes: g.CheckMinutes, Break: breakOf(g, now)}
	since := now + 1 // empty window
	if state.Played, err = playedOf(ctx, q, g, now); err != nil {
		return State{}, err
	}
	if state.Played != nil {
		since = g.PlayingSince
	}
	used, err := s.usedByPeriod(ctx, memberID, currency, now, since)
	if err != nil {
		return State{}, err
	}
	if p, w := state.Played, used[continuousPlay]; p != nil {
		p.Staked, p.Returned, p.Net = w.stake, w.returned, -w.loss
	}
	for _, kind := range kinds {
		for _, period := range periods {
			l := Limit{Kind: kind, Period: period, Used: used[period].byKind(kind)}
			for _, row := range rows {
				if row.Kind == string(kind) && row.Period == string(period) {
					amount := money.Minor(row.Amount)
					l.Amount, l.Pending = &amount, pendingOf(row, now)
				}
			}
			state.Limits = append(state.Limits, l)
		}
	}
	return state, nil
}

// playedOf returns how long the member has played without a rest, or nil if the member is not playing.
func playedOf(ctx context.Context, q *query.Queries, g query.LimitGuard, now int64) (*Played, error) {
	if g.CheckMinutes == 0 {
		return nil, nil
	}
	lastStake, err := q.LastStakeTime(ctx, g.MemberID, now-restTime.Milliseconds())
	if err != nil {
		return nil, fmt.Errorf("find the last stake: %w", err)
	}
	if lastStake == 0 {
		return nil, nil
	}
	return &Played{For: time.Duration(now-g.PlayingSince) * time.Millisecond}, nil
}

// Sums are the total stakes and returns of a period. Net is not their difference, because they may be capped.
type Sums struct{ Staked, Returned, Net money.Minor }

// SumsSince returns a member's sums since a time in unix ms. Its cost does not depend on the number of bets.
func (s *Service) SumsSince(ctx context.Context, memberID int64, currency string, since int64) (Sums, error) {
	statement := showSinceSQLite
	if s.o.Store.Engine == db.Postgres {
		statement = showSincePostgres
	}
	used, err := s.querySums(ctx, statement, memberID, currency, since-1)
	w := used[continuousPlay]
	return Sums{w.stake, w.returned, -w.loss}, err
}
