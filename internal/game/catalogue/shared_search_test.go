package catalogue_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"testing"

	"fairground/internal/game/catalogue"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

// The app filters complete lists itself and must find the same games as the server. The app's tests run the same searches.
func TestSharedSearches(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("testdata/search.json")
	if err != nil {
		t.Fatal(err)
	}
	var all struct {
		Games    []struct{ Name, Vendor, Category string }
		Searches []struct {
			Typed, Category string
			Finds           []string
		}
	}
	if err := json.Unmarshal(raw, &all); err != nil || len(all.Games) == 0 || len(all.Searches) == 0 {
		t.Fatalf("testdata/search.json = %+v, %v; want games and searches", all, err)
	}
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site, s := serve(t, store)
		var vendors []catalogue.Vendor
		var games []catalogue.Game
		for i, one := range all.Games {
			if !slices.ContainsFunc(vendors, func(v catalogue.Vendor) bool { return v.Code == one.Vendor }) {
				vendors = append(vendors, catalogue.Vendor{Code: one.Vendor, DisplayName: one.Vendor, AccountType: "RNG", Enabled: true})
			}
			g := game(fmt.Sprintf("g%02d", i), one.Vendor, 0)
			g.Category, g.Sorting, g.Names["vi"] = one.Category, int64(i), one.Name
			games = append(games, g)
		}
		if err := s.PutVendors(t.Context(), site.ID, vendors); err != nil {
			t.Fatal(err)
		}
		if err := s.PutGames(t.Context(), site.ID, games); err != nil {
			t.Fatal(err)
		}
		for _, search := range all.Searches {
			found := []string{}
			for _, g := range listGames(t, site, "gameName", search.Typed, "gameType", search.Category, "language", "VI").Games {
				found = append(found, g.GameName)
			}
			if !slices.Equal(found, search.Finds) {
				t.Errorf("search %q in %s found %q, want %q", search.Typed, search.Category, found, search.Finds)
			}
		}
	})
}
