package lottery_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fairground/internal/game/lottery"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/server"
	"fairground/internal/server/servertest"
	"fairground/internal/site/merchant"
)

func TestRefusedBetsCostNothing(t *testing.T) {
	t.Parallel()
	s := newSite(t, dbtest.SQLite(t))
	s.Set(t, merchant.LotteryExposure, "100000")
	session := s.fastSession(t, "minhanh92", "1201")
	numero := s.currentNumero(t, "1201")["numero"]
	order := func(playCode, selection string, stake int, odds string) fields {
		return bet("r", "1201", numero, "Elott", playCode, selection, stake, odds)
	}
	for name, c := range map[string]struct {
		order  fields
		status int
		code   string
	}{
		"unknown play":     {order("lo2", "05", 1000, "97.000"), 404, "lottery.unknown_play"},
		"wrong entry":      {order("side", "big,huge", 1000, "1.995"), 400, "lottery.bad_selection"},
		"line named twice": {order("side", "big,big", 1000, "1.995"), 400, "lottery.bad_selection"},
		"only line twice":  {order("any-triple", "any,any", 1000, "34.920"), 400, "lottery.bad_selection"},
		"invalid stake":    {order("side", "big", 1500, "1.995"), 400, "lottery.stake"},
		"old odds":         {order("side", "big", 1000, "1.990"), 409, "lottery.odds_changed"},
		"no odds":          {order("side", "big", 1000, ""), 400, "request_param_err"},
		"too little money": {order("side", "big", 20_000_000, "1.995"), 422, "ledger.insufficient_funds"},
		"high exposure":    {order("triple", "triple-3", 1000, "209.520"), 422, "lottery.exposure"},
		"past numero":      {bet("r", "1201", "20000101-0001", "Elott", "side", "big", 1000, "1.995"), 409, "lottery.closed"},
		"unknown numero":   {bet("r", "1201", "20000101", "Elott", "side", "big", 1000, "1.995"), 404, "lottery.unknown_numero"},
		"other game":       {bet("r", "1203", numero, "Elott", "side", "big", 1000, "1.995"), 403, "lottery.other_game"},
		"unknown game":     {bet("r", "9999", numero, "Elott", "side", "big", 1000, "1.995"), 404, "lottery.unknown_game"},
		"other prize mode": {bet("r", "1201", numero, "Lott", "side", "big", 1000, "1.995"), 400, "request_param_err"},
	} {
		got := s.placeRefused(t, session, c.order, c.status, c.code)
		if args, _ := got["args"].(fields); name == "wrong entry" && (args["bet"] != "0" || args["entry"] != "huge") {
			t.Errorf("%s: got %v, want bet 0 and entry huge", name, got)
		}
	}
	keno := s.fastSession(t, "minhanh92", "1401")
	var pairs []string
	for n := 2; n <= 80; n++ {
		for m := 1; m < n; m++ {
			pairs = append(pairs, fmt.Sprintf("%02d-%02d", m, n))
		}
	}
	menu := s.call(t, "GET", "/lgw/games/1401/play_menu?playType=trad&prizeMode=Elott", nil, "", http.StatusOK)
	odds := ""
	for _, row := range menu["list"].([]any) {
		if p := row.(fields); p["playCode"] == "pick2" {
			odds, _ = p["odds"].(string)
		}
	}
	tooMany := bet("r", "1401", s.currentNumero(t, "1401")["numero"], "Elott", "pick2", strings.Join(pairs, ","), 1000, odds)
	s.placeRefused(t, keno, tooMany, http.StatusBadRequest, "lottery.too_many_lines")
	if got := s.balance(t, "minhanh92"); got != funds {
		t.Errorf("balance: got %d, want %d", got, funds)
	}
	s.call(t, "POST", "/lgw/orders/betting", order("side", "big", 1000, "1.995"), s.tokens["minhanh92"], http.StatusUnauthorized)
	placed := s.place(t, session, order("side", "big", 1000, "1.995")) // refused requests do not use up the request id
	other := s.fastSession(t, "quangvu88", "1201")
	id, _ := placed["orderId"].(string)
	for _, method := range []string{"GET", "DELETE"} {
		got := s.call(t, method, "/lgw/orders/"+id, nil, other, http.StatusNotFound)
		if got["errorCode"] != "lottery.unknown_order" {
			t.Errorf("%s by another member: got %v", method, got)
		}
	}
}

