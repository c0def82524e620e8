package jackpot_test

import (
	"bytes"
	"testing"
	"time"

	"fairground/internal/game/fairness"
	"fairground/internal/game/seal"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

func (w *jackpotSite) storedSeeds(t *testing.T) (seed, next []byte) {
	t.Helper()
	if err := w.site.Store.Writer.QueryRowContext(t.Context(), "SELECT seed, next_seed FROM jackpot_pool").Scan(&seed, &next); err != nil {
		t.Fatal(err)
	}
	return seed, next
}

// checkSealed fails the test if the database reveals a seed.
func (w *jackpotSite) checkSealed(t *testing.T) {
	t.Helper()
	seed, next := w.storedSeeds(t)
	if seal.IsUnsealed(seed) || seal.IsUnsealed(next) {
		t.Errorf("PP-13 seeds are stored unsealed: %x, %x", seed, next)
	}
}

func TestPP13SeedsAreStoredSealed(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newJackpotSite(t, store, 1)
		t.Run("PP-13 sealed until the series ends, then revealed", func(t *testing.T) {
			_, round := w.bet(t, 1, winningStake)
			w.checkSealed(t)
			before := w.checkPool(t)
			w.settle(t, 1, round)
			w.draw(t)
			w.checkSealed(t)
			after := w.checkPool(t)
			if len(after.Wins) != 1 || !fairness.Seed(after.Wins[0].Seed).Matches(before.Commitment) || after.Commitment != lastSeed(after) {
				t.Errorf("pool = %+v, want commitments %s and %s", after, before.Commitment, lastSeed(after))
			}
		})
		t.Run("PP-13 unsealed seeds of an older version are sealed and keep their commitments", func(t *testing.T) {
			seed, next := fairness.Seed{1, 2, 3}, fairness.Seed{4, 5, 6}
			w.site.Exec(t, "UPDATE jackpot_pool SET seed = $1, next_seed = $2, name = ''", seed[:], next[:])
			before := w.checkPool(t)
			if before.Commitment != seed.Commitment() || before.NextCommitment != next.Commitment() {
				t.Fatalf("pool = %+v, want commitments %s and %s", before, seed.Commitment(), next.Commitment())
			}
			w.draw(t)
			w.checkSealed(t)
			after := w.checkPool(t)
			if after.Commitment != before.Commitment || after.NextCommitment != before.NextCommitment || after.Amount != before.Amount || after.Series != before.Series {
				t.Errorf("%+v became %+v", before, after)
			}
			kept, _ := w.storedSeeds(t)
			w.draw(t)
			if again, _ := w.storedSeeds(t); !bytes.Equal(kept, again) {
				t.Error("the seed was sealed again")
			}
		})
		t.Run("PP-13 a corrupted seed stops draws and payments", func(t *testing.T) {
			seed, _ := w.storedSeeds(t)
			broken := bytes.Clone(seed)
			broken[30] ^= 1
			_, round := w.bet(t, 1, winningStake)
			w.settle(t, 1, round)
			w.site.Exec(t, "UPDATE jackpot_pool SET seed = $1", broken)
			paid := w.moved(t, "jackpot.win")
			if err := w.Draw(t.Context()); err == nil {
				t.Error("Draw succeeded with a corrupted seed")
			}
			if got := w.moved(t, "jackpot.win"); got != paid {
				t.Errorf("paid %d, want 0", got-paid)
			}
			w.site.Exec(t, "UPDATE jackpot_pool SET seed = $1", seed)
			w.draw(t)
			if p := w.checkPool(t); len(p.Wins) != 2 {
				t.Errorf("wins = %+v, want 2", p.Wins)
			}
		})
		w.site.VerifyLedger(t)
	})
}

func TestStartDrawsInBackground(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newJackpotSite(t, store, 1)
		_, round := w.bet(t, 1, winningStake)
		w.settle(t, 1, round)
		living := w.anotherServer()
		living.Start()
		for end := time.Now().Add(time.Minute); w.site.Number(t, "SELECT COUNT(*) FROM jackpot_win") == 0; time.Sleep(5 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatal("no draw within a minute")
			}
		}
		living.Close()
		living.Close()
		w.checkPool(t)
	})
}
