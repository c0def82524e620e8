// Package db opens the database: SQLite in the data folder, or PostgreSQL by URL. Both use the same queries. The package
// contains the migrations and, in package query, the code that sqlc generates. It contains no domain rules and never moves
// money.
package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"sync/atomic"

	"fairground/internal/platform/db/query"
)

// An Engine is a kind of database.
type Engine string

// Supported engines.
const (
	SQLite   Engine = "sqlite"
	Postgres Engine = "postgres"
)

// Options configure Open.
type Options struct {
	Data     string // data folder; it contains the SQLite file if URL is empty
	URL      string // postgres://…
	ReadOnly bool   // for commands that only read, also while a server runs
	MaxConns int    // size of the PostgreSQL pool; 0 means the default
	Log      *slog.Logger
}

// A Store is an open database. On SQLite, Writer has one connection and Reader has several. On PostgreSQL, both are the
// same pool.
type Store struct {
	Engine Engine
	Writer *sql.DB
	Reader *sql.DB
	Path   string // path of the SQLite file; empty on PostgreSQL

	sqliteClock   localClock
	postgresClock clockCache
}

// A Tx is a transaction with typed queries.
type Tx struct {
	*sql.Tx
	Q      *query.Queries
	Engine Engine

	sqliteClock *localClock
}

// Open connects to the database and checks that it works. It does not run migrations.
func Open(ctx context.Context, o Options) (s *Store, err error) {
	switch {
	case o.URL != "":
		s, err = openPostgres(ctx, o)
	case o.Data == "":
		return nil, errors.New("open database: no data folder and no URL given")
	default:
		s, err = openSQLite(ctx, filepath.Join(o.Data, "fairground.db"), o.ReadOnly)
	}
	if err != nil {
		return nil, err
	}
	if s.Engine == SQLite {
		s.sqliteClock.log = o.Log
		return s, nil
	}
	if err := s.refreshClock(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// Close closes the pools.
func (s *Store) Close() error {
	var err error
	if s.Reader != nil {
		err = s.Reader.Close()
	}
	if s.Writer != nil && s.Writer != s.Reader {
		err = errors.Join(err, s.Writer.Close())
	}
	return err
}

// Q returns the typed queries for reading outside a transaction.
func (s *Store) Q() *query.Queries { return query.New(Bind(s.Engine, s.Reader)) }

// ErrWriteTimeout reports that a transaction could not begin in time, because other writers used the connections.
var ErrWriteTimeout = errors.New("timed out waiting for other writers")

// Write runs fn in one transaction and commits if fn returns nil. On SQLite there is only one write connection, so fn must
// be short and must not wait for anything outside the database.
func (s *Store) Write(ctx context.Context, fn func(*Tx) error) (err error) {
	tx, err := s.Writer.BeginTx(ctx, nil)
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("begin: %w: %w", ErrWriteTimeout, err)
	}
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	// Roll back also after a panic. An open transaction would keep its connection forever, and SQLite has only one.
	defer func() { err = errors.Join(err, ignoreDone(tx.Rollback())) }()
	dbTx := &Tx{Tx: tx, Q: query.New(Bind(s.Engine, tx)), Engine: s.Engine, sqliteClock: &s.sqliteClock}
	if err = fn(dbTx); err != nil {
		return err
	}
	hook, _ := ctx.Value(hookKey{}).(*commitHook)
	runsHook := hook != nil && !hook.done.Load()
	if runsHook {
		if err = hook.run(ctx, dbTx); err != nil {
			return err
		}
	}
	if err = tx.Commit(); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	if runsHook {
		hook.done.Store(true)
	}
	return nil
}

type hookKey struct{}

// A commitHook runs in transactions until one of them has committed.
type commitHook struct {
	run  func(context.Context, *Tx) error
	done atomic.Bool
}

// WithHook returns a context whose first Write transaction also runs hook, before it commits. If that transaction is rolled
// back, the next one runs hook again.
func WithHook(ctx context.Context, hook func(context.Context, *Tx) error) context.Context {
	return context.WithValue(ctx, hookKey{}, &commitHook{run: hook})
}

func ignoreDone(err error) error {
	if errors.Is(err, sql.ErrTxDone) || errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// Bind makes q accept sqlc's $N parameters on both engines.
func Bind(e Engine, q query.DBTX) query.DBTX {
	if e == SQLite {
		return sqliteDBTX{q}
	}
	return q
}
