package ledger_test

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

func TestMain(m *testing.M) {
	if task := os.Getenv("LEDGER_CHILD"); task != "" {
		child(task)
		return
	}
	dbtest.Main(m)
}

const (
	merchantID = 1
	currency   = "VND"
)

// testTimeout is long enough for a busy machine. Only a test that hangs reaches it.
const testTimeout = 2 * time.Minute

// A testLedger is a ledger with a merchant, members and house accounts.
type testLedger struct {
	*ledger.Ledger
	store            *db.Store
	cash             []ledger.Account
	held             []ledger.Account
	deposits         ledger.Account
	vendor           ledger.Account
	keys             atomic.Int64
	waitCountAtBlock int64 // the pool's wait count when blockWriters was called
}

// newTestLedger returns a ledger whose members all have the same cash balance.
func newTestLedger(t testing.TB, s *db.Store, members int, startBalance money.Minor, o ledger.Options) *testLedger {
	t.Helper()
	if err := populate(s, members); err != nil {
		t.Fatal(err)
	}
	o.Timeouts = ledger.Timeouts{Lock: cmp.Or(o.Timeouts.Lock, testTimeout), RoundTrip: cmp.Or(o.Timeouts.RoundTrip, testTimeout), Reconnect: cmp.Or(o.Timeouts.Reconnect, testTimeout)}
	w := &testLedger{Ledger: ledger.New(s, o), store: s}
	t.Cleanup(w.Close)
	if err := w.load(members); err != nil {
		t.Fatal(err)
	}
	for i, a := range w.cash {
		if startBalance > 0 {
			w.must(t, ledger.Transfer{Key: fmt.Sprintf("deposit:%d", i), Debit: w.deposits.ID, Credit: a.ID, Amount: startBalance, Kind: "deposit"})
		}
	}
	return w
}

func populate(s *db.Store, members int) error {
	ctx := context.Background()
	return s.Write(ctx, func(tx *db.Tx) error {
		x := db.Bind(tx.Engine, tx.Tx)
		if _, err := x.ExecContext(ctx, "INSERT INTO merchant (id, code, name, currency, created_at) VALUES ($1, 'fairground', 'Fairground', $2, 0)", merchantID, currency); err != nil {
			return err
		}
		for i := range members {
			_, err := x.ExecContext(ctx, "INSERT INTO member (id, merchant_id, account, type, currency, password_hash, created_at) VALUES ($1, $2, $3, 0, $4, '', 0)",
				100+i, merchantID, fmt.Sprintf("member%d", i), currency)
			if err != nil {
				return err
			}
		}
		return nil
	})
}

func (w *testLedger) exec(t testing.TB, q string, args ...any) {
	t.Helper()
	if _, err := db.Bind(w.store.Engine, w.store.Writer).ExecContext(context.Background(), q, args...); err != nil {
		t.Fatal(err)
	}
}

func (w *testLedger) load(members int) (err error) {
	ctx := context.Background()
	if w.deposits, err = w.House(ctx, merchantID, ledger.Deposits, currency); err != nil {
		return err
	}
	if w.vendor, err = w.House(ctx, merchantID, ledger.Vendor("HOUSE"), currency); err != nil {
		return err
	}
	for i := range members {
		cash, err := w.EnsureMember(ctx, merchantID, int64(100+i), currency)
		if err != nil {
			return err
		}
		all, err := w.Balances(ctx, int64(100+i))
		if err != nil {
			return err
		}
		held := slices.IndexFunc(all, func(a ledger.Account) bool { return a.Kind == ledger.Held && a.Currency == currency })
		w.cash, w.held = append(w.cash, cash), append(w.held, all[held])
	}
	return nil
}

func (w *testLedger) must(t testing.TB, tr ledger.Transfer) ledger.Posted {
	t.Helper()
	p, err := w.Post(context.Background(), tr)
	if err != nil {
		t.Fatalf("post %s: %v", tr.Key, err)
	}
	return p
}

func (w *testLedger) balance(t testing.TB, account int64) money.Minor {
	t.Helper()
	n, err := w.Balance(context.Background(), account)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func (w *testLedger) key(prefix string) string { return fmt.Sprintf("%s:%d", prefix, w.keys.Add(1)) }

func (w *testLedger) bet(member int, amount money.Minor) ledger.Transfer {
	return ledger.Transfer{Key: w.key("bet"), Debit: w.cash[member].ID, Credit: w.vendor.ID, Amount: amount, Kind: "bet"}
}
