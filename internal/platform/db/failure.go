package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"syscall"

	"github.com/jackc/pgx/v5/pgconn"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// sqliteCode gives SQLite's primary result code, 0 where err is not SQLite's.
func sqliteCode(err error) int {
	var e *sqlite.Error
	if errors.As(err, &e) {
		return e.Code() & 0xff // the extended code's lower byte is the code
	}
	return 0
}

// Locked tells whether another program holds the SQLite file.
func Locked(err error) bool {
	code := sqliteCode(err)
	return code == sqlite3.SQLITE_BUSY || code == sqlite3.SQLITE_LOCKED
}

// Damaged tells whether the SQLite file cannot be read as a database.
func Damaged(err error) bool {
	code := sqliteCode(err)
	return code == sqlite3.SQLITE_NOTADB || code == sqlite3.SQLITE_CORRUPT
}

// DiskFull tells whether there was no room to write.
func DiskFull(err error) bool {
	return sqliteCode(err) == sqlite3.SQLITE_FULL || errors.Is(err, syscall.ENOSPC)
}

// Unavailable tells a database that cannot work just now (away, full, locked) from a mistake of ours.
func Unavailable(err error) bool {
	if Vanished(err) {
		return true
	}
	switch sqliteCode(err) {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY:
		return true
	}
	var refused *pgconn.PgError
	if errors.As(err, &refused) {
		switch class := refused.Code[:min(2, len(refused.Code))]; class {
		case "08", "53", "57", "58": // connection, resources, operator's intervention, system
			return true
		}
		return false
	}
	var connect *pgconn.ConnectError
	var network net.Error
	return errors.As(err, &connect) || errors.As(err, &network) && !errors.Is(err, context.DeadlineExceeded) ||
		errors.Is(err, driver.ErrBadConn) || errors.Is(err, sql.ErrConnDone) || errors.Is(err, io.ErrUnexpectedEOF)
}
