package bet

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// minAge is the age below which Recover skips a bet, because the player's request probably still handles it.
const minAge = 5 * time.Second

// recoverWorkers is how many bets Recover finishes in parallel.
const recoverWorkers = 8

// Recover finishes bets that a crash, the wallet or the random source interrupted (PP-15). It requests a recent stake again and
// refunds an old one. Timeout applies to each bet. Several processes may run Recover at the same time.
func (s *Service) Recover(ctx context.Context) error {
	now, err := s.o.Clock.Now(ctx, nil)
	if err != nil {
		return wrap("read time", err)
	}
	// A bet from the future counts as old, because the database's clock was set back.
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
		after = rows[len(rows)-1].ID
		failed = errors.Join(failed, InParallel(rows, recoverWorkers, func(row query.HouseRound) error {
			ctx, cancel := context.WithTimeout(ctx, Timeout) // a slow wallet must not block the other rounds
			defer cancel()
			done, err := s.Continue(ctx, row)
			if err != nil {
				return fmt.Errorf("finish round %d: %w", row.ID, err)
			}
			s.o.Log.InfoContext(ctx, "finished an interrupted round", "round", row.ID, "was", row.Status, "is", done.Status)
			return nil
		}))
	}
}

// InParallel calls do for each item in a bounded number of goroutines, and joins the errors.
func InParallel[T any](items []T, workers int, do func(T) error) error {
	var mu sync.Mutex
	var failed error
	var running sync.WaitGroup
	queue := make(chan T)
	for range min(workers, len(items)) {
		running.Go(func() {
			for item := range queue {
				if err := do(item); err != nil {
					mu.Lock()
					failed = errors.Join(failed, err)
					mu.Unlock()
				}
			}
		})
	}
	for _, item := range items {
		queue <- item
	}
	close(queue)
	running.Wait()
	return failed
}
