package vendor_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"fairground/internal/game/vendor"
	"fairground/internal/ledger"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

// A racingLedger runs a function just before a rollback's transaction begins.
type racingLedger struct {
	*ledger.Ledger
	mu     sync.Mutex
	before func()
}

func (m *racingLedger) Write(ctx context.Context, fn func(*db.Tx) error) error {
	m.mu.Lock()
	before := m.before
	m.before = nil
	m.mu.Unlock()
	if before != nil {
		before()
	}
	return m.Ledger.Write(ctx, fn)
}

// A rollback moves nothing if another call has used its txId in the meantime.
func TestRollbackWithConcurrentlyUsedTxID(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		books := &racingLedger{}
		w := newVendorSite(t, store, func(o *vendor.Options) {
			books.Ledger = o.Ledger.(*ledger.Ledger)
			o.Ledger = books
		})
		session := w.openSession(t, "minhanh92")
		for i, c := range []struct {
			name, call string
			body       func(id string) fields
			code       string
		}{
			{"a bet uses the txId", "bet", func(id string) fields { return bet(session, id+"x", id+"other", "7") }, "DUPLICATE_CONFLICT"},
			{"a win uses the txId", "win", func(id string) fields { return win(session, id+"x", id+"none", "7", false) }, "DUPLICATE_CONFLICT"},
			{"a rollback of another bet uses the txId", "rollback", func(id string) fields { return rollback(session, id+"x", id+"c") }, "DUPLICATE_CONFLICT"},
			{"the txId is tombstoned", "rollback", func(id string) fields { return rollback(session, id+"y", id+"x") }, "TX_ROLLED_BACK"},
			{"the same call is faster", "rollback", func(id string) fields { return rollback(session, id+"x", id+"b") }, "OK"},
		} {
			t.Run("FT-06 "+c.name, func(t *testing.T) {
				id := fmt.Sprintf("m%d", i)
				for _, b := range []string{"b", "c"} {
					if r := w.call(t, "bet", bet(session, id+b, id, "100")); r.Code != "OK" {
						t.Fatalf("bet = %s, want OK", r.raw)
					}
				}
				started := w.balance(t, minh)
				books.before = func() { w.call(t, c.call, c.body(id)) }
				r := w.call(t, "rollback", rollback(session, id+"x", id+"b"))
				if r.status != 200 || r.Code != c.code {
					t.Fatalf("%d %s, want %s", r.status, r.raw, c.code)
				}
				moved := w.balance(t, minh) - started
				switch {
				case c.code == "OK" && (moved != 100 || !r.replayed()):
					t.Errorf("balance changed by %d, want 100: %s", moved, r.raw)
				case c.name == "a bet uses the txId" && moved != -7, c.name == "a rollback of another bet uses the txId" && moved != 100,
					c.code != "OK" && c.call != "bet" && c.name != "a rollback of another bet uses the txId" && moved != 0:
					t.Errorf("balance changed by %d although the rollback was refused", moved)
				}
				// The bet can still be reversed, unless it was.
				again := w.call(t, "rollback", rollback(session, id+"z", id+"b"))
				if want := map[bool]string{true: "unchanged", false: "reversed"}[c.code == "OK"]; again.Code != "OK" || again.Status != want {
					t.Errorf("second rollback: %s, want OK and %v", again.raw, want)
				}
			})
		}
		w.verify(t)
	})
}

func TestRollbackStatus(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newVendorSite(t, store)
		mine, others := w.openSession(t, "minhanh92"), w.openSession(t, "quangvu88")
		check := func(name string, r reply, code, status, balance string) {
			t.Helper()
			if r.status != 200 || r.Code != code || r.Status != status || r.Balance != balance {
				t.Errorf("%s: %s, want %s, status %q, balance %s", name, r.raw, code, status, balance)
			}
		}
		t.Run("FT-06 a win, a promotion and an endRound cannot be rolled back", func(t *testing.T) {
			for _, c := range []struct {
				call string
				body fields
			}{
				{"bet", bet(mine, "a1", "a", "100")}, {"win", win(mine, "a2", "a", "250", true)}, {"endRound", moveFields(mine, "a3", "a", nil)},
				{"promo", fields{"sessionId": mine, "currency": "VND", "txId": "a4", "amount": "5", "reason": "gift"}},
			} {
				if r := w.call(t, c.call, c.body); r.Code != "OK" {
					t.Fatalf("%s = %s, want OK", c.call, r.raw)
				}
			}
			for _, ref := range []string{"a2", "a3", "a4"} {
				for _, again := range []bool{false, true} {
					r := w.call(t, "rollback", rollback(mine, "r"+ref, ref))
					check(ref, r, "OK", "unchanged", "1000155")
					if r.replayed() != again {
						t.Errorf("%s: %s, want replayed = %v", ref, r.raw, again)
					}
				}
			}
		})
		t.Run("FT-06 SE-03 with another player's session, the bet's player gets the stake, and the response has their balance", func(t *testing.T) {
			if r := w.call(t, "bet", bet(mine, "b1", "b", "100")); r.Code != "OK" {
				t.Fatalf("bet = %s, want OK", r.raw)
			}
			check("first", w.call(t, "rollback", rollback(others, "b2", "b1")), "OK", "reversed", "1000155")
			check("again", w.call(t, "rollback", rollback(others, "b2", "b1")), "OK", "reversed", "1000155")
			check("with another txId", w.call(t, "rollback", rollback(others, "b3", "b1")), "OK", "unchanged", "1000155")
			check("an unknown bet", w.call(t, "rollback", rollback(others, "b4", "b5")), "OK", "tombstone", "1000000")
			if got := w.balance(t, other); got != 1_000_000 {
				t.Errorf("other player's balance = %d, want 1000000", got)
			}
		})
		w.verify(t)
	})
}
