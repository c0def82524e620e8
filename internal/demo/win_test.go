package demo_test

import (
	"net/http"
	"reflect"
	"strings"
	"testing"

	"fairground/internal/demo"
	"fairground/internal/game/catalogue"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/rest"
	"fairground/internal/site/merchant/merchanttest"
)

// CA-07, KO-03: the demo's board is full, and all rows are marked as simulated.
func TestDemoWinsAreSimulated(t *testing.T) {
	t.Parallel()
	site := merchanttest.New(t, dbtest.SQLite(t))
	if err := demo.Fill(t.Context(), parts(t, site)); err != nil {
		t.Fatal(err)
	}
	wins, err := demo.NewWins()
	if err != nil {
		t.Fatal(err)
	}
	games, err := catalogue.New(catalogue.Options{Store: site.Store, Bus: site.Bus, IDs: site.IDs, Now: site.Clock.Now, Wins: wins})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(games.Close)
	site.Serve(t, nil, func(a *rest.API) { catalogue.Routes(a, games) })
	type board struct {
		List []struct {
			VO struct {
				CustomerName, GameName, GameCategory string
				WinAmount                            int64
			}
			Simulated bool
		}
	}
	const path = "/wps/relay/GCSGAME_getRankList?gameCategory="
	all := merchanttest.Value[board](t, site.Call(t, http.MethodGet, path+"ALL&limitNum=100", nil))
	if len(all.List) != 100 {
		t.Errorf("%d rows, want 100", len(all.List))
	}
	for _, category := range []string{"ALL", "RNG", "FISH", "LIVE", "PVP", "LOTT", "ELOTT", "SPORTS", "ESPORTS", "JL"} {
		got := merchanttest.Value[board](t, site.Call(t, http.MethodGet, path+category, nil))
		if len(got.List) == 0 {
			t.Errorf("category %s has no rows", category)
		}
		for _, row := range got.List {
			if !row.Simulated || !strings.Contains(row.VO.CustomerName, "***") || row.VO.GameName == "" || row.VO.WinAmount < 50_000 || row.VO.WinAmount > 80_000_000 {
				t.Errorf("category %s: row = %+v, want a simulated win of 50,000 to 80,000,000 with a masked name", category, row)
			}
			if category != "ALL" && row.VO.GameCategory != category {
				t.Errorf("category %s contains a win of %s", category, row.VO.GameCategory)
			}
		}
	}
	again, err := demo.NewWins()
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(wins, again) {
		t.Error("NewWins returns different wins the second time")
	}
}
