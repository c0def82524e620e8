package ledger_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fairground/internal/ledger"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

func TestTombstoneRefusesLaterTransfers(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	withPostAndPostIn(t, 2, 100, func(t *testing.T, w *testLedger, post func(ledger.Transfer) (ledger.Posted, error)) {
		w.must(t, w.bet(0, 1)) // caches the house account, so that the next post may be a single statement
		bet := w.bet(0, 10)
		tombstone, err := w.Tombstone(ctx, bet.Key)
		if err != nil || !tombstone.Tombstoned || tombstone.Refusal != ledger.ErrTombstone.Code || tombstone.At.IsZero() {
			t.Fatalf("tombstone: %+v, error %v, want one that refuses with %s", tombstone, err, ledger.ErrTombstone.Code)
		}
		missing := bet
		missing.Credit = 12345
		if _, err := post(missing); !errors.Is(err, ledger.ErrAccount) {
			t.Errorf("invalid transfer under a tombstone: %v, want ErrAccount", err)
		}
		if p, known, err := w.Replay(ctx, bet); !known || p.ID != tombstone.ID || !errors.Is(err, ledger.ErrTombstone) {
			t.Errorf("replay: %+v, %v, %v, want the tombstone %d and ErrTombstone", p, known, err, tombstone.ID)
		}
		want := ledger.Posted{ID: tombstone.ID, At: tombstone.At, DebitAfter: 99}
		for i := range 3 {
			p, err := post(bet)
			if !errors.Is(err, ledger.ErrTombstone) {
				t.Fatalf("bet: %+v, error %v, want ErrTombstone", p, err)
			}
			want.Replayed = i > 0
			if diff := cmp.Diff(want, p); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			w.must(t, w.bet(0, 1)) // changes the balance, but not the stored result
		}
		for name, change := range map[string]func(*ledger.Transfer){
			"amount": func(tr *ledger.Transfer) { tr.Amount = 11 },
			"member": func(tr *ledger.Transfer) { tr.Debit = w.cash[1].ID },
		} {
			other := bet
			change(&other)
			if _, err := post(other); !errors.Is(err, ledger.ErrConflict) {
				t.Errorf("other %s: %v, want ErrConflict", name, err)
			}
		}
		again, err := w.Tombstone(ctx, bet.Key)
		if diff := cmp.Diff(ledger.KeyStatus{ID: tombstone.ID, At: tombstone.At, Kind: "bet", Refusal: ledger.ErrTombstone.Code}, again); diff != "" || err != nil {
			t.Errorf("status of the key (-want +got):\n%s%v", diff, err)
		}
		if _, err := w.Tombstone(ctx, "unused"); err != nil {
			t.Errorf("Tombstone: got %v, want no error", err)
		}
		if r := w.verify(t); r.Tombstones != 1 || r.Refused != 2 {
			t.Errorf("report = %+v, want 1 tombstone and 2 refused", r)
		}
	})
}

func TestTombstoneReturnsKeyStatus(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	withPostAndPostIn(t, 1, 100, func(t *testing.T, w *testLedger, post func(ledger.Transfer) (ledger.Posted, error)) {
		bet, other := w.bet(0, 10), w.bet(0, 1000)
		p, err := post(bet)
		if err != nil {
			t.Fatal(err)
		}
		check := func(key string, want ledger.KeyStatus) {
			t.Helper()
			got, err := w.Tombstone(ctx, key)
			if got.At.IsZero() || err != nil {
				t.Errorf("tombstone = %+v, error %v, want one with a time", got, err)
			}
			got.At = want.At
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		}
		check(bet.Key, ledger.KeyStatus{ID: p.ID, Kind: "bet"})
		if _, err := w.Reverse(ctx, "reversal", p.ID, ledger.Reference{}); err != nil {
			t.Fatal(err)
		}
		check(bet.Key, ledger.KeyStatus{ID: p.ID, Kind: "bet", Settled: true})
		refused, err := post(other)
		if !errors.Is(err, ledger.ErrInsufficient) {
			t.Fatal(err)
		}
		check(other.Key, ledger.KeyStatus{ID: refused.ID, Kind: "bet", Refusal: ledger.ErrInsufficient.Code})
		if again, err := post(bet); err != nil || !again.Replayed {
			t.Errorf("posted key after Tombstone: %+v, %v, want a replay", again, err)
		}
		for _, key := range []string{"", "a\x00", strings.Repeat("k", 201)} {
			if _, err := w.Tombstone(ctx, key); !errors.Is(err, ledger.ErrMalformed) {
				t.Errorf("%q: error = %v, want %v", key, err, ledger.ErrMalformed)
			}
		}
	})
}

