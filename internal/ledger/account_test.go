package ledger_test

import (
	"context"
	"database/sql"
	"errors"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

func TestEnsureMemberIsIdempotent(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		w := newTestLedger(t, s, 1, 50, ledger.Options{})
		var wg sync.WaitGroup
		var ids sync.Map
		for range 8 {
			wg.Go(func() {
				a, err := w.EnsureMember(ctx, merchantID, 100, "USD")
				if err != nil {
					t.Errorf("got %v, want no error", err)
				}
				ids.Store(a.ID, true)
				if _, err := w.House(ctx, merchantID, ledger.Adjustments, "USD"); err != nil {
					t.Errorf("House: got %v, want no error", err)
				}
			})
		}
		wg.Wait()
		n := 0
		ids.Range(func(any, any) bool { n++; return true })
		if n != 1 {
			t.Errorf("got %d accounts, want 1", n)
		}
		got, err := w.Balances(ctx, 100)
		if err != nil {
			t.Fatal(err)
		}
		want := []ledger.Account{
			{Member: 100, Merchant: merchantID, Kind: ledger.Held, Currency: "VND"},
			{Member: 100, Merchant: merchantID, Kind: ledger.Cash, Currency: "VND", Balance: 50, Version: 1},
			{Member: 100, Merchant: merchantID, Kind: ledger.Held, Currency: "USD"},
			{Member: 100, Merchant: merchantID, Kind: ledger.Cash, Currency: "USD"},
		}
		if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(ledger.Account{}, "ID")); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	})
}

func TestRollbackUndoesEnsureMemberIn(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		w := newTestLedger(t, s, 1, 0, ledger.Options{})
		register := func(id int64, result error) error {
			return w.Write(ctx, func(tx *db.Tx) error {
				_, err := db.Bind(tx.Engine, tx.Tx).ExecContext(ctx, "INSERT INTO member (id, merchant_id, account, type, currency, password_hash, created_at) VALUES ($1, 1, 'new', 0, 'VND', '', 0)", id)
				if err != nil {
					return err
				}
				if err := w.EnsureMemberIn(ctx, tx, merchantID, id, "VND"); err != nil {
					return err
				}
				cash, err := tx.Q.AccountOfMember(ctx, sql.NullInt64{Int64: id, Valid: true}, ledger.Cash, "VND")
				if err != nil {
					return err
				}
				if _, err := w.PostIn(ctx, tx, ledger.Transfer{Key: w.key("welcome"), Debit: w.deposits.ID, Credit: cash.ID, Amount: 5, Kind: "welcome"}); err != nil {
					return err
				}
				return result
			})
		}
		errRollback := errors.New("roll back")
		if err := register(500, errRollback); !errors.Is(err, errRollback) {
			t.Fatal(err)
		}
		if got, err := w.Balances(ctx, 500); err != nil || len(got) != 0 {
			t.Errorf("after rollback: accounts %+v, %v; want none", got, err)
		}
		if err := register(501, nil); err != nil {
			t.Fatal(err)
		}
		if got, err := w.Balances(ctx, 501); err != nil || len(got) != 2 || got[1].Balance != 5 {
			t.Errorf("accounts %+v, %v; want 2 accounts, the second with balance 5", got, err)
		}
		w.verify(t)
	})
}

func TestInvalidAccounts(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		w := newTestLedger(t, s, 1, 0, ledger.Options{})
		check := func(name string, err, want error) {
			t.Helper()
			if !errors.Is(err, want) {
				t.Errorf("%s: error %v, want %v", name, err, want)
			}
		}
		_, err := w.EnsureMember(ctx, merchantID, 0, "VND")
		check("no member", err, ledger.ErrMalformed)
		_, err = w.House(ctx, merchantID, "", "VND")
		check("no kind", err, ledger.ErrMalformed)
		_, err = w.EnsureMember(ctx, merchantID, 100, "XXX")
		check("unknown currency", err, money.ErrCurrency)
		_, err = w.EnsureMember(ctx, 2, 100, "VND")
		check("member of another merchant", err, ledger.ErrMismatch)
		_, err = w.Balance(ctx, 4242)
		check("unknown account", err, ledger.ErrAccount)
		if _, err = w.EnsureMember(ctx, merchantID, 4242, "VND"); err == nil {
			t.Error("account created for a missing member")
		}
	})
}
