package lottery_test

import (
	"encoding/json"
	"fmt"
	"sync"
	"testing"
	"time"

	"fairground/internal/identity/member"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant"
)

// Orders that wait for the database share a transaction. Each gets the response that it would get alone.
func TestOrdersThatShareATransaction(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newSite(t, store)
		s.Set(t, merchant.LotteryExposure, "100000")
		id := s.Register(t, member.NewMember{Username: "khongtien1", Password: password, OfAge: true})
		s.ids["khongtien1"], s.cash["khongtien1"], s.tokens["khongtien1"] = id, s.Fund(t, id, "VND", 500), s.Login(t, "khongtien1", password)
		numero := s.currentNumero(t, "1201")["numero"]
		first, second, poor := s.fastSession(t, "minhanh92", "1201"), s.fastSession(t, "quangvu88", "1201"), s.fastSession(t, "khongtien1", "1201")
		order := func(request, selection string, stake int, odds string) fields {
			return bet(request, "1201", numero, "Elott", "side", selection, stake, odds)
		}
		s.place(t, first, order("stored", "odd", 1000, "1.995"))

		var mu sync.Mutex
		got := map[string]int{}
		ids := map[string]bool{}
		var group sync.WaitGroup
		send := func(what, session string, o fields) {
			group.Go(func() {
				reply := s.Call(t, "POST", "/lgw/orders/betting", o, "Authorization", session)
				var placed struct{ OrderID, ErrorCode string }
				if err := json.Unmarshal(reply.Body, &placed); err != nil {
					t.Errorf("%s: got %s, want JSON", what, reply.Body)
				}
				mu.Lock()
				defer mu.Unlock()
				got[what+" "+placed.ErrorCode]++
				if placed.OrderID != "" {
					ids[placed.OrderID] = true
				}
			})
		}
		locked, release := make(chan struct{}), make(chan struct{})
		group.Go(func() {
			err := store.Write(t.Context(), func(tx *db.Tx) error {
				_, err := tx.ExecContext(t.Context(), "UPDATE lottery_numero SET version = version")
				close(locked)
				<-release
				return err
			})
			if err != nil {
				t.Error(err)
			}
		})
		<-locked
		for i := range 6 {
			send("even", first, order(fmt.Sprint("e", i), "even", 1000, "1.995"))
			send("odd", second, order(fmt.Sprint("o", i), "odd", 1000, "1.995"))
			send("no money", poor, order(fmt.Sprint("n", i), "small", 1000, "1.995"))
			send("big", second, order(fmt.Sprint("b", i), "big", 20_000, "1.995")) // 39,900 each, so the limit leaves room for two
			send("repeated", second, order("same", "small", 1000, "1.995"))
		}
		send("other content", first, order("stored", "even", 1000, "1.995"))
		time.Sleep(100 * time.Millisecond) // the orders wait, which the result does not depend on
		close(release)
		group.Wait()

		want := map[string]int{
			"even ": 6, "odd ": 6, "no money ledger.insufficient_funds": 6, "big ": 2, "big lottery.exposure": 4, "repeated ": 6, "other content idempotency.conflict": 1,
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("responses: got %v, want %v", got, want)
		}
		if len(ids) != 6+6+2+1 {
			t.Errorf("different orders: got %d, want 15", len(ids))
		}
		for name, spent := range map[string]int64{"minhanh92": 7000, "quangvu88": 6000 + 40_000 + 1000, "khongtien1": 0} {
			before := int64(funds)
			if name == "khongtien1" {
				before = 500
			}
			if balance := s.balance(t, name); balance != before-spent {
				t.Errorf("balance of %s: got %d, want %d", name, balance, before-spent)
			}
		}
		for statement, want := range map[string]int64{
			"SELECT COUNT(*) FROM lottery_order":                          16,
			"SELECT COUNT(*) FROM lottery_order WHERE answer = ''":        0,
			"SELECT COUNT(*) FROM lottery_bet":                            16,
			"SELECT SUM(rounds) FROM lottery_stake":                       16,
			"SELECT SUM(staked) FROM lottery_stake":                       54_000,
			"SELECT SUM(amount) FROM lottery_exposure":                    107_730, // 54,000 × 1.995
			"SELECT SUM(amount) FROM lottery_exposure WHERE line = 'big'": 79_800,
			"SELECT COUNT(*) FROM lottery_round r WHERE r.amount <> (SELECT b.amount FROM lottery_bet b WHERE b.round_id = r.id)": 0,
		} {
			if n := s.Number(t, statement); n != want {
				t.Errorf("%s: got %d, want %d", statement, n, want)
			}
		}
		s.VerifyLedger(t)
	})
}
