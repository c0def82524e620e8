package limits_test

import (
	"testing"
	"time"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

// A reality check reports the continuous play over all games.
func TestPP04RealityCheckReport(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newFixture(t, store, 1)
		ctx := t.Context()
		wantPlayed := func(minutes int, staked, returned int64) {
			t.Helper()
			state, err := w.Show(ctx, 1, currency)
			if err != nil {
				t.Fatal(err)
			}
			p := state.Played
			if p == nil || p.For.Round(time.Minute).Minutes() != float64(minutes) || int64(p.Staked) != staked || int64(p.Returned) != returned {
				t.Errorf("Played = %+v, want %d minutes, %d staked, %d returned", p, minutes, staked, returned)
			}
		}
		wantNotPlayed := func(when string) {
			t.Helper()
			if state, err := w.Show(ctx, 1, currency); err != nil || state.Played != nil {
				t.Errorf("%s: Played = %+v, %v; want nil", when, state.Played, err)
			}
		}
		wantCode(t, "before reality checks", w.bet(1, 5), "")
		wantNotPlayed("without reality checks")
		wantCode(t, "set interval", w.SetRealityCheck(ctx, 1, 30), "")
		w.advance(t, 10*time.Minute)
		wantCode(t, "bet", w.bet(1, 7), "")
		wantCode(t, "win", w.win(1, 20), "")
		w.advance(t, 4*time.Minute)
		wantPlayed(14, 12, 20)
		wantCode(t, "acknowledge", w.Acknowledge(ctx, 1, 1), "")
		wantPlayed(14, 12, 20)
		w.advance(t, time.Hour)
		wantNotPlayed("after a rest")
		wantCode(t, "bet", w.bet(1, 3), "")
		wantPlayed(0, 3, 0)
	})
}
