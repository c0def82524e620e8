package db_test

import (
	"context"
	"database/sql"
	"errors"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

func TestProbeWrites(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		var ahead atomic.Int64
		probe := db.NewProbe(s, func() time.Time { return time.Unix(0, ahead.Load()) })
		if err := probe.Check(t.Context()); err != nil {
			t.Fatal(err)
		}
		unlock := hold(t, s)
		if err := probe.Check(t.Context()); err != nil {
			t.Errorf("within the interval: %v", err)
		}
		ahead.Add(int64(10 * time.Second))
		soon, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		defer cancel()
		if err := probe.Check(soon); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("while another transaction blocks writes: %v, want %v", err, context.DeadlineExceeded)
		}
		unlock()
		if err := probe.Check(t.Context()); err != nil {
			t.Errorf("afterwards: %v", err)
		}
	})
}

func hold(t *testing.T, s *db.Store) (unlock func()) {
	t.Helper()
	if s.Engine == db.Postgres {
		tx, err := s.Writer.Begin()
		if err == nil {
			_, err = tx.Exec("LOCK TABLE write_probe IN EXCLUSIVE MODE")
		}
		if err != nil {
			t.Fatal(err)
		}
		return func() { _ = tx.Rollback() }
	}
	other, err := sql.Open("sqlite", "file:"+s.Path+"?_pragma=busy_timeout(60000)")
	if err == nil {
		other.SetMaxOpenConns(1)
		_, err = other.Exec("BEGIN IMMEDIATE")
	}
	if err != nil {
		t.Fatal(err)
	}
	return func() { _ = other.Close() }
}

func TestProbeReportsError(t *testing.T) {
	t.Parallel()
	for _, e := range dbtest.Engines {
		o := dbtest.Migrated(t, e)
		dbtest.Open(t, o)
		o.ReadOnly = true
		if err := db.NewProbe(dbtest.Open(t, o), time.Now).Check(t.Context()); err == nil {
			t.Errorf("%s: Check succeeded on a read-only database", e)
		}
	}
}

// The page limit has the effect of a full disk: no write can use a new page.
func TestProbeReportsFullSQLite(t *testing.T) {
	t.Parallel()
	s := dbtest.Open(t, dbtest.Migrated(t, db.SQLite))
	var ahead atomic.Int64
	probe := db.NewProbe(s, func() time.Time { return time.Unix(0, ahead.Add(int64(time.Minute))) })
	limit := func(pages int) {
		var got int
		if err := s.Writer.QueryRow("PRAGMA page_count").Scan(&got); err != nil {
			t.Fatal(err)
		}
		if err := s.Writer.QueryRow("PRAGMA max_page_count = " + strconv.Itoa(got+pages)).Scan(&got); err != nil {
			t.Fatal(err)
		}
	}
	limit(10)
	for range 2 {
		if err := probe.Check(t.Context()); !db.DiskFull(err) {
			t.Errorf("Check with 10 free pages: %v, want a full disk", err)
		}
	}
	limit(1000)
	for range 3 {
		if err := probe.Check(t.Context()); err != nil {
			t.Errorf("Check with 1000 free pages: %v", err)
		}
	}
	var rows int
	if err := s.Reader.QueryRow("SELECT COUNT(*) FROM write_probe").Scan(&rows); err != nil || rows != 0 {
		t.Errorf("%d rows left, want 0: %v", rows, err)
	}
}

// Each check needs new space, even if the table has free space or a backup locks it.
func TestProbeOnPostgresNeedsNewSpace(t *testing.T) {
	t.Parallel()
	s := dbtest.Open(t, dbtest.Migrated(t, db.Postgres))
	var ahead atomic.Int64
	probe := db.NewProbe(s, func() time.Time { return time.Unix(0, ahead.Add(int64(time.Minute))) })
	check := func() (file string, size int64) {
		t.Helper()
		err := probe.Check(t.Context())
		if err == nil {
			err = s.Writer.QueryRow("SELECT pg_relation_filepath('write_probe'), pg_table_size('write_probe')").Scan(&file, &size)
		}
		if err != nil {
			t.Fatal(err)
		}
		return file, size
	}
	file1, size1 := check()
	file2, size2 := check()
	if file1 == file2 || size1 < 64<<10 || size1 != size2 {
		t.Errorf("files %s and %s with %d and %d bytes, want two files of one size above 64 KiB", file1, file2, size1, size2)
	}
	backup, err := s.Writer.Begin()
	if err == nil {
		_, err = backup.Exec("LOCK TABLE write_probe IN ACCESS SHARE MODE")
	}
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = backup.Rollback() }()
	if file, size := check(); file != file2 || size < size2+64<<10 {
		t.Errorf("during a backup: file %s with %d bytes, want %s with 64 KiB more than %d", file, size, file2, size2)
	}
	if err := backup.Rollback(); err != nil {
		t.Fatal(err)
	}
	if _, size := check(); size != size1 {
		t.Errorf("after the backup: %d bytes, want %d", size, size1)
	}
}
