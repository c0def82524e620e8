package vendor_test

import (
	"testing"

	"fairground/internal/ledger"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

func TestFT06WinAboveMaximumIsRejected(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newVendorSite(t, store)
		t.Run("FT-06 GL-07 more than 10^15 minor units must be sent as several wins", func(t *testing.T) {
			caller := w.tokens["quangvu88"]
			caller.Currency = "CNY"
			w.tokens["quangvu88"] = caller
			w.exec(t, "UPDATE member SET currency = 'CNY' WHERE id = 2002")
			w.fund(t, other, "CNY", 10_00)
			session := w.openSession(t, "quangvu88")
			send := func(call string, body fields) reply {
				t.Helper()
				body["currency"] = "CNY"
				return w.call(t, call, body)
			}
			if r := send("bet", bet(session, "g1", "great", "10.00")); r.Code != "OK" || r.Balance != "0.00" {
				t.Fatalf("bet = %s, want OK and the balance 0.00", r.raw)
			}
			if r := send("bet", bet(session, "g2", "other", "10000000000000.01")); r.Code != "INSUFFICIENT_FUNDS" {
				t.Errorf("bet above the maximum: %s, want INSUFFICIENT_FUNDS", r.raw)
			}
			for range 2 {
				if r := send("win", win(session, "g3", "great", "10000000000000.01", true)); r.status != 400 || r.raw != "{\"code\":\"INVALID_AMOUNT\",\"field\":\"amount\"}\n" {
					t.Fatalf("win = %d %s, want 400 and an invalid amount", r.status, r.raw)
				}
			}
			if r := send("win", win(session, "g3", "great", "10000000000000.00", false)); r.Code != "OK" || r.replayed() || r.Balance != "10000000000000.00" {
				t.Fatalf("first win: %s, want OK", r.raw)
			}
			if r := send("win", win(session, "g4", "great", "0.01", true)); r.Code != "OK" || r.Balance != "10000000000000.01" {
				t.Fatalf("second win: %s, want OK", r.raw)
			}
		})
		if report, err := ledger.Verify(t.Context(), store); err != nil || !report.OK() {
			t.Errorf("ledger verification = %+v, %v, want a verified ledger", report, err)
		}
	})
}
