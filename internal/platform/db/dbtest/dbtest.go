// Package dbtest provides tests with empty, migrated databases of both engines. If FAIRGROUND_TEST_POSTGRES is the folder
// of a running PostgreSQL cluster, the test binary uses that cluster. Otherwise it starts its own and stops it at the end.
// A test binary that runs as root starts the cluster as another user. dbtest never skips a test because a cluster is
// missing.
package dbtest

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"fairground/internal/platform/db"
)

// Engines lists both engines in the order in which tests use them.
var Engines = []db.Engine{db.SQLite, db.Postgres}

// Each runs fn as one subtest per engine, each with its own migrated database.
func Each(t *testing.T, fn func(*testing.T, *db.Store)) {
	t.Helper()
	for _, e := range Engines {
		t.Run(string(e), func(t *testing.T) { fn(t, Open(t, Migrated(t, e))) })
	}
}

// SQLite returns a new, migrated SQLite database that is closed when the test ends.
func SQLite(t testing.TB) *db.Store {
	t.Helper()
	return Open(t, Migrated(t, db.SQLite))
}

// Postgres returns a new, migrated PostgreSQL database that is closed and dropped when the test ends.
func Postgres(t testing.TB) *db.Store {
	t.Helper()
	return Open(t, Migrated(t, db.Postgres))
}

// Open opens a database that Migrated or Blank created, and closes it when the test ends. Opening the same options twice
// acts as two replicas on one database.
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

// Migrated creates a database with the schema and no rows, and returns its options. Use it in tests that open the
// database several times or in another process.
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

// Blank creates a database without a schema, for tests of migrations.
func Blank(t testing.TB, e db.Engine) db.Options {
	t.Helper()
	if e == db.Postgres {
		return postgresDatabase(t, func(*Cluster) string { return "template0" })
	}
	return db.Options{Data: t.TempDir()}
}

// sqliteImage returns the content of a migrated database file. Copying it is faster than migrating.
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
