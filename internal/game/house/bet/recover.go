package bet

import (
	"context"
	"errors"
	"fmt"
	"time"

	"fairground/internal/platform/db"
)

// minAge is the age below which Recover skips a bet: its player is probably still waiting for it.
const minAge = 5 * time.Second

// Recover finishes bets that were interrupted by a crash, by the wallet or by the random source (PP-15). It repeats the
// request for a recent stake and refunds an old one. Several processes may run it at once.
func (s *Service) Recover(ctx context.Context) error {
	now, err := s.o.Clock.Now(ctx, nil)
	if err != nil {
		return wrap("read time", err)
	}
	// A bet from the future counts as old: the database's clock was set back.
	before, beyond := db.Millis(now.Add(-minAge)), db.Millis(now.Add(minAge))
	var failed error
	for after := int64(0); ; {
		rows, err := s.o.Store.Q().UnfinishedHouseRounds(ctx, after, before, beyond)
		if err != nil {
			return fmt.Errorf("read unfinished rounds: %w", err)
		}
		if len(rows) == 0 {
			return failed
		}
		for _, row := range rows {
			after = row.ID
			done, err := s.Drive(ctx, row)
			if err != nil {
				failed = errors.Join(failed, fmt.Errorf("finish round %d: %w", row.ID, err))
				continue
			}
			s.o.Log.InfoContext(ctx, "finished an interrupted round", "round", row.ID, "was", row.Status, "is", done.Status)
		}
	}
}