func TestTicketOpensOneSession(t *testing.T) {
	t.Parallel()
	s := newSite(t, dbtest.SQLite(t))
	launched := s.call(t, "POST", "/wps/game/launchGame", fields{"gameCategory": "ELOTT", "vendor": "ELOTT", "gameId": "lobby"}, s.tokens["minhanh92"], http.StatusOK)
	value, _ := launched["value"].(fields)
	ticket := fields{"token": value["ticket"]}
	opened := s.call(t, "POST", "/lgw/session", ticket, "", http.StatusOK)
	s.call(t, "POST", "/lgw/session", ticket, "", http.StatusUnauthorized)
	session, _ := opened["session"].(string)
	player := func(name string) any {
		t.Helper()
		launched := s.call(t, "POST", "/wps/game/launchGame", fields{"gameCategory": "ELOTT", "vendor": "ELOTT", "gameId": "1101"}, s.tokens[name], http.StatusOK)
		value, _ := launched["value"].(fields)
		return s.call(t, "POST", "/lgw/session", fields{"token": value["ticket"]}, "", http.StatusOK)["player"]
	}
	if first, other := player("minhanh92"), player("quangvu88"); first != opened["player"] || other == first {
		t.Errorf("names of the players: got %v, then %v, and %v for another member", opened["player"], first, other)
	}
	current := s.currentNumero(t, "1301")
	s.place(t, session, bet("a", "1301", current["numero"], "Elott", "pos-side", "1:big", 1000, "1.940"))
	regional := s.currentNumero(t, "101")
	s.placeRefused(t, session, bet("b", "101", regional["numero"], "Lott", "de", "05", 1000, "97.000"), http.StatusForbidden, "lottery.other_game")
}

func TestChaseStopsOnWinAndOrderIsCancelled(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newSite(t, store)
		session := s.fastSession(t, "minhanh92", "1101")
		current := s.currentNumero(t, "1101")
		order := bet("c", "1101", current["numero"], "Elott", "sum-side", "big,small", 1000, "1.940")
		order["chase"] = fields{"count": 4, "multiplier": 2, "stopOnWin": true}
		placed := s.place(t, session, order)
		if placed["total"] != 30_000.0 {
			t.Errorf("total: got %v, want 2000 × (1 + 2 + 4 + 8)", placed["total"])
		}
		s.drawNow(t, current)
		var states []any
		for _, b := range s.bets(t, session, placed["orderId"]) {
			states = append(states, b["state"])
		}
		// The second numero was open when the first was settled, so the win cancels the rest.
		if got := fmt.Sprint(states); got != "[won"+strings.Repeat(" cancelled", 3)+"]" {
			t.Errorf("states: got %s", got)
		}
		if got := s.balance(t, "minhanh92"); got != funds-2000+1940 {
			t.Errorf("balance: got %d, want %d", got, funds-60)
		}
		current = s.currentNumero(t, "1101")
		placed = s.place(t, session, bet("d", "1101", current["numero"], "Elott", "sum-side", "big", 5000, "1.940"))
		id, _ := placed["orderId"].(string)
		for _, returned := range []float64{5000, 0} {
			got := s.call(t, "DELETE", "/lgw/orders/"+id, nil, session, http.StatusOK)
			if got["returned"] != returned || got["balance"] != float64(funds-60) {
				t.Errorf("cancel: got %v, want %v returned", got, returned)
			}
		}
		// The first numero is settled, and the bets on the others are cancelled.
		if got := s.Number(t, "SELECT COUNT(*) FROM lottery_exposure"); got != 0 {
			t.Errorf("rows of exposure: got %d, want none", got)
		}
		s.VerifyLedger(t)
	})
}

func TestFT07BetsAroundTheClose(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		t.Run("FT-07 1,000 bets are accepted only before the close, and paid once by two processes", func(t *testing.T) {
			s := newSite(t, store, servertest.Options(func(o *server.Options) { o.LotteryRate = ratelimit.Limit{Burst: 1000, Every: time.Second} }))
			accepted := s.betAroundTheClose(t, 1000)
			// Two processes settle at once, twice, in small chunks.
			second := lottery.SecondReplica(s.lottery)
			lottery.SetChunkSize(s.lottery, 20)
			lottery.SetChunkSize(second, 15)
			s.Clock.Add(time.Minute)
			var group sync.WaitGroup
			for range 2 {
				for _, process := range []*lottery.Service{s.lottery, second} {
					group.Go(func() {
						if err := process.DrawDue(t.Context()); err != nil {
							t.Errorf("draw: %v", err)
						}
						if err := process.SettleDue(t.Context()); err != nil {
							t.Errorf("settle: %v", err)
						}
					})
				}
				group.Wait()
			}
			won := s.Number(t, "SELECT COALESCE(SUM(payout), 0) FROM lottery_bet")
			if got := s.balance(t, "minhanh92"); got != funds-1000*accepted+won {
				t.Errorf("balance after settlement: got %d, want %d", got, funds-1000*accepted+won)
			}
			if open := s.Number(t, "SELECT COUNT(*) FROM lottery_bet WHERE state = 'open'"); open != 0 {
				t.Errorf("%d bets are not settled", open)
			}
			s.VerifyLedger(t)
		})
	})
}

