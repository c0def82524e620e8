package lottery_test

import (
	"net/http"
	"testing"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

func TestBetIsPlacedDrawnAndPaid(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newSite(t, store)
		session := s.fastSession(t, "minhanh92", "1101")
		current := s.currentNumero(t, "1101")
		if current["status"] != "open" || current["series"] == nil || current["link"] != 1.0 {
			t.Fatalf("current numero: got %v", current)
		}
		order := bet("r1", "1101", current["numero"], "ZY", "sum-side", "big,small", 10_000, "1.910")
		placed := s.place(t, session, order)
		if got := placed["total"]; got != 20_000.0 {
			t.Errorf("total: got %v, want 20000", got)
		}
		if got := s.balance(t, "minhanh92"); got != funds-20_000 {
			t.Errorf("balance: got %d, want %d", got, funds-20_000)
		}
		again := s.place(t, session, order)
		if again["orderId"] != placed["orderId"] || s.balance(t, "minhanh92") != funds-20_000 {
			t.Errorf("repeated: got %v, want %v", again, placed)
		}
		other := bet("r1", "1101", current["numero"], "ZY", "sum-side", "big", 10_000, "1.910")
		s.placeRefused(t, session, other, http.StatusConflict, "idempotency.conflict")
		s.drawNow(t, current)
		bets := s.bets(t, session, placed["orderId"])
		if len(bets) != 1 || bets[0]["state"] != "won" || bets[0]["payout"] != 19_100.0 || bets[0]["rebate"] != 300.0 {
			t.Errorf("settled: got %v", bets)
		}
		if got := s.balance(t, "minhanh92"); got != funds-20_000+19_100+300 {
			t.Errorf("balance: got %d, want %d", got, funds-600)
		}
		s.runJobs(t)
		if got := s.balance(t, "minhanh92"); got != funds-600 {
			t.Errorf("balance after a second settlement: got %d, want %d", got, funds-600)
		}
		s.VerifyLedger(t)
		record := s.call(t, "GET", "/wps/report/accountGameBetHistory", nil, s.tokens["minhanh92"], http.StatusOK)
		value, _ := record["value"].(fields)
		rounds, _ := value["list"].([]any)
		if len(rounds) != 1 || rounds[0].(fields)["net"] != -600.0 || rounds[0].(fields)["gameId"] != "1101" {
			t.Errorf("record: got %v", record)
		}
	})
}
