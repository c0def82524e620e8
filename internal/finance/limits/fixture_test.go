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
	"fairground/internal/server/servertest"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

const currency = "VND"

// A fixture is a site whose ledger enforces limits. Its members have enough cash.
type fixture struct {
	*limits.Service
	site    *servertest.Site
	ledger  *ledger.Ledger
	vendor  ledger.Account
	cash    map[int64]ledger.Account
	counter atomic.Int64 // for unique keys and transfer ids
}

// fakePlays reports play 1 as open for every member.
type fakePlays struct{}

func (fakePlays) IsOpen(_ context.Context, _, playID int64) (bool, error) { return playID == 1, nil }

func (fakePlays) CloseAllIn(context.Context, *db.Tx, int64) (func(), error) { return func() {}, nil }

func newFixture(t testing.TB, store *db.Store, members ...int64) *fixture {
	t.Helper()
	site := servertest.New(t, store)
	w := &fixture{site: site, cash: map[int64]ledger.Account{}}
	w.Service = limits.New(limits.Options{Store: store, Outbox: site.Server.Outbox, Plays: fakePlays{}, Now: site.Clock.Now})
	w.ledger = ledger.New(store, ledger.Options{Now: site.Clock.Now, NewID: site.IDs, Limits: w.Service})
	t.Cleanup(w.ledger.Close)
	site.Server.Ledger = w.ledger
	w.vendor = site.House(t, ledger.Vendor("HOUSE"))
	for _, id := range members {
		w.addMember(t, id)
	}
	return w
}

// addMember adds a member with cash.
func (w *fixture) addMember(t testing.TB, id int64) {
	t.Helper()
	w.site.AddMember(t, id, fmt.Sprintf("member%d", id))
	w.cash[id] = w.site.Fund(t, id, currency, 1_000_000_000)
}

func (w *fixture) key(prefix string) string { return fmt.Sprintf("%s:%d", prefix, w.counter.Add(1)) }

func (w *fixture) bet(id int64, amount money.Minor) error {
	return w.post(ledger.Transfer{Debit: w.cash[id].ID, Credit: w.vendor.ID, Amount: amount, Kind: "bet",
		Rows: []ledger.Row{w.Stake(id, currency, amount)}})
}

func (w *fixture) win(id int64, amount money.Minor) error {
	return w.post(ledger.Transfer{Debit: w.vendor.ID, Credit: w.cash[id].ID, Amount: amount, Kind: "win",
		Rows: []ledger.Row{w.Return(id, currency, amount)}})
}

// undo cancels the member's latest stake of an amount.
func (w *fixture) undo(id int64, amount money.Minor) error {
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

func (w *fixture) promotion(id int64, amount money.Minor) error {
	return w.post(ledger.Transfer{Debit: w.vendor.ID, Credit: w.cash[id].ID, Amount: amount, Kind: "promo",
		Rows: []ledger.Row{w.Promotion(id, currency, amount)}})
}

func (w *fixture) deposit(id int64, amount money.Minor) error {
	return w.post(ledger.Transfer{Debit: w.vendor.ID, Credit: w.cash[id].ID, Amount: amount, Kind: "deposit",
		Rows: []ledger.Row{w.Deposit(id, currency, amount)}})
}

func (w *fixture) withdraw(id int64, amount money.Minor) error {
	return w.post(ledger.Transfer{Debit: w.cash[id].ID, Credit: w.vendor.ID, Amount: amount, Kind: "withdrawal"})
}

func (w *fixture) post(t ledger.Transfer) error {
	t.Key, t.Guarded = w.key(t.Kind), true
	_, err := w.ledger.Post(context.Background(), t)
	return err
}

// advance simulates the passing of time by moving all rows into the past, because PostgreSQL has its own clock.
func (w *fixture) advance(t testing.TB, d time.Duration) {
	t.Helper()
	w.shiftUses(t, "TRUE", d)
	for _, statement := range []string{
		"UPDATE play_limit SET since = since - $1, asked_at = asked_at - $1",
		"UPDATE limit_guard SET checked_at = checked_at - $1, playing_since = playing_since - $1, break_since = break_since - $1, break_until = CASE WHEN break_until < 9000000000000000000 THEN break_until - $1 ELSE break_until END",
	} {
		w.site.Exec(t, statement, d.Milliseconds())
	}
}

// shiftUses moves uses into the past. It inserts them again, so that the trigger updates the sums.
func (w *fixture) shiftUses(t testing.TB, where string, d time.Duration) {
	t.Helper()
	w.site.Exec(t, "DELETE FROM limit_sum WHERE "+where)
	w.site.Exec(t, "UPDATE limit_use SET transfer_id = -transfer_id WHERE "+where)
	w.site.Exec(t, "INSERT INTO limit_use (transfer_id, member_id, currency, what, amount, at) SELECT -transfer_id, member_id, currency, what, amount, at - $1 FROM limit_use WHERE transfer_id < 0",
		d.Milliseconds())
	w.site.Exec(t, "DELETE FROM limit_use WHERE transfer_id < 0")
}

// now returns the time that limits use, in unix ms.
func (w *fixture) now(t testing.TB) (unixMs int64) {
	t.Helper()
	if w.site.Store.Engine == db.SQLite {
		return db.Millis(w.site.Clock.Now())
	}
	if err := w.site.Store.Reader.QueryRowContext(context.Background(), "SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)").Scan(&unixMs); err != nil {
		t.Fatal(err)
	}
	return unixMs
}

func (w *fixture) set(t testing.TB, id int64, kind limits.Kind, period limits.Period, amount money.Minor) {
	t.Helper()
	limit := &amount
	if amount < 0 {
		limit = nil
	}
	if err := w.Set(t.Context(), id, currency, kind, period, limit); err != nil {
		t.Fatal(err)
	}
}

// wantCode checks the code of an error. "" means no error.
func wantCode(t testing.TB, what string, err error, want string) {
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
		t.Errorf("%s: code %q, want %q", what, got, want)
	}
}

const (
	reachedCode  = "limits.reached"
	excludedCode = "limits.excluded"
	checkDueCode = "limits.check_due"
)
