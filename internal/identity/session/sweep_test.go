package session_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/db/query"
)

func TestSweepDeletesOldSessions(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newLoginSite(t, store)
		s.login(t)
		s.Clock.Add(92 * 24 * time.Hour) // longer than the lifetime of a session plus the retention of 90 days
		recent := s.login(t)
		if err := s.sessions.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		var n int
		if err := store.Reader.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM session").Scan(&n); err != nil || n != 1 {
			t.Errorf("%d sessions left, %v, want 1", n, err)
		}
		if !alive(t, s.sessions, recent) {
			t.Error("the recent session was deleted")
		}
	})
}

// Sweep deletes in small batches and finds the rows through an index, so that it blocks other writes only briefly.
func TestSweepDeletesInBatches(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newLoginSite(t, store)
		ctx := t.Context()
		const count = 1203
		err := store.Write(ctx, func(tx *db.Tx) error {
			for i := range int64(count) {
				err := tx.Q.AddSession(ctx, query.AddSessionParams{
					ID: 1_000_000 + i, MemberID: s.memberID, TokenHash: fmt.Appendf(nil, "%032d", i), CreatedAt: 1, ExpiresAt: 2,
				})
				if err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		err = store.Write(ctx, func(tx *db.Tx) error {
			n, err := tx.Q.DropOldSessions(ctx, 3)
			if n < 1 || n > 500 {
				t.Errorf("%d sessions deleted in one transaction, want 1 to 500", n)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.sessions.Sweep(ctx); err != nil {
			t.Fatal(err)
		}
		var n int
		if err := store.Reader.QueryRowContext(ctx, "SELECT COUNT(*) FROM session").Scan(&n); err != nil || n != 0 {
			t.Errorf("%d sessions left, %v, want 0", n, err)
		}
		if store.Engine == db.SQLite {
			var id, parent, unused int
			var plan string
			const explain = "EXPLAIN QUERY PLAN SELECT id FROM session WHERE expires_at < 5 ORDER BY expires_at LIMIT 500"
			if err := store.Reader.QueryRowContext(ctx, explain).Scan(&id, &parent, &unused, &plan); err != nil || !strings.Contains(plan, "session_by_expiry") {
				t.Errorf("plan = %q, %v, want session_by_expiry", plan, err)
			}
		}
	})
}
