package db_test

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

func TestServersWithoutSharedEventsAreExclusive(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	log := slog.New(slog.DiscardHandler)
	o := dbtest.Migrated(t, db.Postgres)
	one, two := dbtest.Open(t, o), dbtest.Open(t, o)
	for _, tt := range []struct {
		name          string
		first, second bool // shares its events
		fits          bool
	}{
		{"both alone", false, false, false},
		{"the first alone", false, true, false},
		{"the second alone", true, false, false},
		{"together", true, true, true},
	} {
		release, err := one.LockServer(ctx, tt.first, 0, log)
		if err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		again, err := two.LockServer(ctx, tt.second, 0, log)
		if fits := err == nil; fits != tt.fits || !fits && !errors.Is(err, db.ErrOtherServer) {
			t.Errorf("%s: err = %v, want a lock: %v", tt.name, err, tt.fits)
		}
		release()
		if err == nil {
			again()
		}
	}
	release, err := one.LockServer(ctx, false, 0, log)
	if err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(300*time.Millisecond, release)
	next, err := two.LockServer(ctx, false, time.Minute, log)
	if err != nil {
		t.Fatalf("after the other server stopped: %v", err)
	}
	next()
}

func TestServerLockIsRetaken(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	log := slog.New(slog.DiscardHandler)
	o := dbtest.Migrated(t, db.Postgres)
	one, two := dbtest.Open(t, o), dbtest.Open(t, o)
	release, err := one.LockServer(ctx, false, 0, log)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	if _, err := two.Writer.Exec("SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"); err != nil {
		t.Fatal(err)
	}
	for _, want := range []bool{false, true} {
		for deadline := time.Now().Add(time.Minute); held(ctx, t, two) != want; time.Sleep(20 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("timed out waiting for lock taken = %v", want)
			}
		}
	}
}

func held(ctx context.Context, t *testing.T, s *db.Store) bool {
	t.Helper()
	var n int
	err := s.Reader.QueryRowContext(ctx, "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())").Scan(&n)
	if err != nil {
		t.Fatal(err)
	}
	return n > 0
}
