package lottery_test

import (
	"net/http"
	"testing"

	"fairground/internal/platform/db/dbtest"
)

// TestCA19Calls reads what the specification names: lottery list, menu, numero, Vietnamese lotteries of the week, Vietnamese
// numero, bets and draws.
func TestCA19Calls(t *testing.T) {
	t.Parallel()
	s := newSite(t, dbtest.SQLite(t))
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
