package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"fairground/internal/demo"
	"fairground/internal/game/house"
	"fairground/internal/platform/db"
)

// Every live game of the demo has a table whose engine matches the game's name and tag.
func TestLiveGamesMatchTheirNames(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("../../internal/demo/data/games.json")
	if err != nil {
		t.Fatal(err)
	}
	var games []struct {
		GameID, Category string
		Names            map[string]string
	}
	if err := json.Unmarshal(raw, &games); err != nil {
		t.Fatal(err)
	}
	kinds := map[string]string{"85.64-98.94": "baccarat", "81.48-97.22": "sicbo", "86.02-96.26": "dragon-tiger", "97.29": "roulette"}
	namePattern := map[string]*regexp.Regexp{
		"baccarat": regexp.MustCompile("Baccarat"), "sicbo": regexp.MustCompile("Sic Bo|High-Low"),
		"dragon-tiger": regexp.MustCompile("Dragon Tiger"), "roulette": regexp.MustCompile("Roulette"),
	}
	counts := map[string]int{}
	for _, g := range games {
		if g.Category != "LIVE" {
			continue
		}
		kind := kinds[house.Return(g.Category, g.GameID)]
		if !house.Serves(g.Category) || kind == "" {
			t.Errorf("%s is not served", g.GameID)
			continue
		}
		counts[kind]++
		terms, _ := house.TermsOf(g.Category, g.GameID, "VND")
		if !slices.Equal(terms.Classes, []string{kind}) || !namePattern[kind].MatchString(g.Names["en"]) {
			t.Errorf("%s, %q: classes = %s, want only %s, and a name that fits", g.GameID, g.Names["en"], terms.Classes, kind)
		}
	}
	if len(counts) != len(kinds) {
		t.Errorf("games per engine = %v, want all four engines", counts)
	}
}

// A tablePlayer is a member at a table. Tests may replace its server.
type tablePlayer struct {
	*program
	frame string
}

type tableState struct {
	Round *struct {
		ID, Phase string
		Number    int64
	}
	Balance json.Number
}

// openTable launches a live game for a member of the demo and opens its frame.
func openTable(t *testing.T, s *program, who, game string) *tablePlayer {
	t.Helper()
	token := s.login(who, demo.Password)
	type listed struct{ NodeID, GameID, VendorCode, GameCategory string }
	list := value[struct{ Games []listed }](s, http.MethodGet, "/wps/relay/GCSGAME_gameList?gameCategory=LIVE", "", "")
	for _, g := range list.Games {
		if g.GameID != game {
			continue
		}
		l := value[struct{ GameURL string }](s, http.MethodPost, "/wps/game/launchGame", token, body(map[string]any{
			"gameCategory": g.GameCategory, "vendor": g.VendorCode, "gameId": g.GameID, "nodeId": g.NodeID, "supportPlay": true,
		}))
		ticket, found := strings.CutPrefix(l.GameURL, "/m/house/?t=")
		if !found {
			t.Fatalf("launch address = %s, want a ticket in it", l.GameURL)
		}
		opened := value[struct {
			Token string
			Game  struct{ Engine string }
		}](s, http.MethodPost, "/house/v1/session", "", body(map[string]any{"ticket": ticket}))
		if opened.Game.Engine != "dragontiger" {
			t.Fatalf("got %+v, want the engine dragontiger", opened)
		}
		return &tablePlayer{s, opened.Token}
	}
	t.Fatalf("game %s is not in the list: %+v", game, list)
	return nil
}

// bet waits for a round that accepts bets and places a ticket.
func (p *tablePlayer) bet(n int) {
	p.t.Helper()
	for end := time.Now().Add(testTimeout); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		table := value[tableState](p.program, http.MethodGet, "/house/v1/table", p.frame, "")
		if table.Round == nil || table.Round.Phase != "betting" {
			continue
		}
		a := p.call(http.MethodPost, "/house/v1/table/bet", p.frame,
			fmt.Sprintf(`{"betId":"00000000-0000-4000-8000-%012d","round":%q,"spots":{"dragon":20000,"tie":20000}}`, n, table.Round.ID))
		if a.ErrorCode == "house.betting_closed" {
			continue
		}
		if a.status != http.StatusOK {
			p.t.Fatalf("got %+v, want 200", a)
		}
		return
	}
	p.t.Fatal("the table did not accept the bet")
}

// restart starts a server in a separate process and uses it from then on.
func (p *tablePlayer) restart(t *testing.T, args []string) (kill func()) {
	t.Helper()
	kill, out := startChild(t, args...)
	p.program = &program{t: t, url: serverURL(t, out)}
	return kill
}

// awaitPhase waits until a round is in the phase. It closes its own connection to the database, so that only the server has
// it open.
func awaitPhase(t *testing.T, o db.Options, phase string) {
	t.Helper()
	o.ReadOnly = true
	store, err := db.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	for end := time.Now().Add(testTimeout); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		var n int
		if err := store.Reader.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM house_table_round WHERE status = '"+phase+"'").Scan(&n); err != nil {
			t.Fatal(err)
		}
		if n > 0 {
			return
		}
	}
	t.Errorf("no round reached the phase %s", phase)
}

// The next server continues the round with the same seed, and settles every ticket once.
func TestKillOfTableLeader(t *testing.T) {
	t.Parallel()
	t.Run("PP-15, FT-01 table part: kill -9 of a table's leader in each phase of a round", func(t *testing.T) {
		t.Parallel()
		forEachDatabase(t, func(t *testing.T, args []string) {
			serve := append(args, "--demo")
			first := start(t, serve...)
			p := openTable(t, first, "demo88", "live-007")
			first.end()
			for n, phase := range []string{"betting", "locked", "dealing", "result"} {
				kill := p.restart(t, serve)
				if phase == "betting" {
					p.bet(n)
				}
				awaitPhase(t, optionsOf(args), phase)
				kill()
			}
			p.program = start(t, serve...)
			const open = "SELECT COUNT(*) FROM house_round WHERE status NOT IN ('settled', 'refunded', 'refused')"
			for end := time.Now().Add(testTimeout); count(optionsOf(args), open) > 0 && time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
			}
			if n := count(optionsOf(args), open); n > 0 {
				t.Errorf("%d tickets are open, want 0", n)
			}
			if n := count(optionsOf(args), "SELECT COUNT(*) FROM house_round WHERE status = 'settled'"); n != 1 {
				t.Errorf("%d tickets are settled, want 1", n)
			}
			if n := count(optionsOf(args), "SELECT COUNT(*) FROM house_table_round WHERE number = 1 AND status IN ('result', 'ended')"); n != 1 {
				t.Error("the round did not end")
			}
			want := 12_480_500 + count(optionsOf(args), "SELECT win - stake FROM house_round WHERE status = 'settled'")
			if got := p.balance(p.login("demo88", demo.Password)); got != fmt.Sprint(want) {
				t.Errorf("balance of demo88 = %s, want %d", got, want)
			}
			id := fmt.Sprint(count(optionsOf(args), "SELECT id FROM house_round"))
			if code, out, stderr := command(t, "", append([]string{"fairness", "verify", "--round", id}, args...)...); code != 0 || !strings.Contains(out, "matches the stored outcome") {
				t.Errorf("fairness: %d %s%s, want exit code 0 and \"matches the stored outcome\"", code, out, stderr)
			}
			p.end()
			if code, report, stderr := command(t, "", append([]string{"ledger", "verify"}, args...)...); code != 0 || !strings.Contains(report, "transfers") {
				t.Errorf("verify: %d %s%s, want exit code 0 and \"transfers\"", code, report, stderr)
			}
		})
	})
}
