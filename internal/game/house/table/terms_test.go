package table_test

import (
	"fmt"
	"net/http"
	"testing"

	"fairground/internal/game/house"
	"fairground/internal/game/house/housetest"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
)

// The minimum stake in the catalogue is the table's minimum stake.
func TestLB11TableTermsMatchTheTable(t *testing.T) {
	t.Parallel()
	for game, want := range map[string]house.Terms{
		"live-001": {MinStake: 10_000, Classes: []string{"baccarat"}}, "live-010": {MinStake: 20_000, Classes: []string{"sicbo"}},
		"live-008": {MinStake: 20_000, Classes: []string{"dragon-tiger"}}, "live-015": {MinStake: 50_000, Classes: []string{"roulette"}},
	} {
		t.Run("LB-11 (terms) "+game, func(t *testing.T) {
			t.Parallel()
			h := newFixture(t, dbtest.SQLite(t))
			h.game = game
			terms, served := house.TermsOf("LIVE", game, "VND")
			if !served || fmt.Sprint(terms) != fmt.Sprint(want) {
				t.Errorf("terms = %+v, want %+v", terms, want)
			}
			type shown struct{ Table struct{ Minimum int64 } }
			frame := h.Open(housetest.Minh).Token
			if got := merchanttest.Value[shown](t, h.Call(t, http.MethodGet, "/house/v1/table", nil, "Authorization", frame)); got.Table.Minimum != int64(terms.MinStake) {
				t.Errorf("minimum at the table = %d, want %d", got.Table.Minimum, terms.MinStake)
			}
		})
	}
}
