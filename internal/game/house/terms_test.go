package house_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"

	"fairground/internal/game/house"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
)

// What a catalogue is told of a game is what the game takes: its least stake is on offer and nothing below it, and its
// lines, ways and features are those that it publishes.
func TestLB11TermsAreTheGamesOwn(t *testing.T) {
	t.Parallel()
	for engine, want := range map[string]house.Terms{
		"slot":    {LeastStake: 1_000, Lines: 20, Classes: []string{"free-spins", "wild"}},
		"ways":    {LeastStake: 1_000, Lines: 1_024, Classes: []string{"free-spins", "ways", "wild"}},
		"cascade": {LeastStake: 1_000, Lines: 0, Classes: []string{"cascade", "free-spins", "multiplier", "wild"}},
	} {
		t.Run("LB-11 (terms) "+engine, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, dbtest.SQLite(t))
			s.launches.game = firstWith(t, engine)
			s.start()
			terms, served := house.TermsOf("RNG", s.launches.game, "VND")
			if !served || fmt.Sprint(terms) != fmt.Sprint(want) {
				t.Errorf("%+v, want %+v", terms, want)
			}
			type session struct {
				Token string
				Slot  struct{ Stakes []int64 }
			}
			opened := merchanttest.Value[session](t, s.Call(t, "POST", "/house/v1/session", map[string]any{"ticket": s.wallet.ticket(playerOf(minh))}))
			if least := slices.Min(opened.Slot.Stakes); least != int64(terms.LeastStake) {
				t.Errorf("the game offers %d, the catalogue is told %d", least, terms.LeastStake)
			}
			for n, stake := range []int64{int64(terms.LeastStake), int64(terms.LeastStake) - 20} {
				s.Clock.Add(house.Cycle)
				r := s.Call(t, "POST", "/house/v1/spin", map[string]any{"spinId": spinID(n + 1), "stake": stake}, "Authorization", opened.Token)
				if taken := r.Status == http.StatusOK; taken != (n == 0) {
					t.Errorf("a stake of %d: %d %s", stake, r.Status, r.Body)
				}
			}
		})
	}
	for game, want := range map[string]house.Terms{
		"live-001": {LeastStake: 10_000, Classes: []string{"baccarat"}}, "live-010": {LeastStake: 20_000, Classes: []string{"sicbo"}},
		"live-008": {LeastStake: 20_000, Classes: []string{"dragon-tiger"}}, "live-015": {LeastStake: 50_000, Classes: []string{"roulette"}},
	} {
		t.Run("LB-11 (terms) "+game, func(t *testing.T) {
			t.Parallel()
			h := newHall(t, dbtest.SQLite(t))
			h.game = game
			terms, served := house.TermsOf("LIVE", game, "VND")
			if !served || fmt.Sprint(terms) != fmt.Sprint(want) {
				t.Errorf("%+v, want %+v", terms, want)
			}
			type shown struct{ Table struct{ Minimum int64 } }
			frame := h.enter(minh).Token
			if got := merchanttest.Value[shown](t, h.Call(t, http.MethodGet, "/house/v1/table", nil, "Authorization", frame)); got.Table.Minimum != int64(terms.LeastStake) {
				t.Errorf("the table takes %d, the catalogue is told %d", got.Table.Minimum, terms.LeastStake)
			}
		})
	}
}

func TestTermsAreOfServedGamesAlone(t *testing.T) {
	t.Parallel()
	for _, of := range [][3]string{{"FISH", "fish-001", "VND"}, {"", "rng-001", "VND"}, {"RNG", "rng-001", "XXX"}, {"LIVE", "live-001", "XXX"}} {
		if terms, served := house.TermsOf(of[0], of[1], of[2]); served {
			t.Errorf("%v: %+v", of, terms)
		}
	}
	if terms, served := house.TermsOf("RNG", "of an operator's own", "USD"); !served || terms.LeastStake != 20 || terms.Lines != 20 {
		t.Errorf("%+v %v", terms, served)
	}
}
