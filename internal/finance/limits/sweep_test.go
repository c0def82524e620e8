package limits_test

import (
	"testing"
	"time"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

// What is too old for every window is forgotten, and nothing that still counts: a limit of a month stands where it stood.
func TestSweepForgetsOnlyWhatCountsNoLonger(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newWorld(t, store, 1)
		rows := func(want int) {
			t.Helper()
			if err := w.Sweep(t.Context()); err != nil {
				t.Fatal(err)
			}
			var n, sums int
			if err := store.Reader.QueryRow("SELECT COUNT(*) FROM limit_use").Scan(&n); err != nil || n != want {
				t.Errorf("%d rows are left, %d expected, %v", n, want, err)
			}
			if err := store.Reader.QueryRow("SELECT COUNT(*) FROM limit_sum").Scan(&sums); err != nil || (sums == 0) != (want == 0) {
				t.Errorf("%d sums are left of %d rows, %v", sums, want, err)
			}
		}
		for range 3 {
			is(t, "long ago", w.bet(1, 100), "")
		}
		w.pass(t, 29*24*time.Hour)
		is(t, "within the month", w.bet(1, 70), "")
		rows(4)
		w.pass(t, 3*24*time.Hour)
		rows(1)
		state, err := w.Show(t.Context(), 1, currency)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range state.Limits {
			if l.Kind == "stake" && l.Period == "month" && l.Used != 70 {
				t.Errorf("%d used in the month", l.Used)
			}
		}
		w.pass(t, 32*24*time.Hour)
		rows(0)
	})
}
