package limits_test

import (
	"testing"
	"time"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

func TestSweepDeletesOnlyExpiredUses(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newFixture(t, store, 1)
		wantRows := func(want int) {
			t.Helper()
			if err := w.Sweep(t.Context()); err != nil {
				t.Fatal(err)
			}
			var n, sums int
			if err := store.Reader.QueryRow("SELECT COUNT(*) FROM limit_use").Scan(&n); err != nil || n != want {
				t.Errorf("%d uses left, want %d, %v", n, want, err)
			}
			if err := store.Reader.QueryRow("SELECT COUNT(*) FROM limit_sum").Scan(&sums); err != nil || (sums == 0) != (want == 0) {
				t.Errorf("%d sums left for %d uses, %v", sums, want, err)
			}
		}
		for range 3 {
			wantCode(t, "long ago", w.bet(1, 100), "")
		}
		w.advance(t, 29*24*time.Hour)
		wantCode(t, "within the month", w.bet(1, 70), "")
		wantRows(4)
		w.advance(t, 3*24*time.Hour)
		wantRows(1)
		state, err := w.Show(t.Context(), 1, currency)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range state.Limits {
			if l.Kind == "stake" && l.Period == "month" && l.Used != 70 {
				t.Errorf("used per month = %d, want 70", l.Used)
			}
		}
		w.advance(t, 32*24*time.Hour)
		wantRows(0)
	})
}
