package db_test

import (
	"context"
	"database/sql"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

func TestProbeWrites(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		if err := s.Write(t.Context(), func(tx *db.Tx) error { return tx.Q.ClaimInstallation(t.Context(), "site", 1) }); err != nil {
			t.Fatal(err)
		}
		var ahead atomic.Int64
		probe := db.NewProbe(s, func() time.Time { return time.Unix(0, ahead.Load()) })
		if err := probe.Check(t.Context()); err != nil {
			t.Fatal(err)
		}
		unlock := hold(t, s)
		if err := probe.Check(t.Context()); err != nil {
			t.Errorf("within the interval: %v", err)
		}
		ahead.Add(int64(5 * time.Second))
		soon, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		defer cancel()
		if err := probe.Check(soon); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("while another transaction blocks writes: %v", err)
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
			_, err = tx.Exec("LOCK TABLE installation IN EXCLUSIVE MODE")
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
		s := dbtest.Open(t, o)
		if err := s.Write(t.Context(), func(tx *db.Tx) error { return tx.Q.ClaimInstallation(t.Context(), "site", 1) }); err != nil {
			t.Fatal(err)
		}
		o.ReadOnly = true
		if err := db.NewProbe(dbtest.Open(t, o), time.Now).Check(t.Context()); err == nil {
			t.Errorf("%s: Check succeeded on a read-only database", e)
		}
	}
}
