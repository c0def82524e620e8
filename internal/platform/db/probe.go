package db

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

const (
	// probeInterval is how long a result is reused. It limits the load that health checks can cause.
	probeInterval = 5 * time.Second
	// probeTimeout cancels a write if the database hangs. Callers have a shorter timeout.
	probeTimeout = 15 * time.Second
	// A probe must need at least as much new disk space as a bet. Otherwise it could succeed while bets fail. On SQLite a
	// bet appends one page per table and index to the write-ahead log. On PostgreSQL a failed bet keeps the pages it got,
	// so a smaller probe soon fails, too.
	probeBytesSQLite   = 256 << 10
	probeBytesPostgres = 64 << 10
)

// A Probe checks whether the database accepts writes. It commits a row that needs new disk space. It runs at most one write
// at once, and at most one per interval.
type Probe struct {
	store *Store
	now   func() time.Time

	mu   sync.Mutex
	last *probeRun // nil before the first write
}

type probeRun struct {
	done    chan struct{}
	endedAt time.Time
	err     error
}

// NewProbe returns a Probe. It does nothing until Check is called.
func NewProbe(store *Store, now func() time.Time) *Probe { return &Probe{store: store, now: now} }

// Check returns nil if the last write succeeded. It waits for a running write until ctx ends.
func (p *Probe) Check(ctx context.Context) error {
	run := p.current()
	select {
	case <-run.done:
		return run.err
	case <-ctx.Done():
		return fmt.Errorf("wait for write: %w", ctx.Err())
	}
}

// current returns the last run, or starts one if the last is too old.
func (p *Probe) current() *probeRun {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.last != nil {
		select {
		case <-p.last.done:
			if p.now().Sub(p.last.endedAt) < probeInterval {
				return p.last
			}
		default:
			return p.last // still running
		}
	}
	run := &probeRun{done: make(chan struct{})}
	p.last = run
	go func() {
		defer close(run.done)
		ctx, cancel := context.WithTimeout(context.Background(), probeTimeout)
		defer cancel()
		run.err = p.write(ctx)
		run.endedAt = p.now()
	}()
	return run
}

func (p *Probe) write(ctx context.Context) error {
	if p.store.Engine == SQLite {
		return p.writeSQLite(ctx)
	}
	busy, err := p.probeTableBusy(ctx)
	if err != nil {
		return err
	}
	err = p.writePostgres(ctx, !busy)
	var pgErr *pgconn.PgError
	if errors.As(err, &pgErr) && pgErr.Code == lockNotAvailable { // a backup has started since the check
		err = p.writePostgres(ctx, false)
	}
	return err
}

// writeSQLite deletes the row in a second transaction, because one transaction would reuse its pages.
func (p *Probe) writeSQLite(ctx context.Context) error {
	if err := p.store.Write(ctx, func(tx *Tx) error { return tx.Q.AddWriteProbe(ctx, randomBytes(probeBytesSQLite)) }); err != nil {
		return err
	}
	return p.store.Write(ctx, func(tx *Tx) error { return tx.Q.ClearWriteProbes(ctx) })
}

const lockNotAvailable = "55P03"

// writePostgres adds a row. TRUNCATE makes PostgreSQL write it to a new file: in the old one, it could reuse the space of
// deleted rows. A table that is not truncated only grows, so the row needs new space as well.
func (p *Probe) writePostgres(ctx context.Context, truncate bool) error {
	return p.store.Write(ctx, func(tx *Tx) error {
		if truncate {
			if _, err := tx.ExecContext(ctx, "SET LOCAL lock_timeout = '1s'"); err != nil {
				return err
			}
			if _, err := tx.ExecContext(ctx, "TRUNCATE write_probe"); err != nil {
				return err
			}
		}
		return tx.Q.AddWriteProbe(ctx, randomBytes(probeBytesPostgres))
	})
}

// probeTableBusy reports whether another session uses the table. pg_dump, for example, uses it during the whole backup.
// TRUNCATE would wait for that session.
func (p *Probe) probeTableBusy(ctx context.Context) (busy bool, err error) {
	err = p.store.Writer.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM pg_locks
		WHERE relation = 'write_probe'::regclass AND pid <> pg_backend_pid()
		AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))`).Scan(&busy)
	return busy, err
}

// randomBytes returns bytes that no file system can compress.
func randomBytes(n int) []byte {
	b := make([]byte, n)
	_, _ = rand.Read(b) // never fails
	return b
}
