package db_test

import (
	"testing"

	"fairground/internal/platform/db/dbtest"
)

// The migration determines the kind of an older installation by its demo deposits. An unused installation has no kind.
func TestKindOfOldInstallations(t *testing.T) {
	t.Parallel()
	const merchant = "INSERT INTO merchant (id, code, name, currency, created_at) VALUES (1, 'fairground', 'F', 'VND', 7)"
	const accounts = "INSERT INTO account (id, merchant_id, kind, currency, balance, seq, derived) VALUES (10, 1, 'adjustments', 'VND', 0, 0, TRUE), (11, 1, 'deposits', 'VND', 0, 0, TRUE)"
	const transfer = "INSERT INTO transfer (id, idem_key, payload_hash, debit_id, credit_id, amount, kind, debit_seq, credit_seq, created_at) VALUES "
	for _, engine := range dbtest.Engines {
		for kind, rows := range map[string][]string{
			"":     nil,
			"site": {merchant, accounts, transfer + "(1, 'deposit/1', 'h', 11, 10, 5, 'deposit', 1, 1, 0)"},
			"demo": {merchant, accounts, transfer + "(1, 'demo/deposit/demo88', 'h', 11, 10, 5, 'deposit', 1, 1, 0)"},
		} {
			t.Run(string(engine)+" "+kind, func(t *testing.T) {
				t.Parallel()
				store := dbtest.Open(t, dbtest.Blank(t, engine))
				migrations, err := store.Migrations()
				if err != nil {
					t.Fatal(err)
				}
				if _, err := migrations.UpTo(t.Context(), 5); err != nil {
					t.Fatal(err)
				}
				for _, row := range rows {
					if _, err := store.Writer.ExecContext(t.Context(), row); err != nil {
						t.Fatal(err)
					}
				}
				if err := store.Migrate(t.Context()); err != nil {
					t.Fatal(err)
				}
				var got string
				if err := store.Reader.QueryRowContext(t.Context(), "SELECT COALESCE(MAX(kind), '') FROM installation").Scan(&got); err != nil || got != kind {
					t.Errorf("kind = %q, %v, want %v", got, err, kind)
				}
			})
		}
	}
}
