package house

import (
	"context"
	"errors"
	"fmt"
	"time"

	"fairground/internal/platform/db"
)

// recoverAfter leaves rounds alone that somebody is most likely playing.
const recoverAfter = 5 * time.Second

// recoverEvery is how often each process looks for what was cut off.
const recoverEvery = 5 * time.Second

// Recover brings rounds to their end that were cut off: by a crash, a wallet that was away, a random source that failed
// (PP-15). A young bet is asked for again, an old one is given back; a bet that stands is played out. It runs at the
// start and periodically; more than one at a time do no harm. Tables whose round was left alone are woken first.
func (s *Service) Recover(ctx context.Context) error {
	if err := s.wakeUnfinished(ctx); err != nil {
		return err
	}
	// What began in what is now the future is old, too: a clock was set back.
	now, err := s.now(ctx, nil)
	if err != nil {
		return wrap("read time", err)
	}
	before, beyond := db.Millis(now.Add(-recoverAfter)), db.Millis(now.Add(recoverAfter))
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
			done, err := s.drive(ctx, row)
			if err != nil {
				failed = errors.Join(failed, fmt.Errorf("finish round %d: %w", row.ID, err))
				continue
			}
			s.o.Log.InfoContext(ctx, "finished a round that was cut off", "round", row.ID, "was", row.Status, "is", done.Status)
		}
	}
}
