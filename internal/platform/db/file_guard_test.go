package db_test

import (
	"errors"
	"io/fs"
	"os"
	"testing"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

// Writes to a deleted or replaced file would be lost, so they must fail.
func TestReplacedFileRejectsCommits(t *testing.T) {
	t.Parallel()
	for name, take := range map[string]func(path string) error{
		"removed": os.Remove,
		"renamed": func(path string) error { return os.Rename(path, path+".old") },
		"replaced": func(path string) error {
			if err := os.Rename(path, path+".old"); err != nil {
				return err
			}
			return os.WriteFile(path, nil, 0o600)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx := t.Context()
			s := dbtest.SQLite(t)
			add := func() error {
				return s.Write(ctx, func(tx *db.Tx) error { return tx.Q.AddOutbox(ctx, "money", 1) })
			}
			if err := add(); err != nil {
				t.Fatal(err)
			}
			if err := take(s.Path); err != nil {
				t.Fatal(err)
			}
			if err := add(); !db.FileReplaced(err) {
				t.Errorf("in a transaction: %v, want that the file was replaced", err)
			}
			if _, err := s.Writer.ExecContext(ctx, "INSERT INTO outbox (payload, created_at) VALUES ('[]', 0)"); !db.FileReplaced(err) {
				t.Errorf("outside a transaction: %v, want that the file was replaced", err)
			}
			var n int
			if err := s.Writer.QueryRowContext(ctx, "SELECT count(*) FROM outbox").Scan(&n); err != nil || n != 1 {
				t.Errorf("%d rows, %v, want 1", n, err)
			}
			s.Reader.SetMaxIdleConns(-1) // later reads open a new connection
			if err := s.Reader.QueryRowContext(ctx, "SELECT count(*) FROM outbox").Scan(&n); !db.FileReplaced(err) {
				t.Errorf("new connection: %v, want that the file was replaced", err)
			}
			if _, err := os.Stat(s.Path); name != "replaced" && !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("reading created a file: %v", err)
			}
			if name != "renamed" {
				return
			}
			if err := os.Rename(s.Path+".old", s.Path); err != nil {
				t.Fatal(err)
			}
			if err := add(); err != nil {
				t.Errorf("after the file is restored: %v", err)
			}
			if err := s.Reader.QueryRowContext(ctx, "SELECT count(*) FROM outbox").Scan(&n); err != nil || n != 2 {
				t.Errorf("read after the file is restored: %d rows, %v, want 2", n, err)
			}
		})
	}
}
