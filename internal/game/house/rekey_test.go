package house_test

import (
	"testing"
	"time"

	"fairground/internal/game/fairness"
	"fairground/internal/game/house"
	"fairground/internal/game/house/bet"
	"fairground/internal/game/house/housetest"
	"fairground/internal/game/seal"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

// Only a round whose stake was requested still needs the player's stored seed. In later states the stored seed is the one of
// the next round, which a leaked key would reveal.
func TestNewKeyReplacesTheSeedOfTheNextRound(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		status, failing, refusal string
		kept                     bool
	}{
		{bet.Betting, "bet", "", true},
		{bet.Staked, "win", "", false},
		{bet.Refunding, "rollback", "SESSION_EXPIRED", false},
		{bet.Settled, "", "", false},
	} {
		t.Run(c.status, func(t *testing.T) {
			t.Parallel()
			dbtest.Each(t, func(t *testing.T, store *db.Store) {
				s := housetest.New(t, store)
				keys := s.Options().Keys
				nextSeed := func() fairness.Seed {
					t.Helper()
					row, err := store.Q().HouseSeed(t.Context(), housetest.PlayerOf(housetest.Minh))
					if err != nil {
						t.Fatal(err)
					}
					next, err := seal.Open(keys, "house.seed", row.Seed)
					if err != nil {
						t.Fatal(err)
					}
					return next
				}
				session := s.Open(housetest.Minh)
				s.Wallet.RefuseBets = c.refusal
				s.Wallet.Fail = func(call string, _ int) housetest.Failure {
					if call == c.failing {
						return housetest.FailBefore
					}
					return housetest.NoFailure
				}
				s.Spin(session.Token, 1)
				played, err := store.Q().HouseRoundBySpin(t.Context(), housetest.PlayerOf(housetest.Minh), housetest.SpinID(1))
				if err != nil || played.Status != c.status {
					t.Fatalf("round before the change: got %q, %v, want %q", played.Status, err, c.status)
				}

				before := nextSeed()
				// The same key as old and new one: this server keeps running.
				err = store.Write(t.Context(), func(tx *db.Tx) error {
					return house.Rekey(t.Context(), tx, keys, keys, db.Millis(s.Clock.Now()))
				})
				if err != nil {
					t.Fatal(err)
				}
				if after := nextSeed(); (after == before) != c.kept {
					t.Errorf("stored seed kept = %t, want %t", after == before, c.kept)
				}

				s.Wallet.RefuseBets, s.Wallet.Fail = "", nil
				s.Clock.Add(10 * time.Second)
				s.Recover()
				if played, err = store.Q().HouseRound(t.Context(), played.ID); err != nil {
					t.Fatal(err)
				}
				if c.refusal != "" {
					if played.Status != bet.Refused || len(played.Seed) != 0 {
						t.Errorf("refused round: got status %q and seed %x, want %q without a seed", played.Status, played.Seed, bet.Refused)
					}
				} else if played.Status != bet.Settled || !fairness.Seed(played.Seed).Matches(session.Commitment) {
					t.Errorf("round: got status %q and seed %x, want %q and a seed of commitment %s", played.Status, played.Seed, bet.Settled, session.Commitment)
				}
				again := s.Open(housetest.Minh)
				if again.Commitment == session.Commitment || again.Commitment != nextSeed().Commitment() {
					t.Errorf("commitment of the next round: got %s, want a new one, %s", again.Commitment, nextSeed().Commitment())
				}
				if next := s.Play(again.Token, 2).Round; next.Seed == nil || next.Commitment != again.Commitment {
					t.Errorf("next round = %+v, want commitment %s", next, again.Commitment)
				}
			})
		})
	}
}
