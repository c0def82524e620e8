package dbtest

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"sync/atomic"
	"testing"

	"fairground/internal/platform/db"
)

// Counted gives a store over connections that count the statements they are sent, for tests that compare work and not
// clocks. Whoever uses it must not use the store beneath: on SQLite the one writing connection is taken.
func Counted(t testing.TB, s *db.Store) (*db.Store, *atomic.Int64) {
	t.Helper()
	n := &atomic.Int64{}
	over := func(beneath *sql.DB) *sql.DB {
		pool := sql.OpenDB(counting{beneath, n})
		pool.SetMaxOpenConns(beneath.Stats().MaxOpenConnections)
		t.Cleanup(func() { _ = pool.Close() }) // what it holds is closed with the pool beneath
		return pool
	}
	c := &db.Store{Engine: s.Engine, Path: s.Path, Writer: over(s.Writer)}
	if c.Reader = c.Writer; s.Reader != s.Writer {
		c.Reader = over(s.Reader)
	}
	return c, n
}

// counting makes connections on top of those of a pool.
type counting struct {
	beneath *sql.DB
	n       *atomic.Int64
}

func (c counting) Driver() driver.Driver { return c.beneath.Driver() }

func (c counting) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := c.beneath.Conn(ctx)
	if err != nil {
		return nil, err
	}
	return &counted{conn, c.n}, nil
}

// counted is a connection that counts.
type counted struct {
	beneath *sql.Conn
	n       *atomic.Int64
}

// on runs something on the driver's own connection.
func on[C, R any](c *counted, do func(C) (R, error)) (result R, err error) {
	raw := c.beneath.Raw(func(conn any) error {
		result, err = do(conn.(C))
		return nil // what went wrong is the statement's, and the connection is as good as before
	})
	if raw != nil {
		return result, raw
	}
	return result, err
}

func (c *counted) Close() error { return c.beneath.Close() }

func (c *counted) Begin() (driver.Tx, error) {
	return c.BeginTx(context.Background(), driver.TxOptions{})
}

func (c *counted) BeginTx(ctx context.Context, o driver.TxOptions) (driver.Tx, error) {
	return on(c, func(conn driver.ConnBeginTx) (driver.Tx, error) { return conn.BeginTx(ctx, o) })
}

func (c *counted) Prepare(query string) (driver.Stmt, error) {
	return c.PrepareContext(context.Background(), query)
}

func (c *counted) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	c.n.Add(1)
	return on(c, func(conn driver.ConnPrepareContext) (driver.Stmt, error) { return conn.PrepareContext(ctx, query) })
}

func (c *counted) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	c.n.Add(1)
	return on(c, func(conn driver.QueryerContext) (driver.Rows, error) { return conn.QueryContext(ctx, query, args) })
}

func (c *counted) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	c.n.Add(1)
	return on(c, func(conn driver.ExecerContext) (driver.Result, error) { return conn.ExecContext(ctx, query, args) })
}