func TestTombstoneInSharesTransaction(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		w := newTestLedger(t, s, 1, 100, ledger.Options{})
		for _, keep := range []bool{false, true} {
			errRollback := errors.New("roll back")
			bet := w.bet(0, 10)
			rollback := ledger.Transfer{Key: bet.Key + ":rollback", Debit: w.cash[0].ID, Credit: w.vendor.ID, Kind: "rollback", Empty: true}
			err := w.Write(ctx, func(tx *db.Tx) error {
				if _, err := w.TombstoneIn(ctx, tx, bet.Key); err != nil {
					return err
				}
				if _, err := w.PostIn(ctx, tx, rollback); err != nil {
					return err
				}
				if _, err := w.PostIn(ctx, tx, bet); !errors.Is(err, ledger.ErrTombstone) {
					t.Errorf("post under the tombstone in the same transaction: %v, want ErrTombstone", err)
				}
				if keep {
					return nil
				}
				return errRollback
			})
			if keep && err != nil || !keep && !errors.Is(err, errRollback) {
				t.Fatal(err)
			}
			if _, err := w.Post(ctx, bet); errors.Is(err, ledger.ErrTombstone) != keep {
				t.Errorf("kept %v: %v, want %v", keep, err, keep)
			}
			if p, err := w.Post(ctx, rollback); err != nil || p.Replayed != keep {
				t.Errorf("kept %v: %+v, %v, want replayed %v", keep, p, err, keep)
			}
		}
		w.verify(t)
	})
}

// TestTombstoneAndPostRace posts and sets tombstones under the same keys on two replicas. One wins each key, and all
// callers get consistent results.
func TestTombstoneAndPostRace(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	o := dbtest.Migrated(t, db.Postgres)
	w := newTestLedger(t, dbtest.Open(t, o), 4, 100_000, ledger.Options{})
	replica := ledger.New(dbtest.Open(t, o), ledger.Options{BatchConns: 2})
	t.Cleanup(replica.Close)
	w.must(t, w.bet(0, 1))
	const keys = 60
	type result struct {
		tombstone           ledger.KeyStatus
		bet, other, failure error
	}
	var got [keys]result
	for k := range keys {
		bet := ledger.Transfer{Key: fmt.Sprintf("race:%d", k), Debit: w.cash[k%4].ID, Credit: w.vendor.ID, Amount: 10, Kind: "bet"}
		other := bet
		other.Debit = w.cash[(k+1)%4].ID // another account, so no lock orders the two posts
		var wg sync.WaitGroup
		wg.Go(func() { _, got[k].bet = w.Post(ctx, bet) })
		wg.Go(func() { _, got[k].other = replica.Post(ctx, other) })
		wg.Go(func() { got[k].tombstone, got[k].failure = replica.Tombstone(ctx, bet.Key) })
		wg.Wait()
		r := got[k]
		result := errors.Join(r.bet, r.other) // one of the two has the key, the other conflicts
		switch {
		case r.failure != nil || !errors.Is(result, ledger.ErrConflict) || errors.Is(r.bet, ledger.ErrConflict) && errors.Is(r.other, ledger.ErrConflict):
			t.Errorf("key %d: %+v", k, r)
		case r.tombstone.Tombstoned != errors.Is(result, ledger.ErrTombstone) || r.tombstone.Tombstoned != (r.tombstone.Refusal != ""):
			t.Errorf("key %d: %+v", k, r)
		}
	}
	if r := w.verify(t); r.Transfers != 4+1+keys || r.Tombstones != 0 {
		t.Errorf("report = %+v, want %d transfers and no tombstones", r, 4+1+keys)
	}
}

