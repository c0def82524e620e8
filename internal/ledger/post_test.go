package ledger_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

// withPostAndPostIn runs a test on both engines, with Post and with PostIn.
func withPostAndPostIn(t *testing.T, members int, startBalance money.Minor, fn func(*testing.T, *testLedger, func(ledger.Transfer) (ledger.Posted, error))) {
	ctx := context.Background()
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		w := newTestLedger(t, s, members, startBalance, ledger.Options{})
		fn(t, w, func(tr ledger.Transfer) (ledger.Posted, error) { return w.Post(ctx, tr) })
		w.verify(t)
	})
	t.Run("in transaction", func(t *testing.T) {
		t.Parallel()
		dbtest.Each(t, func(t *testing.T, s *db.Store) {
			w := newTestLedger(t, s, members, startBalance, ledger.Options{})
			fn(t, w, func(tr ledger.Transfer) (p ledger.Posted, refusal error) {
				err := w.Write(ctx, func(tx *db.Tx) error {
					var got []ledger.Posted
					got, refusal = w.PostIn(ctx, tx, tr)
					if len(got) == 1 {
						p = got[0]
					}
					return nil
				})
				return p, errors.Join(refusal, err)
			})
			w.verify(t)
		})
	})
}

func TestPostMovesMoney(t *testing.T) {
	t.Parallel()
	withPostAndPostIn(t, 2, 1000, func(t *testing.T, w *testLedger, post func(ledger.Transfer) (ledger.Posted, error)) {
		p, err := post(w.bet(0, 300))
		if err != nil || p.DebitAfter != 700 || p.ID == 0 || p.At.IsZero() || p.Replayed {
			t.Fatalf("bet: %+v, error %v, want a new transfer that leaves 700", p, err)
		}
		p, err = post(ledger.Transfer{Key: "gift", Debit: w.cash[0].ID, Credit: w.cash[1].ID, Amount: 50, Kind: "gift"})
		if err != nil || p.DebitAfter != 650 || p.CreditAfter != 1050 {
			t.Fatalf("gift: %+v, error %v, want debit after 650 and credit after 1050", p, err)
		}
		if a, b, v := w.balance(t, w.cash[0].ID), w.balance(t, w.cash[1].ID), w.balance(t, w.vendor.ID); a != 650 || b != 1050 || v != 300 {
			t.Errorf("balances %d, %d, %d; want 650, 1050, 300", a, b, v)
		}
	})
}

func TestSameKeyReturnsFirstResult(t *testing.T) {
	t.Parallel()
	withPostAndPostIn(t, 1, 1000, func(t *testing.T, w *testLedger, post func(ledger.Transfer) (ledger.Posted, error)) {
		bet := w.bet(0, 800)
		first, err := post(bet)
		if err != nil {
			t.Fatal(err)
		}
		again, err := post(bet) // the balance would no longer allow it
		if err != nil || !again.Replayed || again.ID != first.ID || again.DebitAfter != 200 || !again.At.Equal(first.At) {
			t.Errorf("again: %+v, %v, want a replay of %+v", again, err, first)
		}
		for name, change := range map[string]func(*ledger.Transfer){
			"amount":          func(tr *ledger.Transfer) { tr.Amount = 1 },
			"note":            func(tr *ledger.Transfer) { tr.Note = "other" },
			"kind":            func(tr *ledger.Transfer) { tr.Kind = "other" },
			"credit":          func(tr *ledger.Transfer) { tr.Credit = w.deposits.ID },
			"ref":             func(tr *ledger.Transfer) { tr.RefType, tr.RefID = "a", "b" },
			"missing account": func(tr *ledger.Transfer) { tr.Credit = 999 },
		} {
			other := bet
			change(&other)
			if _, err := post(other); !errors.Is(err, ledger.ErrConflict) {
				t.Errorf("other %s: %v, want ErrConflict", name, err)
			}
		}
		if b := w.balance(t, w.cash[0].ID); b != 200 {
			t.Errorf("balance = %d, want 200", b)
		}
	})
}

func TestRefusedKeyStaysRefused(t *testing.T) {
	t.Parallel()
	withPostAndPostIn(t, 1, 100, func(t *testing.T, w *testLedger, post func(ledger.Transfer) (ledger.Posted, error)) {
		bet := w.bet(0, 101)
		if _, err := post(bet); !errors.Is(err, ledger.ErrInsufficient) {
			t.Fatalf("overdraft: %v, want ErrInsufficient", err)
		}
		if _, err := post(ledger.Transfer{Key: "more", Debit: w.deposits.ID, Credit: w.cash[0].ID, Amount: 1000, Kind: "deposit"}); err != nil {
			t.Fatal(err)
		}
		p, err := post(bet)
		if !errors.Is(err, ledger.ErrInsufficient) {
			t.Errorf("the same key after a deposit: %+v, %v, want ErrInsufficient", p, err)
		}
		if _, err := post(w.bet(0, 101)); err != nil {
			t.Errorf("a new key: %v", err)
		}
		if b := w.balance(t, w.cash[0].ID); b != 999 {
			t.Errorf("balance = %d, want 999", b)
		}
	})
}

