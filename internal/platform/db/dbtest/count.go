package dbtest

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"sync/atomic"
	"testing"

	"fairground/internal/platform/db"
)

// CountStatements returns a store that counts the statements sent to s, for tests that compare work instead of time. Do
// not use s while the returned store is open: on SQLite that store holds the only write connection.
func CountStatements(t testing.TB, s *db.Store) (*db.Store, *atomic.Int64) {
	t.Helper()
	n := &atomic.Int64{}
	counting := func(inner *sql.DB) *sql.DB {
		pool := sql.OpenDB(countingConnector{inner, n})
		pool.SetMaxOpenConns(inner.Stats().MaxOpenConnections)
		t.Cleanup(func() { _ = pool.Close() }) // its connections are closed with the inner pool
		return pool
	}
	c := &db.Store{Engine: s.Engine, Path: s.Path, Writer: counting(s.Writer)}
	if c.Reader = c.Writer; s.Reader != s.Writer {
		c.Reader = counting(s.Reader)
	}
	return c, n
}

type countingConnector struct {
	inner *sql.DB
	n     *atomic.Int64
}

func (c countingConnector) Driver() driver.Driver { return c.inner.Driver() }

func (c countingConnector) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := c.inner.Conn(ctx)
	if err != nil {
		return nil, err
	}
	return &countingConn{conn, c.n}, nil
}

type countingConn struct {
	inner *sql.Conn
	n     *atomic.Int64
}

func withConn[C, R any](c *countingConn, do func(C) (R, error)) (result R, err error) {
	raw := c.inner.Raw(func(conn any) error {
		result, err = do(conn.(C))
		return nil // a statement's error leaves the connection usable
	})
	if raw != nil {
		return result, raw
	}
	return result, err
}

func (c *countingConn) Close() error { return c.inner.Close() }

func (c *countingConn) Begin() (driver.Tx, error) {
	return c.BeginTx(context.Background(), driver.TxOptions{})
}

func (c *countingConn) BeginTx(ctx context.Context, o driver.TxOptions) (driver.Tx, error) {
	return withConn(c, func(conn driver.ConnBeginTx) (driver.Tx, error) { return conn.BeginTx(ctx, o) })
}

func (c *countingConn) Prepare(query string) (driver.Stmt, error) {
	return c.PrepareContext(context.Background(), query)
}

func (c *countingConn) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	c.n.Add(1)
	return withConn(c, func(conn driver.ConnPrepareContext) (driver.Stmt, error) { return conn.PrepareContext(ctx, query) })
}

func (c *countingConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	c.n.Add(1)
	return withConn(c, func(conn driver.QueryerContext) (driver.Rows, error) { return conn.QueryContext(ctx, query, args) })
}

func (c *countingConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	c.n.Add(1)
	return withConn(c, func(conn driver.ExecerContext) (driver.Result, error) { return conn.ExecContext(ctx, query, args) })
}
