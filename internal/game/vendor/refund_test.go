package vendor_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"fairground/internal/game/vendor"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

func TestPP15OperatorRefundsOpenRounds(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newVendorSite(t, store)
		session, others := w.openSession(t, "minhanh92"), w.openSession(t, "quangvu88")
		calls := func(name string, body fields, want string) reply {
			t.Helper()
			r := w.call(t, name, body)
			if r.Code != want {
				t.Fatalf("%s: want %s, got %s", name, want, r.raw)
			}
			return r
		}
		calls("bet", bet(session, "a1", "left", "100"), "OK")
		calls("bet", bet(session, "a2", "left", "50"), "OK")
		calls("bet", bet(others, "a3", "left", "30"), "OK")
		calls("bet", bet(session, "b1", "over", "10"), "OK")
		calls("win", win(session, "b2", "over", "0", false), "OK")
		w.Clock.Add(2 * time.Hour)
		calls("bet", bet(session, "c1", "young", "7"), "OK")

		open := func(code string, age time.Duration, want ...vendor.OpenRound) {
			t.Helper()
			got, err := w.vendors.ListOpenRounds(t.Context(), w.ID, code, age)
			if err != nil || len(got) != len(want) {
				t.Fatalf("PP-15 open rounds = %+v, %v, want %+v", got, err, want)
			}
			for i, round := range want {
				round.Vendor, round.Game, round.Currency, round.At = "TEST", "G1", "VND", got[i].At
				if got[i] != round {
					t.Errorf("PP-15 open round = %+v, want %+v", got[i], round)
				}
			}
		}
		open("TEST", time.Hour, vendor.OpenRound{Round: "left", Member: "minhanh92", Stake: "150"}, vendor.OpenRound{Round: "left", Member: "quangvu88", Stake: "30"})
		open("", 3*time.Hour)

		refund := func(member int64, code, round, reason string, want money.Minor, wrong error) {
			t.Helper()
			got, err := w.vendors.RefundRound(t.Context(), vendor.Refund{MerchantID: w.ID, MemberID: member, Vendor: code, Round: round, Reason: reason})
			if got != want || !errors.Is(err, wrong) {
				t.Errorf("PP-15 refund of %s of %s = %d, %v, want %d, %v", round, code, got, err, want, wrong)
			}
		}
		var all sync.WaitGroup
		var mu sync.Mutex
		sum := money.Minor(0)
		for range 4 { // at the same time; another call follows below
			all.Go(func() {
				got, err := w.vendors.RefundRound(t.Context(), vendor.Refund{MerchantID: w.ID, MemberID: minh, Vendor: "TEST", Round: "left", Reason: "vendor closed down"})
				if err != nil {
					t.Errorf("got %v, want no error", err)
				}
				mu.Lock()
				sum += got
				mu.Unlock()
			})
		}
		all.Wait()
		if balance := w.balance(t, minh); sum != 150 || balance != 1_000_000-10-7 {
			t.Errorf("PP-15 refunds = %d, want 150; balance = %d", sum, balance)
		}
		refund(minh, "TEST", "left", "another reason", 0, nil)
		refund(minh, "TEST", "over", "x", 0, vendor.ErrRoundOver)
		refund(minh, "TEST", "nowhere", "x", 0, vendor.ErrUnknownRound)
		refund(other, "TEST", "young", "x", 0, vendor.ErrUnknownRound)
		refund(minh, "HOUSE", "left", "x", 0, vendor.ErrUnknown)
		refund(minh, "NOBODY", "left", "x", 0, vendor.ErrUnknown)
		open("TEST", time.Hour, vendor.OpenRound{Round: "left", Member: "quangvu88", Stake: "30"})

		// If the vendor makes calls again, the responses are the same as after its own rollbacks.
		calls("win", win(session, "a4", "left", "500", true), "ROUND_NOT_FOUND")
		if r := calls("rollback", rollback(session, "a5", "a1"), "OK"); r.Status != "unchanged" {
			t.Errorf("PP-15 %s, want unchanged", r.raw)
		}
		if r := calls("bet", bet(session, "a1", "left", "100"), "OK"); !r.replayed() {
			t.Errorf("PP-15 bet again = %s, want a replay", r.raw)
		}
		calls("win", win(others, "a6", "left", "90", true), "OK")
		if mine, theirs := w.balance(t, minh), w.balance(t, other); mine != 1_000_000-10-7 || theirs != 1_000_000-30+90 {
			t.Errorf("PP-15 balances = %d and %d, want %d and %d", mine, theirs, 1_000_000-10-7, 1_000_000-30+90)
		}
		page := w.record(t, "minhanh92", "?status=refunded")
		if len(page.List) != 1 || page.List[0].RoundID != "left" || page.List[0].Net != 0 {
			t.Errorf("CA-31 PP-15 record = %+v, want 1 entry, round id left and net 0", page.List)
		}
		var note string
		if err := store.Reader.QueryRowContext(t.Context(), "SELECT note FROM transfer WHERE kind = 'reversal' ORDER BY id LIMIT 1").Scan(&note); err != nil || note != "vendor closed down" {
			t.Errorf("PP-15 transfer note = %q, %v, want \"vendor closed down\"", note, err)
		}
		w.verify(t)
	})
}

func TestFT06ConcurrentWinRollbackRefundSettleOnce(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newVendorSite(t, store)
		session := w.openSession(t, "minhanh92")
		for n := range 30 {
			name := fmt.Sprintf("%064d", n) // the maximum length, because keys contain it
			before := w.balance(t, minh)
			if r := w.call(t, "bet", bet(session, name, name, "100")); r.Code != "OK" {
				t.Fatalf("bet = %s, want OK", r.raw)
			}
			var wg sync.WaitGroup
			var refunded money.Minor
			var backs [2]reply
			var won reply
			wg.Go(func() {
				var err error
				refunded, err = w.vendors.RefundRound(t.Context(), vendor.Refund{MerchantID: w.ID, MemberID: minh, Vendor: "TEST", Round: name, Reason: "vendor closed down"})
				if err != nil && !errors.Is(err, vendor.ErrRoundOver) {
					t.Errorf("got %v, want no error or ErrRoundOver", err)
				}
			})
			for i := range backs {
				wg.Go(func() { backs[i] = w.call(t, "rollback", rollback(session, fmt.Sprintf("back%d-%d", n, i), name)) })
			}
			wg.Go(func() { won = w.call(t, "win", win(session, fmt.Sprintf("win%d", n), name, "30", true)) })
			wg.Wait()
			moved, returned := w.balance(t, minh)-before, int(refunded/100)
			for _, b := range backs {
				if b.Status == "reversed" {
					returned++
				}
			}
			isWon := won.Code == "OK" && returned == 0 && moved == -100+30
			isBack := won.Code == "ROUND_NOT_FOUND" && returned == 1 && moved == 0
			if !isWon && !isBack {
				t.Errorf("round %d: balance changed by %d with a refund of %d, win %s and rollbacks %s%s", n, moved, refunded, won.raw, backs[0].raw, backs[1].raw)
			}
		}
		w.verify(t)
	})
}
