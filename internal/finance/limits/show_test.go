package limits_test

import (
	"testing"
	"time"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

// A reality check tells of all that was played without a rest, whatever the games were.
func TestPP04WhatACheckTells(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newWorld(t, store, 1)
		ctx := t.Context()
		told := func(minutes int, staked, returned int64) {
			t.Helper()
			state, err := w.Show(ctx, 1, currency)
			if err != nil {
				t.Fatal(err)
			}
			p := state.Played
			if p == nil || p.For.Round(time.Minute).Minutes() != float64(minutes) || int64(p.Staked) != staked || int64(p.Returned) != returned {
				t.Errorf("told %+v, want %d minutes, %d staked, %d returned", p, minutes, staked, returned)
			}
		}
		silent := func(why string) {
			t.Helper()
			if state, err := w.Show(ctx, 1, currency); err != nil || state.Played != nil {
				t.Errorf("%s: %+v, %v", why, state.Played, err)
			}
		}
		is(t, "before there was a reminder", w.bet(1, 5), "")
		silent("without a reminder")
		is(t, "choose", w.SetCheck(ctx, 1, 30), "")
		w.pass(t, 10*time.Minute)
		is(t, "bet", w.bet(1, 7), "")
		is(t, "win", w.win(1, 20), "")
		w.pass(t, 4*time.Minute)
		told(14, 12, 20)
		is(t, "answer", w.Acknowledge(ctx, 1, 1), "")
		told(14, 12, 20)
		w.pass(t, time.Hour)
		silent("after a rest")
		is(t, "bet", w.bet(1, 3), "")
		told(0, 3, 0)
	})
}
