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

// errFileReplaced reports that the database file was deleted or replaced after it was opened.
var errFileReplaced = errors.New("the database file is missing or was replaced")

// A fileGuard allows connections and commits only while path is still the file that was opened. A deleted or
// replaced file still accepts writes, which would be lost when the server stops.
type fileGuard struct {
	driver.Connector
	path   string
	opened os.FileInfo
}

func openGuarded(path, address string) (*sql.DB, error) {
	opened, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	c, err := sqlite.NewConnector(address)
	if err != nil {
		return nil, err
	}
	return sql.OpenDB(fileGuard{c, path, opened}), nil
}

// Connect implements driver.Connector.
func (p fileGuard) Connect(ctx context.Context) (driver.Conn, error) {
	if !p.sameFile() {
		return nil, errFileReplaced
	}
	conn, err := p.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	if !p.sameFile() { // the file may have been replaced before it was opened
		return nil, errors.Join(errFileReplaced, conn.Close())
	}
	hooked, ok := conn.(interface{ RegisterCommitHook(sqlite.CommitHookFn) })
	if !ok {
		return nil, errors.Join(errors.New("the driver has no commit hook"), conn.Close())
	}
	hooked.RegisterCommitHook(func() int32 {
		if !p.sameFile() {
			return 1 // roll back
		}
		return 0
	})
	return cacheStatements(conn)
}

func (p fileGuard) sameFile() bool {
	now, err := os.Stat(p.path)
	return err == nil && os.SameFile(p.opened, now)
}

// FileReplaced reports whether err means that the database file is missing or was replaced.
func FileReplaced(err error) bool {
	var e *sqlite.Error
	return errors.Is(err, errFileReplaced) || errors.As(err, &e) && e.Code() == sqlite3.SQLITE_CONSTRAINT_COMMITHOOK
}
