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

// fixedWins returns the same wins for every request and records the request.
type fixedWins struct {
	wins     []catalogue.Win
	category string
	limit    int
}

func (f *fixedWins) Latest(_ context.Context, _ int64, category string, limit int) ([]catalogue.Win, error) {
	f.category, f.limit = category, limit
	return f.wins, nil
}

const rankPath = "/wps/relay/GCSGAME_getRankList"

func TestWinners(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site := merchanttest.New(t, store)
		from := &fixedWins{wins: []catalogue.Win{
			{Username: "minhanh88", Game: "rng-1", Amount: 12_500_000, Currency: "VND"},
			{Username: "lan5", Game: "live-1", Amount: 1250, Currency: "USD"},
			{Username: "ghost1", Game: "off-1", Amount: 1, Currency: "VND"}, // the game is off
			{Username: "ghost2", Game: "never", Amount: 1, Currency: "VND"}, // no such game
			{Username: "ghost3", Game: "old-1", Amount: 1, Currency: "VND"}, // its vendor is off
			{Username: "hathu07", Game: "fish-1", Amount: 90_000, Currency: "VND", Simulated: true},
		}}
		s := newCatalogueWith(t, site, from)
		lobby(t, s, site.ID)
		site.Serve(t, nil, func(a *rest.API) { catalogue.Routes(a, s) })
		t.Run("CA-07 EN-17 the board, masked and marked", func(t *testing.T) {
			reply := site.Call(t, "GET", rankPath+"?gameCategory=ALL&language=VI&limitNum=100", nil)
			merchanttest.Want(t, reply, 200, `{"success":true,"value":{
				"list":[
					{
						"simulated":false,
						"vo":{
							"currencySymbol":"₫","customerName":"mi***8","gameCategory":"RNG","gameId":"rng-1",
							"gameName":"Rồng Vàng Hạ Long","iconUrl":"/m/art/tiles/rng-1.webp","nodeId":"1007","position":"B",
							"vendor":"PG","winAmount":12500000
						}
					},
					{
						"simulated":false,
						"vo":{
							"currencySymbol":"$","customerName":"l***","gameCategory":"LIVE","gameId":"live-1","gameName":"Bàn Nhung",
							"iconUrl":"/m/art/tiles/live-1.webp","nodeId":"1012","position":"F","vendor":"LUX","winAmount":12.50
						}
					},
					{
						"simulated":true,
						"vo":{
							"currencySymbol":"₫","customerName":"ha***7","gameCategory":"FISH","gameId":"fish-1","gameName":"Vua Biển",
							"iconUrl":"/m/art/tiles/fish-1.webp","nodeId":"1010","position":"B","vendor":"JL","winAmount":90000
						}
					}
				]
			}}`)
			for _, w := range from.wins {
				if strings.Contains(string(reply.Body), w.Username) {
					t.Errorf("response contains the unmasked name %s", w.Username)
				}
			}
			if from.category != "" || from.limit != 100 {
				t.Errorf("requested %d wins of %q, want 100 of all categories", from.limit, from.category)
			}
		})
		t.Run("an unknown category reads no wins", func(t *testing.T) {
			from.category = "not requested"
			for _, word := range []string{"NOPE", "HOT", "HOME"} {
				reply := site.Call(t, "GET", rankPath+"?gameCategory="+word+"&limitNum=7", nil)
				if got := merchanttest.Value[struct{ List []any }](t, reply); len(got.List) != 0 || from.category != "not requested" {
					t.Errorf("category %s: %v, requested %q; want no rows and no request", word, got.List, from.category)
				}
			}
			if site.Call(t, "GET", rankPath+"?gameCategory=FISH", nil); from.category != "FISH" {
				t.Errorf("requested category %q, want FISH", from.category)
			}
		})
		t.Run("KO-03 (board) part: a limit of 100", func(t *testing.T) {
			type board struct{ List []struct{ Simulated bool } }
			many := make([]catalogue.Win, 150)
			for i := range many {
				many[i] = from.wins[0]
			}
			original := from.wins
			from.wins = many
			defer func() { from.wins = original }()
			if got := merchanttest.Value[board](t, site.Call(t, "GET", rankPath, nil)); len(got.List) != 100 {
				t.Errorf("%d rows, want 100", len(got.List))
			}
			if got := merchanttest.Value[board](t, site.Call(t, "GET", rankPath+"?limitNum=7&gameCategory=RNG", nil)); len(got.List) != 7 || from.category != "RNG" || from.limit != 7 {
				t.Errorf("%d rows, requested %d of %q; want 7 of RNG", len(got.List), from.limit, from.category)
			}
		})
		t.Run("a win of the lottery shows the game that opens it", func(t *testing.T) {
			original := from.wins
			from.wins = []catalogue.Win{{Username: "minhanh88", Game: "1201", Launch: "other-1", Amount: 5, Currency: "VND"}, {Username: "lan5", Game: "1202", Launch: "1202", Amount: 5, Currency: "VND"}}
			defer func() { from.wins = original }()
			type board struct {
				List []struct{ VO struct{ GameID string } }
			}
			got := merchanttest.Value[board](t, site.Call(t, "GET", rankPath, nil))
			if len(got.List) != 1 || got.List[0].VO.GameID != "other-1" {
				t.Errorf("got %+v, want one row of other-1", got.List)
			}
		})
		withoutWins := newCatalogue(t, site)
		site.Serve(t, nil, func(a *rest.API) { catalogue.Routes(a, withoutWins) })
		merchanttest.Want(t, site.Call(t, "GET", rankPath, nil), 200, `{"success":true,"value":{"list":[]}}`)
	})
}

func TestWinnersOfADemo(t *testing.T) {
	t.Parallel()
	site := merchanttest.New(t, dbtest.SQLite(t))
	actual := &fixedWins{}
	examples := &fixedWins{wins: []catalogue.Win{{Username: "hathu07", Game: "fish-1", Amount: 90_000, Currency: "VND", Simulated: true}}}
	s, err := catalogue.New(catalogue.Options{Store: site.Store, Bus: site.Bus, IDs: site.IDs, Now: site.Clock.Now, Wins: actual, ExampleWins: examples})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	lobby(t, s, site.ID)
	site.Serve(t, nil, func(a *rest.API) { catalogue.Routes(a, s) })
	hidden := catalogue.Win{Username: "ghost2", Game: "never", Amount: 1, Currency: "VND"}
	visible := catalogue.Win{Username: "minhanh88", Game: "rng-1", Amount: 1, Currency: "VND"}
	for name, c := range map[string]struct {
		wins []catalogue.Win
		want string
	}{
		"no wins":                 {nil, "fish-1"},
		"only wins of no game":    {[]catalogue.Win{hidden}, "fish-1"},
		"a win of a visible game": {[]catalogue.Win{hidden, visible}, "rng-1"},
	} {
		actual.wins = c.wins
		type board struct {
			List []struct{ VO struct{ GameID string } }
		}
		got := merchanttest.Value[board](t, site.Call(t, "GET", rankPath, nil))
		if len(got.List) != 1 || got.List[0].VO.GameID != c.want {
			t.Errorf("%s: got %+v, want one row of %s", name, got.List, c.want)
		}
	}
}
