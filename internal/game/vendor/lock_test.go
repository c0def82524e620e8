package vendor_test

import (
	"testing"

	"fairground/internal/ledger"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

// A bet locks the player's account and then inserts its key. A concurrent rollback of the bet must lock in the same order, or the two
// deadlock.
func TestRollbackAndBetDoNotDeadlock(t *testing.T) {
	store := dbtest.Postgres(t)
	w := newVendorSite(t, store)
	session := w.openSession(t, "minhanh92")
	if r := w.call(t, "bet", bet(session, "first", "l0", "1")); r.Code != "OK" { // creates the accounts
		t.Fatalf("bet = %s, want OK", r.raw)
	}
	key := func() string {
		var key string
		if err := store.Reader.QueryRow("SELECT idem_key FROM transfer WHERE kind = 'vendor.bet'").Scan(&key); err != nil {
			t.Fatal(err)
		}
		return key[:len(key)-len("first")] + "late"
	}()
	house, err := w.books.House(t.Context(), w.ID, ledger.Vendor("TEST"), "VND")
	if err != nil {
		t.Fatal(err)
	}
	rolledBack := make(chan reply, 1)
	t.Run("FT-06 a rollback concurrent with its bet", func(t *testing.T) {
		err = w.books.Write(t.Context(), func(tx *db.Tx) error {
			// In a deadlock, this side detects it first.
			if _, err := tx.Tx.ExecContext(t.Context(), "SET LOCAL deadlock_timeout = '1ms'"); err != nil {
				return err
			}
			if err := w.books.LockIn(t.Context(), tx, "nothing/yet", w.cash[minh]); err != nil {
				return err
			}
			go func() { rolledBack <- w.call(t, "rollback", rollback(session, "back", "late")) }()
			for waiting := 0; waiting == 0; {
				err := store.Reader.QueryRow("SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'").Scan(&waiting)
				if err != nil {
					return err
				}
			}
			_, err := w.books.PostIn(t.Context(), tx, ledger.Transfer{Key: key, Debit: w.cash[minh], Credit: house.ID, Amount: 5, Kind: "vendor.bet", RefType: "round", RefID: "l1"})
			return err
		})
		if err != nil {
			t.Errorf("got %v, want no error", err)
		}
	})
	<-rolledBack
	w.verify(t)
}
