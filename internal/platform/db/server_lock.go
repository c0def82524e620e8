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

// ErrOtherServer reports that another server uses the database but does not share events with this one. Each server would
// keep using sessions and settings that the other has changed.
var ErrOtherServer = errors.New("another server uses this database without sharing events with this one: start all servers with the same --nats")

const (
	// serverLockKey is the advisory lock that every server on a database holds. Servers that share events hold it in shared
	// mode, others in exclusive mode.
	serverLockKey      = 0x6661697267726e64
	serverLockInterval = 5 * time.Second
)

// LockServer takes the server lock of this database and returns a function that releases it. A server that does not share
// events must be the only server. LockServer waits up to timeout for another server to stop. On SQLite it does nothing,
// because the lock of the data folder allows only one server.
func (s *Store) LockServer(ctx context.Context, sharesEvents bool, timeout time.Duration, log *slog.Logger) (release func(), err error) {
	if s.Engine != Postgres {
		return func() {}, nil
	}
	l := &serverLock{store: s, shared: sharesEvents, log: log}
	for deadline, waiting := time.Now().Add(timeout), false; ; {
		if err = l.take(ctx); !errors.Is(err, ErrOtherServer) || time.Now().After(deadline) {
			break
		}
		if !waiting && log != nil {
			waiting = true
			log.WarnContext(ctx, "waiting for another server on the database to end", "timeout", timeout.String())
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
	// The database releases the lock when the connection closes, for example on a restart. Then take it again.
	keepCtx, stop := context.WithCancel(context.WithoutCancel(ctx))
	var keeper sync.WaitGroup
	keeper.Go(func() { l.keep(keepCtx) })
	return func() {
		stop()
		keeper.Wait()
		l.release()
	}, nil
}

// OtherServers returns the number of other servers that hold the lock.
func (s *Store) OtherServers(ctx context.Context) (n int, err error) {
	if s.Engine != Postgres {
		return 0, nil
	}
	err = s.Reader.QueryRowContext(ctx, `SELECT COUNT(*) FROM pg_locks l JOIN pg_database d ON d.oid = l.database
WHERE l.locktype = 'advisory' AND l.granted AND d.datname = current_database() AND (l.classid::bigint << 32 | l.objid::bigint) = $1`, int64(serverLockKey)).Scan(&n)
	if err != nil {
		return 0, fmt.Errorf("count other servers: %w", err)
	}
	return max(0, n-1), nil
}

type serverLock struct {
	store  *Store
	shared bool
	log    *slog.Logger
	conn   *sql.Conn // nil if the connection was lost
}

func (l *serverLock) take(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, serverLockInterval)
	defer cancel()
	conn, err := l.store.Writer.Conn(ctx)
	if err != nil {
		return fmt.Errorf("check for other servers: %w", err)
	}
	l.conn = conn
	statement := "SELECT pg_try_advisory_lock($1)"
	if l.shared {
		statement = "SELECT pg_try_advisory_lock_shared($1)"
	}
	// Without keepalives, the database would keep the lock of a machine that lost power for hours.
	_, err = conn.ExecContext(ctx, "SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3")
	var taken bool
	if err == nil {
		err = conn.QueryRowContext(ctx, statement, int64(serverLockKey)).Scan(&taken)
	}
	if err == nil && taken {
		return nil
	}
	l.release()
	if err != nil {
		return fmt.Errorf("check for other servers: %w", err)
	}
	return ErrOtherServer
}

// keep takes the lock again whenever its connection is lost, until ctx ends.
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
			l.log.ErrorContext(ctx, "could not retake the database lock for servers: will retry", "error", err)
		}
	}
}

func (l *serverLock) alive(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, serverLockInterval)
	defer cancel()
	_, err := l.conn.ExecContext(ctx, "SELECT 1")
	return err == nil
}

func (l *serverLock) release() {
	if l.conn == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_, _ = l.conn.ExecContext(ctx, "SELECT pg_advisory_unlock_all()") // so that the next server need not wait until the connection closes
	_ = l.conn.Raw(func(any) error { return driver.ErrBadConn })      // so that the pool drops it
	_ = l.conn.Close()                                                // closed either way
	l.conn = nil
}
