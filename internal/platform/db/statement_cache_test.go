package db_test

import (
	"fmt"
	"testing"

	"fairground/internal/platform/db"
)

// On SQLite the statements of a connection stay prepared. Callers must not notice that.
func TestPreparedStatements(t *testing.T) {
	t.Parallel()
	s, err := db.Open(t.Context(), db.Options{Data: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	w := s.Writer // it has a single connection
	exec := func(text string, args ...any) {
		t.Helper()
		if _, err := w.ExecContext(t.Context(), text, args...); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
	exec("CREATE TABLE pair (a INTEGER PRIMARY KEY, b INTEGER)")
	for i := range 3 {
		exec("INSERT INTO pair VALUES (?1, ?2)", i, 10*i)
	}
	if _, err := w.ExecContext(t.Context(), "INSERT INTO pair VALUES (?1, ?2)", 1, 0); err == nil {
		t.Error("a second row with the same key was accepted")
	}
	exec("INSERT INTO pair VALUES (?1, ?2)", 3, 30)

	tx, err := w.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }()
	const above = "SELECT a FROM pair WHERE a > ?1 ORDER BY a"
	rows, err := tx.QueryContext(t.Context(), above, -1)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	var pairs [][2]int
	for rows.Next() { // the same query runs while its rows are open
		var a, next int
		if err := rows.Scan(&a); err != nil {
			t.Fatal(err)
		}
		if a < 3 {
			if err := tx.QueryRowContext(t.Context(), above, a).Scan(&next); err != nil {
				t.Fatal(err)
			}
			pairs = append(pairs, [2]int{a, next})
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(pairs), "[[0 1] [1 2] [2 3]]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}

	var columns [3]int
	exec("ALTER TABLE pair ADD COLUMN c INTEGER DEFAULT 7")
	if err := w.QueryRowContext(t.Context(), "SELECT * FROM pair WHERE a = ?1", 2).Scan(&columns[0], &columns[1], &columns[2]); err != nil || columns != [3]int{2, 20, 7} {
		t.Errorf("with a new column: got %v, %v; want [2 20 7]", columns, err)
	}
	exec("ALTER TABLE pair DROP COLUMN b")
	if err := w.QueryRowContext(t.Context(), "SELECT * FROM pair WHERE a = ?1", 2).Scan(&columns[0], &columns[1]); err != nil || columns != [3]int{2, 7, 7} {
		t.Errorf("with a column less: got %v, %v; want [2 7 7]", columns, err)
	}

	for i := range 2100 { // more queries than a connection keeps
		var got int
		if err := w.QueryRowContext(t.Context(), fmt.Sprintf("SELECT ?1 + %d", i), 1).Scan(&got); err != nil || got != i+1 {
			t.Fatalf("query %d: got %d, %v; want %d", i, got, err, i+1)
		}
	}
}
