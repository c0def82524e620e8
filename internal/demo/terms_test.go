package demo_test

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"testing"

	"fairground/internal/demo"
	"fairground/internal/game/catalogue"
	"fairground/internal/game/house"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/rest"
	"fairground/internal/site/merchant/merchanttest"
)

// features are game classes that describe the rules. For games of the House, only the engine defines them.
var features = []string{
	"wild", "free-spins", "multiplier", "ways", "cascade", "respin", "collect", "crash", "plinko", "hunt", "boss", "coop",
	"baccarat", "sicbo", "dragon-tiger", "roulette", "blackjack", "poker", "xocdia", "fantan", "gourd",
}

// Lists show and filter by the terms of the game engines.
func TestLB11CatalogueHasTheTermsOfTheEngines(t *testing.T) {
	t.Parallel()
	site := merchanttest.New(t, dbtest.SQLite(t))
	p := parts(t, site)
	if err := demo.Fill(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	site.Serve(t, merchanttest.Tokens{}, func(a *rest.API) { catalogue.Routes(a, p.Catalogue) })
	type game struct {
		GameID, GameCategory string
		GameClassifyNew      []string
		MinBet, MinLine      int64
	}
	type page struct {
		Games      []game
		TotalPages int
	}
	// The list of category JL also contains other games of vendor JL.
	all := func(t *testing.T, category, query string) (games []game) {
		t.Helper()
		for n, pages := 1, 1; n <= pages; n++ {
			path := fmt.Sprintf("/wps/relay/GCSGAME_gameList?pageSize=21&pageNo=%d&gameType=%s%s", n, category, query)
			got := merchanttest.Value[page](t, site.Call(t, "GET", path, nil))
			games, pages = append(games, got.Games...), got.TotalPages
		}
		return slices.DeleteFunc(games, func(g game) bool { return g.GameCategory != category })
	}
	for category, minGames := range map[string]int{"RNG": 170, "JL": 10, "LIVE": 30} {
		t.Run("LB-11 (terms) "+category, func(t *testing.T) {
			t.Parallel()
			games := all(t, category, "")
			if len(games) < minGames {
				t.Fatalf("%d games, want at least %d", len(games), minGames)
			}
			withLines := 0
			for _, g := range games {
				engineTerms, served := house.TermsOf(category, g.GameID, "VND")
				if !served || g.MinBet != int64(engineTerms.MinStake) || g.MinLine != engineTerms.Lines {
					t.Errorf("game %s: minBet %d, minLine %d, want the engine's terms %+v", g.GameID, g.MinBet, g.MinLine, engineTerms)
				}
				for _, class := range features {
					if slices.Contains(g.GameClassifyNew, class) != slices.Contains(engineTerms.Classes, class) {
						t.Errorf("game %s: classes %v, want those of the engine, %v", g.GameID, g.GameClassifyNew, engineTerms.Classes)
					}
				}
				if engineTerms.Lines >= 50 {
					withLines++
				}
			}
			if found := all(t, category, "&minLine=50"); len(found) != withLines {
				t.Errorf("minLine=50 finds %d games, want %d", len(found), withLines)
			}
			if found := all(t, category, "&minBet=999"); len(found) != 0 {
				t.Errorf("minBet=999 finds %d games, want none", len(found))
			}
		})
	}
}

// The demo data must not repeat the terms of the engines, and must offer trial play if the engine does. Names must not
// mention the number of lines.
func TestDemoDataAgreesWithTheEngines(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("data/games.json")
	if err != nil {
		t.Fatal(err)
	}
	var rows []struct {
		GameID, Category string
		Classify         []string
		Names            map[string]string
		MinBet, MinLines *int64
		FreePlay         bool
	}
	if err := json.Unmarshal(text, &rows); err != nil {
		t.Fatal(err)
	}
	mentionsLines := regexp.MustCompile(`(?i)\d+ (?:dòng|lines?|linhas|لائن)|\b(?:forty|quarenta|bốn mươi)\b`)
	for _, r := range rows {
		if !house.Serves(r.Category) {
			continue
		}
		if r.MinBet != nil || r.MinLines != nil || slices.ContainsFunc(r.Classify, func(c string) bool { return slices.Contains(features, c) }) {
			t.Errorf("game %s defines terms that belong to its engine: %+v", r.GameID, r)
		}
		if _, served := house.TermsOf(r.Category, r.GameID, "FUN"); r.FreePlay != served {
			t.Errorf("game %s: freeplay = %t, want %t as the engine takes play money", r.GameID, r.FreePlay, served)
		}
		for language, name := range r.Names {
			if mentionsLines.MatchString(name) {
				t.Errorf("game %s: name %q in %s mentions lines", r.GameID, name, language)
			}
		}
	}
}
