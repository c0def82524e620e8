package main

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"fairground/internal/demo"
	"fairground/internal/platform/db"
)

// A lotteryKill is a moment of a lottery order or of its draw at which the server is killed.
type lotteryKill struct {
	step

	request bool // during the member's request
}

// lotteryMoments are the moments of an order with its draw, in order.
var lotteryMoments = []lotteryKill{
	{step{"the order is stored", "INSERT", "lottery_order", "NEW.total > 0"}, true},
	{step{"the stake is posted", "INSERT", "transfer", "NEW.kind = 'lottery.bet'"}, true},
	{step{"the order's answer is stored", "UPDATE", "lottery_order", "NEW.answer <> OLD.answer"}, true},
	{step{"the result is published", "UPDATE", "lottery_numero", "NEW.status = 'drawn'"}, false},
	{step{"the win is posted", "INSERT", "transfer", "NEW.kind = 'lottery.win'"}, false},
	{step{"the bets are marked", "UPDATE", "lottery_round", "NEW.status = 'settled'"}, false},
	{step{"the settlement is finished", "UPDATE", "lottery_numero", "NEW.status = 'settled'"}, false},
}

// Of the two lines of each bet, exactly one wins.
const (
	killedStake  = 2000
	killedPayout = 1940
)

// Each order is staked once, drawn once and paid once, wherever the server is killed.
func TestKillDuringLottery(t *testing.T) {
	t.Parallel()
	t.Run("FT-07 kill part: kill -9 between order, stake, draw, payment and the end of a settlement", func(t *testing.T) {
		t.Parallel()
		forEachDatabase(t, testKillDuringLottery)
	})
}

func testKillDuringLottery(t *testing.T, args []string) {
	serve, o := append(args, "--demo"), optionsOf(args)
	s := start(t, serve...)
	games := farDraws(s)
	s.end()
	kills := lotteryKills()
	if len(games) < len(kills) {
		t.Fatalf("%d regional draws are hours away, want %d", len(games), len(kills))
	}
	for i, k := range kills {
		order := games[i].order()
		if !k.request {
			s := start(t, serve...)
			placeOrder(s, order)
			s.end()
			drawNow(t, o)
		}
		remove := k.install(t, o)
		kill, out := startChild(t, serve...)
		if child := (&program{t: t, url: serverURL(t, out)}); k.request {
			frame := openLottery(child)
			go sendOrder(t, child.url, frame, order)
		}
		killAtStep(t, o, kill, out)
		remove()
		execSQL(t, o, "DELETE FROM lottery_lease") // the killed server's lease has not ended yet

		s := start(t, serve...)
		if k.request {
			placeOrder(s, order)
			drawNow(t, o)
		}
		for end := time.Now().Add(testTimeout); count(o, "SELECT COUNT(*) FROM lottery_numero WHERE status <> 'settled' AND draw_at < 10 OR pending") > 0; time.Sleep(20 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("killed when %s: the draw is not settled", k.name)
			}
		}
		if !k.request {
			placeOrder(s, order)
		}
		checkLottery(t, s, o, k.name, i+1)
		s.end()
	}
	for command, want := range map[string]string{"ledger": "transfers", "audit": " rows, unbroken."} {
		if report := runCommand(t, "", args, command, "verify"); !strings.Contains(report, want) {
			t.Errorf("%s verify: %s, want %v", command, report, want)
		}
	}
}

// A farDraw is a regional draw that takes bets for hours. The demo draws it itself.
type farDraw struct{ GameID, Type, Numero string }

func farDraws(s *program) (far []farDraw) {
	s.t.Helper()
	type game struct {
		farDraw

		OpenTime, CloseTime, ServerTime int64
	}
	var games []game
	if _, text, _ := s.get("/lgw/games"); json.Unmarshal([]byte(text), &games) != nil {
		s.t.Fatalf("games: %s, want valid JSON", text)
	}
	for _, g := range games {
		if g.Type == "regional" && g.OpenTime <= g.ServerTime && g.CloseTime-g.ServerTime > time.Hour.Milliseconds() {
			far = append(far, g.farDraw)
		}
	}
	return far
}

