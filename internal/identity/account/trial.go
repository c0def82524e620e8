package account

import (
	"context"
	"fmt"
	"time"

	"fairground/internal/platform/db"
	"fairground/internal/platform/rest"
)

const (
	// trialFor is how long a trial lasts.
	trialFor = 24 * time.Hour
	// trialOver is why the sessions of one that is over end.
	trialOver = "trial_over"
)

// ExpireTrials closes trials that are over; their sessions end. What they played stays in the books. It is run as a
// periodic job.
func (s *Service) ExpireTrials(ctx context.Context) error {
	before := db.Millis(s.o.Now().Add(-trialFor))
	for closed := 1; closed > 0; {
		var tell []func()
		err := s.o.Store.Write(ctx, func(tx *db.Tx) error {
			tell = nil
			ids, err := tx.Q.EndTrials(ctx, int64(rest.Trial), before)
			if err != nil {
				return err
			}
			for _, id := range ids {
				one, err := s.endSessionsIn(ctx, tx, id, trialOver)
				if err != nil {
					return err
				}
				tell = append(tell, one)
			}
			return nil
		})
		if err != nil {
			return fmt.Errorf("close old trials: %w", err)
		}
		for _, one := range tell {
			one()
		}
		closed = len(tell)
	}
	return nil
}
