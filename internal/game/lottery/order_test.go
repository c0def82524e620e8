package lottery_test

import (
	"net/http"
	"testing"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

func TestBetIsStakedDrawnAndPaid(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newWorld(t, store)
		session := w.fast(t, "minhanh92", "1101")
		near := w.near(t, "1101")
		if near["status"] != "open" || near["series"] == nil || near["link"] != 1.0 {
			t.Fatalf("near: got %v", near)
		}
		order := bet("r1", "1101", near["numero"], "ZY", "sum-side", "big,small", 10_000, "1.910")
		placed := w.place(t, session, order)
		if got := placed["total"]; got != 20_000.0 {
			t.Errorf("total: got %v, want 20000", got)
		}
		if got := w.balance(t, "minhanh92"); got != funds-20_000 {
			t.Errorf("balance: got %d, want %d", got, funds-20_000)
		}
		again := w.place(t, session, order)
		if again["orderId"] != placed["orderId"] || w.balance(t, "minhanh92") != funds-20_000 {
			t.Errorf("repeated: got %v, want %v", again, placed)
		}
		other := bet("r1", "1101", near["numero"], "ZY", "sum-side", "big", 10_000, "1.910")
		w.refuse(t, session, other, http.StatusConflict, "idempotency.conflict")
		w.pass(t, near)
		bets := w.bets(t, session, placed["orderId"])
		if len(bets) != 1 || bets[0]["state"] != "won" || bets[0]["payout"] != 19_100.0 || bets[0]["rebate"] != 300.0 {
			t.Errorf("settled: got %v", bets)
		}
		if got := w.balance(t, "minhanh92"); got != funds-20_000+19_100+300 {
			t.Errorf("balance: got %d, want %d", got, funds-600)
		}
		w.tick(t)
		if got := w.balance(t, "minhanh92"); got != funds-600 {
			t.Errorf("balance after a second settlement: got %d, want %d", got, funds-600)
		}
		w.VerifyLedger(t)
		record := w.call(t, "GET", "/wps/report/accountGameBetHistory", nil, w.tokens["minhanh92"], http.StatusOK)
		value, _ := record["value"].(fields)
		rounds, _ := value["list"].([]any)
		if len(rounds) != 1 || rounds[0].(fields)["net"] != -600.0 || rounds[0].(fields)["gameId"] != "1101" {
			t.Errorf("record: got %v", record)
		}
	})
}
