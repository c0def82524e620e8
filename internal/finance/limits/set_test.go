package limits_test

import (
	"testing"
	"time"

	"fairground/internal/finance/limits"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

// amountOf is a member's limit on stakes in a day, and what waits: -1 is none, -2 that nothing waits.
func (w *world) amountOf(t testing.TB, id int64) (amount, pending money.Minor) {
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

func TestPP06RaisesWaitAndAreConfirmed(t *testing.T) {
	t.Parallel()
	const none, nothing = -1, -2
	type step struct {
		do              string // set, confirm, cancel, pass
		amount          money.Minor
		pass            time.Duration
		refused         string
		limit, awaiting money.Minor
	}
	tables := map[string][]step{
		"PP-06 lower at once": {
			{do: "set", amount: 100, limit: 100, awaiting: nothing},
			{do: "set", amount: 40, limit: 40, awaiting: nothing},
			{do: "set", amount: 40, limit: 40, awaiting: nothing},
			{do: "set", amount: 0, limit: 0, awaiting: nothing},
		},
		"PP-06 a raise waits 24 hours and is confirmed": {
			{do: "set", amount: 100, limit: 100, awaiting: nothing},
			{do: "set", amount: 200, limit: 100, awaiting: 200},
			{do: "confirm", refused: "limits.too_soon", limit: 100, awaiting: 200},
			{do: "pass", pass: 23*time.Hour + 59*time.Minute, limit: 100, awaiting: 200},
			{do: "confirm", refused: "limits.too_soon", limit: 100, awaiting: 200},
			{do: "pass", pass: time.Minute, limit: 100, awaiting: 200},
			{do: "confirm", limit: 200, awaiting: nothing},
			{do: "confirm", refused: "limits.nothing_waits", limit: 200, awaiting: nothing},
		},
		"PP-06 a removal waits too": {
			{do: "set", amount: none, limit: none, awaiting: nothing},
			{do: "set", amount: 100, limit: 100, awaiting: nothing},
			{do: "set", amount: none, limit: 100, awaiting: none},
			{do: "pass", pass: 25 * time.Hour, limit: 100, awaiting: none},
			{do: "confirm", limit: none, awaiting: nothing},
			{do: "set", amount: 5, limit: 5, awaiting: nothing},
		},
		"PP-06 what is not confirmed within 7 days lapses": {
			{do: "set", amount: 100, limit: 100, awaiting: nothing},
			{do: "set", amount: 200, limit: 100, awaiting: 200},
			{do: "pass", pass: 8*24*time.Hour - time.Minute, limit: 100, awaiting: 200},
			{do: "pass", pass: 2 * time.Minute, limit: 100, awaiting: nothing},
			{do: "confirm", refused: "limits.nothing_waits", limit: 100, awaiting: nothing},
			{do: "cancel", refused: "limits.nothing_waits", limit: 100, awaiting: nothing},
			{do: "set", amount: 200, limit: 100, awaiting: 200},
			{do: "confirm", refused: "limits.too_soon", limit: 100, awaiting: 200},
		},
		"PP-06 a lower one takes a waiting raise back": {
			{do: "set", amount: 100, limit: 100, awaiting: nothing},
			{do: "set", amount: 200, limit: 100, awaiting: 200},
			{do: "set", amount: 90, limit: 90, awaiting: nothing},
			{do: "pass", pass: 25 * time.Hour, limit: 90, awaiting: nothing},
			{do: "confirm", refused: "limits.nothing_waits", limit: 90, awaiting: nothing},
		},
		"PP-06 asked again goes on waiting, asked for another begins anew": {
			{do: "set", amount: 100, limit: 100, awaiting: nothing},
			{do: "set", amount: 200, limit: 100, awaiting: 200},
			{do: "pass", pass: 20 * time.Hour, limit: 100, awaiting: 200},
			{do: "set", amount: 200, limit: 100, awaiting: 200},
			{do: "pass", pass: 4 * time.Hour, limit: 100, awaiting: 200},
			{do: "set", amount: 300, limit: 100, awaiting: 300},
			{do: "confirm", refused: "limits.too_soon", limit: 100, awaiting: 300},
		},
		"PP-06 taken back": {
			{do: "cancel", refused: "limits.nothing_waits", limit: none, awaiting: nothing},
			{do: "confirm", refused: "limits.nothing_waits", limit: none, awaiting: nothing},
			{do: "set", amount: 100, limit: 100, awaiting: nothing},
			{do: "set", amount: none, limit: 100, awaiting: none},
			{do: "cancel", limit: 100, awaiting: nothing},
			{do: "pass", pass: 25 * time.Hour, limit: 100, awaiting: nothing},
			{do: "confirm", refused: "limits.nothing_waits", limit: 100, awaiting: nothing},
		},
	}
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newWorld(t, store)
		id := int64(0)
		for name, steps := range tables {
			id++
			w.join(t, id)
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
					case "pass":
						w.pass(t, s.pass)
					}
					is(t, s.do, err, s.refused)
					if amount, pending := w.amountOf(t, id); amount != s.limit || pending != s.awaiting {
						t.Fatalf("step %d, %s: limit %d and %d waits, want %d and %d", i, s.do, amount, pending, s.limit, s.awaiting)
					}
				}
			})
		}
	})
}
