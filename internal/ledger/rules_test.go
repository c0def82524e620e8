package ledger_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"fairground/internal/fault"
	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

// A ruleCase is a transfer and its expected result under the money rules.
type ruleCase struct {
	name     string
	balance  money.Minor // from a deposit
	floor    int64
	replaced int64 // balance written directly, if not 0
	transfer func(a ruleAccounts) ledger.Transfer
	want     string // code of the refusal or error; "" if posted
	single   bool   // whether the single statement posts it
}

// ruleAccounts are the accounts that a case may use. The house accounts are cached.
type ruleAccounts struct {
	cash, held, other       int64
	house, deposits         int64
	otherCurrency, merchant int64 // house accounts of another currency and of another merchant
	depositKey              string
}

func bet(debit, credit int64, amount money.Minor) ledger.Transfer {
	return ledger.Transfer{Debit: debit, Credit: credit, Amount: amount, Kind: "bet"}
}

// ruleCases apply to both implementations of the money rules: book.go and the statement postSingle. The statement must
// either post exactly what book.go posts, or leave the transfer to it.
var ruleCases = []ruleCase{
	{"bet", 100, 0, 0, func(a ruleAccounts) ledger.Transfer { return bet(a.cash, a.house, 30) }, "", true},
	{"bet of the whole balance", 100, 0, 0, func(a ruleAccounts) ledger.Transfer { return bet(a.cash, a.house, 100) }, "", true},
	{"bet above the balance", 100, 0, 0, func(a ruleAccounts) ledger.Transfer { return bet(a.cash, a.house, 101) }, ledger.ErrInsufficient.Code, false},
	{"bet down to the floor", 100, 20, 0, func(a ruleAccounts) ledger.Transfer { return bet(a.cash, a.house, 80) }, "", true},
	{"bet below the floor", 100, 20, 0, func(a ruleAccounts) ledger.Transfer { return bet(a.cash, a.house, 81) }, ledger.ErrInsufficient.Code, false},
	{"bet with a negative floor", 100, -50, 0, func(a ruleAccounts) ledger.Transfer { return bet(a.cash, a.house, 150) }, "", true},
	{"win", 100, 0, 0, func(a ruleAccounts) ledger.Transfer { return bet(a.house, a.cash, 7) }, "", true},
	{"win that overflows", 100, 0, math.MaxInt64 - 10, func(a ruleAccounts) ledger.Transfer { return bet(a.house, a.cash, 11) }, ledger.ErrOverflow.Code, false},
	{"references", 100, 0, 0, func(a ruleAccounts) ledger.Transfer {
		return ledger.Transfer{Debit: a.cash, Credit: a.house, Amount: 1, Kind: "fee", RefType: "round", RefID: "r1", Note: `a "note"`}
	}, "", true},
	{"same key and content", 100, 0, 0, func(a ruleAccounts) ledger.Transfer {
		return ledger.Transfer{Key: a.depositKey, Debit: a.deposits, Credit: a.cash, Amount: 100, Kind: "deposit"}
	}, "", false},
	{"same key, other content", 100, 0, 0, func(a ruleAccounts) ledger.Transfer {
		return ledger.Transfer{Key: a.depositKey, Debit: a.deposits, Credit: a.cash, Amount: 99, Kind: "deposit"}
	}, ledger.ErrConflict.Code, false},
	{"missing account", 100, 0, 0, func(a ruleAccounts) ledger.Transfer { return bet(424242, a.house, 1) }, ledger.ErrAccount.Code, false},
	{"other currency", 100, 0, 0, func(a ruleAccounts) ledger.Transfer { return bet(a.cash, a.otherCurrency, 1) }, ledger.ErrMismatch.Code, false},
	{"other merchant", 100, 0, 0, func(a ruleAccounts) ledger.Transfer { return bet(a.cash, a.merchant, 1) }, ledger.ErrMismatch.Code, false},
	{"from the held account", 100, 0, 0, func(a ruleAccounts) ledger.Transfer { return bet(a.held, a.house, 1) }, ledger.ErrMismatch.Code, false},
	{"to the held account", 100, 0, 0, func(a ruleAccounts) ledger.Transfer { return bet(a.house, a.held, 1) }, ledger.ErrMismatch.Code, false},
	{"between members", 100, 0, 0, func(a ruleAccounts) ledger.Transfer { return bet(a.cash, a.other, 1) }, "", false},
	{"between house accounts", 100, 0, 0, func(a ruleAccounts) ledger.Transfer { return bet(a.house, a.deposits, 1) }, "", false},
	{"hold", 100, 0, 0, func(a ruleAccounts) ledger.Transfer {
		return ledger.Transfer{Debit: a.cash, Credit: a.held, Amount: 5, Kind: ledger.KindHold}
	}, "", false},
	{"hold to the house", 100, 0, 0, func(a ruleAccounts) ledger.Transfer {
		return ledger.Transfer{Debit: a.cash, Credit: a.house, Amount: 5, Kind: ledger.KindHold}
	}, ledger.ErrMismatch.Code, false},
	{"pay of a missing hold", 100, 0, 0, func(a ruleAccounts) ledger.Transfer {
		return ledger.Transfer{Debit: a.held, Credit: a.house, Amount: 5, Kind: ledger.KindPay, Origin: 424242}
	}, ledger.ErrOrigin.Code, false},
	{"empty", 100, 0, 0, func(a ruleAccounts) ledger.Transfer {
		return ledger.Transfer{Debit: a.cash, Credit: a.house, Kind: "end", Empty: true}
	}, "", false},
	{"refused by the caller", 100, 0, 0, func(a ruleAccounts) ledger.Transfer {
		return ledger.Transfer{Debit: a.cash, Credit: a.house, Amount: 1, Kind: "bet", Refuse: refusedByCaller}
	}, refusedByCaller, false},
}

