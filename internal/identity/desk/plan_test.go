package desk

import (
	"strings"
	"testing"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/page"
)

// PostgreSQL uses an index for every filter.
func TestSearchUsesIndexes(t *testing.T) {
	t.Parallel()
	store := dbtest.Postgres(t)
	for _, statement := range []string{
		"INSERT INTO merchant (id, code, name, currency, created_at) VALUES (1, 'm', 'M', 'VND', 0)",
		"INSERT INTO member (id, merchant_id, account, type, currency, password_hash, created_at, email) SELECT n, 1, 'player' || n, 0, 'VND', '', n, 'p' || n || '@example.com' FROM generate_series(1, 200000) n",
		"INSERT INTO member_term (merchant_id, kind, term, member_id) SELECT 1, k, CASE k WHEN 'name' THEN 'nguyen ' || n ELSE CAST(900000000 + n AS TEXT) END, n FROM generate_series(1, 200000) n, (VALUES ('name'), ('mobile')) x (k)",
		"INSERT INTO member_tag (merchant_id, tag, member_since, member_id) SELECT 1, 'vip', n, n FROM generate_series(1, 5000) n",
		"ANALYZE",
	} {
		if _, err := store.Writer.ExecContext(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	first, err := page.After("")
	if err != nil {
		t.Fatal(err)
	}
	for name, search := range map[string]Search{
		"all": {MerchantID: 1}, "state": {MerchantID: 1, State: "active"}, "tag": {MerchantID: 1, Tag: "vip"},
		"name": {MerchantID: 1, Text: "nguyen", Contacts: true}, "username": {MerchantID: 1, Text: "player", Contacts: true},
		"e-mail": {MerchantID: 1, Text: "p1@ex", Contacts: true}, "number": {MerchantID: 1, Text: "0900000", Contacts: true},
	} {
		q := newSearch(db.Postgres, search, first, 26)
		rows, err := store.Reader.QueryContext(t.Context(), "EXPLAIN "+q.text.String(), q.args...)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var plan strings.Builder
		for rows.Next() {
			var line string
			if err := rows.Scan(&line); err != nil {
				t.Fatal(err)
			}
			plan.WriteString(line + "\n")
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
		_ = rows.Close() //nolint:sqlclosecheck // the loop opens the next one
		for _, table := range []string{"member", "member_term", "member_tag"} {
			if strings.Contains(plan.String(), "Seq Scan on "+table+" ") {
				t.Errorf("%s: the plan reads all of %s, want an index:\n%s", name, table, plan.String())
			}
		}
	}
}
