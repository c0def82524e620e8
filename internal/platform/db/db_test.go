package db_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

func TestWriteCommitsOrRollsBack(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		add := func(payload string, after error) error {
			return s.Write(ctx, func(tx *db.Tx) error {
				if err := tx.Q.AddOutbox(ctx, payload, 1); err != nil {
					return err
				}
				return after
			})
		}
		sorry := errors.New("sorry")
		if err := add("kept", nil); err != nil {
			t.Fatal(err)
		}
		if err := add("dropped", sorry); !errors.Is(err, sorry) {
			t.Fatal(err)
		}
		ended, cancel := context.WithCancel(ctx)
		cancel()
		if err := s.Write(ended, func(*db.Tx) error { return nil }); !errors.Is(err, context.Canceled) {
			t.Errorf("canceled context: %v, want %v", err, context.Canceled)
		}
		var n int
		if err := s.Reader.QueryRow("SELECT count(*) FROM outbox").Scan(&n); err != nil || n != 1 {
			t.Errorf("%d rows, %v, want 1", n, err)
		}
	})
}

func TestWriteRollsBackAfterPanic(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		panicked := func() (what any) {
			defer func() { what = recover() }()
			_ = s.Write(ctx, func(tx *db.Tx) error {
				if err := tx.Q.AddOutbox(ctx, "dropped", 1); err != nil {
					t.Errorf("AddOutbox: got %v, want no error", err)
				}
				panic("sorry")
			})
			return nil
		}()
		if panicked != "sorry" {
			t.Errorf("recovered %v, want sorry", panicked)
		}
		if open := s.Writer.Stats().InUse; open != 0 {
			t.Errorf("%d connections still in use", open)
		}
		if err := s.Write(ctx, func(tx *db.Tx) error { return tx.Q.AddOutbox(ctx, "kept", 1) }); err != nil {
			t.Fatalf("next write: %v", err)
		}
		var n int
		if err := s.Reader.QueryRow("SELECT count(*) FROM outbox").Scan(&n); err != nil || n != 1 {
			t.Errorf("%d rows, %v, want 1", n, err)
		}
	})
}

func TestSQLiteSettings(t *testing.T) {
	t.Parallel()
	s := dbtest.SQLite(t)
	for name, want := range map[string]string{"journal_mode": "wal", "synchronous": "2", "foreign_keys": "1", "busy_timeout": "5000"} {
		var got string
		if err := s.Writer.QueryRow("PRAGMA " + name).Scan(&got); err != nil || got != want {
			t.Errorf("pragma %s = %s, %v, want %v", name, got, err, want)
		}
	}
	if _, err := s.Writer.Exec("INSERT INTO member (id, merchant_id, account, type, currency, password_hash, created_at) VALUES (1, 77, 'a', 0, 'VND', '', 0)"); err == nil {
		t.Error("member without a merchant was accepted")
	}
	if _, err := s.Reader.Exec("INSERT INTO outbox (payload, created_at) VALUES ('[]', 0)"); err == nil {
		t.Error("write on the read pool succeeded")
	}
}

// TestSQLitePathIsLiteral opens folders whose names contain characters that are special in a URL.
func TestSQLitePathIsLiteral(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"a b", "50%", "q?x=1", "h#1", "é"} {
		dir := filepath.Join(t.TempDir(), name)
		s, err := db.Open(context.Background(), db.Options{Data: dir})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if s.Path != filepath.Join(dir, "fairground.db") {
			t.Errorf("%s: path = %s, want fairground.db in %s", name, s.Path, dir)
		}
		if found, _ := filepath.Glob(filepath.Join(strings.NewReplacer("?", "\\?").Replace(dir), "fairground.db")); len(found) != 1 {
			t.Errorf("%s: file not found at its path", name)
		}
		if err := s.Close(); err != nil {
			t.Errorf("Close: got %v, want no error", err)
		}
	}
}

func TestOpenErrors(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if _, err := db.Open(ctx, db.Options{}); err == nil || !strings.Contains(err.Error(), "data folder") {
		t.Errorf("nothing given: %v, want an error with \"data folder\"", err)
	}
	for _, url := range []string{"postgres://u:secret@127.0.0.1:1/x?sslmode=disable", "postgres://u:secret@127.0.0.1:notaport/x"} {
		if _, err := db.Open(ctx, db.Options{URL: url}); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("Open(%s) = %v, want an error without the password", url, err)
		}
	}
}

func TestFailedOpenClosesFiles(t *testing.T) {
	t.Parallel()
	for _, readOnly := range []bool{false, true} {
		data := t.TempDir()
		path := filepath.Join(data, "fairground.db")
		if err := os.WriteFile(path, []byte(strings.Repeat("not a database ", 100)), 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := db.Open(t.Context(), db.Options{Data: data, ReadOnly: readOnly})
		if err == nil {
			_ = s.Close()
			t.Fatalf("damaged file was opened, read-only %v", readOnly)
		}
		files, err := filepath.Glob("/proc/self/fd/*") // empty where /proc does not exist
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if to, err := os.Readlink(f); err == nil && strings.HasPrefix(to, path) {
				t.Errorf("%s is still open, read only %v", to, readOnly)
			}
		}
	}
}

func TestRebind(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"SELECT $1, $12":           "SELECT ?1, ?12",
		"SELECT '$1', $2":          "SELECT '$1', ?2",
		"SELECT 'it''s $1', $2":    "SELECT 'it''s $1', ?2",
		"SELECT $0, $, $a, cost$1": "SELECT $0, $, $a, cost?1",
		"":                         "",
	} {
		if got := db.Rebind(in); got != want {
			t.Errorf("Rebind(%q) = %q, want %v", in, got, want)
		}
	}
}

func TestParameters(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		q := db.Bind(s.Engine, s.Reader)
		rapid.Check(t, func(rt *rapid.T) {
			a, b := rapid.Int64().Draw(rt, "a"), rapid.Int64().Draw(rt, "b")
			text := rapid.StringMatching(`[a-z$?' éữ0-9]{0,20}`).Draw(rt, "text")
			var gotA, gotB, again int64
			var gotText string
			err := q.QueryRowContext(context.Background(), "SELECT CAST($2 AS BIGINT), CAST($3 AS TEXT), CAST($1 AS BIGINT), CAST($2 AS BIGINT)", a, b, text).Scan(&gotB, &gotText, &gotA, &again)
			if err != nil || gotA != a || gotB != b || gotText != text || again != b {
				rt.Fatalf("%d %d %q became %d %d %q %d, %v", a, b, text, gotA, gotB, gotText, again, err)
			}
		})
	})
}

func TestIDsIncrease(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	next := db.NewIDs(func() time.Time { return now })
	var mu sync.Mutex
	seen := map[int64]bool{}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			var last int64
			for range 1000 {
				id := next()
				mu.Lock()
				if id <= last || seen[id] {
					t.Errorf("id %d after %d, want a larger one", id, last)
				}
				seen[id] = true
				mu.Unlock()
				last = id
			}
		})
	}
	wg.Wait()
	now = now.Add(-time.Hour) // the clock is set back
	if id := next(); seen[id] || id <= 0 {
		t.Errorf("id %d repeated", id)
	}
}
