package message_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/db/query"
	"fairground/internal/site/merchant/merchanttest"
)

// Another replica starts a message after its status was read to withdraw it.
func TestWithdrawalDuringTheStartIsStale(t *testing.T) {
	t.Parallel()
	store := dbtest.Postgres(t)
	h := newInboxSite(t, store)
	m, id := h.schedule(t, map[string]any{"audience": "all"})
	withdraw := func() merchanttest.Reply {
		return h.operator("POST", "/ops/v1/messages/"+m.ID+"/withdraw", map[string]any{"version": m.Version, "reason": "wrong text"})
	}
	withdrawn := make(chan merchanttest.Reply, 1)
	err := store.Write(t.Context(), func(tx *db.Tx) error {
		if n, err := tx.Q.StartMessage(t.Context(), id); err != nil || n != 1 {
			t.Errorf("start: got %d rows, %v, want 1", n, err)
		}
		go func() { withdrawn <- withdraw() }()
		for waiting := 0; waiting == 0; { // until the withdrawal waits for this transaction
			err := store.Reader.QueryRow("SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'").Scan(&waiting)
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := <-withdrawn; got.Status != http.StatusConflict || !strings.Contains(string(got.Body), `"ops.stale"`) {
		t.Errorf("withdrawal during the start: got %d %s, want 409 ops.stale", got.Status, got.Body)
	}
	wantEqual(t, "status", h.status(t, m.ID).Status, "sending")
	events := h.events(t)
	if got := withdraw(); got.Status != http.StatusOK {
		t.Errorf("withdrawal after the start: got %d %s, want 200", got.Status, got.Body)
	}
	wantEqual(t, "events to members", h.events(t)-events, 1)
	wantEqual(t, "audit rows with the status before", h.Number(t, `SELECT COUNT(*) FROM audit WHERE action = 'message.withdraw' AND before LIKE '%sending%'`), 1)
}

// The index of messages to end has only those that have not ended.
func TestMessagesToEndUseAnIndexWithoutEndedOnes(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		const numbers = "WITH RECURSIVE x (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM x WHERE n < 5000) "
		dbtest.Fill(
			t, store,
			"INSERT INTO merchant (id, code, name, currency, created_at) VALUES (1, 'm', 'M', 'VND', 0)",
			numbers+`INSERT INTO message (id, merchant_id, audience, filter, texts, link, promotional, status, created_by, created_at, ends_at)
				SELECT n, 1, 'all', '{}', '{}', '', FALSE, CASE WHEN n % 1000 = 0 THEN 'sent' ELSE 'ended' END, 'op', n, n FROM x`,
		)
		recorder := &dbtest.Recorder{}
		if _, err := query.New(recorder).MessagesToEnd(t.Context(), 10_000); !errors.Is(err, dbtest.ErrRecorded) {
			t.Fatal(err)
		}
		explain, definition := "EXPLAIN QUERY PLAN ", "SELECT sql FROM sqlite_master WHERE name = 'message_to_end'"
		if store.Engine == db.Postgres {
			explain, definition = "EXPLAIN ", "SELECT indexdef FROM pg_indexes WHERE indexname = 'message_to_end'"
		}
		if plan := lines(t, store, explain+recorder.Text, recorder.Args...); !strings.Contains(plan, "message_to_end") {
			t.Errorf("plan: got %s, want the index message_to_end", plan)
		}
		if index := lines(t, store, definition); !strings.Contains(index, "status") {
			t.Errorf("index: got %s, want only messages in some states", index)
		}
	})
}

// lines returns the last column of the rows of a statement.
func lines(t *testing.T, store *db.Store, statement string, args ...any) string {
	t.Helper()
	rows, err := store.Reader.QueryContext(t.Context(), statement, args...)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for rows.Next() {
		values := make([]any, len(columns))
		for i := range values {
			values[i] = new(any)
		}
		if err := rows.Scan(values...); err != nil {
			t.Fatal(err)
		}
		out = append(out, fmt.Sprint(*values[len(values)-1].(*any)))
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return strings.Join(out, "\n")
}
