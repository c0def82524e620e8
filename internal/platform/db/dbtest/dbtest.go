// Package dbtest gives tests real, empty, migrated databases of both engines. A test binary uses the PostgreSQL cluster of
// the whole run where FAIRGROUND_TEST_POSTGRES names its folder; otherwise it starts one of its own, as another user where
// root is refused, and stops it at the end. It never stops a cluster that it did not start, and never skips a test because
// one is missing.
package dbtest

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"fairground/internal/platform/db"
)

// Engines are both engines, in the order in which tests run on them.
var Engines = []db.Engine{db.SQLite, db.Postgres}

// Each runs fn as one subtest per engine, each on its own fresh, migrated database.
func Each(t *testing.T, fn func(*testing.T, *db.Store)) {
	t.Helper()
	for _, e := range Engines {
		t.Run(string(e), func(t *testing.T) { fn(t, Open(t, Migrated(t, e))) })
	}
}

// SQLite gives a fresh, migrated SQLite database that is closed when the test ends.
func SQLite(t testing.TB) *db.Store {
	t.Helper()
	return Open(t, Migrated(t, db.SQLite))
}

// Postgres gives a fresh, migrated PostgreSQL database that is closed and dropped when the test ends.
func Postgres(t testing.TB) *db.Store {
	t.Helper()
	return Open(t, Migrated(t, db.Postgres))
}

// Open opens a database made by Migrated or Blank and closes it when the test ends. Opening the same
// options twice gives two replicas on one database.
func Open(t testing.TB, o db.Options) *db.Store {
	t.Helper()
	s, err := db.Open(context.Background(), o)
	if err != nil {
		t.Fatalf("open test database: %v", err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("close test database: %v", err)
		}
	})
	return s
}

// Migrated makes a database with the whole schema and no rows, and says how to open it: for tests that
// hand it to another process or open it more than once.
func Migrated(t testing.TB, e db.Engine) db.Options {
	t.Helper()
	if e == db.Postgres {
		return postgresDatabase(t, func(*Cluster) string { return shared.template })
	}
	image, err := sqliteImage()
	if err != nil {
		t.Fatalf("prepare a migrated SQLite database: %v", err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "fairground.db"), image, 0o600); err != nil {
		t.Fatal(err)
	}
	return db.Options{Data: dir}
}

// Blank makes a database without any schema, for tests of the migrations themselves.
func Blank(t testing.TB, e db.Engine) db.Options {
	t.Helper()
	if e == db.Postgres {
		return postgresDatabase(t, func(*Cluster) string { return "template0" })
	}
	return db.Options{Data: t.TempDir()}
}

// sqliteImage is the file of a migrated database. Copying it spares every test the migrations' syncs.
var sqliteImage = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "fairground-sqlite-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	ctx := context.Background()
	s, err := db.Open(ctx, db.Options{Data: dir})
	if err != nil {
		return nil, err
	}
	if err := s.Migrate(ctx); err != nil {
		_ = s.Close()
		return nil, err
	}
	if err := s.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(dir, "fairground.db"))
})
