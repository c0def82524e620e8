package audit_test

import (
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"fairground/internal/platform/audit"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

func appendRow(t *testing.T, store *db.Store, object string, fail error) error {
	t.Helper()
	return store.Write(t.Context(), func(tx *db.Tx) error {
		err := audit.Append(audit.As(t.Context(), "lan"), tx, time.UnixMilli(1_700_000_000_000), audit.Entry{
			Permission: "member.edit", Action: "member.disable", Object: object, Before: map[string]string{"status": "active"}, After: map[string]string{"status": "<disabled>"},
		})
		return errors.Join(err, fail)
	})
}

func verify(t *testing.T, store *db.Store) audit.Report {
	t.Helper()
	report, err := audit.Verify(t.Context(), store)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func TestChain(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		if r := verify(t, store); r.Rows != 0 || r.Broken != 0 {
			t.Errorf("empty log = %+v, want no rows and no fault", r)
		}
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				for range 5 {
					if err := appendRow(t, store, "member/1", nil); err != nil {
						t.Errorf("got %v, want no error", err)
					}
				}
			})
		}
		wg.Wait()
		if err := appendRow(t, store, "member/2", errors.New("the change failed")); err == nil {
			t.Error("a failed change was committed")
		}
		if r := verify(t, store); r.Rows != 40 || r.Broken != 0 || len(r.Head) != 64 {
			t.Errorf("log = %+v, want 40 rows without fault", r)
		}
		for _, statement := range []string{"UPDATE audit SET operator = 'minh' WHERE seq = 7", "DELETE FROM audit WHERE seq = 7"} {
			err := store.Write(t.Context(), func(tx *db.Tx) error {
				_, err := tx.ExecContext(t.Context(), statement)
				return err
			})
			if err == nil || !strings.Contains(err.Error(), "audit rows are never") {
				t.Errorf("%s: %v, want a refusal", statement, err)
			}
		}
	})
}

// Verify reports the first broken row, even if the triggers that protect the table were removed.
func TestVerifyFindsChangedRows(t *testing.T) {
	t.Parallel()
	for what, try := range map[string]struct {
		statement string
		broken    int64
	}{
		"a changed operator":  {"UPDATE audit SET operator = 'minh' WHERE seq = 3", 3},
		"a changed value":     {"UPDATE audit SET after = '{\"status\":\"active\"}' WHERE seq = 4", 4},
		"a missing row":       {"DELETE FROM audit WHERE seq = 2", 2},
		"a missing last row":  {"DELETE FROM audit WHERE seq = 5", 5},
		"a replaced digest":   {"UPDATE audit SET digest = zeroblob(32) WHERE seq = 1", 1},
		"an older head":       {"UPDATE audit_head SET seq = 4", 4},
		"malformed JSON":      {"UPDATE audit SET before = '{' WHERE seq = 5", 5},
		"an exchanged object": {"UPDATE audit SET object = 'member/9' WHERE seq = 5", 5},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			store := dbtest.SQLite(t)
			for range 5 {
				if err := appendRow(t, store, "member/1", nil); err != nil {
					t.Fatal(err)
				}
			}
			for _, statement := range []string{"DROP TRIGGER audit_no_update", "DROP TRIGGER audit_no_delete", try.statement} {
				if _, err := store.Writer.ExecContext(t.Context(), statement); err != nil {
					t.Fatal(err)
				}
			}
			if r := verify(t, store); r.Broken != try.broken || r.Why == "" {
				t.Errorf("report = %+v, want row %d broken", r, try.broken)
			}
		})
	}
}

// Open screens of operators load the changed collections again.
func TestAppendReportsTheChange(t *testing.T) {
	t.Parallel()
	store := dbtest.SQLite(t)
	for _, try := range []struct {
		entry audit.Entry
		want  string
	}{
		{audit.Entry{Action: "member.note", Object: "member/1"}, "audit members"},
		{audit.Entry{Action: "protection.dismiss", Object: "member/1"}, "audit members protection"},
		{audit.Entry{Action: "vendor.rotate", Object: "vendor/1"}, "audit vendors"},
		{audit.Entry{Action: "catalogue.game.move", Object: "game/1"}, "audit games"},
		{audit.Entry{Action: "content.publish", Object: "announcement/1"}, "audit announcements"},
		{audit.Entry{Action: "content.publish", Object: "help/1"}, "audit help"},
		{audit.Entry{Action: "ledger.adjust", Object: "adjustment/k1"}, "audit transfers"},
		{audit.Entry{Action: "ledger.verify", Object: "ledger"}, "audit ledger"},
		{audit.Entry{Action: "house.refund", Object: "round/1"}, "audit stuck"},
		{audit.Entry{Action: "method.edit", Object: "method/bank"}, "audit methods"},
		{audit.Entry{Action: "gateway.create", Object: "gateway/acme"}, "audit gateways methods"},
		{audit.Entry{Action: "deposit.confirm", Object: "deposit/1"}, "audit"}, // its package reports it
	} {
		try.entry.MerchantID = 7
		err := store.Write(t.Context(), func(tx *db.Tx) error {
			return audit.Append(t.Context(), tx, time.UnixMilli(1_700_000_000_000), try.entry)
		})
		if err != nil {
			t.Fatal(err)
		}
		var payload []byte
		if err := store.Reader.QueryRowContext(t.Context(), "SELECT payload FROM outbox ORDER BY id DESC LIMIT 1").Scan(&payload); err != nil {
			t.Fatal(err)
		}
		var messages []struct {
			Merchant, Event string
			Operators       bool
			Data            struct{ Things string }
		}
		if err := json.Unmarshal(payload, &messages); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, m := range messages {
			if m.Merchant != "7" || m.Event != "change" || !m.Operators {
				t.Errorf("%s: message = %+v, want a change for the operators of the merchant 7", try.entry.Action, m)
			}
			got = append(got, m.Data.Things)
		}
		if strings.Join(got, " ") != try.want {
			t.Errorf("%s of %s reports %q, want %q", try.entry.Action, try.entry.Object, got, try.want)
		}
	}
}
