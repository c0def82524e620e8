package lottery_test

import (
	"net/http"
	"testing"
	"time"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

// TestCA19Calls reads what the specification names: lottery list, menu, numero, Vietnamese lotteries of the week, Vietnamese
// numero, bets and draws.
func TestCA19Calls(t *testing.T) {
	t.Parallel()
	t.Run("CA-19 the lottery's list, menu, numeros, bets and draws", func(t *testing.T) {
		t.Parallel()
		readLottery(t, dbtest.SQLite(t))
	})
}

func readLottery(t *testing.T, store *db.Store) {
	s := newSite(t, store)
	get := func(path, session string) fields {
		t.Helper()
		return s.call(t, "GET", "/lgw/"+path, nil, session, http.StatusOK)
	}
	list := func(path string) []any {
		t.Helper()
		all, _ := get(path, "")["list"].([]any)
		if len(all) == 0 {
			t.Errorf("%s: got an empty list", path)
		}
		return all
	}
	games := map[any]fields{}
	for _, one := range list("games") {
		g := one.(fields)
		games[g["gameId"]] = g
	}
	for _, id := range []string{"101", "1101", "1201"} {
		if g := games[id]; g["gameName"] == "" || g["numero"] == "" || g["drawTime"].(float64) <= g["serverTime"].(float64) {
			t.Errorf("game %s: got %v, want a name and a coming draw", id, g)
		}
	}
	for _, one := range list("games/game_menus") {
		members, _ := one.(fields)["games"].([]any)
		for _, id := range members {
			if games[id] == nil {
				t.Errorf("menu: got the unknown game %v", id)
			}
		}
	}
	for _, region := range list("vn/games/game_menu") {
		if days, _ := region.(fields)["days"].([]any); len(days) != 7 {
			t.Errorf("week of a region: got %v, want 7 days", region)
		}
	}
	near := get("numeros/near?gameId=1101", "")
	if near["numero"] != games["1101"]["numero"] {
		t.Errorf("numero: got %v, want %v", near["numero"], games["1101"]["numero"])
	}
	session := s.fastSession(t, "minhanh92", "1101")
	placed := s.place(t, session, bet("r1", "1101", near["numero"], "ZY", "sum-side", "big", 10_000, "1.910"))
	orders, _ := get("orders", session)["list"].([]any)
	if len(orders) != 1 || orders[0].(fields)["orderId"] != placed["orderId"] {
		t.Errorf("bets: got %v, want the order %v", orders, placed["orderId"])
	}
	s.drawNow(t, near)
	draws, _ := get("draw/1101", "")["list"].([]any)
	if len(draws) == 0 || draws[0].(fields)["numero"] != near["numero"] {
		t.Errorf("draws: got %v, want %v first", draws, near["numero"])
	}
	regional := ""
	for id, g := range games {
		if g["type"] == "regional" && g["last"] != nil { // the demo has drawn it
			regional = id.(string)
		}
	}
	prizes, _ := get("vn/numeros/opened/game?gameId="+regional, "")["prizes"].(fields)
	if special, _ := prizes["DB"].([]any); len(special) != 1 {
		t.Errorf("Vietnamese numero of game %q: got %v, want one special prize", regional, prizes)
	}
}

func TestListOfGamesIsReusedForASecond(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newSite(t, store)
		s.drawNow(t, s.currentNumero(t, "1101"))
		// Some current numeros have bets, the others have no row.
		session := s.session(t, "minhanh92", "ELOTT", "ELOTT", "lobby")
		s.place(t, session, bet("a", "1103", s.currentNumero(t, "1103")["numero"], "Elott", "sum-side", "big", 1000, "1.940"))
		list := func() map[any]fields {
			t.Helper()
			all := map[any]fields{}
			games, _ := s.call(t, "GET", "/lgw/games", nil, "", http.StatusOK)["list"].([]any)
			for _, one := range games {
				all[one.(fields)["gameId"]] = one.(fields)
			}
			return all
		}
		first := list()
		for id, game := range first {
			near := s.currentNumero(t, id.(string))
			for _, name := range []string{"numero", "openTime", "closeTime", "drawTime", "serverTime"} {
				if game[name] != near[name] {
					t.Errorf("%s of game %v: got %v, want %v", name, id, game[name], near[name])
				}
			}
		}
		s.Exec(t, "UPDATE lottery_numero SET win_no = '9,9,9,9,9' WHERE game_id = 1101 AND status <> 'open'")
		check := func(when string, want any) {
			t.Helper()
			game := list()["1101"]
			if last, _ := game["last"].(fields); last["winNo"] != want {
				t.Errorf("%s: got %v, want %v", when, last["winNo"], want)
			}
			if now := float64(s.Clock.Now().UnixMilli()); game["serverTime"] != now {
				t.Errorf("%s: got the server time %v, want %v", when, game["serverTime"], now)
			}
		}
		last, _ := first["1101"]["last"].(fields)
		s.Clock.Add(900 * time.Millisecond)
		check("within a second", last["winNo"])
		s.Clock.Add(200 * time.Millisecond)
		check("after a second", "9,9,9,9,9")
	})
}
