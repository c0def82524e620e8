package round

import (
	"context"
	"time"

	"fairground/internal/game/house/refusal"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// Cycle is the least time between two bets of a player (PP-10).
const Cycle = 2500 * time.Millisecond

// maxStarts is the number of remembered starts above which expired ones are deleted.
const maxStarts = 1 << 12

type start struct {
	round int64
	at    time.Time
}

// checkPace enforces Cycle (PP-10). It uses the database's time, which all replicas share, and this process's monotonic
// clock, which cannot be set back.
func (s *Service) checkPace(ctx context.Context, q *query.Queries, player string, now, at time.Time) error {
	last, err := q.LastHouseRoundAt(ctx, player)
	if err != nil {
		return err
	}
	since := time.Duration(db.Millis(at)-last) * time.Millisecond
	s.mu.Lock()
	began, known := s.starts[player]
	s.mu.Unlock()
	if known && now.Sub(began.at) < Cycle || since > -Cycle && since < Cycle {
		return refusal.ErrTooFast
	}
	return nil
}

func (s *Service) noteStart(player string, round int64, at time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.starts) >= maxStarts {
		for other, began := range s.starts {
			if at.Sub(began.at) >= Cycle {
				delete(s.starts, other)
			}
		}
	}
	s.starts[player] = start{round, at}
}

// forgetStart lets a player spin again at once after a refused round.
func (s *Service) forgetStart(player string, round int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.starts[player].round == round {
		delete(s.starts, player)
	}
}
