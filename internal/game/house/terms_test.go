package house_test

import (
	"testing"

	"fairground/internal/game/house"
)

func TestTermsOfUnservedGames(t *testing.T) {
	t.Parallel()
	for _, of := range [][3]string{{"FISH", "fish-001", "VND"}, {"", "rng-001", "VND"}, {"RNG", "rng-001", "XXX"}, {"LIVE", "live-001", "XXX"}} {
		if terms, served := house.TermsOf(of[0], of[1], of[2]); served {
			t.Errorf("terms of %v = %+v, want none", of, terms)
		}
	}
	if terms, served := house.TermsOf("RNG", "an-operators-game", "USD"); !served || terms.MinStake != 20 || terms.Lines != 20 {
		t.Errorf("terms of an unlisted game = %+v, %v, want a minimum of 20 and 20 lines", terms, served)
	}
}