// order returns an order of two lines of which exactly one wins.
func (d farDraw) order() string {
	return body(map[string]any{
		"requestId": d.GameID, "gameId": d.GameID, "numero": d.Numero, "playType": "trad", "prizeMode": "Lott",
		"bets": []any{map[string]any{"playCode": "big-small", "selection": "big,small", "stake": killedStake / 2, "multiple": 1, "odds": "1.940"}},
	})
}

// openLottery opens the frame of demo88 and returns its token.
func openLottery(s *program) string {
	s.t.Helper()
	launch := body(map[string]any{"gameCategory": "LOTT", "vendor": "TCG_LOTTO_VN", "gameId": "lobby"})
	ticket := value[struct{ Ticket string }](s, http.MethodPost, "/wps/game/launchGame", s.login("demo88", demo.Password), launch).Ticket
	var opened struct{ Session string }
	a := s.call(http.MethodPost, "/lgw/session", "", body(map[string]any{"token": ticket}))
	if err := json.Unmarshal(a.Value, &opened); err != nil || opened.Session == "" {
		s.t.Fatalf("open the lottery: got %d %s, want a session", a.status, a.ErrorCode)
	}
	return opened.Session
}

// placeOrder places an order, or repeats its request.
func placeOrder(s *program, order string) {
	s.t.Helper()
	a := s.call(http.MethodPost, "/lgw/orders/betting", openLottery(s), order)
	var placed struct{ OrderID string }
	if err := json.Unmarshal(a.Value, &placed); a.status != http.StatusOK || err != nil || placed.OrderID == "" {
		s.t.Fatalf("order: got %d %s %s, want an order", a.status, a.ErrorCode, a.Value)
	}
}

// sendOrder sends an order to a server that is about to be killed.
func sendOrder(t *testing.T, url, frame, order string) {
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url+"/lgw/orders/betting", strings.NewReader(order))
	if err != nil {
		t.Errorf("got %v, want no error", err)
		return
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", frame)
	if res, err := http.DefaultClient.Do(r); err == nil {
		_ = res.Body.Close() // the response does not matter
	}
}

// drawNow makes the draws with bets due.
func drawNow(t *testing.T, o db.Options) {
	t.Helper()
	execSQL(t, o, "UPDATE lottery_numero SET open_at = 1, close_at = 2, draw_at = 3 WHERE status = 'open' AND id IN (SELECT numero_id FROM lottery_round)")
}

// checkLottery compares the orders with the ledger's transfers, the member's balance and the record.
func checkLottery(t *testing.T, s *program, o db.Options, when string, orders int) {
	t.Helper()
	for query, want := range map[string]int{
		"SELECT COUNT(*) FROM lottery_order":                                    orders,
		"SELECT COUNT(*) FROM lottery_round WHERE status = 'settled'":           orders,
		"SELECT COUNT(*) FROM lottery_bet WHERE state = 'won'":                  orders,
		"SELECT COUNT(*) FROM transfer WHERE kind = 'lottery.bet'":              orders,
		"SELECT COUNT(*) FROM transfer WHERE kind = 'lottery.win'":              orders,
		"SELECT COUNT(*) FROM vendor_round WHERE status = 'open'":               0,
		"SELECT CAST(COALESCE(SUM(paid), 0) AS BIGINT) FROM lottery_round":      orders * killedPayout,
		"SELECT COUNT(*) FROM lottery_numero WHERE status = 'open' AND pending": 0,
	} {
		if got := count(o, query); got != want {
			t.Errorf("killed when %s: %s = %d, want %d", when, query, got, want)
		}
	}
	net := orders * (killedPayout - killedStake)
	token := s.login("demo88", demo.Password)
	if got, want := s.balance(token), strconv.Itoa(12_480_500+net); got != want {
		t.Errorf("killed when %s: balance of demo88 = %s, want %s", when, got, want)
	}
	record := value[struct {
		Totals struct{ Net float64 }
	}](s, http.MethodGet, "/wps/report/accountGameBetHistory", token, "")
	if int(record.Totals.Net) != net {
		t.Errorf("killed when %s: net of the record = %v, want %d", when, record.Totals.Net, net)
	}
}
