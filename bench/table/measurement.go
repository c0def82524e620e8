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
	mu        sync.Mutex
	durations []time.Duration // of each call
	spent     time.Duration
}

// run calls do for all players during a turn, at most 15 times each, which is below the table's limit per player.
func (l *measurement) run(players []*player, do func(*player) error) error {
	start := time.Now()
	err := compare.Parallel(len(players), func(n int) error {
		for range 15 {
			callStart := time.Now()
			if callStart.Sub(start) > turn {
				return nil
			}
			if err := do(players[n]); err != nil {
				return err
			}
			l.mu.Lock()
			l.durations = append(l.durations, time.Since(callStart))
			l.mu.Unlock()
		}
		return nil
	})
	l.spent += time.Since(start)
	return err
}

func (l *measurement) rate() float64 { return float64(len(l.durations)) / l.spent.Seconds() }

func (l *measurement) quantile(share float64) time.Duration {
	slices.Sort(l.durations)
	return l.durations[int(share*float64(len(l.durations)-1))].Round(time.Millisecond / 10)
}

type settlement struct {
	tickets int
	took    time.Duration
}

// waitSettled waits for the round's result, then until all its tickets are settled.
func waitSettled(ctx context.Context, store *db.Store, round string) (e settlement, err error) {
	await := func(statement string) error {
		for n := 0; n == 0; {
			if err := store.Reader.QueryRowContext(ctx, statement+round).Scan(&n); err != nil {
				return err
			}
			if ctx.Err() != nil {
				return fmt.Errorf("the round did not end: %w", ctx.Err())
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
	start := time.Now()
	if err := await("SELECT CASE WHEN SUM(CASE WHEN status = 'settled' THEN 0 ELSE 1 END) = 0 THEN 1 ELSE 0 END FROM house_round WHERE table_round = "); err != nil {
		return e, err
	}
	e.took = time.Since(start)
	err = store.Reader.QueryRowContext(ctx, "SELECT COUNT(*) FROM house_round WHERE table_round = "+round).Scan(&e.tickets)
	return e, err
}
