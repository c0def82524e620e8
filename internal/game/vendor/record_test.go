package vendor_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
)

type recordPage struct {
	List []struct {
		RoundID, Status, Vendor string
		Stake, Win, Net         float64
		SettledAt               *int64
	}
	Next  string
	Hours []struct {
		At        int64
		Won, Lost float64
	}
	Totals *recordTotals // first page only
}

type recordTotals struct {
	Rounds                       int
	Stake, Win, Net, Open, Promo float64
}

func (w *vendorSite) record(t *testing.T, who, query string) recordPage {
	t.Helper()
	r := w.Call(t, "GET", "/wps/report/accountGameBetHistory"+query, nil, "Authorization", who)
	var got struct{ Value recordPage }
	if err := json.Unmarshal(r.Body, &got); err != nil || r.Status != 200 {
		t.Fatalf("%s: %d %s, want 200", query, r.Status, r.Body)
	}
	return got.Value
}

func TestRecord(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newVendorSite(t, store)
		ticket, playID := w.launch(t, "minhanh92", "G1", "TEST", "RNG")
		session := w.call(t, "authenticate", fields{"ticket": ticket}).SessionID
		do := func(call string, body fields) {
			t.Helper()
			if r := w.call(t, call, body); r.Code != "OK" {
				t.Fatalf("%s: %s, want OK", call, r.raw)
			}
			w.Clock.Add(time.Second)
		}
		do("bet", bet(session, "w1", "won", "100"))
		do("win", win(session, "w2", "won", "250", true))
		do("bet", bet(session, "l1", "lost", "100"))
		do("win", win(session, "l2", "lost", "40", true))
		do("bet", bet(session, "z1", "refunded", "70"))
		do("rollback", rollback(session, "z2", "z1"))
		do("bet", bet(session, "q1", "half", "30"))
		do("bet", bet(session, "q2", "half", "20"))
		do("rollback", rollback(session, "q3", "q2"))
		do("endRound", moveFields(session, "q4", "half", nil))
		do("bet", bet(session, "o1", "open", "10"))
		do("promo", fields{"sessionId": session, "currency": "VND", "txId": "p1", "amount": "5", "reason": "gift"})
		t.Run("CA-31 RT-09 (betting) part: rounds with stake, win, net and status, and promotions", func(t *testing.T) {
			merchanttest.Want(t, w.Call(t, "GET", "/wps/report/accountGameBetHistory", nil, "Authorization", "minhanh92", "Language", "EN"), 200, `{
				"success":true,
				"value":{
					"currency":"VND", "hours":[{"at":1773479700000,"lost":90,"won":150}],
					"list":[
						{
							"gameCategory":"RNG", "gameId":"G1", "gameName":"Game G1", "jackpots":[], "net":5, "nodeId":"(varies)", "provable":false,
							"roundId":"p1", "settledAt":1773480424000, "stake":0, "startedAt":1773480424000, "status":"promo", "vendor":"TEST",
							"vendorName":"Test", "win":5
						},
						{
							"gameCategory":"RNG", "gameId":"G1", "gameName":"Game G1", "jackpots":[], "net":-10, "nodeId":"(varies)",
							"provable":false, "roundId":"open", "settledAt":null, "stake":10, "startedAt":1773480423000, "status":"open",
							"vendor":"TEST", "vendorName":"Test", "win":0
						},
						{
							"gameCategory":"RNG", "gameId":"G1", "gameName":"Game G1", "jackpots":[], "net":-30, "nodeId":"(varies)",
							"provable":false, "roundId":"half", "settledAt":1773480422000, "stake":30, "startedAt":1773480419000, "status":"lost",
							"vendor":"TEST", "vendorName":"Test", "win":0
						},
						{
							"gameCategory":"RNG", "gameId":"G1", "gameName":"Game G1", "jackpots":[], "net":0, "nodeId":"(varies)", "provable":false,
							"roundId":"refunded", "settledAt":null, "stake":70, "startedAt":1773480417000, "status":"refunded", "vendor":"TEST",
							"vendorName":"Test", "win":0
						},
						{
							"gameCategory":"RNG", "gameId":"G1", "gameName":"Game G1", "jackpots":[], "net":-60, "nodeId":"(varies)",
							"provable":false, "roundId":"lost", "settledAt":1773480416000, "stake":100, "startedAt":1773480415000, "status":"lost",
							"vendor":"TEST", "vendorName":"Test", "win":40
						},
						{
							"gameCategory":"RNG", "gameId":"G1", "gameName":"Game G1", "jackpots":[], "net":150, "nodeId":"(varies)",
							"provable":false, "roundId":"won", "settledAt":1773480414000, "stake":100, "startedAt":1773480413000, "status":"won",
							"vendor":"TEST", "vendorName":"Test", "win":250
						}
					],
					"next":"", "totals":{"jackpot":0,"net":60,"open":10,"promo":5,"rounds":5,"stake":240,"win":290}
				}
			}`, "nodeId")
			merchanttest.Want(t, w.Call(t, "GET", "/wps/report/accountGameBetHistory", nil, "Authorization", "quangvu88"), 200, `{
				"success":true,
				"value":{
					"currency":"VND", "hours":[], "list":[], "next":"", "totals":{"jackpot":0,"net":0,"open":0,"promo":0,"rounds":0,"stake":0,"win":0}
				}
			}`)
		})
		t.Run("CA-31 filters", func(t *testing.T) {
			start, end := merchanttest.Start.UnixMilli(), w.Clock.Now().UnixMilli()
			for query, want := range map[string]string{
				"":                              "[p1 open half refunded lost won]",
				"?status=all":                   "[p1 open half refunded lost won]",
				"?status=open":                  "[open]",
				"?status=won":                   "[won]",
				"?status=lost":                  "[half lost]",
				"?status=refunded":              "[refunded]",
				"?status=promo":                 "[p1]",
				"?status=promo&vendor=HOUSE":    "[]",
				"?gameCategory=RNG&vendor=TEST": "[p1 open half refunded lost won]",
				"?gameCategory=ALL":             "[p1 open half refunded lost won]",
				"?gameCategory=FISH":            "[]",
				"?vendor=HOUSE":                 "[]",
				fmt.Sprintf("?from=%d&to=%d", start, start+2500): "[lost won]",
				fmt.Sprintf("?from=%d&to=%d", start+4000, end):   "[p1 open half refunded]",
				fmt.Sprintf("?from=%d&to=%d", end, end+60_000):   "[]",
				// An end in the future becomes the present. The default start uses that end.
				"?to=9999999999999":                                                     "[p1 open half refunded lost won]",
				"?from=0&to=9999999999999":                                              "[p1 open half refunded lost won]",
				fmt.Sprintf("?from=%d&to=9999999999999", start+4000):                    "[p1 open half refunded]",
				fmt.Sprintf("?from=%d&to=%d", end+90*24*3_600_000, end+91*24*3_600_000): "[]",
			} {
				got, promos := []string{}, 0
				page := w.record(t, "minhanh92", query)
				for _, r := range page.List {
					if got = append(got, r.RoundID); r.Status == "promo" {
						promos++
					}
				}
				if fmt.Sprint(got) != want || page.Totals.Rounds != len(got)-promos || page.Totals.Promo != float64(5*promos) {
					t.Errorf("%s: %v, totals %+v, want %s", query, got, page.Totals, want)
				}
			}
		})
		t.Run("CA-31 pages, with totals over all pages on the first", func(t *testing.T) {
			seen, query := []string{}, "?pageSize=2"
			for pages := 1; ; pages++ {
				page := w.record(t, "minhanh92", query)
				for _, r := range page.List {
					seen = append(seen, r.RoundID)
				}
				want := &recordTotals{Rounds: 5, Stake: 240, Win: 290, Net: 60, Open: 10, Promo: 5}
				if pages > 1 {
					want = nil
				}
				if diff := cmp.Diff(want, page.Totals); diff != "" {
					t.Errorf("totals of page %d (-want +got):\n%s", pages, diff)
				}
				if page.Next == "" {
					break
				}
				query = "?pageSize=2&cursor=" + page.Next
			}
			if fmt.Sprint(seen) != "[p1 open half refunded lost won]" {
				t.Errorf("rounds on all pages = %v, want \"[p1 open half refunded lost won]\"", seen)
			}
		})
		t.Run("CA-31 a game without a name in the language is shown by its code", func(t *testing.T) {
			w.exec(t, "DELETE FROM game_name WHERE game_id = $1 AND language = 'pt'", w.nodes["G1"])
			got := w.Call(t, "GET", "/wps/report/accountGameBetHistory", nil, "Authorization", "minhanh92", "Language", "PT")
			if got.Status != 200 || strings.Count(string(got.Body), `"gameName":"G1"`) != 6 {
				t.Errorf("%d %s, want 200 and 6 rounds with the game name G1", got.Status, got.Body)
			}
		})
		t.Run("CA-31 sums per hour, counted from the quarter hour in which the period starts", func(t *testing.T) {
			start := merchanttest.Start.UnixMilli()
			for _, c := range []struct {
				query, want string
			}{
				{fmt.Sprintf("?from=%d&to=%d", start, start+3_600_000), fmt.Sprintf("[{%d 150 90}]", start)},
				// The same rounds, in the second half of an hour.
				{fmt.Sprintf("?from=%d&to=%d", start-1_800_000, start+3_600_000), fmt.Sprintf("[{%d 150 90}]", start-1_800_000)},
				// The period starts between the rounds.
				{fmt.Sprintf("?from=%d&to=%d", start+1000, start+3_600_000), fmt.Sprintf("[{%d 0 90}]", start+1000)},
				{fmt.Sprintf("?from=%d&to=%d&status=won", start, start+3_600_000), fmt.Sprintf("[{%d 150 0}]", start)},
				{"?gameCategory=FISH", "[]"},
			} {
				page := w.record(t, "minhanh92", c.query)
				if got := fmt.Sprint(page.Hours); got != c.want {
					t.Errorf("%s: %s, want %s", c.query, got, c.want)
				}
				net := 0.0
				for _, h := range page.Hours {
					net += h.Won - h.Lost
				}
				if net != page.Totals.Net {
					t.Errorf("%s: net of hours = %v, of totals = %v, want %v", c.query, net, page.Totals.Net, page.Totals.Net)
				}
			}
			first := w.record(t, "minhanh92", "?pageSize=2")
			if second := w.record(t, "minhanh92", "?pageSize=2&cursor="+first.Next); len(first.Hours) == 0 || len(second.Hours) != 0 {
				t.Errorf("hours on the first page %v, on the second %v, want them on the first only", first.Hours, second.Hours)
			}
		})
		t.Run("CA-31 invalid filters", func(t *testing.T) {
			now := w.Clock.Now().UnixMilli()
			invalid := func(field, message string) string {
				return fmt.Sprintf(`{"success":false,"message":%q,"errorCode":"request_param_err","field":%q}`, message, field)
			}
			for query, want := range map[string]string{
				"?status=maybe":    invalid("status", `expected value to be one of "all, open, won, lost, refunded, promo"`),
				"?cursor=nonsense": invalid("cursor", "the request is not valid"),
				"?pageSize=101":    invalid("pageSize", "expected number <= 100"),
				"?pageSize=0":      invalid("pageSize", "expected number >= 1"),
				"?from=-1":         invalid("from", "expected number >= 0"),
				"?to=now":          invalid("to", "invalid integer"),
				fmt.Sprintf("?from=%d&to=%d", now, now-1):               `{"success":false,"message":"the request is not valid","errorCode":"vendor.period","field":"from"}`,
				fmt.Sprintf("?from=%d&to=%d", now-93*24*3600*1000, now): `{"success":false,"message":"the request is not valid","errorCode":"vendor.period","field":"to","args":{"days":"92"}}`,
			} {
				merchanttest.Want(t, w.Call(t, "GET", "/wps/report/accountGameBetHistory"+query, nil, "Authorization", "minhanh92"), 400, want)
			}
		})
		t.Run("PP-03 the play: elapsed, staked, returned, net", func(t *testing.T) {
			merchanttest.Want(t, w.Call(t, "GET", "/wps/game/play?playId="+playID, nil, "Authorization", "minhanh92", "Language", "EN"), 200, `{
				"success":true,
				"value":{
					"category":"RNG", "closedAt":null, "currency":"VND", "gameId":"G1", "gameName":"Game G1", "net":50, "nodeId":"(varies)",
					"now":1773480425000, "opened":true, "playId":"(varies)", "realityCheck":{"dueAt":null,"minutes":null}, "returned":290, "rounds":5,
					"rtp":null, "staked":240, "startedAt":1773480413000, "vendor":"TEST", "vendorName":"Test"
				}
			}`, "playId", "nodeId")
			merchanttest.Want(t, w.Call(t, "GET", "/wps/game/play?playId="+playID, nil, "Authorization", "quangvu88"), 404,
				`{"success":false,"message":"not found","errorCode":"vendor.unknown_play"}`)
			merchanttest.Want(t, w.Call(t, "GET", "/wps/game/play?playId=x", nil, "Authorization", "minhanh92"), 400,
				`{"success":false,"message":"expected string to match pattern ^[0-9]{1,19}$","errorCode":"request_param_err","field":"playId"}`)
			merchanttest.Want(t, w.Call(t, "GET", "/wps/game/play", nil, "Authorization", "minhanh92"), 400,
				`{"success":false,"message":"required query parameter is missing","errorCode":"request_param_err","field":"playId"}`)
		})
		t.Run("CA-07 the winner board lists real wins, masked, without trial members", func(t *testing.T) {
			ticket, _ := w.launch(t, "trial004", "G1", "TEST", "RNG")
			fun := w.call(t, "authenticate", fields{"ticket": ticket}).SessionID
			for _, c := range []struct {
				call string
				body fields
			}{{"bet", bet(fun, "f1", "fun", "1")}, {"win", win(fun, "f2", "fun", "999", true)}} {
				c.body["currency"] = "FUN"
				do(c.call, c.body)
			}
			// Rounds that returned less than the stake, or are not finished, do not appear.
			do("bet", bet(session, "run1", "running", "1"))
			do("win", win(session, "run2", "running", "500", false))
			do("bet", bet(session, "many1", "many", "10"))
			do("win", win(session, "many2", "many", "20", false))
			do("win", win(session, "many3", "many", "30", true))
			do("endRound", moveFields(session, "many4", "many", nil))
			w.Clock.Add(3 * time.Second)
			merchanttest.Want(t, w.Call(t, "GET", "/wps/relay/GCSGAME_getRankList?gameCategory=ALL&language=EN", nil), 200, `{
				"success":true,
				"value":{
					"list":[
						{
							"simulated":false,
							"vo":{
								"currencySymbol":"₫", "customerName":"mi***2", "gameCategory":"RNG", "gameId":"G1", "gameName":"Game G1",
								"iconUrl":"/m/G1", "nodeId":"(varies)", "position":"B", "vendor":"TEST", "winAmount":50
							}
						},
						{
							"simulated":false,
							"vo":{
								"currencySymbol":"₫", "customerName":"mi***2", "gameCategory":"RNG", "gameId":"G1", "gameName":"Game G1",
								"iconUrl":"/m/G1", "nodeId":"(varies)", "position":"B", "vendor":"TEST", "winAmount":250
							}
						}
					]
				}
			}`, "nodeId")
			merchanttest.Want(t, w.Call(t, "GET", "/wps/relay/GCSGAME_getRankList?gameCategory=FISH", nil), 200, `{"success":true,"value":{"list":[]}}`)
		})
		t.Run("OS-04 GL-03 in part: a row of the winner board has all fields to launch its game", func(t *testing.T) {
			type board struct {
				List []struct {
					Win struct{ Vendor, GameID, NodeID, GameCategory string } `json:"vo"`
				}
			}
			got := merchanttest.Value[board](t, w.Call(t, "GET", "/wps/relay/GCSGAME_getRankList?gameCategory=ALL", nil))
			if len(got.List) == 0 {
				t.Fatal("the winner board is empty")
			}
			for _, row := range got.List {
				r := w.Call(t, "POST", "/wps/game/launchGame", map[string]any{
					"gameCategory": row.Win.GameCategory, "vendor": row.Win.Vendor, "gameId": row.Win.GameID, "nodeId": row.Win.NodeID, "supportPlay": true,
				}, "Authorization", "minhanh92")
				if r.Status != 200 {
					t.Errorf("launch %+v: %d %s, want 200", row.Win, r.Status, r.Body)
				}
			}
		})
		t.Run("CA-31 a round that spans midnight counts on the day it began", func(t *testing.T) {
			session := w.openSession(t, "quangvu88")
			do("bet", bet(session, "n1", "night", "100"))
			do("bet", bet(session, "n2", "back", "50"))
			midnight := w.Clock.Now().UnixMilli()
			do("bet", bet(session, "n3", "night", "100"))
			do("win", win(session, "n4", "night", "150", true))
			do("rollback", rollback(session, "n5", "n2"))
			do("bet", bet(session, "n6", "back", "20"))
			first := w.record(t, "quangvu88", fmt.Sprintf("?to=%d", midnight))
			if tt := first.Totals; tt.Rounds != 2 || tt.Stake != 220 || tt.Win != 150 || first.List[1].Status != "lost" || first.List[0].Status != "open" {
				t.Errorf("the day before: %+v, want rounds 2, stake 220, win 150, lost and open", first)
			}
			if second := w.record(t, "quangvu88", fmt.Sprintf("?from=%d", midnight)); second.Totals.Rounds != 0 {
				t.Errorf("the day after: %+v, want 0", second)
			}
		})
	})
}
