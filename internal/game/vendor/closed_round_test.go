package vendor_test

import (
	"errors"
	"sync"
	"testing"

	"fairground/internal/game/vendor"
	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

func TestPP15PayClosedRoundPaysOnce(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newVendorSite(t, store)
		ticket, _ := w.launch(t, "minhanh92", "H1", "HOUSE", "RNG")
		call := func(name string, body fields) reply {
			t.Helper()
			if name != "authenticate" {
				body["gameCode"] = "x-H1"
			}
			return w.callAs(t, "HOUSE", "house", w.vendors.HouseKey("HOUSE"), name, body)
		}
		session := call("authenticate", fields{"ticket": ticket}).SessionID
		for _, c := range []struct {
			call string
			body fields
		}{{"bet", bet(session, "c1", "closed", "100")}, {"win", win(session, "c2", "closed", "30", true)}} {
			if r := call(c.call, c.body); r.Code != "OK" {
				t.Fatalf("%s = %s, want OK", c.call, r.raw)
			}
		}
		if r := call("win", win(session, "c3", "closed", "250", true)); r.Code != "ROUND_CLOSED" {
			t.Fatalf("win = %s, want ROUND_CLOSED", r.raw)
		}
		balance := money.Minor(1_000_000 - 100 + 30)
		var payments sync.WaitGroup
		for range 4 { // at the same time; another call follows below
			payments.Go(func() {
				if _, err := w.vendors.PayClosedRound(t.Context(), "HOUSE", "closed", 250); err != nil {
					t.Errorf("PayClosedRound: got %v, want no error", err)
				}
			})
		}
		payments.Wait()
		got, err := w.vendors.PayClosedRound(t.Context(), "HOUSE", "closed", 250)
		if err != nil || got.AlreadyPaid != 250 || got.PaidNow != 0 || got.Balance != balance+220 { // 250 are owed, and 30 were already paid
			t.Errorf("PP-15 payment = %+v, %v, want 250 already paid", got, err)
		}
		page := w.record(t, "minhanh92", "?vendor=HOUSE")
		if len(page.List) != 1 || page.List[0].Net != 150 || page.Totals.Net != 150 || page.List[0].Status != "won" {
			t.Errorf("CA-31 PP-15 record = %+v, want 1 entry, net 150 and won", page)
		}
		for _, c := range []struct {
			call string
			body fields
		}{{"bet", bet(session, "g1", "returned", "100")}, {"rollback", rollback(session, "g2", "g1")}, {"endRound", endRound(session, "g3", "returned")}} {
			if r := call(c.call, c.body); r.Code != "OK" {
				t.Fatalf("%s = %s, want OK", c.call, r.raw)
			}
		}
		if got, err := w.vendors.PayClosedRound(t.Context(), "HOUSE", "returned", 250); err != nil || got.PaidNow != 0 || !got.Refunded || got.Balance != balance+220 {
			t.Errorf("PP-15 payment into a refunded round = %+v, %v, want 0", got, err)
		}
		for _, unknown := range [][2]string{{"HOUSE", "nowhere"}, {"NOBODY", "closed"}, {"TEST", "closed"}} {
			if _, err := w.vendors.PayClosedRound(t.Context(), unknown[0], unknown[1], 250); !errors.Is(err, vendor.ErrNoRound) {
				t.Errorf("%v: error = %v, want ErrNoRound", unknown, err)
			}
		}
	})
}

func TestPP15RefundClosedBetPaysOnce(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newVendorSite(t, store)
		ticket, _ := w.launch(t, "minhanh92", "H1", "HOUSE", "RNG")
		call := func(name string, body fields) reply {
			return w.callAs(t, "HOUSE", "house", w.vendors.HouseKey("HOUSE"), name, body)
		}
		session := call("authenticate", fields{"ticket": ticket}).SessionID
		type step struct {
			call string
			body fields
			want string
		}
		play := func(steps ...step) {
			t.Helper()
			for _, c := range steps {
				c.body["gameCode"] = "x-H1"
				if r := call(c.call, c.body); r.Code != c.want {
					t.Fatalf("%s: %s, want %s", c.call, r.raw, c.want)
				}
			}
		}
		balance := money.Minor(1_000_000)
		wantRefund := func(bet string, want vendor.Payment) {
			t.Helper()
			if got, err := w.vendors.RefundClosedBet(t.Context(), "HOUSE", bet); err != nil || got != want {
				t.Errorf("PP-15 %s: %+v %v, want %+v", bet, got, err, want)
			}
		}

		// The round ended without a win.
		play(step{"bet", bet(session, "e1", "ended", "100"), "OK"}, step{"endRound", endRound(session, "e2", "ended"), "OK"},
			step{"rollback", rollback(session, "e3", "e1"), "ROUND_CLOSED"})
		var refunds sync.WaitGroup
		for range 4 {
			refunds.Go(func() {
				if _, err := w.vendors.RefundClosedBet(t.Context(), "HOUSE", "e1"); err != nil {
					t.Errorf("RefundClosedBet: got %v, want no error", err)
				}
			})
		}
		refunds.Wait()
		wantRefund("e1", vendor.Payment{AlreadyPaid: 100, Balance: balance, Refunded: true})
		play(step{"rollback", rollback(session, "e4", "e1"), "OK"}) // a later rollback changes nothing
		wantRefund("e1", vendor.Payment{AlreadyPaid: 100, Balance: balance, Refunded: true})
		page := w.record(t, "minhanh92", "?vendor=HOUSE")
		if len(page.List) != 1 || page.List[0].Net != 0 || page.List[0].Status != "refunded" {
			t.Errorf("CA-31 PP-15 record = %+v, want 1 entry, net 0 and refunded", page)
		}

		// The round won less than the stake.
		play(step{"bet", bet(session, "w1", "won", "100"), "OK"}, step{"win", win(session, "w2", "won", "30", true), "OK"},
			step{"rollback", rollback(session, "w3", "w1"), "ROUND_CLOSED"})
		wantRefund("w1", vendor.Payment{AlreadyPaid: 30, PaidNow: 70, Balance: balance})
		wantRefund("w1", vendor.Payment{AlreadyPaid: 100, Balance: balance})

		// The round won more than the stake.
		play(step{"bet", bet(session, "m1", "more", "100"), "OK"}, step{"win", win(session, "m2", "more", "500", true), "OK"})
		wantRefund("m1", vendor.Payment{AlreadyPaid: 500, Balance: balance + 400})

		// The bet was rolled back before the round ended.
		play(step{"bet", bet(session, "g1", "returned", "100"), "OK"}, step{"rollback", rollback(session, "g2", "g1"), "OK"}, step{"endRound", endRound(session, "g3", "returned"), "OK"})
		wantRefund("g1", vendor.Payment{AlreadyPaid: 100, Balance: balance + 400, Refunded: true})

		for _, unknown := range [][2]string{{"HOUSE", "nothing"}, {"HOUSE", "e2"}, {"HOUSE", "e3"}, {"NOBODY", "e1"}, {"TEST", "e1"}} {
			if _, err := w.vendors.RefundClosedBet(t.Context(), unknown[0], unknown[1]); !errors.Is(err, vendor.ErrNoRound) {
				t.Errorf("%v: error = %v, want ErrNoRound", unknown, err)
			}
		}
		if report, err := ledger.Verify(t.Context(), store); err != nil || !report.OK() {
			t.Errorf("ledger verification = %+v, %v, want a verified ledger", report, err)
		}
	})
}
