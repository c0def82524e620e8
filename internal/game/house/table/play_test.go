package table_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"fairground/internal/game/fairness"
	"fairground/internal/game/fairness/fairnesstest"
	"fairground/internal/game/house/housetest"
	"fairground/internal/game/house/table"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
)

// The web's tests read the reply of the betting phase from its file.
func TestTableResponses(t *testing.T) {
	t.Parallel()
	h := newFixture(t, dbtest.SQLite(t))
	get := func() merchanttest.Reply {
		return h.Call(t, http.MethodGet, "/house/v1/table", nil, "Authorization", h.frame)
	}
	await := func(phase string, step time.Duration) {
		for h.getTable().Round.Phase != phase {
			h.advance(step)
		}
	}
	merchanttest.Want(t, get(), 200, `{
		"success": true,
		"value": {
			"balance": 100000000, "crowd": {"players": 0, "spots": {}}, "history": [], "mine": [], "now": "(varies)", "round": null,
			"table": "(varies)"
		}
	}`, "now", "table")
	open := h.waitForBetting()
	merchanttest.Want(t, h.placeBet(1, open.Round.ID, map[string]int64{"banker": 50_000, "tie": 10_000}), 200, `{
		"success": true,
		"value": {
			"balance": 99940000,
			"bet": {
				"betId": "00000000-0000-4000-8000-000000000001", "id": "1007", "spots": {"banker": 50000, "tie": 10000}, "status": "placed",
				"total": 60000, "win": 0
			}
		}
	}`)
	merchanttest.Want(t, h.placeBet(2, open.Round.ID, map[string]int64{"zero": 50_000}), 400, `{"errorCode": "house.unknown_spot", "field": "spots", "message": "the request is not valid", "success": false}`)
	text, err := os.ReadFile("testdata/table_betting.json")
	if err != nil {
		t.Fatal(err)
	}
	var stored struct{ Body json.RawMessage }
	if err := json.Unmarshal(text, &stored); err != nil {
		t.Fatal(err)
	}
	merchanttest.Want(t, get(), 200, string(stored.Body), "now")
	await("locked", 200*time.Millisecond)
	merchanttest.Want(t, get(), 200, `{
		"success": true,
		"value": {
			"balance": 99940000, "crowd": {"players": 1, "spots": {"banker": {"amount": 50000, "players": 1}, "tie": {"amount": 10000, "players": 1}}},
			"history": [],
			"mine": [
				{
					"betId": "00000000-0000-4000-8000-000000000001", "id": "1007", "spots": {"banker": 50000, "tie": 10000}, "status": "placed",
					"total": 60000, "win": 0
				}
			],
			"now": "(varies)",
			"round": {
				"clientSeed": "b87fb91107d0262e0fcca534f9f599a7-baccarat-1", "closesAt": 1773480433000,
				"commitment": "9b17b487628f6fef4709a450b549750ff38f1ed6b9598eb1b958d4de797038d6", "dealAt": 1773480434000, "endsAt": 1773480441400,
				"id": "1005", "link": 1, "number": 1, "opensAt": 1773480413000, "phase": "locked", "result": null, "resultAt": 1773480436400,
				"seed": null, "seriesId": "901"
			},
			"table": "(varies)"
		}
	}`, "now", "table")
	await("dealing", 200*time.Millisecond)
	merchanttest.Want(t, get(), 200, `{
		"success": true,
		"value": {
			"balance": 99940000, "crowd": {"players": 1, "spots": {"banker": {"amount": 50000, "players": 1}, "tie": {"amount": 10000, "players": 1}}},
			"history": [],
			"mine": [
				{
					"betId": "00000000-0000-4000-8000-000000000001", "id": "1007", "spots": {"banker": 50000, "tie": 10000}, "status": "placed",
					"total": 60000, "win": 0
				}
			],
			"now": "(varies)",
			"round": {
				"clientSeed": "b87fb91107d0262e0fcca534f9f599a7-baccarat-1", "closesAt": 1773480433000,
				"commitment": "9b17b487628f6fef4709a450b549750ff38f1ed6b9598eb1b958d4de797038d6", "dealAt": 1773480434000, "endsAt": 1773480441400,
				"id": "1005", "link": 1, "number": 1, "opensAt": 1773480413000, "phase": "dealing",
				"result": {
					"banker": ["AD", "5S"], "bankerPair": false, "player": ["6S", "JH"], "playerPair": false, "points": {"banker": 6, "player": 6},
					"winner": "tie"
				},
				"resultAt": 1773480436400, "seed": null, "seriesId": "901"
			},
			"table": "(varies)"
		}
	}`, "now", "table")
	await("result", 200*time.Millisecond)
	merchanttest.Want(t, get(), 200, `{
		"success": true,
		"value": {
			"balance": 100080000, "crowd": {"players": 1, "spots": {"banker": {"amount": 50000, "players": 1}, "tie": {"amount": 10000, "players": 1}}},
			"history": [
				{
					"number": 1,
					"result": {
						"banker": ["AD", "5S"], "bankerPair": false, "player": ["6S", "JH"], "playerPair": false, "points": {"banker": 6, "player": 6},
						"winner": "tie"
					}
				}
			],
			"mine": [
				{
					"betId": "00000000-0000-4000-8000-000000000001", "id": "1007", "spots": {"banker": 50000, "tie": 10000}, "status": "won",
					"total": 60000, "win": 140000
				}
			],
			"now": "(varies)",
			"round": {
				"clientSeed": "b87fb91107d0262e0fcca534f9f599a7-baccarat-1", "closesAt": 1773480433000,
				"commitment": "9b17b487628f6fef4709a450b549750ff38f1ed6b9598eb1b958d4de797038d6", "dealAt": 1773480434000, "endsAt": 1773480441400,
				"id": "1005", "link": 1, "number": 1, "opensAt": 1773480413000, "phase": "result",
				"result": {
					"banker": ["AD", "5S"], "bankerPair": false, "player": ["6S", "JH"], "playerPair": false, "points": {"banker": 6, "player": 6},
					"winner": "tie"
				},
				"resultAt": 1773480436400, "seed": "2cad9dc74dc32f6272bb9e20b5c0eb04d33afb4690ff590cbae64cc50df7140a", "seriesId": "901"
			},
			"table": "(varies)"
		}
	}`, "now", "table")
	merchanttest.Want(t, h.placeBet(3, open.Round.ID, map[string]int64{"banker": 50_000}), 409, `{"errorCode": "house.betting_closed", "message": "conflicts with the current state", "success": false}`)
	merchanttest.Want(t, h.Call(t, http.MethodGet, "/house/v1/table/mine", nil, "Authorization", h.frame), 200, `{
		"success": true,
		"value": {
			"list": [
				{
					"at": 1773480413000, "betId": "00000000-0000-4000-8000-000000000001", "clientSeed": "b87fb91107d0262e0fcca534f9f599a7-baccarat-1",
					"commitment": "9b17b487628f6fef4709a450b549750ff38f1ed6b9598eb1b958d4de797038d6", "id": "1007", "number": 1,
					"result": {
						"banker": ["AD", "5S"], "bankerPair": false, "player": ["6S", "JH"], "playerPair": false, "points": {"banker": 6, "player": 6},
						"winner": "tie"
					},
					"round": "1005", "seed": "2cad9dc74dc32f6272bb9e20b5c0eb04d33afb4690ff590cbae64cc50df7140a", "spots": {"banker": 50000, "tie": 10000},
					"status": "won", "total": 60000, "win": 140000
				}
			],
			"next": null
		}
	}`)
	next := h.waitForBetting()
	merchanttest.Value[betResponse](t, h.placeBet(4, next.Round.ID, map[string]int64{"banker": 50_000}))
	h.Random.SetFails(true)
	await("void", time.Second)
	merchanttest.Want(t, get(), 200, `{
		"success": true,
		"value": {
			"balance": 100080000, "crowd": {"players": 0, "spots": {}},
			"history": [
				{
					"number": 1,
					"result": {
						"banker": ["AD", "5S"], "bankerPair": false, "player": ["6S", "JH"], "playerPair": false, "points": {"banker": 6, "player": 6},
						"winner": "tie"
					}
				}
			],
			"mine": [
				{
					"betId": "00000000-0000-4000-8000-000000000004", "id": "1140", "spots": {"banker": 50000}, "status": "refunded", "total": 50000,
					"win": 0
				}
			],
			"now": "(varies)",
			"round": {
				"clientSeed": "b87fb91107d0262e0fcca534f9f599a7-baccarat-1", "closesAt": 1773480461400,
				"commitment": "2cad9dc74dc32f6272bb9e20b5c0eb04d33afb4690ff590cbae64cc50df7140a", "dealAt": 1773480462400, "endsAt": 1773480467400,
				"id": "1138", "link": 2, "number": 2, "opensAt": 1773480441400, "phase": "void", "result": null, "resultAt": 1773480464800,
				"seed": "ccc6443c5d9741dae0a1647c1f2792862ca708bb825c4a86ef30d60cad9cc98e", "seriesId": "901"
			},
			"table": "(varies)"
		}
	}`, "now", "table")
}

