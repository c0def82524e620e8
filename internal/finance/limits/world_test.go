package limits_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"fairground/internal/fault"
	"fairground/internal/finance/limits"
	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/events"
	"fairground/internal/site/merchant/merchanttest"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

const currency = "VND"

// world is a site with limits at its ledger's gate, and members with plenty of cash.
type world struct {
	*limits.Service
	site   *merchanttest.Site
	ledger *ledger.Ledger
	vendor ledger.Account
	cash   map[int64]ledger.Account
	keys   atomic.Int64
}

// plays: everybody has the one whose number is 1, and nobody any other.
type plays struct{}

func (plays) IsOpen(_ context.Context, _, playID int64) (bool, error) { return playID == 1, nil }

func (plays) CloseAllIn(context.Context, *db.Tx, int64) (func(), error) { return func() {}, nil }

func newWorld(t testing.TB, store *db.Store, members ...int64) *world {
	t.Helper()
	site := merchanttest.New(t, store)
	w := &world{site: site, cash: map[int64]ledger.Account{}}
	outbox := events.NewOutbox(store, site.Bus, nil)
	w.Service = limits.New(limits.Options{Store: store, Outbox: outbox, Plays: plays{}, Now: site.Clock.Now})
	w.ledger = ledger.New(store, ledger.Options{Now: site.Clock.Now, NewID: site.IDs, Limits: w.Service})
	t.Cleanup(w.ledger.Close)
	var err error
	if w.vendor, err = w.ledger.House(t.Context(), site.ID, ledger.Vendor("HOUSE"), currency); err != nil {
		t.Fatal(err)
	}
	for _, id := range members {
		w.join(t, id)
	}
	return w
}

// join adds a member with cash.
func (w *world) join(t testing.TB, id int64) {
	t.Helper()
	w.site.AddMember(t, id, fmt.Sprintf("member%d", id))
	cash, err := w.ledger.EnsureMember(t.Context(), w.site.ID, id, currency)
	if err != nil {
		t.Fatal(err)
	}
	w.cash[id] = cash
	house, err := w.ledger.House(t.Context(), w.site.ID, ledger.Adjustments, currency)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.ledger.Post(t.Context(), ledger.Transfer{Key: w.key("seed"), Debit: house.ID, Credit: cash.ID, Amount: 1_000_000_000, Kind: "adjustment"}); err != nil {
		t.Fatal(err)
	}
}

func (w *world) key(prefix string) string { return fmt.Sprintf("%s:%d", prefix, w.keys.Add(1)) }

func (w *world) bet(id int64, amount money.Minor) error {
	return w.post(ledger.Transfer{Debit: w.cash[id].ID, Credit: w.vendor.ID, Amount: amount, Kind: "bet",
		Rows: []ledger.Row{w.Stake(id, currency, amount)}})
}

func (w *world) win(id int64, amount money.Minor) error {
	return w.post(ledger.Transfer{Debit: w.vendor.ID, Credit: w.cash[id].ID, Amount: amount, Kind: "win",
		Rows: []ledger.Row{w.Return(id, currency, amount)}})
}

// back takes the member's latest stake of an amount back that was not taken back before.
func (w *world) back(id int64, amount money.Minor) error {
	ctx := context.Background()
	return w.ledger.Write(ctx, func(tx *db.Tx) error {
		var bet int64
		err := db.Bind(tx.Engine, tx.Tx).QueryRowContext(ctx, `SELECT MAX(u.transfer_id) FROM limit_use u WHERE u.member_id = $1 AND u.amount = $2 AND u.what = 'stake'
AND NOT EXISTS (SELECT 1 FROM transfer t WHERE t.kind = 'undo' AND t.ref_id = CAST(u.transfer_id AS TEXT))`, id, int64(amount)).Scan(&bet)
		if err != nil {
			return err
		}
		rows, err := w.TakenBack(ctx, tx, bet, id, currency, amount)
		if err != nil {
			return err
		}
		_, err = w.ledger.PostIn(ctx, tx, ledger.Transfer{Key: w.key("undo"), Debit: w.vendor.ID, Credit: w.cash[id].ID, Amount: amount, Kind: "undo", RefType: "bet", RefID: fmt.Sprint(bet),
			Guarded: true, Rows: rows})
		return err
	})
}

