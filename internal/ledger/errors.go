package ledger

import (
	"errors"

	"github.com/jackc/pgx/v5/pgconn"
	"modernc.org/sqlite"
	sqlitelib "modernc.org/sqlite/lib"
)

type rowError struct {
	table string
	err   error
}

func (e *rowError) Error() string { return "add row to " + e.table + ": " + e.err.Error() }
func (e *rowError) Unwrap() error { return e.err }

// A limitsError means that the limits of a batch's guarded posts could not be read.
type limitsError struct{ err error }

func (e *limitsError) Error() string { return "load limits: " + e.err.Error() }
func (e *limitsError) Unwrap() error { return e.err }

// A reconnectError means that a batch lost its connection and got no new one in time.
type reconnectError struct{ err error }

func (e *reconnectError) Error() string { return "lost the connection: " + e.err.Error() }
func (e *reconnectError) Unwrap() error { return e.err }

// errRace means that another replica used one of the batch's keys, or settled one of its origins, after the batch
// read them. A retry finds the other replica's row.
var errRace = errors.New("another writer used the key or origin first")

// causedByPost reports whether a single post of a batch can cause err. The batch is then retried post by post, so
// that the other posts succeed.
func causedByPost(err error) bool {
	var lost *reconnectError
	if errors.As(err, &lost) {
		return false
	}
	var limits *limitsError
	if errors.As(err, &limits) {
		return true
	}
	var row *rowError
	fromRow := errors.As(err, &row)
	var sqliteErr *sqlite.Error
	if errors.As(err, &sqliteErr) {
		switch sqliteErr.Code() & 0xff {
		case sqlitelib.SQLITE_CONSTRAINT, sqlitelib.SQLITE_MISMATCH, sqlitelib.SQLITE_TOOBIG:
			return true
		}
		return fromRow && sqliteErr.Code() == sqlitelib.SQLITE_ERROR // unknown table or column
	}
	var pgErr *pgconn.PgError
	if errors.As(err, &pgErr) {
		switch pgErr.Code[:2] {
		case "22", "23", "42", "54", "P0": // invalid data, constraint, unknown table or column, too large, raised by a trigger
			return true
		}
		return pgErr.Code == sqlLockTimeout // another transaction holds one member's row
	}
	return fromRow
}

func publicError(err error) error {
	var row *rowError
	if errors.As(err, &row) && causedByPost(err) {
		return ErrRow.Because(err)
	}
	return ErrUnavailable.Because(err)
}

// SQLSTATE codes that are handled separately.
const (
	sqlLockTimeout     = "55P03"
	sqlUniqueViolation = "23505"
	sqlDeadlock        = "40P01"
	sqlSerialization   = "40001"
	sqlReadOnly        = "25006" // connected to a standby
)

// retryable reports whether the same batch can succeed on the same connection.
func retryable(err error) bool {
	if errors.Is(err, errRace) {
		return true
	}
	var pgErr *pgconn.PgError
	return errors.As(err, &pgErr) && (pgErr.Code == sqlDeadlock || pgErr.Code == sqlSerialization)
}

// connectionLost reports whether a new connection may help.
func connectionLost(err error) bool {
	var limits *limitsError
	if errors.Is(err, errRace) || errors.As(err, &limits) {
		return false
	}
	var connectErr *pgconn.ConnectError
	if errors.As(err, &connectErr) {
		return true // the server may be full or starting
	}
	var pgErr *pgconn.PgError
	if errors.As(err, &pgErr) {
		return pgErr.Code == sqlReadOnly || pgErr.Code[:2] == "08" || pgErr.Code[:3] == "57P"
	}
	return true // not an error from the server: the network failed
}