func TestErrorsAreNotStored(t *testing.T) {
	t.Parallel()
	withPostAndPostIn(t, 1, 100, func(t *testing.T, w *testLedger, post func(ledger.Transfer) (ledger.Posted, error)) {
		fun, err := w.House(context.Background(), merchantID, ledger.Deposits, "FUN")
		if err != nil {
			t.Fatal(err)
		}
		for name, c := range map[string]struct {
			change func(*ledger.Transfer)
			want   error
		}{
			"no such account": {func(tr *ledger.Transfer) { tr.Credit = 12345 }, ledger.ErrAccount},
			"no such debit":   {func(tr *ledger.Transfer) { tr.Debit = 12345 }, ledger.ErrAccount},
			"play money":      {func(tr *ledger.Transfer) { tr.Debit = fun.ID }, ledger.ErrMismatch},
			"held account":    {func(tr *ledger.Transfer) { tr.Credit = w.held[0].ID }, ledger.ErrMismatch},
			"zero":            {func(tr *ledger.Transfer) { tr.Amount = 0 }, ledger.ErrMalformed},
			"negative":        {func(tr *ledger.Transfer) { tr.Amount = -1 }, ledger.ErrMalformed},
			"too much":        {func(tr *ledger.Transfer) { tr.Amount = ledger.MaxAmount + 1 }, ledger.ErrMalformed},
			"to itself":       {func(tr *ledger.Transfer) { tr.Debit = tr.Credit }, ledger.ErrMalformed},
			"no key":          {func(tr *ledger.Transfer) { tr.Key = "" }, ledger.ErrMalformed},
			"long key":        {func(tr *ledger.Transfer) { tr.Key = strings.Repeat("k", 201) }, ledger.ErrMalformed},
			"zero byte":       {func(tr *ledger.Transfer) { tr.Note = "a\x00b" }, ledger.ErrMalformed},
			"broken text":     {func(tr *ledger.Transfer) { tr.RefID = "\xff" }, ledger.ErrMalformed},
			"no kind":         {func(tr *ledger.Transfer) { tr.Kind = "" }, ledger.ErrMalformed},
			"origin of none":  {func(tr *ledger.Transfer) { tr.Origin = 1 }, ledger.ErrMalformed},
			"pay of nothing":  {func(tr *ledger.Transfer) { tr.Kind = ledger.KindPay }, ledger.ErrMalformed},
		} {
			good := ledger.Transfer{Key: "n:" + name, Debit: w.deposits.ID, Credit: w.cash[0].ID, Amount: 1, Kind: "deposit"}
			bad := good
			c.change(&bad)
			if _, err := post(bad); !errors.Is(err, c.want) {
				t.Errorf("%s: error %v, want %v", name, err, c.want)
			}
			if p, err := post(good); err != nil || p.Replayed {
				t.Errorf("%s: reuse of the key: %+v, %v, want a new transfer", name, p, err)
			}
		}
	})
}

func TestOverflowIsRefused(t *testing.T) {
	t.Parallel()
	withPostAndPostIn(t, 2, 1000, func(t *testing.T, w *testLedger, post func(ledger.Transfer) (ledger.Posted, error)) {
		// Posts cannot reach this balance. It is restored before verify.
		set := func(n int64) { w.exec(t, "UPDATE account SET balance = $1 WHERE id = $2", n, w.cash[1].ID) }
		set(1<<63 - 10)
		gift := ledger.Transfer{Key: "overflow", Debit: w.cash[0].ID, Credit: w.cash[1].ID, Amount: 10, Kind: "gift"}
		if _, err := post(gift); !errors.Is(err, ledger.ErrOverflow) {
			t.Errorf("overflow: %v, want ErrOverflow", err)
		}
		deposit := ledger.Transfer{Key: "overflow2", Debit: w.deposits.ID, Credit: w.cash[1].ID, Amount: 10, Kind: "deposit"}
		if _, err := post(deposit); !errors.Is(err, ledger.ErrOverflow) {
			t.Errorf("overflow from the house: %v, want ErrOverflow", err)
		}
		set(1000)
		if _, err := post(gift); !errors.Is(err, ledger.ErrOverflow) {
			t.Errorf("repeated key: %v, want ErrOverflow", err)
		}
	})
}

func TestConcurrentPostsAddUp(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		w := newTestLedger(t, s, 5, 1000, ledger.Options{})
		var wg sync.WaitGroup
		for c := range 16 {
			wg.Go(func() {
				for i := range 40 {
					_, err := w.Post(context.Background(), w.bet((c+i)%5, 10))
					if err != nil && !errors.Is(err, ledger.ErrInsufficient) {
						t.Errorf("got %v, want no error or ErrInsufficient", err)
					}
				}
			})
		}
		wg.Wait()
		var left money.Minor
		for _, a := range w.cash {
			left += w.balance(t, a.ID)
		}
		if got := w.balance(t, w.vendor.ID); got+left != 5000 || got != 5000 { // 6,400 were requested
			t.Errorf("vendor = %d, members = %d; want 5000 and 0", got, left)
		}
		w.verify(t)
	})
}
