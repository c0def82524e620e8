package table_test

import (
	"sync"
	"testing"
	"time"

	"fairground/internal/game/house/housetest"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
)

// Two processes accept tickets at the same time. The limit of a spot still applies to the sum of a player's tickets.
func TestConcurrentTicketsRespectTheLimits(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newFixture(t, store)
		open := h.waitForBetting()
		frames := []string{h.frame, h.Open(housetest.Lan).Token}
		const tickets = 30 // per player, of which ten fit: the limit of the spot is 5,000,000
		var requests sync.WaitGroup
		replies := make([]merchanttest.Reply, 2*tickets)
		processes := make([]merchanttest.Site, 2)
		for i := range processes {
			h.restart()
			processes[i] = *h.Site.Site
		}
		for i := range replies {
			requests.Go(func() {
				body := map[string]any{"betId": housetest.SpinID(i), "round": open.Round.ID, "spots": map[string]int64{"player": 500_000}}
				replies[i] = processes[i/2%2].Call(t, "POST", "/house/v1/table/bet", body, "Authorization", frames[i%2])
			})
		}
		requests.Wait()
		codes := map[string]int{}
		for _, r := range replies {
			codes[housetest.Code(t, r)]++
		}
		if codes[""] != 20 || codes["house.spot_limit"] != 40 {
			t.Errorf("error codes = %v, want 20 placed and 40 over the limit", codes)
		}
		for _, member := range []int64{housetest.Minh, housetest.Lan} {
			if got, want := h.BalanceOf(member), int64(tableBalance-5_000_000); got != want {
				t.Errorf("balance of %d = %d, want %d", member, got, want)
			}
		}
		h.poll()
		if crowd := h.getTable().Crowd; crowd.Players != 2 || crowd.Spots["player"].Amount != 10_000_000 {
			t.Errorf("crowd = %+v, want 2 players and 10,000,000", crowd)
		}
		h.advance(90 * time.Second)
		h.checkBalances(t)
	})
}
