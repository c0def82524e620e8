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
	// serverLockKey names the advisory lock of all servers on a database: those that share their events hold it
	// together, one that does not holds it alone.
	serverLockKey      = 0x6661697267726e64
	serverLockInterval = 5 * time.Second
)

// LockServer takes the lock that servers on one database share, and gives what releases it. One whose events reach
// no other must be alone. It waits up to patience for one that is just stopping. A SQLite file has one server, by
// the lock on its folder.
func (s *Store) LockServer(ctx context.Context, sharesEvents bool, patience time.Duration, log *slog.Logger) (release func(), err error) {
	if s.Engine != Postgres {
		return func() {}, nil
	}
	l := &serverLock{store: s, shared: sharesEvents, log: log}
	for giveUp := time.Now().Add(patience); ; {
		if err = l.take(ctx); !errors.Is(err, ErrOtherServer) || time.Now().After(giveUp) {
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
	watching.Go(func() { l.keep(kept) })
	return func() {
		stop()
		watching.Wait()
		l.release()
	}, nil
}

// serverLock is the advisory lock that one server holds, on a connection of its own.
type serverLock struct {
	store  *Store
	shared bool
	log    *slog.Logger
	conn   *sql.Conn // nil: lost
}

func (l *serverLock) take(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, serverLockInterval)
	defer cancel()
	conn, err := l.store.Writer.Conn(ctx)
	if err != nil {
		return fmt.Errorf("look for other servers: %w", err)
	}
	l.conn = conn
	take := "SELECT pg_try_advisory_lock($1)"
	if l.shared {
		take = "SELECT pg_try_advisory_lock_shared($1)"
	}
	// A machine that loses its power says no goodbye: without this its lock would stay taken for hours.
	_, err = conn.ExecContext(ctx, "SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3")
	var taken bool
	if err == nil {
		err = conn.QueryRowContext(ctx, take, int64(serverLockKey)).Scan(&taken)
	}
	if err == nil && taken {
		return nil
	}
	l.release()
	if err != nil {
		return fmt.Errorf("look for other servers: %w", err)
	}
	return ErrOtherServer
}

// keep looks whether the connection still lives, and takes the lock again when it does not.
func (l *serverLock) keep(ctx context.Context) {
	for tick := time.NewTicker(serverLockInterval); ; {
		select {
		case <-ctx.Done():
			tick.Stop()
			return
		case <-tick.C:
		}
		if l.conn != nil && l.alive(ctx) || ctx.Err() != nil {
			continue
		}
		l.release()
		if err := l.take(ctx); err != nil && ctx.Err() == nil {
			l.log.ErrorContext(ctx, "take the lock of servers on the database again", "error", err)
		}
	}
}

func (l *serverLock) alive(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, serverLockInterval)
	defer cancel()
	_, err := l.conn.ExecContext(ctx, "SELECT 1")
	return err == nil
}

// release frees the lock and ends the connection: where it no longer answers, the lock goes with it.
func (l *serverLock) release() {
	if l.conn == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_, _ = l.conn.ExecContext(ctx, "SELECT pg_advisory_unlock_all()") // the next one need not wait for the connection's end
	_ = l.conn.Raw(func(any) error { return driver.ErrBadConn })      // so it is not kept
	_ = l.conn.Close()                                                // it is gone either way
	l.conn = nil
}
