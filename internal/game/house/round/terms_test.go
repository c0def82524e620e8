package round_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"

	"fairground/internal/game/house"
	"fairground/internal/game/house/housetest"
	"fairground/internal/game/house/round"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
)

// The game accepts the minimum stake in the catalogue, and rejects a lower one.
func TestLB11SlotTermsMatchTheGame(t *testing.T) {
	t.Parallel()
	for engine, want := range map[string]house.Terms{
		"slot":    {MinStake: 1_000, Lines: 20, Classes: []string{"free-spins", "wild"}},
		"ways":    {MinStake: 1_000, Lines: 1_024, Classes: []string{"free-spins", "ways", "wild"}},
		"cascade": {MinStake: 1_000, Lines: 0, Classes: []string{"cascade", "free-spins", "multiplier", "wild"}},
	} {
		t.Run("LB-11 (terms) "+engine, func(t *testing.T) {
			t.Parallel()
			s := housetest.New(t, dbtest.SQLite(t))
			s.Launches.Game = firstWith(t, engine)
			s.Start()
			terms, served := house.TermsOf("RNG", s.Launches.Game, "VND")
			if !served || fmt.Sprint(terms) != fmt.Sprint(want) {
				t.Errorf("terms = %+v, want %+v", terms, want)
			}
			type session struct {
				Token string
				Slot  struct{ Stakes []int64 }
			}
			opened := merchanttest.Value[session](t, s.Call(t, "POST", "/house/v1/session", map[string]any{"ticket": s.Wallet.Ticket(housetest.PlayerOf(housetest.Minh))}))
			if least := slices.Min(opened.Slot.Stakes); least != int64(terms.MinStake) {
				t.Errorf("minimum offered stake = %d, want %d", least, terms.MinStake)
			}
			for n, stake := range []int64{int64(terms.MinStake), int64(terms.MinStake) - 20} {
				s.Clock.Add(round.MinBetInterval)
				r := s.Call(t, "POST", "/house/v1/spin", map[string]any{"spinId": housetest.SpinID(n + 1), "stake": stake}, "Authorization", opened.Token)
				if accepted := r.Status == http.StatusOK; accepted != (n == 0) {
					t.Errorf("response to stake %d = %d %s, want accepted = %t", stake, r.Status, r.Body, n == 0)
				}
			}
		})
	}
}
