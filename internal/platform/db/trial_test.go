package db_test

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"testing"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/db/query"
)

// statement records a query's text and arguments instead of running it.
type statement struct {
	query.DBTX
	text string
	args []any
}

var errNoted = errors.New("noted")

func (s *statement) QueryContext(_ context.Context, text string, args ...any) (*sql.Rows, error) {
	s.text, s.args = text, args
	return nil, errNoted
}

// Deleting expired trial members blocks all writes on SQLite, so it must not read all members.
func TestTrialSweepUsesIndex(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		ctx := t.Context()
		exec := func(text string) {
			t.Helper()
			if _, err := s.Writer.ExecContext(ctx, text); err != nil {
				t.Fatal(err)
			}
		}
		var sweep statement
		if _, err := query.New(&sweep).EndTrials(ctx, 4, 5_000); !errors.Is(err, errNoted) {
			t.Fatal(err)
		}
		check := func(when string) {
			t.Helper()
			plan := planOf(t, s, sweep.text, sweep.args...)
			if !strings.Contains(plan, "member_active_by_type") || strings.Contains(plan, "SCAN") || strings.Contains(plan, "Seq Scan on member old") {
				t.Errorf("%s the plan is, want only the index member_active_by_type:\n%s", when, plan)
			}
		}
		// One in ten is a trial, and most trials have expired.
		exec("INSERT INTO merchant (id, code, name, currency, created_at) VALUES (1, 'm', 'm', 'VND', 0)")
		exec(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
INSERT INTO member (id, merchant_id, account, type, status, currency, password_hash, created_at)
SELECT i, 1, 'm' || i, CASE i % 10 WHEN 0 THEN 4 ELSE 0 END, CASE WHEN i % 10 = 0 AND i < 19000 THEN 'disabled' ELSE 'active' END, 'VND', '', i FROM n`)
		check("before the rows are counted")
		exec("ANALYZE")
		check("after it")
	})
}

func planOf(t *testing.T, s *db.Store, text string, args ...any) string {
	t.Helper()
	explain := "EXPLAIN "
	if s.Engine == db.SQLite {
		explain = "EXPLAIN QUERY PLAN "
	}
	rows, err := db.Bind(s.Engine, s.Writer).QueryContext(t.Context(), explain+text, args...)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var lines []string
	for rows.Next() {
		var id, parent, unused int
		var line string
		into := []any{&line}
		if s.Engine == db.SQLite {
			into = []any{&id, &parent, &unused, &line}
		}
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, line)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return strings.Join(lines, "\n")
}
