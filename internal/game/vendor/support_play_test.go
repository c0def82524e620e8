package vendor_test

import (
	"strings"
	"testing"

	"fairground/internal/game/catalogue"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

func TestGL03GameWithoutSupportPlayIsRefused(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newVendorSite(t, store)
		session := w.openSession(t, "minhanh92")
		err := w.games.PutGames(t.Context(), w.ID, []catalogue.Game{{
			Code: "G1", Vendor: "TEST", Category: "RNG", LaunchCode: "x-G1", Icon: "/m/G1", FreePlay: true, Enabled: true,
			Names: map[string]string{"vi": "Trò", "en": "Game", "ur": "گیم", "pt": "Jogo"},
		}})
		if err != nil {
			t.Fatal(err)
		}
		got := w.Call(t, "POST", "/wps/game/launchGame", map[string]any{"gameCategory": "RNG", "vendor": "TEST", "gameId": "G1", "supportPlay": true}, "Authorization", "minhanh92")
		if got.Status != 422 || !strings.Contains(string(got.Body), "vendor.game_unavailable") {
			t.Errorf("GL-03 launch = %d %s, want 422", got.Status, got.Body)
		}
		if r := w.call(t, "bet", bet(session, "s1", "s1", "10")); r.Code != "GAME_UNAVAILABLE" {
			t.Errorf("GL-03 bet = %s, want GAME_UNAVAILABLE", r.raw)
		}
	})
}
