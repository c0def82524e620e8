package round

import (
	"context"
	"time"

	"fairground/internal/game/house/refusal"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// MinBetInterval is the minimum time between two bets of a player (PP-10).
const MinBetInterval = 2500 * time.Millisecond

// maxStarts is the number of stored starts at which expired ones are deleted.
const maxStarts = 1 << 12

// A start is the time at which a round started.
type start struct {
	round int64
	at    time.Time
}

// checkPace enforces MinBetInterval (PP-10). It uses the database's time, which all replicas share, and this process's monotonic
// clock, which cannot be set back.
func (s *Service) checkPace(ctx context.Context, q *query.Queries, player string, now, dbNow time.Time) error {
	lastAt, err := q.LastHouseRoundAt(ctx, player)
	if err != nil {
		return err
	}
	since := time.Duration(db.Millis(dbNow)-lastAt) * time.Millisecond
	s.mu.Lock()
	last, known := s.starts[player]
	s.mu.Unlock()
	if known && now.Sub(last.at) < MinBetInterval || since > -MinBetInterval && since < MinBetInterval {
		return refusal.ErrTooFast
	}
	return nil
}

func (s *Service) noteStart(player string, round int64, at time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.starts) >= maxStarts {
		for other, start := range s.starts {
			if at.Sub(start.at) >= MinBetInterval {
				delete(s.starts, other)
			}
		}
	}
	s.starts[player] = start{round, at}
}

// forgetStart lets a player spin again without waiting after a refused round.
func (s *Service) forgetStart(player string, round int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.starts[player].round == round {
		delete(s.starts, player)
	}
}