type ruleResult struct {
	Code   string
	Answer ledger.Posted
	Rows   string
}

// TestRules runs the cases with each implementation of the rules and compares the results and the stored rows.
func TestRules(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	postIn := func(w *testLedger, tr ledger.Transfer) (p ledger.Posted, refusal error) {
		err := w.Write(ctx, func(tx *db.Tx) error {
			var got []ledger.Posted
			if got, refusal = w.PostIn(ctx, tx, tr); len(got) == 1 {
				p = got[0]
			}
			return nil
		})
		return p, errors.Join(refusal, err)
	}
	batch := runRules(t, dbtest.Postgres(t), func(w *testLedger, tr ledger.Transfer) (ledger.Posted, error) { return w.PostBatch(tr) })
	for i, c := range ruleCases {
		if batch[i].Code != c.want {
			t.Errorf("%s: code %q, want %q", c.name, batch[i].Code, c.want)
		}
	}
	compare := func(name string, got []ruleResult) {
		for i, c := range ruleCases {
			if diff := cmp.Diff(batch[i], got[i]); diff != "" {
				t.Errorf("%s: %s differs from the batch (-batch +%[2]s):\n%[3]s", c.name, name, diff)
			}
		}
	}
	compare("PostIn on PostgreSQL", runRules(t, dbtest.Postgres(t), postIn))
	compare("PostIn on SQLite", runRules(t, dbtest.SQLite(t), postIn))
	next := 0
	compare("single statement", runRules(t, dbtest.Postgres(t), func(w *testLedger, tr ledger.Transfer) (ledger.Posted, error) {
		c := ruleCases[next]
		next++
		p, posted, err := w.PostSingle(tr)
		if err != nil || posted != c.single {
			t.Errorf("%s: the single statement posted %v, %v; want %v", c.name, posted, err, c.single)
		}
		if posted {
			return p, err
		}
		return w.PostBatch(tr) // as Post does; it also shows that the statement stored nothing
	}))
}

