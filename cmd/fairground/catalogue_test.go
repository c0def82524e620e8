package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fairground/internal/game/catalogue"
)

func writeCatalogue(t *testing.T, n int) string {
	t.Helper()
	f := catalogue.File{Vendors: []catalogue.VendorRow{
		{Code: "ONE", DisplayName: "First Hand", AccountTypeName: "RNG", Categories: []string{"RNG"}, Sorting: 1},
		{Code: "TWO", DisplayName: "Second Hand", AccountTypeName: "FISH", Categories: []string{"FISH"}, Sorting: 2},
	}}
	for i := range n {
		name := fmt.Sprintf("Tên %d", i)
		f.Games = append(f.Games, catalogue.GameRow{
			GameID: fmt.Sprintf("g%04d", i), Vendor: f.Vendors[i%2].Code, Category: f.Vendors[i%2].AccountTypeName, Icon: "/m/art/x.webp",
			Names: map[string]string{"vi": name, "en": name, "ur": name, "pt": name}, Classify: []string{"new"}, MinBet: 100, Sorting: int64(i),
		})
	}
	raw, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	return writeFile(t, string(raw))
}

func writeFile(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "catalogue.json")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// Ruling 30: the commands work with and without a running server.
func TestCatalogueCommands(t *testing.T) {
	t.Parallel()
	forEachDatabaseWithoutDemo(t, func(t *testing.T, args []string) {
		s := start(t, args...)
		run := func(want string, more ...string) {
			t.Helper()
			code, out, stderr := command(t, "", append(append([]string{"catalogue"}, more...), args...)...)
			if code != 0 || out != want {
				t.Errorf("%v = %d, %s%s, want exit code 0 and %q", more, code, out, stderr, want)
			}
		}
		no := func(want string, more ...string) {
			t.Helper()
			wantError(t, want, append(append([]string{"catalogue"}, more...), args...)...)
		}
		type page struct {
			Games []struct {
				Vassalage   string
				Maintenance bool
			}
			Total int
		}
		list := func(query string) page {
			t.Helper()
			return value[page](s, http.MethodGet, "/wps/relay/GCSGAME_gameList?"+query, "", "")
		}
		if got := list(""); got.Total != 0 {
			t.Fatalf("%d games in a new site, want 0", got.Total)
		}
		file := writeCatalogue(t, 600)
		run("2 vendors and 600 games stored.\n", "import", file)
		if got := list(""); got.Total != 600 {
			t.Errorf("%d games, want 600", got.Total)
		}
		run("2 vendors and 600 games stored.\n", "import", file)
		run("TWO (Second Hand): enabled on, maintenance on.\n", "vendor", "TWO", "--maintenance", "on")
		if got := list("gameType=FISH"); got.Total != 300 || !got.Games[0].Maintenance {
			t.Errorf("got %+v, want 300 games in maintenance", got)
		}
		run("TWO (Second Hand): enabled off, maintenance off.\n", "vendor", "TWO", "--maintenance", "off", "--enabled", "off")
		run("2 vendors and 600 games stored.\n", "import", file) // without switches, it changes none
		if got := list(""); got.Total != 300 || got.Games[0].Vassalage != "ONE" {
			t.Errorf("%d games, want total 300 and vassalage ONE", got.Total)
		}
		for _, running := range []bool{true, false} {
			if !running {
				s.end()
			}
			no("unknown vendor", "vendor", "NOBODY", "--enabled", "on")
			no("nothing to change", "vendor", "TWO")
			no("must be one of", "vendor", "TWO", "--enabled", "maybe")
			no("merchant.unknown", "vendor", "TWO", "--enabled", "on", "--merchant", "nobody")
			no("no such file", "import", filepath.Join(t.TempDir(), "none.json"))
			no("more than 50000 vendors and games", "import", writeFile(t, `{"games": [`+strings.Repeat("{},", 50_000)+`{}]}`))
			no("catalogue.malformed", "import", writeFile(t, `{"vendors": 1}`))
			no("game x: vi", "import", writeFile(t, `{"games": [{"gameId": "x", "category": "RNG"}]}`))
			no("game x: there is no vendor WHO", "import", writeFile(t, `{"games": [{"gameId": "x", "vendor": "WHO", "category": "RNG", "icon": "/x", "names": {"vi": "x", "en": "x", "ur": "x", "pt": "x"}}]}`))
		}
		run("0 vendors and 0 games stored.\n", "import", writeFile(t, `{}`))
		run("TWO (Second Hand): enabled on, maintenance off.\n", "vendor", "TWO", "--enabled", "on")
		run("2 vendors and 600 games stored.\n", "import", file)
		s = start(t, args...)
		if got := list("gameType=FISH&gameName=" + "ten+599"); got.Total != 1 {
			t.Errorf("search result = %+v, want one game", got)
		}
	})
}

// A demo shows example wins, marked as simulated. Other servers show none.
func TestExampleWinsOfDemo(t *testing.T) {
	t.Parallel()
	type board struct{ List []struct{ Simulated bool } }
	for demo, want := range map[bool]int{true: 100, false: 0} {
		w := newTestServer(t, demo)
		got := value[board](w.program, http.MethodGet, "/wps/relay/GCSGAME_getRankList?gameCategory=ALL&language=VI&limitNum=100", "", "")
		if len(got.List) != want {
			t.Errorf("demo %v: %d wins, want %d", demo, len(got.List), want)
		}
		for _, row := range got.List {
			if !row.Simulated {
				t.Error("an example win is not marked as simulated")
			}
		}
	}
}