// betAroundTheClose sends bets while a numero closes, and returns how many were accepted.
func (s *site) betAroundTheClose(t *testing.T, bets int64) int64 {
	t.Helper()
	session := s.fastSession(t, "minhanh92", "1101")
	current := s.currentNumero(t, "1101")
	closeAt := time.UnixMilli(int64(current["closeTime"].(float64)))
	s.Clock.Add(closeAt.Sub(s.Clock.Now()) - time.Duration(bets/4)*time.Millisecond)
	var accepted, closed, next atomic.Int64
	var group sync.WaitGroup
	for range 32 {
		group.Go(func() {
			for i := next.Add(1); i <= bets; i = next.Add(1) {
				if i%2 == 0 {
					s.Clock.Add(time.Millisecond)
				}
				got := s.Call(t, "POST", "/lgw/orders/betting", bet(fmt.Sprint(i), "1101", current["numero"], "Elott", "sum-side", "big", 1000, "1.940"), "Authorization", session)
				switch got.Status {
				case http.StatusOK:
					accepted.Add(1)
				case http.StatusConflict:
					closed.Add(1)
				default:
					t.Errorf("bet %d: got %d %s", i, got.Status, got.Body)
				}
			}
		})
	}
	group.Wait()
	if accepted.Load()+closed.Load() != bets || closed.Load() == 0 || accepted.Load() == 0 {
		t.Errorf("got %d accepted and %d refused of %d", accepted.Load(), closed.Load(), bets)
	}
	if late := s.Number(t, "SELECT COUNT(*) FROM lottery_order o JOIN lottery_round r ON r.order_id = o.id JOIN lottery_numero n ON n.id = r.numero_id WHERE o.created_at >= n.close_at"); late != 0 {
		t.Errorf("%d bets after the close, want none", late)
	}
	if got := s.balance(t, "minhanh92"); got != funds-1000*accepted.Load() {
		t.Errorf("balance: got %d, want %d", got, funds-1000*accepted.Load())
	}
	return accepted.Load()
}

func TestPP17SeedsOfASeriesPart(t *testing.T) {
	t.Parallel()
	s := newSite(t, dbtest.SQLite(t))
	current := s.currentNumero(t, "1101")
	series := s.call(t, "GET", "/lgw/series/"+current["series"].(string), nil, "", http.StatusOK)
	if series["gameCode"] != "ssc-1" || series["firstNumero"] != current["numero"] {
		t.Errorf("series: got %v", series)
	}
	s.drawNow(t, current)
	s.drawNow(t, s.currentNumero(t, "1101"))
	page := s.call(t, "GET", "/lgw/draw/1101?pageSize=1", nil, "", http.StatusOK)
	second := page["list"].([]any)[0].(fields)
	page = s.call(t, "GET", "/lgw/draw/1101?pageSize=1&cursor="+page["next"].(string), nil, "", http.StatusOK)
	first := page["list"].([]any)[0].(fields)
	newer, older := second["proof"].(fields), first["proof"].(fields)
	if newer["commitment"] != older["seed"] || older["commitment"] != series["end"] || newer["link"] != 2.0 {
		t.Errorf("chain: got %v after %v, end %v", newer, older, series["end"])
	}
	if page["next"] != "" {
		t.Errorf("next: got %v, want the last page", page["next"])
	}
}

func TestGameMenuAndStats(t *testing.T) {
	t.Parallel()
	s := newSite(t, dbtest.SQLite(t))
	for playType, want := range map[string]int{"trad": 8, "ent": 5} {
		menu := s.call(t, "GET", "/lgw/games/1201/play_menu?playType="+playType, nil, "", http.StatusOK)
		if plays, _ := menu["list"].([]any); len(plays) != want {
			t.Errorf("plays of K3, %s: got %d, want %d", playType, len(plays), want)
		}
	}
	stats := s.call(t, "GET", "/lgw/games/1201/stats?playCode=sum", nil, "", http.StatusOK)
	if numbers, _ := stats["numbers"].([]any); stats["label"] != "history" || len(numbers) != 16 {
		t.Errorf("stats of K3: got %v, want 16 numbers labelled as history", stats)
	}
}