func runRules(t *testing.T, s *db.Store, post func(*testLedger, ledger.Transfer) (ledger.Posted, error)) []ruleResult {
	t.Helper()
	w := newTestLedger(t, s, len(ruleCases)+1, 0, ledger.Options{})
	accounts := w.ruleAccounts(t)
	results := make([]ruleResult, len(ruleCases))
	for i, c := range ruleCases {
		a := accounts
		a.cash, a.held, a.other, a.depositKey = w.cash[i].ID, w.held[i].ID, w.cash[len(ruleCases)].ID, fmt.Sprintf("%s: deposit", c.name)
		if c.balance > 0 {
			w.must(t, ledger.Transfer{Key: a.depositKey, Debit: a.deposits, Credit: a.cash, Amount: c.balance, Kind: "deposit"})
		}
		w.exec(t, "UPDATE account SET floor = $1 WHERE id = $2", c.floor, a.cash)
		if c.replaced != 0 {
			w.exec(t, "UPDATE account SET balance = $1 WHERE id = $2", c.replaced, a.cash)
		}
		tr := c.transfer(a)
		if tr.Key == "" {
			tr.Key = c.name
		}
		p, err := post(w, tr)
		code := ""
		var f *fault.Fault
		if errors.As(err, &f) {
			code = f.Code
		} else if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		p.ID, p.At = min(p.ID, 1), time.Time{}
		results[i] = ruleResult{code, p, w.storedRows(t, tr.Key, w.cash[i].Member)}
		if c.replaced != 0 {
			w.exec(t, "UPDATE account SET balance = $1 WHERE id = $2", int64(c.balance), a.cash)
		}
		w.exec(t, "UPDATE account SET floor = -1000 WHERE id = $1", a.cash) // verify compares all balances with it
	}
	w.verify(t)
	return results
}

// ruleAccounts creates the house accounts, and caches them with a transfer.
func (w *testLedger) ruleAccounts(t *testing.T) ruleAccounts {
	t.Helper()
	ctx := context.Background()
	w.exec(t, "INSERT INTO merchant (id, code, name, currency, created_at) VALUES (2, 'second', 'Second', $1, 0)", currency)
	pair := func(merchant int64, currency string) (int64, int64) {
		a := must(w.House(ctx, merchant, ledger.Deposits, currency))
		b := must(w.House(ctx, merchant, ledger.Vendor("HOUSE"), currency))
		w.must(t, ledger.Transfer{Key: w.key("cache"), Debit: a.ID, Credit: b.ID, Amount: 1, Kind: "sweep"})
		return a.ID, b.ID
	}
	a := ruleAccounts{}
	a.deposits, a.house = pair(merchantID, currency)
	_, a.otherCurrency = pair(merchantID, "USD")
	_, a.merchant = pair(2, currency)
	return a
}

// storedRows returns the rows of a transfer and of its member without ids.
func (w *testLedger) storedRows(t *testing.T, key string, member int64) string {
	t.Helper()
	var b strings.Builder
	for _, q := range []struct {
		text string
		arg  any
	}{
		{`SELECT t.kind, t.amount, COALESCE(t.refusal, ''), d.kind, c.kind, t.ref_type, t.ref_id, t.note,
  CASE WHEN d.derived THEN 0 ELSE COALESCE(t.debit_seq, 0) END, CASE WHEN c.derived THEN 0 ELSE COALESCE(t.credit_seq, 0) END
FROM transfer t JOIN account d ON d.id = t.debit_id JOIN account c ON c.id = t.credit_id WHERE t.idem_key = $1`, key},
		{`SELECT a.kind, CASE WHEN a.derived THEN 0 ELSE e.seq END, e.amount, COALESCE(e.balance_after, -1)
FROM entry e JOIN transfer t ON t.id = e.transfer_id JOIN account a ON a.id = e.account_id WHERE t.idem_key = $1 ORDER BY e.amount`, key},
		{`SELECT kind, balance, seq FROM account WHERE member_id = $1 ORDER BY kind`, member},
		{`SELECT payload FROM outbox WHERE payload LIKE $1 ORDER BY id`, fmt.Sprintf(`%%"member":"%d"%%`, member)},
	} {
		for _, row := range w.textRows(t, q.text, q.arg) {
			b.WriteString(row + "\n")
		}
	}
	return b.String()
}

func (w *testLedger) textRows(t *testing.T, q string, arg any) (out []string) {
	t.Helper()
	rows, err := db.Bind(w.store.Engine, w.store.Reader).QueryContext(context.Background(), q, arg)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	columns := must(rows.Columns())
	for rows.Next() {
		values, into := make([]string, len(columns)), make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		out = append(out, strings.Join(values, " | "))
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}