func TestRefuse(t *testing.T) {
	t.Parallel()
	withPostAndPostIn(t, 1, 100, func(t *testing.T, w *testLedger, post func(ledger.Transfer) (ledger.Posted, error)) {
		refused := w.bet(0, 1000) // also above the balance: the caller's refusal comes first
		refused.Refuse = "round.closed"
		p, err := post(refused)
		if err == nil || err.Error() != "round.closed" || p.ID == 0 || p.DebitAfter != 100 || p.Replayed {
			t.Fatalf("posted = %+v, error %v, want a new refusal round.closed with balance 100", p, err)
		}
		refused.Refuse = ""
		if again, err := post(refused); err == nil || err.Error() != "round.closed" || again.ID != p.ID || !again.Replayed {
			t.Errorf("repeated without Refuse: %+v, %v, want a replay of %d with round.closed", again, err, p.ID)
		}
		bet := w.bet(0, 10)
		if _, err := post(bet); err != nil {
			t.Fatal(err)
		}
		bet.Refuse = "round.closed"
		if p, err := post(bet); err != nil || !p.Replayed {
			t.Errorf("posted key with Refuse: %+v, %v, want a replay", p, err)
		}
	})
}

func TestEmptyTransfer(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	withPostAndPostIn(t, 1, 100, func(t *testing.T, w *testLedger, post func(ledger.Transfer) (ledger.Posted, error)) {
		w.exec(t, "CREATE TABLE call (transfer_id BIGINT NOT NULL, name TEXT NOT NULL)")
		table := ledger.NewTable("call", ledger.Column{Name: "name", Type: ledger.Text})
		end := ledger.Transfer{Key: "end", Debit: w.vendor.ID, Credit: w.cash[0].ID, Kind: "win", Empty: true, Rows: []ledger.Row{{Table: table, Values: []any{"end"}}}}
		first, err := post(end)
		if err != nil || first.CreditAfter != 100 || first.Replayed {
			t.Fatalf("posted = %+v, error %v, want a new transfer with balance 100", first, err)
		}
		w.must(t, w.bet(0, 30))
		again, err := post(end)
		first.Replayed = true
		if diff := cmp.Diff(first, again); diff != "" || err != nil {
			t.Errorf("second answer (-want +got):\n%s%v", diff, err)
		}
		other := end
		other.Amount, other.Empty = 5, false
		if _, err := post(other); !errors.Is(err, ledger.ErrConflict) {
			t.Errorf("the same key with an amount: %v, want ErrConflict", err)
		}
		if _, err := w.Reverse(ctx, "reversal", first.ID, ledger.Reference{}); !errors.Is(err, ledger.ErrNotReversible) {
			t.Errorf("reversed: %v, want ErrNotReversible", err)
		}
		var rows int
		if err := w.store.Reader.QueryRow("SELECT count(*) FROM call").Scan(&rows); err != nil || rows != 1 {
			t.Errorf("%d rows, %v, want 1", rows, err)
		}
		for name, bad := range map[string]ledger.Transfer{
			"amount": {Key: "x", Debit: w.cash[0].ID, Credit: w.vendor.ID, Amount: 1, Kind: "bet", Empty: true},
			"hold":   {Key: "x", Debit: w.cash[0].ID, Credit: w.held[0].ID, Kind: ledger.KindHold, Empty: true},
			"kind":   {Key: "x", Debit: w.cash[0].ID, Credit: w.vendor.ID, Kind: "tombstone", Empty: true},
		} {
			if _, err := post(bad); !errors.Is(err, ledger.ErrMalformed) {
				t.Errorf("%s: error = %v, want %v", name, err, ledger.ErrMalformed)
			}
		}
		if r := w.verify(t); r.Empty != 1 || r.Entries != 4 {
			t.Errorf("report = %+v, want 1 empty transfer and 4 entries", r)
		}
	})
}
