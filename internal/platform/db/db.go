// Package db opens the database, SQLite in the data folder or PostgreSQL by address, and gives the same
// queries on both. It holds the schema's migrations and sqlc's output (package query). It knows no rule of
// any domain and never moves money.
package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"fairground/internal/platform/db/query"
)

// Engine is the kind of database behind a Store.
type Engine string

// The two engines. One query set serves both.
const (
	SQLite   Engine = "sqlite"
	Postgres Engine = "postgres"
)

// Options say which database to open.
type Options struct {
	Data     string // data folder; SQLite lives in it when URL is empty
	URL      string // postgres://…
	ReadOnly bool   // for commands that only look, beside a running server
	MaxConns int    // PostgreSQL pool; 0 means a sensible default
}

// Store is an open database. On SQLite there is one writing connection and several reading ones; on
// PostgreSQL both are the same pool.
type Store struct {
	Engine Engine
	Writer *sql.DB
	Reader *sql.DB
	Path   string // the SQLite file, empty on PostgreSQL

	opened time.Time // carries the steady clock's reading
	known  known
}

// Tx is a transaction with the typed queries bound to it.
type Tx struct {
	*sql.Tx
	Q      *query.Queries
	Engine Engine

	opened time.Time
}

// Open connects and checks that the database is usable. It does not migrate.
func Open(ctx context.Context, o Options) (s *Store, err error) {
	switch {
	case o.URL != "":
		s, err = openPostgres(ctx, o)
	case o.Data == "":
		return nil, errors.New("open database: neither a data folder nor an address was given")
	default:
		s, err = openSQLite(ctx, filepath.Join(o.Data, "fairground.db"), o.ReadOnly)
	}
	if err != nil {
		return nil, err
	}
	s.opened = time.Now()
	if err := s.ask(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// Close closes the pools, as far as they were opened.
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

// Q gives the typed queries for reading outside a transaction.
func (s *Store) Q() *query.Queries { return query.New(Bind(s.Engine, s.Reader)) }

// ErrNoTurn is returned where a transaction could not begin before its caller's time was over: other writers came first.
var ErrNoTurn = errors.New("no turn to write")

// Write runs fn in one transaction, committed when fn returns nil. On SQLite writers queue for the one
// writing connection, so fn must be short and must not wait for anything outside the database.
func (s *Store) Write(ctx context.Context, fn func(*Tx) error) (err error) {
	tx, err := s.Writer.BeginTx(ctx, nil)
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("begin: %w: %w", ErrNoTurn, err)
	}
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	// Also when fn panics: an open transaction would keep the connection, on SQLite the only one, for ever.
	defer func() { err = errors.Join(err, ignoreDone(tx.Rollback())) }()
	if err = fn(&Tx{Tx: tx, Q: query.New(Bind(s.Engine, tx)), Engine: s.Engine, opened: s.opened}); err != nil {
		return err
	}
	if err = tx.Commit(); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}

func ignoreDone(err error) error {
	if errors.Is(err, sql.ErrTxDone) || errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// Bind makes sqlc's $N parameters understood by the engine.
func Bind(e Engine, q query.DBTX) query.DBTX {
	if e == SQLite {
		return rebound{q}
	}
	return q
}
