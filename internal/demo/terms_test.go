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

// features are classes that say how a game is played. Of a game that is served only its engine may say so.
var features = []string{
	"wild", "free-spins", "multiplier", "ways", "cascade", "respin", "collect", "crash", "plinko", "hunt", "boss", "coop",
	"baccarat", "sicbo", "dragon-tiger", "roulette", "blackjack", "poker", "xocdia", "fantan", "gourd",
}

// What lists show of a game that the House serves, and are narrowed by, is what its engine takes and has.
func TestLB11TheCatalogueTellsTheGamesOwnTerms(t *testing.T) {
	t.Parallel()
	site := merchanttest.New(t, dbtest.SQLite(t))
	p := parts(t, site)
	if err := demo.Seed(t.Context(), p); err != nil {
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
	// A list may hold games of other categories, too: that of JL is all that this maker has.
	all := func(t *testing.T, category, query string) (games []game) {
		t.Helper()
		for n, pages := 1, 1; n <= pages; n++ {
			path := fmt.Sprintf("/wps/relay/GCSGAME_gameList?pageSize=21&pageNo=%d&gameType=%s%s", n, category, query)
			got := merchanttest.Value[page](t, site.Call(t, "GET", path, nil))
			games, pages = append(games, got.Games...), got.TotalPages
		}
		return slices.DeleteFunc(games, func(g game) bool { return g.GameCategory != category })
	}
	for category, least := range map[string]int{"RNG": 170, "JL": 10, "LIVE": 30} {
		t.Run("LB-11 (terms) "+category, func(t *testing.T) {
			t.Parallel()
			games := all(t, category, "")
			if len(games) < least {
				t.Fatalf("%d games", len(games))
			}
			wide := 0
			for _, g := range games {
				own, served := house.TermsOf(category, g.GameID, "VND")
				if !served || g.MinBet != int64(own.LeastStake) || g.MinLine != own.Lines {
					t.Errorf("%s: bet %d, lines %d; it is played with %+v", g.GameID, g.MinBet, g.MinLine, own)
				}
				for _, class := range features {
					if slices.Contains(g.GameClassifyNew, class) != slices.Contains(own.Classes, class) {
						t.Errorf("%s is of %v, and has %v", g.GameID, g.GameClassifyNew, own.Classes)
					}
				}
				if own.Lines >= 50 {
					wide++
				}
			}
			if narrowed := all(t, category, "&minLine=50"); len(narrowed) != wide {
				t.Errorf("%d of 50 lines or more, found %d", wide, len(narrowed))
			}
			if narrowed := all(t, category, "&minBet=999"); len(narrowed) != 0 {
				t.Errorf("%d games are said to be played for less than the House takes", len(narrowed))
			}
		})
	}
}

// Terms of served games stand in one place, the House: the demo's own data says nothing of them, and no name counts lines.
func TestTheDemoHasNoTermsOfItsOwn(t *testing.T) {
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
	}
	if err := json.Unmarshal(text, &rows); err != nil {
		t.Fatal(err)
	}
	counted := regexp.MustCompile(`(?i)\d+ (?:dòng|lines?|linhas|لائن)|\b(?:forty|quarenta|bốn mươi)\b`)
	for _, r := range rows {
		if !house.Serves(r.Category) {
			continue
		}
		if r.MinBet != nil || r.MinLines != nil || slices.ContainsFunc(r.Classify, func(c string) bool { return slices.Contains(features, c) }) {
			t.Errorf("%s says for itself how it is played: %+v", r.GameID, r)
		}
		for language, name := range r.Names {
			if counted.MatchString(name) {
				t.Errorf("%s is called %q in %s: its lines are the engine's", r.GameID, name, language)
			}
		}
	}
}
