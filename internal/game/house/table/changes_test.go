package table_test

import (
	"testing"
	"time"

	"fairground/internal/game/house"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
)

// A fakeBus delivers notifications immediately.
type fakeBus struct {
	subscribers []func([]byte)
	isDown      bool
}

func (b *fakeBus) Connected() bool { return !b.isDown }

func (b *fakeBus) Hint(_ string, data []byte) {
	for _, fn := range b.subscribers {
		fn(data)
	}
}

func (b *fakeBus) Subscribe(_ string, fn func([]byte)) (stop func(), err error) {
	b.subscribers = append(b.subscribers, fn)
	return func() {}, nil
}

func TestReplicasReadTablesWhenNotified(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newFixture(t, store)
		h.bus = &fakeBus{}
		h.restart()
		open := h.waitForBetting()
		follower := h.newProcess()
		follower.Tables.Poll(t.Context(), tableID, true)
		woken := func(want bool, cause string) {
			t.Helper()
			if got := follower.Tables.HasWakeUp(tableID); got != want {
				t.Errorf("after %s: woken = %t, want %t", cause, got, want)
			}
		}
		reads := func(replica *house.Service, after time.Duration, want bool, cause string) {
			t.Helper()
			got, err := replica.Tables.ReadsTickets(t.Context(), tableID, after)
			if err != nil {
				t.Fatal(err)
			}
			if got != want {
				t.Errorf("%s, %s after the last read: reads tickets = %t, want %t", cause, after, got, want)
			}
		}
		woken(false, "a poll")
		reads(follower, 5*time.Second, false, "without a change")
		merchanttest.Value[betResponse](t, h.placeBet(1, open.Round.ID, map[string]int64{"banker": 50_000}))
		woken(true, "a ticket at another replica")
		reads(follower, 2*time.Second, true, "after a ticket at another replica")
		reads(follower, 5*time.Second, false, "without another change")
		reads(follower, 11*time.Second, true, "without a notification")
		for h.getTable().Round.Phase == "betting" {
			h.advance(time.Second)
		}
		woken(true, "a phase that another replica started")
		reads(h.House, 0, false, "without a change")
		h.bus.isDown = true
		reads(follower, 2*time.Second, true, "while the bus is down")
	})
}
