package db_test

import (
	"os"
	"path/filepath"
	"testing"

	"fairground/internal/platform/db"
)

// The database files are private even in a public folder, and become private again after a copy with other modes.
func TestDatabaseFilesArePrivate(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	if err := os.Mkdir(data, 0o755); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(data, "fairground.db")
	check := func() {
		t.Helper()
		s, err := db.Open(t.Context(), db.Options{Data: data})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		if _, err := s.Writer.ExecContext(t.Context(), "CREATE TABLE IF NOT EXISTS written (n INTEGER)"); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{path, path + "-wal", path + "-shm"} {
			if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("%s: mode %v, %v, want 0600", filepath.Base(name), info.Mode(), err)
			}
		}
	}
	check()
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, suffix := range []string{"-wal", "-shm"} { // as a killed server leaves them
		if err := os.WriteFile(path+suffix, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	check()
}
