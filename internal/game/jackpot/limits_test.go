package jackpot_test

import (
	"fmt"
	"testing"

	"fairground/internal/finance/limits"
	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

// losses returns what counts against a member's loss limits.
func (w *jackpotSite) losses(t *testing.T, id int64) (by map[limits.Period]money.Minor) {
	t.Helper()
	state, err := w.limits.Show(t.Context(), id, currency)
	if err != nil {
		t.Fatal(err)
	}
	by = map[limits.Period]money.Minor{}
	for _, l := range state.Limits {
		if l.Kind == limits.Loss {
			by[l.Period] = l.Used
		}
	}
	return by
}

func TestPP05JackpotCountsAsReturned(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newJackpotSite(t, store, 1, 2)
		limit := winningStake + 1_000
		for id := int64(1); id <= 2; id++ {
			if err := w.limits.Set(t.Context(), id, currency, limits.Loss, limits.Day, &limit); err != nil {
				t.Fatal(err)
			}
		}
		_, round := w.bet(t, 1, winningStake)
		w.bet(t, 2, winningStake)
		stake := func(id int64) error {
			_, err := w.ledger.Post(t.Context(), ledger.Transfer{
				Key: fmt.Sprintf("more/%d", id), Debit: w.cash[id].ID, Credit: w.vendor.ID, Amount: 5_000, Kind: "vendor.bet", Guarded: true,
				Rows: []ledger.Row{w.limits.Stake(id, currency, 5_000)},
			})
			return err
		}
		w.settle(t, 1, round)
		w.draw(t)
		p := w.checkPool(t)
		if len(p.Wins) != 1 {
			t.Fatalf("wins = %+v, want 1", p.Wins)
		}
		won := money.Minor(p.Wins[0].Amount)
		for _, period := range []limits.Period{limits.Day, limits.Week, limits.Month} {
			if got := w.losses(t, 1)[period]; got != winningStake-won {
				t.Errorf("PP-05 winner's losses per %s = %d, want %d", period, got, winningStake-won)
			}
			if got := w.losses(t, 2)[period]; got != winningStake {
				t.Errorf("PP-05 other member's losses per %s = %d, want %v", period, got, winningStake)
			}
		}
		if err := stake(1); err != nil {
			t.Errorf("PP-05 the winner cannot stake: %v", err)
		}
		if err := stake(2); err == nil {
			t.Error("PP-05 the other member can exceed the limit")
		}
		w.site.VerifyLedger(t)
	})
}
