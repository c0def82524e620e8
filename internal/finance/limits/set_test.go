package limits_test

import (
	"testing"
	"time"

	"fairground/internal/finance/limits"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

// amountOf returns a member's daily stake limit and pending change. -1: no limit. -2: no pending change.
func (w *fixture) amountOf(t testing.TB, id int64) (amount, pending money.Minor) {
	t.Helper()
	state, err := w.Show(t.Context(), id, currency)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range state.Limits {
		if l.Kind != limits.Stake || l.Period != limits.Day {
			continue
		}
		amount, pending = -1, -2
		if l.Amount != nil {
			amount = *l.Amount
		}
		if l.Pending != nil {
			if pending = -1; l.Pending.Amount != nil {
				pending = *l.Pending.Amount
			}
		}
	}
	return amount, pending
}

func TestPP06RaisesWaitForConfirmation(t *testing.T) {
	t.Parallel()
	const noLimit, noChange = -1, -2
	type step struct {
		do             string // set, confirm, cancel, advance
		amount         money.Minor
		advance        time.Duration
		code           string // of the error
		limit, pending money.Minor
	}
	cases := map[string][]step{
		"PP-06 a lower limit applies at once": {
			{do: "set", amount: 100, limit: 100, pending: noChange},
			{do: "set", amount: 40, limit: 40, pending: noChange},
			{do: "set", amount: 40, limit: 40, pending: noChange},
			{do: "set", amount: 0, limit: 0, pending: noChange},
		},
		"PP-06 a raise waits 24 hours and is confirmed": {
			{do: "set", amount: 100, limit: 100, pending: noChange},
			{do: "set", amount: 200, limit: 100, pending: 200},
			{do: "confirm", code: "limits.too_soon", limit: 100, pending: 200},
			{do: "advance", advance: 23*time.Hour + 59*time.Minute, limit: 100, pending: 200},
			{do: "confirm", code: "limits.too_soon", limit: 100, pending: 200},
			{do: "advance", advance: time.Minute, limit: 100, pending: 200},
			{do: "confirm", limit: 200, pending: noChange},
			{do: "confirm", code: "limits.nothing_waits", limit: 200, pending: noChange},
		},
		"PP-06 a removal waits": {
			{do: "set", amount: noLimit, limit: noLimit, pending: noChange},
			{do: "set", amount: 100, limit: 100, pending: noChange},
			{do: "set", amount: noLimit, limit: 100, pending: noLimit},
			{do: "advance", advance: 25 * time.Hour, limit: 100, pending: noLimit},
			{do: "confirm", limit: noLimit, pending: noChange},
			{do: "set", amount: 5, limit: 5, pending: noChange},
		},
		"PP-06 a change that is not confirmed within 7 days expires": {
			{do: "set", amount: 100, limit: 100, pending: noChange},
			{do: "set", amount: 200, limit: 100, pending: 200},
			{do: "advance", advance: 8*24*time.Hour - time.Minute, limit: 100, pending: 200},
			{do: "advance", advance: 2 * time.Minute, limit: 100, pending: noChange},
			{do: "confirm", code: "limits.nothing_waits", limit: 100, pending: noChange},
			{do: "cancel", code: "limits.nothing_waits", limit: 100, pending: noChange},
			{do: "set", amount: 200, limit: 100, pending: 200},
			{do: "confirm", code: "limits.too_soon", limit: 100, pending: 200},
		},
		"PP-06 a lower limit cancels a pending raise": {
			{do: "set", amount: 100, limit: 100, pending: noChange},
			{do: "set", amount: 200, limit: 100, pending: 200},
			{do: "set", amount: 90, limit: 90, pending: noChange},
			{do: "advance", advance: 25 * time.Hour, limit: 90, pending: noChange},
			{do: "confirm", code: "limits.nothing_waits", limit: 90, pending: noChange},
		},
		"PP-06 the same request keeps its wait, another request restarts it": {
			{do: "set", amount: 100, limit: 100, pending: noChange},
			{do: "set", amount: 200, limit: 100, pending: 200},
			{do: "advance", advance: 20 * time.Hour, limit: 100, pending: 200},
			{do: "set", amount: 200, limit: 100, pending: 200},
			{do: "advance", advance: 4 * time.Hour, limit: 100, pending: 200},
			{do: "set", amount: 300, limit: 100, pending: 300},
			{do: "confirm", code: "limits.too_soon", limit: 100, pending: 300},
		},
		"PP-06 a pending change can be cancelled": {
			{do: "cancel", code: "limits.nothing_waits", limit: noLimit, pending: noChange},
			{do: "confirm", code: "limits.nothing_waits", limit: noLimit, pending: noChange},
			{do: "set", amount: 100, limit: 100, pending: noChange},
			{do: "set", amount: noLimit, limit: 100, pending: noLimit},
			{do: "cancel", limit: 100, pending: noChange},
			{do: "advance", advance: 25 * time.Hour, limit: 100, pending: noChange},
			{do: "confirm", code: "limits.nothing_waits", limit: 100, pending: noChange},
		},
	}
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newFixture(t, store)
		id := int64(0)
		for name, steps := range cases {
			id++
			w.addMember(t, id)
			t.Run(name, func(t *testing.T) {
				for i, s := range steps {
					var err error
					switch s.do {
					case "set":
						w.set(t, id, limits.Stake, limits.Day, s.amount)
					case "confirm":
						err = w.Confirm(t.Context(), id, limits.Stake, limits.Day)
					case "cancel":
						err = w.Cancel(t.Context(), id, limits.Stake, limits.Day)
					case "advance":
						w.advance(t, s.advance)
					}
					wantCode(t, s.do, err, s.code)
					if amount, pending := w.amountOf(t, id); amount != s.limit || pending != s.pending {
						t.Fatalf("step %d, %s: limit %d, pending %d; want %d, %d", i, s.do, amount, pending, s.limit, s.pending)
					}
				}
			})
		}
	})
}
