package vendor_test

import (
	"testing"

	"fairground/internal/ledger"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

// A win of more minor units than one transfer moves is refused by its name and forgotten: sent in parts it is paid to the last unit.
func TestFT06TheGreatestWins(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newWorld(t, store)
		t.Run("FT-06 GL-07 more than 10^15 minor units of a currency with hundredths", func(t *testing.T) {
			caller := w.tokens["quangvu88"]
			caller.Currency = "CNY"
			w.tokens["quangvu88"] = caller
			w.exec(t, "UPDATE member SET currency = 'CNY' WHERE id = 2002")
			w.fund(t, other, "CNY", 10_00)
			session := w.enter(t, "quangvu88")
			send := func(call string, body fields) reply {
				t.Helper()
				body["currency"] = "CNY"
				return w.call(t, call, body)
			}
			if r := send("bet", bet(session, "g1", "great", "10.00")); r.Code != "OK" || r.Balance != "0.00" {
				t.Fatal(r.raw)
			}
			if r := send("bet", bet(session, "g2", "other", "10000000000000.01")); r.Code != "INSUFFICIENT_FUNDS" {
				t.Errorf("nobody has so much: %s", r.raw)
			}
			for range 2 {
				if r := send("win", win(session, "g3", "great", "10000000000000.01", true)); r.status != 400 || r.raw != "{\"code\":\"INVALID_AMOUNT\",\"field\":\"amount\"}\n" {
					t.Fatal(r.raw)
				}
			}
			if r := send("win", win(session, "g3", "great", "10000000000000.00", false)); r.Code != "OK" || r.replayed() || r.Balance != "10000000000000.00" {
				t.Fatalf("in parts: %s", r.raw)
			}
			if r := send("win", win(session, "g4", "great", "0.01", true)); r.Code != "OK" || r.Balance != "10000000000000.01" {
				t.Fatalf("the rest: %s", r.raw)
			}
		})
		if report, err := ledger.Verify(t.Context(), store); err != nil || !report.OK() {
			t.Errorf("the books: %+v, %v", report, err)
		}
	})
}
