package demo_test

import (
	"errors"
	"testing"
	"time"

	"fairground/internal/db"
	"fairground/internal/db/dbtest"
	"fairground/internal/demo"
)

func TestTheFirstStartDecides(t *testing.T) {
	t.Parallel()
	for name, asDemo := range map[string]bool{"demo": true, "site": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dbtest.Each(t, func(t *testing.T, store *db.Store) {
				for range 2 { // a first start that was cut off right after it goes on
					if err := demo.Claim(t.Context(), store, asDemo, time.Now()); err != nil {
						t.Fatal(err)
					}
				}
				want := demo.ErrRealSite
				if asDemo {
					want = demo.ErrIsDemo
				}
				for range 2 {
					if err := demo.Claim(t.Context(), store, !asDemo, time.Now()); !errors.Is(err, want) {
						t.Errorf("the other kind: %v", err)
					}
				}
			})
		})
	}
}

// What was started before the mark existed is told apart by the demo's own deposits.
func TestOlderInstallationsAreTold(t *testing.T) {
	t.Parallel()
	for _, engine := range dbtest.Engines {
		for name, asDemo := range map[string]bool{"demo": true, "site": false} {
			t.Run(string(engine)+" "+name, func(t *testing.T) {
				t.Parallel()
				store := dbtest.Open(t, dbtest.Blank(t, engine))
				migrations, err := store.Migrations()
				if err != nil {
					t.Fatal(err)
				}
				if _, err := migrations.UpTo(t.Context(), 5); err != nil {
					t.Fatal(err)
				}
				exec := func(statement string) {
					t.Helper()
					if _, err := store.Writer.ExecContext(t.Context(), statement); err != nil {
						t.Fatal(err)
					}
				}
				exec("INSERT INTO merchant (id, code, name, currency, created_at) VALUES (1, 'fairground', 'F', 'VND', 7)")
				key := "demo/deposit/demo88"
				if !asDemo {
					key = "deposit/1"
				}
				exec("INSERT INTO account (id, merchant_id, kind, currency, balance, seq, derived) VALUES (10, 1, 'adjustments', 'VND', 0, 0, TRUE), (11, 1, 'deposits', 'VND', 0, 0, TRUE)")
				exec("INSERT INTO transfer (id, idem_key, payload_hash, debit_id, credit_id, amount, kind, debit_seq, credit_seq, created_at) VALUES (1, '" + key + "', 'h', 11, 10, 5, 'deposit', 1, 1, 0)")
				if err := store.Migrate(t.Context()); err != nil {
					t.Fatal(err)
				}
				if err := demo.Claim(t.Context(), store, asDemo, time.Now()); err != nil {
					t.Error(err)
				}
				if err := demo.Claim(t.Context(), store, !asDemo, time.Now()); err == nil {
					t.Error("taken for the other kind")
				}
			})
		}
	}
}