// With the same seed, play money and real money have the same results and payouts.
func TestPP12FreePlayAtTheTables(t *testing.T) {
	t.Parallel()
	for _, engine := range table.Engines() {
		t.Run("PP-12 "+engine, func(t *testing.T) {
			t.Parallel()
			game, id := table.FirstTable(engine)
			var played [2]string
			for i, currency := range []string{"VND", "FUN"} {
				h := newFixture(t, dbtest.SQLite(t)) // the same random bytes each time
				h.game, h.Wallet.Currency = game, currency
				h.frame = h.Open(housetest.Minh).Token
				for n := range 3 {
					played[i] += h.playRound(t, id, n)
				}
			}
			if played[0] != played[1] {
				t.Errorf("for money:\n%s\nwith play money, want the same:\n%s", played[0], played[1])
			}
		})
	}
}

// playRound plays a round with the minimum stake on every spot. It returns the parts of the responses that do not depend on the
// currency.
func (h *fixture) playRound(t *testing.T, id string, n int) string {
	t.Helper()
	type spots struct {
		Table struct {
			Version int
			Minimum int64
			Spots   []struct {
				ID, RTP string
				Times   []string
			}
		}
	}
	until := func(phase string) tableResponse {
		for range 500 {
			h.House.Tables.Poll(t.Context(), id, true)
			if now := h.getTable(); now.Round != nil && now.Round.Phase == phase {
				return now
			}
			h.dbClock.Add(time.Second)
		}
		t.Fatalf("the table never reaches phase %s", phase)
		return tableResponse{}
	}
	open := until("betting")
	rules := merchanttest.Value[spots](t, h.Call(t, http.MethodGet, "/house/v1/table", nil, "Authorization", h.frame)).Table
	out := fmt.Sprintln(rules.Version, rules.Spots)
	for i, spot := range rules.Spots {
		if i < 30 {
			merchanttest.Value[betResponse](t, h.placeBet(1000*(n+1)+i, open.Round.ID, map[string]int64{spot.ID: rules.Minimum}))
		}
	}
	got := until("result")
	out += fmt.Sprintln(open.Round.Commitment, *got.Round.Seed, string(got.Round.Result))
	for _, ticket := range got.Mine {
		for spot := range ticket.Spots {
			out += fmt.Sprintln(spot, ticket.Status, float64(ticket.Win)/float64(rules.Minimum))
		}
	}
	h.dbClock.Add(10 * time.Second)
	return out
}

