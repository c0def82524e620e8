package dbtest

import (
	"context"
	"database/sql"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// A Recorder stores the statement of a generated query instead of running it.
type Recorder struct {
	query.DBTX

	Text string
	Args []any
}

// ErrRecorded is the error of every statement of a Recorder.
var ErrRecorded = errors.New("recorded")

// QueryContext implements query.DBTX.
func (r *Recorder) QueryContext(_ context.Context, text string, args ...any) (*sql.Rows, error) {
	r.Text, r.Args = text, args
	return nil, ErrRecorded
}

// The steps of a plan of PostgreSQL that read all rows of a table, or sort rows, with their number.
var (
	fullRead = regexp.MustCompile(`Seq Scan on (\w+)`)
	sortStep = regexp.MustCompile(`(?:^|->\s+)Sort\s+\(.* rows=(\d+)`)
)

// fewRows is the number of rows that a page may sort.
const fewRows = 1000

// WantIndexScan fails the test if PostgreSQL reads or sorts a whole table for a statement that reads one page of a list.
// It may read smallTables completely.
func WantIndexScan(t testing.TB, s *db.Store, name, statement string, args []any, smallTables ...string) {
	t.Helper()
	rows, err := s.Reader.QueryContext(t.Context(), "EXPLAIN "+statement, args...)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	defer func() { _ = rows.Close() }()
	var plan []string
	var bad bool
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			t.Fatal(err)
		}
		plan = append(plan, line)
		if step := fullRead.FindStringSubmatch(line); step != nil && !slices.Contains(smallTables, step[1]) {
			bad = true
		}
		if step := sortStep.FindStringSubmatch(line); step != nil {
			n, err := strconv.Atoi(step[1])
			bad = bad || err != nil || n > fewRows
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	if bad {
		t.Errorf("%s: the plan reads or sorts a whole table, want an index:\n%s", name, strings.Join(plan, "\n"))
	}
}

// Fill runs the statements that fill a test database, and updates its statistics.
func Fill(t testing.TB, s *db.Store, statements ...string) {
	t.Helper()
	for _, statement := range append(statements, "ANALYZE") {
		if _, err := s.Writer.ExecContext(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
}
