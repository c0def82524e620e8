package db

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
)

// maxStatements is the maximum number of prepared statements of a connection.
const maxStatements = 1000

// sqliteConn is the part of the driver's connections that database/sql uses.
type sqliteConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
	driver.Pinger
	driver.SessionResetter
	driver.Validator
}

// A cachedConn keeps the statements of a SQLite connection prepared. Otherwise SQLite parses a statement each time it
// runs, which takes longer than running a short one.
type cachedConn struct {
	sqliteConn
	statements map[string]*cachedStatement
}

func cacheStatements(conn driver.Conn) (driver.Conn, error) {
	inner, ok := conn.(sqliteConn)
	if !ok {
		return nil, errors.Join(fmt.Errorf("the driver's connection is a %T", conn), conn.Close())
	}
	return &cachedConn{inner, make(map[string]*cachedStatement)}, nil
}

// A cachedStatement is busy while its rows are open. The same query then runs with another statement.
type cachedStatement struct {
	driver.StmtExecContext
	driver.StmtQueryContext

	close func() error
	busy  bool
}

// statement returns the prepared statement of a query, or nil if the query must run without one: if its statement is busy, or
// if it has no parameters, because then it is a script or runs rarely.
func (c *cachedConn) statement(ctx context.Context, text string, args []driver.NamedValue) (*cachedStatement, error) {
	if len(args) == 0 {
		return nil, nil
	}
	if s := c.statements[text]; s != nil {
		if s.busy {
			return nil, nil
		}
		return s, nil
	}
	if len(c.statements) >= maxStatements {
		if err := c.closeStatements(); err != nil {
			return nil, err
		}
	}
	prepared, err := c.PrepareContext(ctx, text)
	if err != nil {
		return nil, err
	}
	runs, canRun := prepared.(driver.StmtExecContext)
	queries, canQuery := prepared.(driver.StmtQueryContext)
	if !canRun || !canQuery {
		return nil, errors.Join(fmt.Errorf("the driver's statement is a %T", prepared), prepared.Close())
	}
	s := &cachedStatement{StmtExecContext: runs, StmtQueryContext: queries, close: prepared.Close}
	c.statements[text] = s
	return s, nil
}

// ExecContext implements driver.ExecerContext.
func (c *cachedConn) ExecContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Result, error) {
	s, err := c.statement(ctx, text, args)
	if err != nil {
		return nil, err
	}
	if s == nil {
		return c.sqliteConn.ExecContext(ctx, text, args)
	}
	return s.ExecContext(ctx, args)
}

// QueryContext implements driver.QueryerContext.
func (c *cachedConn) QueryContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Rows, error) {
	s, err := c.statement(ctx, text, args)
	if err != nil {
		return nil, err
	}
	if s == nil {
		return c.sqliteConn.QueryContext(ctx, text, args)
	}
	rows, err := s.QueryContext(ctx, args)
	if err != nil {
		return nil, err
	}
	s.busy = true
	return &cachedRows{rows, s}, nil
}

// Close implements driver.Conn.
func (c *cachedConn) Close() error {
	return errors.Join(c.closeStatements(), c.sqliteConn.Close())
}

// closeStatements closes all statements that are not busy.
func (c *cachedConn) closeStatements() (err error) {
	for text, s := range c.statements {
		if !s.busy {
			err = errors.Join(err, s.close())
			delete(c.statements, text)
		}
	}
	return err
}

// cachedRows are the rows of a cached statement.
type cachedRows struct {
	driver.Rows
	s *cachedStatement
}

// Close implements driver.Rows.
func (r *cachedRows) Close() error {
	r.s.busy = false
	return r.Rows.Close()
}
