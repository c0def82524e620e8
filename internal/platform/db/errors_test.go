package db_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

func TestUnavailable(t *testing.T) {
	t.Parallel()
	s := dbtest.SQLite(t)
	_, syntax := s.Reader.Exec("SELEC 1")
	_, readOnly := s.Reader.Exec("DELETE FROM merchant")
	for _, tt := range []struct {
		name string
		err  error
		want bool
	}{
		{"nothing", nil, false},
		{"anything", errors.New("x"), false},
		{"SQLite: not our language", syntax, false},
		{"SQLite: read only", readOnly, true},
		{"PostgreSQL shutting down", &pgconn.PgError{Code: "57P01"}, true},
		{"PostgreSQL out of space", &pgconn.PgError{Code: "53100"}, true},
		{"PostgreSQL: a rule broken", &pgconn.PgError{Code: "23505"}, false},
		{"connection lost", fmt.Errorf("x: %w", &net.OpError{Op: "read", Err: syscall.ECONNRESET}), true},
		{"took too long", context.DeadlineExceeded, false},
	} {
		if got := db.Unavailable(tt.err); got != tt.want {
			t.Errorf("%s (%v): Unavailable = %v, want %v", tt.name, tt.err, got, tt.want)
		}
	}
}
