package main

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"fairground/bench/compare"
	"fairground/internal/platform/db"
)

const (
	// All turns fit into the betting time of one round.
	turns = 2
	turn  = 3 * time.Second
)

// A measurement collects a subject's calls.
type measurement struct {
	mu    sync.Mutex
	took  []time.Duration // duration of each call
	spent time.Duration
}

// run calls do for all players during a turn, at most 15 times each, which is below the table's limit per player.
func (l *measurement) run(players []*player, do func(*player) error) error {
	begin := time.Now()
	err := compare.Parallel(len(players), func(n int) error {
		for range 15 {
			at := time.Now()
			if at.Sub(begin) > turn {
				return nil
			}
			if err := do(players[n]); err != nil {
				return err
			}
			l.mu.Lock()
			l.took = append(l.took, time.Since(at))
			l.mu.Unlock()
		}
		return nil
	})
	l.spent += time.Since(begin)
	return err
}

func (l *measurement) rate() float64 { return float64(len(l.took)) / l.spent.Seconds() }

// at returns the given quantile of the durations.
func (l *measurement) at(share float64) time.Duration {
	slices.Sort(l.took)
	return l.took[int(share*float64(len(l.took)-1))].Round(time.Millisecond / 10)
}

type ended struct {
	tickets int
	took    time.Duration
}

// waitSettled waits for the round's result, then until all its tickets are settled.
func waitSettled(ctx context.Context, store *db.Store, round string) (e ended, err error) {
	await := func(statement string) error {
		for n := 0; n == 0; {
			if err := store.Reader.QueryRowContext(ctx, statement+round).Scan(&n); err != nil {
				return err
			}
			if ctx.Err() != nil {
				return fmt.Errorf("the round did not come to its end: %w", ctx.Err())
			}
			if n == 0 {
				time.Sleep(10 * time.Millisecond)
			}
		}
		return nil
	}
	if err := await("SELECT COUNT(*) FROM house_table_round WHERE status IN ('result', 'ended') AND id = "); err != nil {
		return e, err
	}
	begin := time.Now()
	if err := await("SELECT CASE WHEN SUM(CASE WHEN status = 'settled' THEN 0 ELSE 1 END) = 0 THEN 1 ELSE 0 END FROM house_round WHERE table_round = "); err != nil {
		return e, err
	}
	e.took = time.Since(begin)
	err = store.Reader.QueryRowContext(ctx, "SELECT COUNT(*) FROM house_round WHERE table_round = "+round).Scan(&e.tickets)
	return e, err
}
