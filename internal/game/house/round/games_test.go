package round_test

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"fairground/internal/game/fairness"
	"fairground/internal/game/house"
	"fairground/internal/game/house/housetest"
	"fairground/internal/game/house/reels"
	"fairground/internal/game/house/round"
	"fairground/internal/money"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
)

type named struct {
	Games map[string]struct{ Engine, Theme string }
	Other struct{ Engine, Theme string }
}

func games(t *testing.T) map[string]named {
	t.Helper()
	text, err := os.ReadFile("games.json")
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]named
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// games.json lists every slot of the demo catalogue.
func TestGL07EverySlotHasAMachineAndATheme(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../demo/data/games.json")
	if err != nil {
		t.Fatal(err)
	}
	var catalogue []struct{ GameID, Category string }
	if err := json.Unmarshal(text, &catalogue); err != nil {
		t.Fatal(err)
	}
	all := games(t)
	engines, themes, seen := map[string]int{}, map[string]int{}, 0
	for _, g := range catalogue {
		if g.Category != "RNG" && g.Category != "JL" {
			continue
		}
		seen++
		is, found := all[g.Category].Games[g.GameID]
		if _, known := round.FindMachine(is.Engine, 0); !found || !known || is.Theme == "" || house.Return(g.Category, g.GameID) == "" {
			t.Errorf("%s has the invalid configuration %+v", g.GameID, is)
		}
		if theme := round.Theme(is.Engine, g.GameID); theme != is.Theme {
			t.Errorf("theme of a round of %s = %s, want %s", g.GameID, theme, is.Theme)
		}
		engines[is.Engine]++
		themes[is.Theme]++
	}
	if seen != len(all["RNG"].Games)+len(all["JL"].Games) || len(engines) != 3 || len(themes) < 6 {
		t.Errorf("%d games, engines %v, themes %v, want all games of the file, 3 engines and at least 6 themes", seen, engines, themes)
	}
	for category, c := range all {
		if !house.Serves(category) || house.Return(category, "an-operators-game") == "" || c.Other.Theme == "" {
			t.Errorf("category %s has the invalid default %+v", category, c.Other)
		}
	}
	for _, category := range []string{"FISH", "PVP", "SPORTS", "ESPORTS", "LOTT", "ELOTT", ""} {
		if _, named := all[category]; named || house.Return(category, "rng-001") != "" {
			t.Errorf("category %q is served", category)
		}
	}
}

func firstWith(t *testing.T, engine string) string {
	t.Helper()
	for n := 1; ; n++ {
		code := fmt.Sprintf("rng-%03d", n)
		is, found := games(t)["RNG"].Games[code]
		if !found {
			t.Fatalf("no game has the engine %s", engine)
		}
		if is.Engine == engine {
			return code
		}
	}
}

// With the same seed, play money and real money have the same outcome (PP-12). Every outcome can be derived from its seed (PP-17).
func TestPP12FreePlayIsTheSameOnEveryMachine(t *testing.T) {
	t.Parallel()
	for _, engine := range round.Engines() {
		t.Run("PP-12 PP-17 "+engine, func(t *testing.T) {
			t.Parallel()
			code := firstWith(t, engine)
			machine, _ := round.FindMachine(engine, 0)
			var outcomes [2]string
			for i, currency := range []string{"VND", "FUN"} {
				s := housetest.New(t, dbtest.SQLite(t)) // the same random bytes each time
				s.Launches.Game, s.Wallet.Currency = code, currency
				s.Start()
				session := s.Open(housetest.Minh)
				committed, nonce := session.Commitment, session.Nonce
				for n := 1; n <= 12; n++ {
					got := s.Play(session.Token, n)
					r := got.Round
					seed, err := fairness.ParseSeed(*r.Seed)
					if err != nil || !seed.Matches(committed) || r.Nonce != nonce {
						t.Fatalf("round %d = %+v, %v, want commitment %s and nonce %d", n, r, err, committed, nonce)
					}
					want, err := machine.Play(fairness.NewStream(seed, r.ClientSeed, r.Nonce), 10_000)
					if err != nil || int64(want.Win) != r.Win || fmt.Sprint(stopsOf(want)) != fmt.Sprint(r.Spins) {
						t.Fatalf("round %d = %+v, want %+v, %v", n, r, want, err)
					}
					committed, nonce = got.Next.Commitment, got.Next.Nonce
					outcomes[i] += fmt.Sprintln(r.Spins, *r.Seed, r.Win)
				}
			}
			if outcomes[0] != outcomes[1] {
				t.Errorf("real play:\n%s\nfree play, want the same:\n%s", outcomes[0], outcomes[1])
			}
		})
	}
}

// Offered stakes are divisible by the number of parts, so that no win is rounded.
func TestOfferedStakesAreDivisible(t *testing.T) {
	t.Parallel()
	for _, currency := range []string{"VND", "FUN", "PKR", "BRL", "USD", "CNY"} {
		t.Run(currency, func(t *testing.T) {
			t.Parallel()
			s := housetest.New(t, dbtest.SQLite(t))
			s.Wallet.Currency = currency
			c, err := money.Find(currency)
			if err != nil {
				t.Fatal(err)
			}
			type session struct {
				Slot struct{ Stakes []json.Number }
			}
			r := s.Call(t, "POST", "/house/v1/session", map[string]any{"ticket": s.Wallet.Ticket(housetest.PlayerOf(housetest.Minh))})
			for _, text := range merchanttest.Value[session](t, r).Slot.Stakes {
				stake, err := c.Parse(text.String())
				if err != nil || stake <= 0 || stake%reels.Parts != 0 {
					t.Errorf("stake %s = %d, %v, want a multiple of %d", text, stake, err, reels.Parts)
				}
			}
		})
	}
}
