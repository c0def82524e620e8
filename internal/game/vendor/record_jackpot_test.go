package vendor_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/db/query"
	"fairground/internal/site/merchant/merchanttest"
)

// addJackpotWin records that a call's stake won a pool.
func (w *vendorSite) addJackpotWin(t *testing.T, member int64, tx string, series, amount int64) {
	t.Helper()
	w.exec(t, `INSERT INTO jackpot_win (merchant_id, currency, series, member_id, ticket_id, amount, stake, nonce, number, seed, published_at, won_at)
SELECT $1, 'VND', $2, $3, transfer_id, $4, amount, $5, 0, $6, 0, 0 FROM vendor_move WHERE tx = $7`, w.ID, series, member, amount, series*10, make([]byte, 32), tx)
}

func TestRecordIncludesJackpots(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newVendorSite(t, store)
		ticket, playID := w.launch(t, "minhanh92", "G1", "TEST", "RNG")
		session := w.call(t, "authenticate", fields{"ticket": ticket}).SessionID
		for _, c := range []struct {
			call string
			body fields
		}{
			{"bet", bet(session, "a1", "lost", "100")}, {"win", win(session, "a2", "lost", "40", true)},
			{"bet", bet(session, "b1", "pool", "100")}, {"win", win(session, "b2", "pool", "30", true)},
			{"bet", bet(session, "c1", "twice", "10")}, {"bet", bet(session, "c2", "twice", "20")}, {"win", win(session, "c3", "twice", "0", true)},
		} {
			if r := w.call(t, c.call, c.body); r.Code != "OK" {
				t.Fatalf("%s: %s, want OK", c.call, r.raw)
			}
		}
		w.addJackpotWin(t, minh, "b1", 1, 5_000)
		w.addJackpotWin(t, minh, "c1", 2, 700)
		w.addJackpotWin(t, minh, "c2", 3, 800)
		t.Run("CA-31 PP-13 a round lists its jackpots with series and nonce", func(t *testing.T) {
			r := w.Call(t, "GET", "/wps/report/accountGameBetHistory", nil, "Authorization", "minhanh92", "Language", "EN")
			merchanttest.Want(t, r, 200, `{
				"success":true,
				"value":{
					"currency":"VND", "hours":[{"at":1773479700000,"lost":60,"won":6400}],
					"list":[
						{
							"gameCategory":"RNG", "gameId":"G1", "gameName":"Game G1",
							"jackpots":[{"amount":700,"nonce":20,"series":2},{"amount":800,"nonce":30,"series":3}], "net":1470, "nodeId":"(varies)",
							"provable":false, "roundId":"twice", "settledAt":1773480413000, "stake":30, "startedAt":1773480413000, "status":"won",
							"vendor":"TEST", "vendorName":"Test", "win":0
						},
						{
							"gameCategory":"RNG", "gameId":"G1", "gameName":"Game G1", "jackpots":[{"amount":5000,"nonce":10,"series":1}], "net":4930,
							"nodeId":"(varies)", "provable":false, "roundId":"pool", "settledAt":1773480413000, "stake":100,
							"startedAt":1773480413000, "status":"won", "vendor":"TEST", "vendorName":"Test", "win":30
						},
						{
							"gameCategory":"RNG", "gameId":"G1", "gameName":"Game G1", "jackpots":[], "net":-60, "nodeId":"(varies)",
							"provable":false, "roundId":"lost", "settledAt":1773480413000, "stake":100, "startedAt":1773480413000, "status":"lost",
							"vendor":"TEST", "vendorName":"Test", "win":40
						}
					],
					"next":"", "totals":{"jackpot":6500,"net":6340,"open":0,"promo":0,"rounds":3,"stake":230,"win":70}
				}
			}`, "nodeId")
			if got := w.record(t, "quangvu88", ""); len(got.List) != 0 {
				t.Errorf("another member's record = %+v, want none", got)
			}
		})
		t.Run("CA-31 PP-13 in part: a page reads only the jackpots of its rounds", func(t *testing.T) {
			w.exec(t, "UPDATE vendor_round SET started = started + 1 WHERE round = 'twice'")
			defer w.exec(t, "UPDATE vendor_round SET started = started - 1 WHERE round = 'twice'")
			start := merchanttest.Start.UnixMilli()
			for _, c := range []struct {
				oldest, newest int64
				most           int32
				want           string
			}{
				{start, start + 1, 10, "[3 2 1]"},
				{start, start + 1, 2, "[3 2]"},
				{start, start, 10, "[1]"},
				{start + 1, start + 1, 10, "[3 2]"},
			} {
				wins, err := store.Q().JackpotWinsOf(t.Context(), query.JackpotWinsOfParams{MemberID: minh, Oldest: c.oldest, Newest: c.newest, Most: c.most})
				got := []int64{}
				for _, win := range wins {
					got = append(got, win.Series)
				}
				if fmt.Sprint(got) != c.want || err != nil {
					t.Errorf("series of %d wins from %d to %d = %v, error %v, want %s", c.most, c.oldest-start, c.newest-start, got, err, c.want)
				}
			}
		})
		t.Run("CA-31 PP-13 a jackpot makes its round won and counts in totals and hours", func(t *testing.T) {
			for query, want := range map[string]string{"": "[twice pool lost]", "?status=won": "[twice pool]", "?status=lost": "[lost]"} {
				page, got := w.record(t, "minhanh92", query), []string{}
				net, hours := 0.0, 0.0
				for _, row := range page.List {
					got, net = append(got, row.RoundID), net+row.Net
				}
				for _, h := range page.Hours {
					hours += h.Won - h.Lost
				}
				if fmt.Sprint(got) != want || net != page.Totals.Net || hours != page.Totals.Net {
					t.Errorf("%s: %v, net of rows = %v, of hours = %v, of totals = %v, want %s and three equal sums", query, got, net, hours, page.Totals.Net, want)
				}
			}
			if net := w.record(t, "minhanh92", "").Totals.Net; net != 40+30+5_000+700+800-230 {
				t.Errorf("total net = %v, want %v", net, 40+30+5_000+700+800-230)
			}
		})
		t.Run("CA-07 PP-13 the winner board lists jackpots by time, masked, without trial members", func(t *testing.T) {
			now := w.Clock.Now().UnixMilli()
			for series, at := range map[int64]int64{1: now - 1, 2: now + 1_000, 3: now - (31 * 24 * time.Hour).Milliseconds()} { // the last is too old
				w.exec(t, "UPDATE jackpot_win SET won_at = $1 WHERE series = $2", at, series)
			}
			ticket, _ := w.launch(t, "trial004", "G1", "TEST", "RNG")
			fun := w.call(t, "authenticate", fields{"ticket": ticket}).SessionID
			body := bet(fun, "t1", "trial", "1")
			body["currency"] = "FUN"
			if r := w.call(t, "bet", body); r.Code != "OK" {
				t.Fatalf("bet = %s, want OK", r.raw)
			}
			w.addJackpotWin(t, 2004, "t1", 4, 900)
			w.exec(t, "UPDATE jackpot_win SET currency = 'FUN', won_at = $1 WHERE series = 4", now)
			session := w.openSession(t, "quangvu88")
			for _, c := range []struct {
				call string
				body fields
			}{{"bet", bet(session, "q1", "plain", "10")}, {"win", win(session, "q2", "plain", "25", true)}} {
				if r := w.call(t, c.call, c.body); r.Code != "OK" {
					t.Fatalf("%s = %s, want OK", c.call, r.raw)
				}
			}
			w.Clock.Add(3 * time.Second)
			type board struct {
				List []struct {
					Simulated bool
					Win       struct {
						CustomerName, GameID string
						WinAmount            float64
					} `json:"vo"`
				}
			}
			for category, want := range map[string]string{"ALL": "[mi***2 700 qu***8 25 mi***2 5000]", "RNG": "[mi***2 700 qu***8 25 mi***2 5000]", "LIVE": "[]"} {
				got := []any{}
				for _, row := range merchanttest.Value[board](t, w.Call(t, "GET", "/wps/relay/GCSGAME_getRankList?gameCategory="+category, nil)).List {
					got = append(got, row.Win.CustomerName, row.Win.WinAmount)
					if row.Simulated || row.Win.GameID != "G1" {
						t.Errorf("row = %+v, want a real win in G1", row)
					}
				}
				if fmt.Sprint(got) != want {
					t.Errorf("%s: %v, want %s", category, got, want)
				}
			}
		})
		t.Run("PP-03 PP-13 a jackpot counts as returned in the play", func(t *testing.T) {
			var got struct {
				Value struct{ Staked, Returned, Net float64 }
			}
			r := w.Call(t, "GET", "/wps/game/play?playId="+playID, nil, "Authorization", "minhanh92")
			if err := json.Unmarshal(r.Body, &got); err != nil || got.Value.Staked != 230 || got.Value.Returned != 6_570 || got.Value.Net != 6_340 {
				t.Errorf("play = %s, %v, want 230 staked, 6570 returned", r.Body, err)
			}
		})
	})
}
