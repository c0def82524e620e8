package db_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

func TestReadOnlyCannotWrite(t *testing.T) {
	t.Parallel()
	for _, e := range dbtest.Engines {
		o := dbtest.Migrated(t, e)
		o.ReadOnly = true
		s := dbtest.Open(t, o)
		if _, err := s.Writer.Exec("INSERT INTO outbox (payload, created_at) VALUES ('[]', 0)"); err == nil {
			t.Errorf("%s: write succeeded", e)
		}
		if e == db.SQLite {
			if _, err := s.Writer.Exec("PRAGMA query_only = 0; INSERT INTO outbox (payload, created_at) VALUES ('[]', 0)"); err == nil {
				t.Error("write succeeded after changing the setting")
			}
		}
	}
	if _, err := db.Open(context.Background(), db.Options{Data: t.TempDir(), ReadOnly: true}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("read of a missing file: %v", err)
	}
}

// Reading changes no file, in whatever state the last writer left the files.
func TestReadOnlyChangesNoFile(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for name, prepare := range map[string]func(t *testing.T, o db.Options) (folder string){
		"after a clean stop": func(t *testing.T, o db.Options) string { return o.Data },
		"after a crash": func(t *testing.T, o db.Options) string { // with a write-ahead log
			s := dbtest.Open(t, o)
			if err := s.Write(ctx, func(tx *db.Tx) error { return tx.Q.AddOutbox(ctx, "in the log", 1) }); err != nil {
				t.Fatal(err)
			}
			crashed := t.TempDir()
			for _, end := range []string{"", "-wal"} {
				b, err := os.ReadFile(s.Path + end)
				if err == nil {
					err = os.WriteFile(filepath.Join(crashed, "fairground.db"+end), b, 0o600)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			return crashed
		},
		"with a running server": func(t *testing.T, o db.Options) string {
			s := dbtest.Open(t, o)
			if err := s.Write(ctx, func(tx *db.Tx) error { return tx.Q.AddOutbox(ctx, "in the log", 1) }); err != nil {
				t.Fatal(err)
			}
			return o.Data
		},
		"of a copy without a log": func(t *testing.T, o db.Options) string {
			s, to := dbtest.Open(t, o), t.TempDir()
			if _, err := s.Writer.Exec("VACUUM INTO '" + filepath.Join(to, "fairground.db") + "'"); err != nil {
				t.Fatal(err)
			}
			return to
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder := prepare(t, dbtest.Migrated(t, db.SQLite))
			path := filepath.Join(folder, "fairground.db")
			long := time.Now().Add(-time.Hour).Truncate(time.Second)
			if err := os.Chtimes(path, long, long); err != nil {
				t.Fatal(err)
			}
			before, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			s, err := db.Open(ctx, db.Options{Data: folder, ReadOnly: true})
			if err != nil {
				t.Fatal(err)
			}
			var n int
			if err := s.Reader.QueryRow("SELECT count(*) FROM outbox").Scan(&n); err != nil {
				t.Errorf("QueryRow: got %v, want no error", err)
			}
			if name == "after a crash" && n != 1 {
				t.Errorf("%d rows: write-ahead log was not read", n)
			}
			if err := s.Close(); err != nil {
				t.Errorf("Close: got %v, want no error", err)
			}
			after, err := os.ReadFile(path)
			if err != nil || string(after) != string(before) {
				t.Errorf("the file changed (%v)", err)
			}
			if info, err := os.Stat(path); err != nil || !info.ModTime().Equal(long) {
				t.Errorf("the file was written at %v, %v, want %v", info.ModTime(), err, long)
			}
		})
	}
}

// A backup may be on a read-only disk.
func TestReadOnlyFolder(t *testing.T) {
	t.Parallel()
	o := dbtest.Migrated(t, db.SQLite)
	if err := os.Chmod(o.Data, 0o500); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(o.Data, 0o700) })
	o.ReadOnly = true
	s := dbtest.Open(t, o)
	if _, err := s.Current(t.Context()); err != nil {
		t.Errorf("read in a read-only folder: %v", err)
	}
}