// The test checks statistics of results from fixed seeds. internal/game/fairness uses the same bound.
func TestPP16ResultsLookRandom(t *testing.T) {
	t.Parallel()
	const rounds, bound = 20_000, 3.89
	card := func(text string) int {
		return 4*strings.IndexByte("A23456789TJQK", text[0]) + strings.IndexByte("SHDC", text[1])
	}
	type result struct {
		Player, Banker []string
		Dragon, Tiger  string
		Dice           []int
		Number         int
	}
	for engine, one := range map[string]struct {
		below int
		drawn func(result) []int
	}{
		"baccarat":    {52, func(r result) []int { return []int{card(r.Player[0]), card(r.Banker[1])} }},
		"dragontiger": {52, func(r result) []int { return []int{card(r.Dragon), card(r.Tiger)} }},
		"sicbo":       {6, func(r result) []int { return []int{r.Dice[0] - 1, r.Dice[1] - 1, r.Dice[2] - 1} }},
		"roulette":    {37, func(r result) []int { return []int{r.Number} }},
	} {
		t.Run("PP-16 "+engine, func(t *testing.T) {
			t.Parallel()
			dealer, _ := table.FindDealer(engine, 1)
			var outcomes []int
			for n := range int64(rounds) {
				dealt, err := dealer.Deal(fairness.NewStream(sha256.Sum256(fmt.Append(nil, engine, n)), engine+"-1", n+1))
				var r result
				if err == nil {
					err = json.Unmarshal(dealt, &r)
				}
				if err != nil {
					t.Fatal(err)
				}
				outcomes = append(outcomes, one.drawn(r)...)
			}
			for _, score := range fairnesstest.All(outcomes, one.below) {
				if score.Beyond(bound) {
					t.Errorf("got %v, want a score within %v", score, bound)
				}
			}
		})
	}
}
