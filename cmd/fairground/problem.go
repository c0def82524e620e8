package main

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/jackc/pgx/v5/pgconn"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"fairground/internal/platform/control"
	"fairground/internal/platform/db"
	"fairground/internal/platform/rest"
)

// errTold is returned by a command that has already said what is wrong.
var errTold = errors.New("told")

// oneLine makes any error fit for a single line, without secrets and without saying a thing twice.
func oneLine(err error) string {
	var parts []string
	for line := range strings.Lines(err.Error()) {
		if line = strings.TrimSpace(line); line != "" && !slices.Contains(parts, line) {
			parts = append(parts, line)
		}
	}
	return rest.Scrub(strings.Join(parts, "; "))
}

// explain says in one line what went wrong and, where it can, what to do.
func explain(err error) string {
	line := oneLine(err)
	var listen *net.OpError
	var told *control.Refusal
	switch {
	case errors.As(err, &told):
		return told.Error() // the server has explained it
	case errors.As(err, &listen) && listen.Op == "listen":
		return explainListen(listen)
	case errors.Is(err, control.ErrBusy):
		return line + ": stop that one first, or choose another folder with --data"
	case sqliteCode(err) == sqlite3.SQLITE_BUSY, sqliteCode(err) == sqlite3.SQLITE_LOCKED:
		return "the database is locked by another program: " + line
	case db.Vanished(err):
		return "the database's file was removed or replaced while it was in use, and nothing was changed: stop the server and put the file back"
	case diskFull(err):
		return "the disk is full: " + line
	case sqliteCode(err) == sqlite3.SQLITE_NOTADB, sqliteCode(err) == sqlite3.SQLITE_CORRUPT:
		return "the database file is damaged or none of ours: restore a backup: " + line
	case errors.Is(err, fs.ErrPermission):
		return "not allowed: " + line
	}
	if said, ok := explainFault(err); ok {
		return said
	}
	return line
}

// findDatabase tells a folder without a database from one that this user may not look into.
func findDatabase(folder, advice string) error {
	_, err := os.Stat(filepath.Join(folder, "fairground.db"))
	if errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("look into the data folder %s: %w", folder, fs.ErrPermission)
	}
	if err != nil {
		return fmt.Errorf("no database in %s: %s", folder, advice)
	}
	return nil
}

func explainListen(e *net.OpError) string {
	at := "an address"
	if e.Addr != nil {
		at = e.Addr.String()
	}
	switch {
	case errors.Is(e.Err, syscall.EADDRINUSE):
		return "cannot listen on " + at + ": another program has that port: stop it, or choose another with --addr"
	case errors.Is(e.Err, syscall.EADDRNOTAVAIL):
		return "cannot listen on " + at + ": that is no address of this machine"
	case errors.Is(e.Err, syscall.EACCES):
		return "cannot listen on " + at + ": not allowed; ports below 1024 belong to the system"
	default:
		return "cannot listen: " + oneLine(e)
	}
}

func sqliteCode(err error) int {
	var e *sqlite.Error
	if errors.As(err, &e) {
		return e.Code() & 0xff // the extended code's lower byte is the code
	}
	return 0
}

func diskFull(err error) bool {
	return sqliteCode(err) == sqlite3.SQLITE_FULL || errors.Is(err, syscall.ENOSPC)
}

// databaseAway tells a database that cannot work just now (away, full, locked) from a mistake of ours.
func databaseAway(err error) bool {
	if db.Vanished(err) {
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