func (w *world) promotion(id int64, amount money.Minor) error {
	return w.post(ledger.Transfer{Debit: w.vendor.ID, Credit: w.cash[id].ID, Amount: amount, Kind: "promo",
		Rows: []ledger.Row{w.Promotion(id, currency, amount)}})
}

func (w *world) deposit(id int64, amount money.Minor) error {
	return w.post(ledger.Transfer{Debit: w.vendor.ID, Credit: w.cash[id].ID, Amount: amount, Kind: "deposit",
		Rows: []ledger.Row{w.Deposit(id, currency, amount)}})
}

func (w *world) withdraw(id int64, amount money.Minor) error {
	return w.post(ledger.Transfer{Debit: w.cash[id].ID, Credit: w.vendor.ID, Amount: amount, Kind: "withdrawal"})
}

func (w *world) post(t ledger.Transfer) error {
	t.Key, t.Guarded = w.key(t.Kind), true
	_, err := w.ledger.Post(context.Background(), t)
	return err
}

// pass lets time go by: on both engines by making everything older, for one of them follows its own clock.
func (w *world) pass(t testing.TB, d time.Duration) {
	t.Helper()
	w.older(t, "TRUE", d)
	for _, statement := range []string{
		"UPDATE play_limit SET since = since - $1, asked_at = asked_at - $1",
		"UPDATE limit_guard SET checked_at = checked_at - $1, playing_since = playing_since - $1, break_since = break_since - $1, break_until = CASE WHEN break_until < 9000000000000000000 THEN break_until - $1 ELSE break_until END",
	} {
		w.exec(t, statement, d.Milliseconds())
	}
}

// older dates uses back. They are written anew, as everything that counts is written: sums follow by themselves.
func (w *world) older(t testing.TB, whose string, d time.Duration) {
	t.Helper()
	w.exec(t, "DELETE FROM limit_sum WHERE "+whose)
	w.exec(t, "UPDATE limit_use SET transfer_id = -transfer_id WHERE "+whose)
	w.exec(t, "INSERT INTO limit_use (transfer_id, member_id, currency, what, amount, at) SELECT -transfer_id, member_id, currency, what, amount, at - $1 FROM limit_use WHERE transfer_id < 0",
		d.Milliseconds())
	w.exec(t, "DELETE FROM limit_use WHERE transfer_id < 0")
}

func (w *world) exec(t testing.TB, statement string, args ...any) {
	t.Helper()
	if _, err := db.Bind(w.site.Store.Engine, w.site.Store.Writer).ExecContext(context.Background(), statement, args...); err != nil {
		t.Fatal(err)
	}
}

// now is the time by which limits count, in unix ms.
func (w *world) now(t testing.TB) (at int64) {
	t.Helper()
	if w.site.Store.Engine == db.SQLite {
		return db.Millis(w.site.Clock.Now())
	}
	if err := w.site.Store.Reader.QueryRowContext(context.Background(), "SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)").Scan(&at); err != nil {
		t.Fatal(err)
	}
	return at
}

func (w *world) set(t testing.TB, id int64, kind limits.Kind, period limits.Period, amount money.Minor) {
	t.Helper()
	limit := &amount
	if amount < 0 {
		limit = nil
	}
	if err := w.Set(t.Context(), id, currency, kind, period, limit); err != nil {
		t.Fatal(err)
	}
}

// is tells a refusal by its code; "" is none.
func is(t testing.TB, what string, err error, want string) {
	t.Helper()
	got := ""
	var f *fault.Fault
	switch {
	case errors.As(err, &f):
		got = f.Code
	case err != nil:
		t.Fatalf("%s: %v", what, err)
	}
	if got != want {
		t.Errorf("%s: %q, want %q", what, got, want)
	}
}

const (
	reached  = "limits.reached"
	excluded = "limits.excluded"
	checkDue = "limits.check_due"
)
