package ledger_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fairground/internal/ledger"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

type message struct {
	Member string          `json:"member"`
	Event  string          `json:"event"`
	Data   json.RawMessage `json:"data"`
}

func (w *testLedger) outbox(t *testing.T) (out []message, rows int) {
	t.Helper()
	r, err := w.store.Reader.Query("SELECT payload FROM outbox ORDER BY id")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	for r.Next() {
		var payload string
		if err := r.Scan(&payload); err != nil {
			t.Fatal(err)
		}
		var some []message
		if err := json.Unmarshal([]byte(payload), &some); err != nil {
			t.Fatalf("%s: %v", payload, err)
		}
		out, rows = append(out, some...), rows+1
	}
	if err := r.Err(); err != nil {
		t.Fatal(err)
	}
	return out, rows
}

// TestOutboxMessages posts with each implementation. Each must write the same messages.
func TestOutboxMessages(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for name, conns := range map[string]int{"direct": 6, "batch": -1} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dbtest.Each(t, func(t *testing.T, s *db.Store) {
				var committed atomic.Int64
				w := newTestLedger(t, s, 1, 0, ledger.Options{DirectConns: conns, OnCommit: func() { committed.Add(1) }})
				usd := must(w.EnsureMember(ctx, merchantID, w.cash[0].Member, "USD"))
				usdHouse := must(w.House(ctx, merchantID, ledger.Deposits, "USD"))
				for i := range 2 { // the first iteration caches the house account
					w.must(t, ledger.Transfer{Key: fmt.Sprintf("d%d", i), Debit: w.deposits.ID, Credit: w.cash[0].ID, Amount: 70, Kind: "deposit"})
					w.must(t, ledger.Transfer{Key: fmt.Sprintf("u%d", i), Debit: usdHouse.ID, Credit: usd.ID, Amount: 12305, Kind: "deposit"})
				}
				if _, err := w.Hold(ctx, "hold", usd.ID, 12300, ref); err != nil {
					t.Fatal(err)
				}
				if _, err := w.Post(ctx, ledger.Transfer{Key: "no", Debit: usd.ID, Credit: usdHouse.ID, Amount: 99999, Kind: "bet"}); err == nil {
					t.Error("overdraft")
				}
				if err := w.Write(ctx, func(tx *db.Tx) error {
					_, err := w.PostIn(ctx, tx, ledger.Transfer{Key: "b", Debit: usd.ID, Credit: usdHouse.ID, Amount: 12300, Kind: "bet"})
					return err
				}); err != nil {
					t.Fatal(err)
				}
				var got []string
				messages, rows := w.outbox(t)
				for _, m := range messages {
					got = append(got, m.Member+" "+m.Event+" "+string(m.Data))
				}
				want := []string{
					`100 balance {"kind":"cash","currency":"VND","balance":70,"version":1}`,
					`100 balance {"kind":"cash","currency":"USD","balance":123.05,"version":1}`,
					`100 balance {"kind":"cash","currency":"VND","balance":140,"version":2}`,
					`100 balance {"kind":"cash","currency":"USD","balance":246.10,"version":2}`,
					`100 balance {"kind":"cash","currency":"USD","balance":123.10,"version":3}`,
					`100 balance {"kind":"cash","currency":"USD","balance":0.10,"version":4}`,
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("(-want +got)\n%s", diff)
				}
				if rows != 6 || committed.Load() < 6 {
					t.Errorf("%d rows, %d OnCommit calls; want 6 rows and at least 6 calls", rows, committed.Load())
				}
			})
		})
	}
}

func TestBatchWritesOneMessagePerMember(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		w := newTestLedger(t, s, 2, 1000, ledger.Options{BatchConns: 1, DirectConns: -1})
		w.exec(t, "DELETE FROM outbox")
		release := w.blockWriters(t)
		var wg sync.WaitGroup
		for i := range 20 {
			wg.Go(func() {
				if _, err := w.Post(context.Background(), w.bet(i%2, 1)); err != nil {
					t.Errorf("post %d: error %v, want none", i, err)
				}
			})
			if i == 0 {
				w.awaitBlocked(t) // the others queue meanwhile
			}
		}
		w.awaitQueued(t, 19)
		release()
		wg.Wait()
		messages, rows := w.outbox(t)
		if rows >= 20 || len(messages) > 2*rows {
			t.Errorf("%d messages in %d rows for 20 posts, want fewer rows and at most 2 messages in each", len(messages), rows)
		}
		final := map[string]string{}
		for _, m := range messages {
			final[m.Member] = string(m.Data)
		}
		want := `{"kind":"cash","currency":"VND","balance":990,"version":11}`
		if diff := cmp.Diff(map[string]string{"100": want, "101": want}, final); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	})
}

func TestRollUpAddsEveryDeltaOnce(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		w := newTestLedger(t, s, 4, 1000, ledger.Options{})
		var wg sync.WaitGroup
		for i := range 8 {
			wg.Go(func() {
				for range 20 {
					if _, err := w.Post(ctx, w.bet(i%4, 1)); err != nil {
						t.Errorf("Post: got %v, want no error", err)
					}
					if _, err := w.RollUp(ctx); err != nil {
						t.Errorf("RollUp: got %v, want no error", err)
					}
				}
			})
		}
		wg.Wait()
		w.verify(t)
		if _, err := w.RollUp(ctx); err != nil {
			t.Fatal(err)
		}
		var open int
		var stored int64
		if err := s.Reader.QueryRow("SELECT count(*) FROM account_delta").Scan(&open); err != nil {
			t.Fatal(err)
		}
		if err := db.Bind(s.Engine, s.Reader).QueryRowContext(ctx, "SELECT balance FROM account WHERE id = $1", w.vendor.ID).Scan(&stored); err != nil {
			t.Fatal(err)
		}
		if open != 0 || stored != 160 || w.balance(t, w.vendor.ID) != 160 {
			t.Errorf("%d deltas left, balance %d; want 0 and 160", open, stored)
		}
		if n, err := w.RollUp(ctx); n != 0 || err != nil {
			t.Errorf("nothing to fold: %d, %v, want 0", n, err)
		}
		w.verify(t)
	})
}

// An account that would overflow keeps its deltas and does not block the roll-up of other accounts.
func TestRollUpWithFullAccount(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		w := newTestLedger(t, s, 1, 1000, ledger.Options{})
		rollUp := func() {
			if _, err := w.RollUp(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		rollUp()
		full, other := w.deposits.ID, w.vendor.ID
		before := w.balance(t, full)
		// Posts cannot reach this balance. It is restored before verify.
		w.exec(t, "UPDATE account SET balance = $1 WHERE id = $2", int64(math.MinInt64+4), full)
		for i := range 2 {
			w.must(t, ledger.Transfer{Key: fmt.Sprint("full:", i), Debit: full, Credit: w.cash[0].ID, Amount: 5, Kind: "deposit"})
			w.must(t, ledger.Transfer{Key: fmt.Sprint("other:", i), Debit: w.cash[0].ID, Credit: other, Amount: 3, Kind: "bet"})
			rollUp()
		}
		if got := w.balance(t, other); got != 6 {
			t.Errorf("other account = %d, want 6", got)
		}
		w.exec(t, "UPDATE account SET balance = $1 WHERE id = $2", int64(before), full)
		rollUp()
		if got := w.balance(t, full); got != before-10 {
			t.Errorf("balance = %d, want %d", got, before-10)
		}
		w.verify(t)
	})
}
