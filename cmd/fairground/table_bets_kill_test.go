package main

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"fairground/internal/demo"
)

// concurrentBets are tickets that two players send at the same time.
type concurrentBets struct {
	players [2]*tablePlayer
	round   string
}

const ticketsInFlight = 30

// send sends ticket n of a player and returns the status, or 0 without a response.
func (f *concurrentBets) send(to *replica, who, n int) int {
	body := fmt.Sprintf(`{"betId":"00000000-0000-4000-8000-00000%d%06d","round":%q,"spots":{"dragon":20000}}`, who, n, f.round)
	r, err := http.NewRequest(http.MethodPost, to.url+"/house/v1/table/bet", strings.NewReader(body))
	if err != nil {
		return 0
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", f.players[who].frame)
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0
	}
	defer res.Body.Close()
	return res.StatusCode
}

// all sends all tickets concurrently and counts the statuses.
func (f *concurrentBets) all(to *replica) map[int]int {
	var mu sync.Mutex
	var sent sync.WaitGroup
	statuses := map[int]int{}
	for who := range f.players {
		for n := range ticketsInFlight {
			sent.Go(func() {
				status := f.send(to, who, n)
				mu.Lock()
				statuses[status]++
				mu.Unlock()
			})
		}
	}
	sent.Wait()
	return statuses
}

// Repeated tickets are placed once, and each stake of a void round is refunded once.
func TestKillDuringTableBetsAndRefunds(t *testing.T) {
	t.Parallel()
	t.Run("PP-14 PP-15 kill -9 of a table's leader during concurrent bets, and during the refunds of a void round", func(t *testing.T) {
		t.Parallel()
		const hour = "3600000"
		r := newReplicas(t)
		first := r.start()
		f := &concurrentBets{}
		for i, who := range []string{"demo88", "agent88"} {
			f.players[i] = openTable(t, first.program, who, "live-007")
		}
		f.round = f.players[0].awaitBetting()
		r.exec("UPDATE house_table_round SET closes_at = closes_at + " + hour + ", deal_at = deal_at + " + hour + ", result_at = result_at + " + hour + ", ends_at = ends_at + " + hour + " WHERE id = " + f.round)
		second := r.start()
		var sent sync.WaitGroup
		sent.Go(func() { f.all(first) })
		for r.number("SELECT COUNT(*) FROM house_round WHERE status = 'placed'") == 0 {
			time.Sleep(time.Millisecond)
		}
		first.kill()
		sent.Wait()
		if statuses := f.all(second); statuses[http.StatusOK] != 2*ticketsInFlight {
			t.Errorf("repeated tickets: %v, want %d times 200", statuses, 2*ticketsInFlight)
		}
		if n := r.number("SELECT COUNT(*) FROM house_round WHERE status = 'placed' AND table_round = " + f.round); n != 2*ticketsInFlight {
			t.Errorf("%d tickets are placed, want %d", n, 2*ticketsInFlight)
		}
		balances := map[string]int64{"demo88": 12_480_500, "agent88": 5_000_000}
		checkBalances := func(at *replica, less int64) {
			for who, balance := range balances {
				if got := at.balance(at.login(who, demo.Password)); got != fmt.Sprint(balance-less) {
					t.Errorf("balance of %s = %s, want %d", who, got, balance-less)
				}
			}
		}
		checkBalances(second, ticketsInFlight*20_000)

		third := r.start()
		// No replica supports this version, and the deal is late, so the round becomes void.
		r.exec("UPDATE house_table_round SET version = 99, closes_at = opens_at, deal_at = opens_at - 60000 WHERE id = " + f.round)
		for r.number("SELECT COUNT(*) FROM house_round WHERE status = 'refunded'") == 0 {
			time.Sleep(time.Millisecond)
		}
		second.kill()
		r.await("open tickets", "SELECT COUNT(*) FROM house_round WHERE status <> 'refunded'", 0)
		r.await("void rounds", "SELECT COUNT(*) FROM house_table_round WHERE status = 'void' AND id = "+f.round, 1)
		checkBalances(third, 0)
		args := []string{"--data", t.TempDir(), "--db", r.url}
		if code, report, stderr := command(t, "", append([]string{"ledger", "verify"}, args...)...); code != 0 || !strings.Contains(report, "transfers") {
			t.Errorf("verify: %d %s%s, want exit code 0 and \"transfers\"", code, report, stderr)
		}
	})
}
