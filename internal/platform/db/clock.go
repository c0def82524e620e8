package db

import (
	"context"
	"database/sql"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

const (
	clockRefreshInterval = 10 * time.Second
	clockRefreshTimeout  = 2 * time.Second
)

// A clockReading is the database's time at a local monotonic time.
type clockReading struct{ time, at time.Time }

type clockCache struct {
	last       atomic.Pointer[clockReading]
	refreshing sync.Mutex
}

// Time returns the database's time without a query. On PostgreSQL it is the last reading plus the monotonic time since. It is
// accurate to within a round trip, whatever the machine's clock says. Use Now where the exact moment matters.
func (s *Store) Time() time.Time {
	if s.Engine == SQLite {
		return s.local.now()
	}
	last := s.clock.last.Load()
	if time.Since(last.at) > clockRefreshInterval && s.clock.refreshing.TryLock() {
		defer s.clock.refreshing.Unlock()
		ctx, cancel := context.WithTimeout(context.Background(), clockRefreshTimeout)
		defer cancel()
		if err := s.refreshClock(ctx); err != nil { // continue from the last reading, and retry after the interval
			s.clock.last.Store(&clockReading{last.time.Add(time.Since(last.at)), time.Now()})
		}
		last = s.clock.last.Load()
	}
	return last.time.Add(time.Since(last.at))
}

func (s *Store) refreshClock(ctx context.Context) error {
	began := time.Now()
	dbTime, err := s.Now(ctx)
	if err != nil {
		return err
	}
	s.clock.last.Store(&clockReading{dbTime, began.Add(time.Since(began) / 2)}) // assume that it was read halfway through the round trip
	return nil
}

// Now returns the database's time, which decides when periods open and close. Changing the server's clock does not affect
// PostgreSQL's. SQLite's follows the server's clock, and never goes back.
func (s *Store) Now(ctx context.Context) (time.Time, error) {
	return now(ctx, s.Engine, s.Reader, &s.local)
}

// Now returns the database's time at this point of the transaction, not at its start.
func (tx *Tx) Now(ctx context.Context) (time.Time, error) {
	return now(ctx, tx.Engine, tx.Tx, tx.local)
}

func now(ctx context.Context, engine Engine, q interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}, local *localClock,
) (time.Time, error) {
	if engine == SQLite {
		return local.now(), nil
	}
	var t time.Time
	if err := q.QueryRowContext(ctx, "SELECT clock_timestamp()").Scan(&t); err != nil {
		return t, fmt.Errorf("read database clock: %w", err)
	}
	return t.UTC(), nil
}
