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
	askEvery  = 10 * time.Second
	askWithin = 2 * time.Second
)

// reading is what the database said the time was, and when, by this process's steady clock.
type reading struct{ said, at time.Time }

// known is the last reading.
type known struct {
	last   atomic.Pointer[reading]
	asking sync.Mutex
}

// Time is the database's time without a trip to it: what it said some seconds ago, and what has passed since by the steady clock. It
// is right to within a trip, on every replica, wherever the machine's own clock stands: good for what lasts seconds or longer. What
// closes to the moment asks by Now.
func (s *Store) Time() time.Time {
	last := s.known.last.Load()
	if s.Engine == Postgres && time.Since(last.at) > askEvery && s.known.asking.TryLock() {
		defer s.known.asking.Unlock()
		ctx, cancel := context.WithTimeout(context.Background(), askWithin)
		defer cancel()
		if err := s.ask(ctx); err != nil { // it goes on from the last, and the next to ask comes as late as after an answer
			s.known.last.Store(&reading{last.said.Add(time.Since(last.at)), time.Now()})
		}
		last = s.known.last.Load()
	}
	return last.said.Add(time.Since(last.at))
}

// ask reads the database's time.
func (s *Store) ask(ctx context.Context) error {
	began := time.Now()
	said, err := s.Now(ctx)
	if err != nil {
		return err
	}
	s.known.last.Store(&reading{said, began.Add(time.Since(began) / 2)}) // it was said amid the trip
	return nil
}

// Now is the database's time, by which periods open and close. PostgreSQL is asked; on SQLite it is this process's steady
// clock, anchored when the database was opened: setting the server's clock moves neither.
func (s *Store) Now(ctx context.Context) (time.Time, error) {
	return now(ctx, s.Engine, s.Reader, s.opened)
}

// Now is the database's time at this point of the transaction, not at its start.
func (tx *Tx) Now(ctx context.Context) (time.Time, error) {
	return now(ctx, tx.Engine, tx.Tx, tx.opened)
}

func now(ctx context.Context, engine Engine, q interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}, opened time.Time,
) (time.Time, error) {
	if engine == SQLite {
		return opened.Add(time.Since(opened)), nil // both by the steady clock
	}
	var t time.Time
	if err := q.QueryRowContext(ctx, "SELECT clock_timestamp()").Scan(&t); err != nil {
		return t, fmt.Errorf("ask the database for its time: %w", err)
	}
	return t.UTC(), nil
}
