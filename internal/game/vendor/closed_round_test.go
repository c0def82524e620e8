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

// What is owed in a round that is closed is paid by the operator: what is missing of it, once, and it stands in the record.
func TestPP15PaidIntoAClosedRound(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newWorld(t, store)
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
				t.Fatal(r.raw)
			}
		}
		if r := call("win", win(session, "c3", "closed", "250", true)); r.Code != "ROUND_CLOSED" {
			t.Fatal(r.raw)
		}
		had := money.Minor(1_000_000 - 100 + 30)
		var both sync.WaitGroup
		for range 4 { // at once, and once more after
			both.Go(func() {
				if _, err := w.vendors.PayClosed(t.Context(), "HOUSE", "closed", 250); err != nil {
					t.Error(err)
				}
			})
		}
		both.Wait()
		got, err := w.vendors.PayClosed(t.Context(), "HOUSE", "closed", 250)
		if err != nil || got.Before != 250 || got.Now != 0 || got.Balance != had+220 {
			t.Errorf("PP-15 %+v %v", got, err)
		}
		page := w.record(t, "minhanh92", "?vendor=HOUSE")
		if len(page.List) != 1 || page.List[0].Net != 150 || page.Totals.Net != 150 || page.List[0].Status != "won" {
			t.Errorf("CA-31 PP-15 the record shows %+v", page)
		}
		for _, c := range []struct {
			call string
			body fields
		}{{"bet", bet(session, "g1", "given", "100")}, {"rollback", rollback(session, "g2", "g1")}, {"endRound", end("g3", "given")(session)}} {
			if r := call(c.call, c.body); r.Code != "OK" {
				t.Fatal(r.raw)
			}
		}
		if got, err := w.vendors.PayClosed(t.Context(), "HOUSE", "given", 250); err != nil || got.Now != 0 || !got.GivenBack || got.Balance != had+220 {
			t.Errorf("PP-15 a bet that was given back wins %+v %v", got, err)
		}
		for _, none := range [][2]string{{"HOUSE", "nowhere"}, {"NOBODY", "closed"}, {"TEST", "closed"}} {
			if _, err := w.vendors.PayClosed(t.Context(), none[0], none[1], 250); !errors.Is(err, vendor.ErrNoRound) {
				t.Errorf("%v: %v", none, err)
			}
		}
	})
}

// A bet whose round is closed is no vendor's to take back. The operator gives it back: once, however many ask, never one that was given
// back already, and less what was won in the round.
func TestPP15GivenBackFromAClosedRound(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newWorld(t, store)
		ticket, _ := w.launch(t, "minhanh92", "H1", "HOUSE", "RNG")
		as := func(name string, body fields) reply {
			return w.callAs(t, "HOUSE", "house", w.vendors.HouseKey("HOUSE"), name, body)
		}
		session := as("authenticate", fields{"ticket": ticket}).SessionID
		type sent struct {
			call string
			body fields
			want string
		}
		play := func(calls ...sent) {
			t.Helper()
			for _, c := range calls {
				c.body["gameCode"] = "x-H1"
				if r := as(c.call, c.body); r.Code != c.want {
					t.Fatalf("%s, not %s: %s", c.call, c.want, r.raw)
				}
			}
		}
		had := money.Minor(1_000_000)
		back := func(bet string, want vendor.Paid) {
			t.Helper()
			if got, err := w.vendors.ReturnClosed(t.Context(), "HOUSE", bet); err != nil || got != want {
				t.Errorf("PP-15 %s: %+v %v, want %+v", bet, got, err, want)
			}
		}

		play(sent{"bet", bet(session, "e1", "ended", "100"), "OK"}, sent{"endRound", end("e2", "ended")(session), "OK"},
			sent{"rollback", rollback(session, "e3", "e1"), "ROUND_CLOSED"})
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				if _, err := w.vendors.ReturnClosed(t.Context(), "HOUSE", "e1"); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		back("e1", vendor.Paid{Before: 100, Balance: had, GivenBack: true})
		play(sent{"rollback", rollback(session, "e4", "e1"), "OK"}) // the House's next try finds it back
		back("e1", vendor.Paid{Before: 100, Balance: had, GivenBack: true})
		page := w.record(t, "minhanh92", "?vendor=HOUSE")
		if len(page.List) != 1 || page.List[0].Net != 0 || page.List[0].Status != "refunded" {
			t.Errorf("CA-31 PP-15 the record shows %+v", page)
		}

		play(sent{"bet", bet(session, "w1", "won", "100"), "OK"}, sent{"win", win(session, "w2", "won", "30", true), "OK"},
			sent{"rollback", rollback(session, "w3", "w1"), "ROUND_CLOSED"})
		back("w1", vendor.Paid{Before: 30, Now: 70, Balance: had})
		back("w1", vendor.Paid{Before: 100, Balance: had})

		play(sent{"bet", bet(session, "m1", "more", "100"), "OK"}, sent{"win", win(session, "m2", "more", "500", true), "OK"})
		back("m1", vendor.Paid{Before: 500, Balance: had + 400})

		play(sent{"bet", bet(session, "g1", "given", "100"), "OK"}, sent{"rollback", rollback(session, "g2", "g1"), "OK"}, sent{"endRound", end("g3", "given")(session), "OK"})
		back("g1", vendor.Paid{Before: 100, Balance: had + 400, GivenBack: true})

		for _, none := range [][2]string{{"HOUSE", "nothing"}, {"HOUSE", "e2"}, {"HOUSE", "e3"}, {"NOBODY", "e1"}, {"TEST", "e1"}} {
			if _, err := w.vendors.ReturnClosed(t.Context(), none[0], none[1]); !errors.Is(err, vendor.ErrNoRound) {
				t.Errorf("%v: %v", none, err)
			}
		}
		if report, err := ledger.Verify(t.Context(), store); err != nil || !report.OK() {
			t.Errorf("the books: %+v, %v", report, err)
		}
	})
}
