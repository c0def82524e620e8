package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"
)

// ErrOtherServer keeps two servers that cannot tell each other of changes off one database: each would go on serving
// sessions that the other has ended, and settings that the other has changed.
var ErrOtherServer = errors.New("another server works on this database and does not share its events with this one: give all of them the same --nats")

const (
	// companyLock is the advisory lock of all servers on a database: those that share their events hold it
	// together, one that does not holds it alone.
	companyLock  = 0x6661697267726e64
	companyAgain = 5 * time.Second
)

// Join takes this server's place among those on the database and gives the way to leave it. One whose events reach
// no other must be alone. It waits up to patience for one that is just stopping. A SQLite file has one server, by
// the lock on its folder.
func (s *Store) Join(ctx context.Context, sharesEvents bool, patience time.Duration, log *slog.Logger) (leave func(), err error) {
	if s.Engine != Postgres {
		return func() {}, nil
	}
	p := &place{store: s, shared: sharesEvents, log: log}
	for giveUp := time.Now().Add(patience); ; {
		if err = p.take(ctx); !errors.Is(err, ErrOtherServer) || time.Now().After(giveUp) {
			break
		}
		select {
		case <-ctx.Done():
			return nil, err
		case <-time.After(100 * time.Millisecond):
		}
	}
	if err != nil {
		return nil, err
	}
	// The lock lives as long as its connection; the database may restart, and this server go on.
	kept, stop := context.WithCancel(context.WithoutCancel(ctx))
	var watching sync.WaitGroup
	watching.Go(func() { p.keep(kept) })
	return func() {
		stop()
		watching.Wait()
		p.leave()
	}, nil
}

// place is one server's hold of the lock, on a connection of its own.
type place struct {
	store  *Store
	shared bool
	log    *slog.Logger
	conn   *sql.Conn // nil: lost
}

func (p *place) take(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, companyAgain)
	defer cancel()
	conn, err := p.store.Writer.Conn(ctx)
	if err != nil {
		return fmt.Errorf("look for other servers: %w", err)
	}
	p.conn = conn
	take := "SELECT pg_try_advisory_lock($1)"
	if p.shared {
		take = "SELECT pg_try_advisory_lock_shared($1)"
	}
	// A machine that loses its power says no goodbye: without this its place would stay taken for hours.
	_, err = conn.ExecContext(ctx, "SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3")
	var taken bool
	if err == nil {
		err = conn.QueryRowContext(ctx, take, int64(companyLock)).Scan(&taken)
	}
	if err == nil && taken {
		return nil
	}
	p.leave()
	if err != nil {
		return fmt.Errorf("look for other servers: %w", err)
	}
	return ErrOtherServer
}

// keep looks whether the connection still lives, and takes the place anew when it does not.
func (p *place) keep(ctx context.Context) {
	for tick := time.NewTicker(companyAgain); ; {
		select {
		case <-ctx.Done():
			tick.Stop()
			return
		case <-tick.C:
		}
		if p.conn != nil && p.alive(ctx) || ctx.Err() != nil {
			continue
		}
		p.leave()
		if err := p.take(ctx); err != nil && ctx.Err() == nil {
			p.log.ErrorContext(ctx, "take this server's place on the database again", "error", err)
		}
	}
}

func (p *place) alive(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, companyAgain)
	defer cancel()
	_, err := p.conn.ExecContext(ctx, "SELECT 1")
	return err == nil
}

// leave frees the lock and ends the connection: where it no longer answers, the lock goes with it.
func (p *place) leave() {
	if p.conn == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_, _ = p.conn.ExecContext(ctx, "SELECT pg_advisory_unlock_all()") // the next one need not wait for the connection's end
	_ = p.conn.Raw(func(any) error { return driver.ErrBadConn })      // so it is not kept
	_ = p.conn.Close()                                                // it is gone either way
	p.conn = nil
}
