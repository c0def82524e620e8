package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"os"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// errVanished says that the database's name leads nowhere any more, or to another file.
var errVanished = errors.New("the database's file is gone or another")

// present opens connections while the database is still the file it was opened as, and lets them commit only as long. An open
// file goes on taking writes after its name is gone or leads to another, and all of them would be lost at the stop.
type present struct {
	driver.Connector
	path   string
	opened os.FileInfo
}

// openPresent gives a pool for the file at path, which exists.
func openPresent(path, address string) (*sql.DB, error) {
	opened, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	c, err := sqlite.NewConnector(address)
	if err != nil {
		return nil, err
	}
	return sql.OpenDB(present{c, path, opened}), nil
}

// Connect implements driver.Connector.
func (p present) Connect(ctx context.Context) (driver.Conn, error) {
	if !p.isThere() {
		return nil, errVanished
	}
	conn, err := p.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	if !p.isThere() { // what was opened may be the other one
		return nil, errors.Join(errVanished, conn.Close())
	}
	hooked, ok := conn.(interface{ RegisterCommitHook(sqlite.CommitHookFn) })
	if !ok {
		return nil, errors.Join(errors.New("the driver knows no commit hook"), conn.Close())
	}
	hooked.RegisterCommitHook(func() int32 {
		if !p.isThere() {
			return 1 // SQLite rolls back
		}
		return 0
	})
	return conn, nil
}

func (p present) isThere() bool {
	now, err := os.Stat(p.path)
	return err == nil && os.SameFile(p.opened, now)
}

// Vanished tells whether err is a connection or a commit refused because the database's file is gone or another.
func Vanished(err error) bool {
	var e *sqlite.Error
	return errors.Is(err, errVanished) || errors.As(err, &e) && e.Code() == sqlite3.SQLITE_CONSTRAINT_COMMITHOOK
}
