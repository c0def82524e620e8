package account

import (
	"context"
	"fmt"
	"time"

	"fairground/internal/platform/db"
	"fairground/internal/platform/rest"
)

const (
	trialLifetime = 24 * time.Hour
	trialExpired  = "trial_over" // stored as the reason for the end of a session
)

// ExpireTrials closes trials older than a day and ends their sessions. It keeps their ledger entries. It runs as a periodic job.
func (s *Service) ExpireTrials(ctx context.Context) error {
	before := db.Millis(s.o.Now().Add(-trialLifetime))
	for closed := 1; closed > 0; {
		var publishers []func()
		err := s.o.Store.Write(ctx, func(tx *db.Tx) error {
			publishers = nil
			ids, err := tx.Q.EndTrials(ctx, int64(rest.Trial), before)
			if err != nil {
				return err
			}
			for _, id := range ids {
				publish, err := s.endSessionsIn(ctx, tx, id, trialExpired)
				if err != nil {
					return err
				}
				publishers = append(publishers, publish)
			}
			return nil
		})
		if err != nil {
			return fmt.Errorf("close old trials: %w", err)
		}
		for _, publish := range publishers {
			publish()
		}
		closed = len(publishers)
	}
	return nil
}
