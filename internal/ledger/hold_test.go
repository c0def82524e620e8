package ledger_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"fairground/internal/ledger"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

var ref = ledger.Reference{Type: "withdrawal", ID: "w1", Note: "test"}

func TestHoldIsPaidOrReleasedOnce(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		w := newTestLedger(t, s, 1, 1000, ledger.Options{})
		withdrawals, err := w.House(ctx, merchantID, ledger.Withdrawals, currency)
		if err != nil {
			t.Fatal(err)
		}
		a, err := w.Hold(ctx, "hold:a", w.cash[0].ID, 300, ref)
		if err != nil || a.DebitAfter != 700 || a.CreditAfter != 300 {
			t.Fatalf("hold: %+v, error %v, want debit after 700 and credit after 300", a, err)
		}
		b, err := w.Hold(ctx, "hold:b", w.cash[0].ID, 200, ref)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Hold(ctx, "hold:c", w.cash[0].ID, 501, ref); !errors.Is(err, ledger.ErrInsufficient) {
			t.Errorf("hold above the balance: %v, want ErrInsufficient", err)
		}
		w.verify(t)
		paid, err := w.Pay(ctx, "pay:a", a.ID, withdrawals.ID, ref)
		if err != nil || paid.DebitAfter != 200 {
			t.Fatalf("pay: %+v, error %v, want debit after 200", paid, err)
		}
		if again, err := w.Pay(ctx, "pay:a", a.ID, withdrawals.ID, ref); err != nil || again.ID != paid.ID || !again.Replayed {
			t.Errorf("pay with the same key: %+v, %v, want a replay of %d", again, err, paid.ID)
		}
		if _, err := w.Pay(ctx, "pay:a2", a.ID, withdrawals.ID, ref); !errors.Is(err, ledger.ErrSettled) {
			t.Errorf("pay with another key: %v, want ErrSettled", err)
		}
		if _, err := w.Release(ctx, "release:a", a.ID, ref); !errors.Is(err, ledger.ErrSettled) {
			t.Errorf("release of a paid hold: %v, want ErrSettled", err)
		}
		if _, err := w.Release(ctx, "release:a", a.ID, ref); !errors.Is(err, ledger.ErrSettled) {
			t.Errorf("repeated release: %v, want ErrSettled", err)
		}
		if released, err := w.Release(ctx, "release:b", b.ID, ref); err != nil || released.CreditAfter != 700 || released.DebitAfter != 0 {
			t.Errorf("release: %+v, %v, want credit after 700 and debit after 0", released, err)
		}
		if _, err := w.Pay(ctx, "pay:b", b.ID, withdrawals.ID, ref); !errors.Is(err, ledger.ErrSettled) {
			t.Errorf("pay of a released hold: %v, want ErrSettled", err)
		}
		if got := w.balance(t, withdrawals.ID); got != 300 {
			t.Errorf("withdrawals account = %d, want 300", got)
		}
		w.verify(t)
	})
}

func TestInvalidHoldsAndSettlements(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		w := newTestLedger(t, s, 2, 1000, ledger.Options{})
		bet := w.must(t, w.bet(0, 10))
		refused, _ := w.Hold(ctx, "refused", w.cash[0].ID, 5000, ref)
		hold, err := w.Hold(ctx, "hold", w.cash[0].ID, 10, ref)
		if err != nil {
			t.Fatal(err)
		}
		check := func(name string, err, want error) {
			t.Helper()
			if !errors.Is(err, want) {
				t.Errorf("%s: error %v, want %v", name, err, want)
			}
		}
		_, err = w.Pay(ctx, "x1", bet.ID, w.vendor.ID, ref)
		check("pay of a bet", err, ledger.ErrOrigin)
		_, err = w.Release(ctx, "x2", 424242, ref)
		check("release of a missing hold", err, ledger.ErrOrigin)
		_, err = w.Pay(ctx, "x3", refused.ID, w.vendor.ID, ref)
		check("pay of a refused hold", err, ledger.ErrOrigin)
		_, err = w.Hold(ctx, "x4", w.vendor.ID, 10, ref)
		check("hold on a house account", err, ledger.ErrMismatch)
		_, err = w.Hold(ctx, "x5", 424242, 10, ref)
		check("hold on a missing account", err, ledger.ErrAccount)
		_, err = w.Post(ctx, ledger.Transfer{Key: "x6", Debit: w.cash[0].ID, Credit: w.held[1].ID, Amount: 10, Kind: ledger.KindHold})
		check("hold on another member", err, ledger.ErrMismatch)
		_, err = w.Post(ctx, ledger.Transfer{Key: "x7", Debit: w.held[0].ID, Credit: w.vendor.ID, Amount: 9, Kind: ledger.KindPay, Origin: hold.ID})
		check("partial pay", err, ledger.ErrMalformed)
		_, err = w.Post(ctx, ledger.Transfer{Key: "x8", Debit: w.held[0].ID, Credit: w.cash[1].ID, Amount: 10, Kind: ledger.KindRelease, Origin: hold.ID})
		check("release to another member", err, ledger.ErrMismatch)
		_, err = w.Pay(ctx, "x8a", hold.ID, w.cash[1].ID, ref)
		check("pay to another member", err, ledger.ErrMismatch)
		_, err = w.Pay(ctx, "x8b", hold.ID, w.cash[0].ID, ref)
		check("pay to the member", err, ledger.ErrMismatch)
		_, err = w.Post(ctx, ledger.Transfer{Key: "x9", Debit: w.held[0].ID, Credit: w.vendor.ID, Amount: 10, Kind: "bet"})
		check("bet from held money", err, ledger.ErrMismatch)
		w.verify(t)
	})
}

