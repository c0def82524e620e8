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

// A clockReading is a time read from the database, with the local time when it was read.
type clockReading struct{ dbTime, readAt time.Time }

type clockCache struct {
	last       atomic.Pointer[clockReading]
	refreshing sync.Mutex
}

// Time returns the database's time, usually without a query. On PostgreSQL it adds the elapsed monotonic time to the last
// reading. The result is accurate to within a round trip, even if the machine's clock is wrong. Use Now where the exact
// moment matters.
func (s *Store) Time() time.Time {
	if s.Engine == SQLite {
		return s.sqliteClock.now()
	}
	last := s.postgresClock.last.Load()
	if time.Since(last.readAt) > clockRefreshInterval && s.postgresClock.refreshing.TryLock() {
		defer s.postgresClock.refreshing.Unlock()
		ctx, cancel := context.WithTimeout(context.Background(), clockRefreshTimeout)
		defer cancel()
		if err := s.refreshClock(ctx); err != nil { // continue from the last reading, and retry after the interval
			s.postgresClock.last.Store(&clockReading{last.dbTime.Add(time.Since(last.readAt)), time.Now()})
		}
		last = s.postgresClock.last.Load()
	}
	return last.dbTime.Add(time.Since(last.readAt))
}

func (s *Store) refreshClock(ctx context.Context) error {
	start := time.Now()
	dbTime, err := s.Now(ctx)
	if err != nil {
		return err
	}
	s.postgresClock.last.Store(&clockReading{dbTime, start.Add(time.Since(start) / 2)}) // assume that the database read its clock halfway through the round trip
	return nil
}

// Now returns the database's time, which decides when periods open and close. On PostgreSQL it does not depend on this
// machine's clock. On SQLite it follows this machine's clock but never goes back.
func (s *Store) Now(ctx context.Context) (time.Time, error) {
	return now(ctx, s.Engine, s.Reader, &s.sqliteClock)
}

// Now returns the database's time at this point of the transaction, not at its start.
func (tx *Tx) Now(ctx context.Context) (time.Time, error) {
	return now(ctx, tx.Engine, tx.Tx, tx.sqliteClock)
}

func now(ctx context.Context, engine Engine, q interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}, sqliteClock *localClock,
) (time.Time, error) {
	if engine == SQLite {
		return sqliteClock.now(), nil
	}
	var t time.Time
	if err := q.QueryRowContext(ctx, "SELECT clock_timestamp()").Scan(&t); err != nil {
		return t, fmt.Errorf("read database clock: %w", err)
	}
	return t.UTC(), nil
}
