package lottery_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant"
)

// A sentOrder is an order of a session.
type sentOrder struct {
	session string
	order   fields
}

// sendAtOnce sends orders at the same time and returns the ids of the accepted ones. Others must be refused with a code.
func (s *site) sendAtOnce(t *testing.T, refusal string, orders ...sentOrder) (accepted []string) {
	t.Helper()
	var mu sync.Mutex
	var group sync.WaitGroup
	for _, o := range orders {
		group.Go(func() {
			got := s.Call(t, "POST", "/lgw/orders/betting", o.order, "Authorization", o.session)
			var placed struct{ OrderID, ErrorCode string }
			if err := json.Unmarshal(got.Body, &placed); err != nil || got.Status != http.StatusOK && placed.ErrorCode != refusal {
				t.Errorf("got %d %s, want an order or %s", got.Status, got.Body, refusal)
			}
			if got.Status == http.StatusOK {
				mu.Lock()
				accepted = append(accepted, placed.OrderID)
				mu.Unlock()
			}
		})
	}
	group.Wait()
	return accepted
}

func TestConcurrentOrdersKeepTheLimitOfALine(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newSite(t, store)
		s.Set(t, merchant.LotteryExposure, "100000")
		numero := s.currentNumero(t, "1201")["numero"]
		var orders []sentOrder
		for _, name := range []string{"minhanh92", "quangvu88"} {
			session := s.fastSession(t, name, "1201")
			for i := range 6 {
				orders = append(orders, sentOrder{session, bet(fmt.Sprint(i), "1201", numero, "Elott", "side", "big", 20_000, "1.995")})
			}
		}
		// A bet can be paid 39,900, so the limit leaves room for two.
		if accepted := s.sendAtOnce(t, "lottery.exposure", orders...); len(accepted) != 2 {
			t.Errorf("accepted orders: got %d, want 2", len(accepted))
		}
		if got := s.Number(t, "SELECT SUM(amount) FROM lottery_exposure WHERE line = 'big'"); got != 79_800 {
			t.Errorf("exposure: got %d, want 79800", got)
		}
		if got := s.balance(t, "minhanh92") + s.balance(t, "quangvu88"); got != 2*funds-40_000 {
			t.Errorf("balances: got %d, want %d", got, 2*funds-40_000)
		}
		s.VerifyLedger(t)
	})
}

func TestConcurrentRepetitionsOfAnOrderCountOnce(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newSite(t, store)
		session := s.fastSession(t, "minhanh92", "1101")
		o := sentOrder{session, chase("a", "1101", s.currentNumero(t, "1101")["numero"], 3)}
		accepted := s.sendAtOnce(t, "", o, o, o, o, o, o, o, o)
		if len(accepted) != 8 {
			t.Fatalf("accepted: got %v, want all eight", accepted)
		}
		if want := strings.TrimSpace(strings.Repeat(accepted[0]+" ", 8)); strings.Join(accepted, " ") != want {
			t.Errorf("orders: got %v, want the same one eight times", accepted)
		}
		if got := s.balance(t, "minhanh92"); got != funds-6000 {
			t.Errorf("balance: got %d, want %d", got, funds-6000)
		}
		s.VerifyLedger(t)
	})
}
