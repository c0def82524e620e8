package catalogue_test

import (
	"context"
	"strings"
	"testing"

	"fairground/internal/game/catalogue"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/rest"
	"fairground/internal/site/merchant/merchanttest"
)

// bank gives the same wins whoever asks, and notes what was asked for.
type bank struct {
	wins     []catalogue.Win
	category string
	limit    int
}

func (b *bank) Latest(_ context.Context, _ int64, category string, limit int) ([]catalogue.Win, error) {
	b.category, b.limit = category, limit
	return b.wins, nil
}

const rankPath = "/wps/relay/GCSGAME_getRankList"

func TestWinners(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site := merchanttest.New(t, store)
		from := &bank{wins: []catalogue.Win{
			{Username: "minhanh88", Game: "rng-1", Amount: 12_500_000, Currency: "VND"},
			{Username: "lan5", Game: "live-1", Amount: 1250, Currency: "USD"},
			{Username: "ghost1", Game: "off-1", Amount: 1, Currency: "VND"}, // the game is off
			{Username: "ghost2", Game: "never", Amount: 1, Currency: "VND"}, // there is none
			{Username: "ghost3", Game: "old-1", Amount: 1, Currency: "VND"}, // its vendor is off
			{Username: "hathu07", Game: "fish-1", Amount: 90_000, Currency: "VND", Simulated: true},
		}}
		s := newCatalogueWith(t, site, from)
		lobby(t, s, site.ID)
		site.Serve(t, nil, func(a *rest.API) { catalogue.Routes(a, s) })
		t.Run("CA-07 EN-17 the board, masked and marked", func(t *testing.T) {
			reply := site.Call(t, "GET", rankPath+"?gameCategory=ALL&language=VI&limitNum=100", nil)
			merchanttest.Golden(t, "winners", reply)
			for _, w := range from.wins {
				if strings.Contains(string(reply.Body), w.Username) {
					t.Errorf("%s stands there in full", w.Username)
				}
			}
			if from.category != "" || from.limit != 100 {
				t.Errorf("asked for %d of %q", from.limit, from.category)
			}
		})
		t.Run("a word that is no category is nobody's work", func(t *testing.T) {
			from.category = "not asked"
			for _, word := range []string{"NOPE", "HOT", "HOME"} {
				reply := site.Call(t, "GET", rankPath+"?gameCategory="+word+"&limitNum=7", nil)
				if got := merchanttest.Value[struct{ List []any }](t, reply); len(got.List) != 0 || from.category != "not asked" {
					t.Errorf("%s: %v, asked for %q", word, got.List, from.category)
				}
			}
			if site.Call(t, "GET", rankPath+"?gameCategory=FISH", nil); from.category != "FISH" {
				t.Errorf("asked for %q", from.category)
			}
		})
		t.Run("KO-03 the board's part: a limit of 100", func(t *testing.T) {
			type board struct{ List []struct{ Simulated bool } }
			many := make([]catalogue.Win, 150)
			for i := range many {
				many[i] = from.wins[0]
			}
			kept := from.wins
			from.wins = many
			defer func() { from.wins = kept }()
			if got := merchanttest.Value[board](t, site.Call(t, "GET", rankPath, nil)); len(got.List) != 100 {
				t.Errorf("%d rows", len(got.List))
			}
			if got := merchanttest.Value[board](t, site.Call(t, "GET", rankPath+"?limitNum=7&gameCategory=RNG", nil)); len(got.List) != 7 || from.category != "RNG" || from.limit != 7 {
				t.Errorf("%d rows, asked for %d of %q", len(got.List), from.limit, from.category)
			}
		})
		nobody := newCatalogue(t, site)
		site.Serve(t, nil, func(a *rest.API) { catalogue.Routes(a, nobody) })
		merchanttest.Golden(t, "winners_none", site.Call(t, "GET", rankPath, nil))
	})
}
