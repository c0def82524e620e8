package ledger

import (
	"errors"

	"github.com/jackc/pgx/v5/pgconn"
	"modernc.org/sqlite"
	sqlitelib "modernc.org/sqlite/lib"
)

// rowError is the database's word on a row that rode with a post.
type rowError struct {
	table string
	err   error
}

func (e *rowError) Error() string { return "add row to " + e.table + ": " + e.err.Error() }
func (e *rowError) Unwrap() error { return e.err }

// limitsError says that limits could not be read for the guarded posts of a batch.
type limitsError struct{ err error }

func (e *limitsError) Error() string { return "load limits: " + e.err.Error() }
func (e *limitsError) Unwrap() error { return e.err }

// errRace says that another replica used one of the batch's keys, or settled one of its origins, after the
// batch had looked. A second look finds it.
var errRace = errors.New("another writer was faster")

// causedByPost tells an error that a single post can cause from one of the database as a whole. A batch that
// meets one is taken apart, so that the others do not suffer.
func causedByPost(err error) bool {
	var limits *limitsError
	if errors.As(err, &limits) {
		return true
	}
	var row *rowError
	riding := errors.As(err, &row)
	var se *sqlite.Error
	if errors.As(err, &se) {
		switch se.Code() & 0xff {
		case sqlitelib.SQLITE_CONSTRAINT, sqlitelib.SQLITE_MISMATCH, sqlitelib.SQLITE_TOOBIG:
			return true
		}
		return riding && se.Code() == sqlitelib.SQLITE_ERROR // its table or column is unknown
	}
	var pe *pgconn.PgError
	if errors.As(err, &pe) {
		switch pe.Code[:2] {
		case "22", "23", "42", "54", "P0": // data, constraint, unknown table or column of a riding row, too large, raised
			return true
		}
		return pe.Code == sqlLockTimeout // one member's row is held by somebody else
	}
	return riding
}

// blame is what the caller of a post that failed on its own is told.
func publicError(err error) error {
	var row *rowError
	if errors.As(err, &row) && causedByPost(err) {
		return ErrRow.Because(err)
	}
	return ErrUnavailable.Because(err)
}

// SQLSTATEs that ask for something else than giving up.
const (
	sqlLockTimeout     = "55P03"
	sqlUniqueViolation = "23505"
	sqlDeadlock        = "40P01"
	sqlSerialization   = "40001"
	sqlReadOnly        = "25006" // connected to a standby: the primary is elsewhere
)

// again says that the same batch may well succeed on the same connection.
func retryable(err error) bool {
	if errors.Is(err, errRace) {
		return true
	}
	var pe *pgconn.PgError
	return errors.As(err, &pe) && (pe.Code == sqlDeadlock || pe.Code == sqlSerialization)
}

// lost says that the connection is gone or useless, so that a new one may help.
func connectionLost(err error) bool {
	var limits *limitsError
	if errors.Is(err, errRace) || errors.As(err, &limits) {
		return false
	}
	var ce *pgconn.ConnectError
	if errors.As(err, &ce) {
		return true // whatever the server says to one it does not let in: it may be full, or just coming up
	}
	var pe *pgconn.PgError
	if errors.As(err, &pe) {
		return pe.Code == sqlReadOnly || pe.Code[:2] == "08" || pe.Code[:3] == "57P"
	}
	return true // not the server's word: the way to it failed
}