func TestReverseOnce(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		w := newTestLedger(t, s, 2, 1000, ledger.Options{})
		bet := w.must(t, w.bet(0, 400))
		reversal, err := w.Reverse(ctx, "undo", bet.ID, ref)
		if err != nil || reversal.CreditAfter != 1000 {
			t.Fatalf("reverse: %+v, error %v, want credit after 1000", reversal, err)
		}
		if _, err := w.Reverse(ctx, "undo2", bet.ID, ref); !errors.Is(err, ledger.ErrSettled) {
			t.Errorf("reverse twice: %v", err)
		}
		if _, err := w.Reverse(ctx, "undo3", reversal.ID, ref); !errors.Is(err, ledger.ErrNotReversible) {
			t.Errorf("reverse a reversal: %v, want ErrNotReversible", err)
		}
		hold, err := w.Hold(ctx, "hold", w.cash[0].ID, 10, ref)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Reverse(ctx, "undo4", hold.ID, ref); !errors.Is(err, ledger.ErrNotReversible) {
			t.Errorf("reverse a hold: %v, want ErrNotReversible", err)
		}
		win := w.must(t, ledger.Transfer{Key: "win", Debit: w.vendor.ID, Credit: w.cash[1].ID, Amount: 500, Kind: "win"})
		w.must(t, w.bet(1, 1200))
		if _, err := w.Reverse(ctx, "undo5", win.ID, ref); !errors.Is(err, ledger.ErrInsufficient) {
			t.Errorf("reverse a spent win: %v, want ErrInsufficient", err)
		}
		houseTransfer := w.must(t, ledger.Transfer{Key: "house", Debit: w.vendor.ID, Credit: w.deposits.ID, Amount: 5, Kind: "sweep"})
		if _, err := w.Reverse(ctx, "undo6", houseTransfer.ID, ref); err != nil {
			t.Errorf("reverse between house accounts: %v", err)
		}
		if _, err := w.Reverse(ctx, "undo7", houseTransfer.ID, ref); !errors.Is(err, ledger.ErrSettled) {
			t.Errorf("reverse between house accounts, twice: %v", err)
		}
		w.verify(t)
	})
}

func TestConcurrentSettlementsOfOneHold(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		w := newTestLedger(t, s, 1, 1000, ledger.Options{})
		for round := range 5 {
			hold, err := w.Hold(ctx, w.key("hold"), w.cash[0].ID, 100, ref)
			if err != nil {
				t.Fatal(err)
			}
			var wg sync.WaitGroup
			var settled atomic.Int64
			for i := range 8 {
				wg.Go(func() {
					var err error
					if i%2 == 0 {
						_, err = w.Pay(ctx, w.key("pay"), hold.ID, w.vendor.ID, ref)
					} else {
						_, err = w.Release(ctx, w.key("release"), hold.ID, ref)
					}
					switch {
					case err == nil:
						settled.Add(1)
					case !errors.Is(err, ledger.ErrSettled):
						t.Errorf("got %v, want ErrSettled", err)
					}
				})
			}
			wg.Wait()
			if settled.Load() != 1 {
				t.Errorf("round %d: settled %d times, want 1", round, settled.Load())
			}
		}
		w.verify(t)
	})
}

// TestPostInSharesTransaction posts a settlement in one transaction with a caller's row. It rolls back once, then commits.
func TestPostInSharesTransaction(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		var announced atomic.Int64
		w := newTestLedger(t, s, 1, 1000, ledger.Options{OnCommit: func() { announced.Add(1) }})
		w.exec(t, "CREATE TABLE payout (id BIGINT PRIMARY KEY)")
		hold, err := w.Hold(ctx, "hold", w.cash[0].ID, 100, ref)
		if err != nil {
			t.Fatal(err)
		}
		pay, err := w.PreparePay(ctx, "pay", hold.ID, w.vendor.ID, ref)
		if err != nil {
			t.Fatal(err)
		}
		before := announced.Load()
		errRollback := errors.New("roll back")
		err = w.Write(ctx, func(tx *db.Tx) error {
			if _, err := w.PostIn(ctx, tx, pay); err != nil {
				return err
			}
			return errRollback
		})
		if !errors.Is(err, errRollback) || announced.Load() != before || w.balance(t, w.held[0].ID) != 100 {
			t.Fatalf("after rollback: %v, held %d, want 100", err, w.balance(t, w.held[0].ID))
		}
		err = w.Write(ctx, func(tx *db.Tx) error {
			got, err := w.PostIn(ctx, tx, pay, w.bet(0, 900), w.bet(0, 1))
			if !errors.Is(err, ledger.ErrInsufficient) || len(got) != 3 || got[1].DebitAfter != 0 || got[2].ID == 0 { // the results include the stored refusal
				t.Errorf("results %+v, %v", got, err)
			}
			_, err = tx.ExecContext(ctx, "INSERT INTO payout VALUES (1)")
			return err
		})
		if err != nil || announced.Load() != before+1 || w.balance(t, w.held[0].ID) != 0 || w.balance(t, w.cash[0].ID) != 0 {
			t.Errorf("committed: %v, want one announcement and both accounts empty", err)
		}
		if r := w.verify(t); r.Refused != 1 {
			t.Errorf("refused = %d, want 1", r.Refused)
		}
	})
}
