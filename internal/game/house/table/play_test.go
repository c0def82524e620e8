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
	h := newHall(t, dbtest.SQLite(t))
	get := func() merchanttest.Reply {
		return h.Call(t, http.MethodGet, "/house/v1/table", nil, "Authorization", h.frame)
	}
	await := func(phase string, step time.Duration) {
		for h.table().Round.Phase != phase {
			h.pass(step)
		}
	}
	merchanttest.Want(t, get(), 200, `{
		"success": true,
		"value": {
			"balance": 100000000, "crowd": {"players": 0, "spots": {}}, "history": [], "mine": [], "now": "(varies)", "round": null,
			"table": "(varies)"
		}
	}`, "now", "table")
	open := h.betting()
	merchanttest.Want(t, h.bet(1, open.Round.ID, map[string]int64{"banker": 50_000, "tie": 10_000}), 200, `{
		"success": true,
		"value": {
			"balance": 99940000,
			"bet": {
				"betId": "00000000-0000-4000-8000-000000000001", "id": "1007", "spots": {"banker": 50000, "tie": 10000}, "status": "placed",
				"total": 60000, "win": 0
			}
		}
	}`)
	merchanttest.Want(t, h.bet(2, open.Round.ID, map[string]int64{"zero": 50_000}), 400, `{"errorCode": "house.unknown_spot", "field": "spots", "message": "the request is not valid", "success": false}`)
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
			"balance": 99940000,
			"crowd": {"players": 1, "spots": {"banker": {"amount": 50000, "players": 1}, "tie": {"amount": 10000, "players": 1}}},
			"history": [],
			"mine": [
				{
					"betId": "00000000-0000-4000-8000-000000000001", "id": "1007", "spots": {"banker": 50000, "tie": 10000},
					"status": "placed", "total": 60000, "win": 0
				}
			],
			"now": "(varies)",
			"round": {
				"closesAt": 1773480433000, "commitment": "f7d638256b73561b9a7a4c151de17e4bc3b11392450438f59da04b693adc2604",
				"dealAt": 1773480434000, "endsAt": 1773480441400, "id": "1005", "number": 1, "opensAt": 1773480413000, "phase": "locked",
				"result": null, "resultAt": 1773480436400, "seed": null
			},
			"table": "(varies)"
		}
	}`, "now", "table")
	await("dealing", 200*time.Millisecond)
	merchanttest.Want(t, get(), 200, `{
		"success": true,
		"value": {
			"balance": 99940000,
			"crowd": {"players": 1, "spots": {"banker": {"amount": 50000, "players": 1}, "tie": {"amount": 10000, "players": 1}}},
			"history": [],
			"mine": [
				{
					"betId": "00000000-0000-4000-8000-000000000001", "id": "1007", "spots": {"banker": 50000, "tie": 10000},
					"status": "placed", "total": 60000, "win": 0
				}
			],
			"now": "(varies)",
			"round": {
				"closesAt": 1773480433000, "commitment": "f7d638256b73561b9a7a4c151de17e4bc3b11392450438f59da04b693adc2604",
				"dealAt": 1773480434000, "endsAt": 1773480443680, "id": "1005", "number": 1, "opensAt": 1773480413000, "phase": "dealing",
				"result": {
					"banker": ["2C", "KD", "JD"], "bankerPair": false, "player": ["8S", "3S", "8S"], "playerPair": false,
					"points": {"banker": 2, "player": 9}, "winner": "player"
				},
				"resultAt": 1773480438680, "seed": null
			},
			"table": "(varies)"
		}
	}`, "now", "table")
	await("result", 200*time.Millisecond)
	merchanttest.Want(t, get(), 200, `{
		"success": true,
		"value": {
			"balance": 99940000,
			"crowd": {"players": 1, "spots": {"banker": {"amount": 50000, "players": 1}, "tie": {"amount": 10000, "players": 1}}},
			"history": [
				{
					"number": 1,
					"result": {
						"banker": ["2C", "KD", "JD"], "bankerPair": false, "player": ["8S", "3S", "8S"], "playerPair": false,
						"points": {"banker": 2, "player": 9}, "winner": "player"
					}
				}
			],
			"mine": [
				{
					"betId": "00000000-0000-4000-8000-000000000001", "id": "1007", "spots": {"banker": 50000, "tie": 10000},
					"status": "lost", "total": 60000, "win": 0
				}
			],
			"now": "(varies)",
			"round": {
				"closesAt": 1773480433000, "commitment": "f7d638256b73561b9a7a4c151de17e4bc3b11392450438f59da04b693adc2604",
				"dealAt": 1773480434000, "endsAt": 1773480443680, "id": "1005", "number": 1, "opensAt": 1773480413000, "phase": "result",
				"result": {
					"banker": ["2C", "KD", "JD"], "bankerPair": false, "player": ["8S", "3S", "8S"], "playerPair": false,
					"points": {"banker": 2, "player": 9}, "winner": "player"
				},
				"resultAt": 1773480438680, "seed": "c6869f767aae0bd53d734471812531980e1a0341282f0276c8623e39d081daa6"
			},
			"table": "(varies)"
		}
	}`, "now", "table")
	merchanttest.Want(t, h.bet(3, open.Round.ID, map[string]int64{"banker": 50_000}), 409, `{"errorCode": "house.betting_closed", "message": "conflicts with the current state", "success": false}`)
	merchanttest.Want(t, h.Call(t, http.MethodGet, "/house/v1/table/mine", nil, "Authorization", h.frame), 200, `{
		"success": true,
		"value": {
			"list": [
				{
					"at": 1773480413000, "betId": "00000000-0000-4000-8000-000000000001", "clientSeed": "baccarat-1",
					"commitment": "f7d638256b73561b9a7a4c151de17e4bc3b11392450438f59da04b693adc2604", "id": "1007", "number": 1,
					"result": {
						"banker": ["2C", "KD", "JD"], "bankerPair": false, "player": ["8S", "3S", "8S"], "playerPair": false,
						"points": {"banker": 2, "player": 9}, "winner": "player"
					},
					"round": "1005", "seed": "c6869f767aae0bd53d734471812531980e1a0341282f0276c8623e39d081daa6",
					"spots": {"banker": 50000, "tie": 10000}, "status": "lost", "total": 60000, "win": 0
				}
			],
			"next": null
		}
	}`)
	next := h.betting()
	merchanttest.Value[shownBet](t, h.bet(4, next.Round.ID, map[string]int64{"banker": 50_000}))
	h.Random.SetFails(true)
	await("void", time.Second)
	merchanttest.Want(t, get(), 200, `{
		"success": true,
		"value": {
			"balance": 99940000, "crowd": {"players": 0, "spots": {}},
			"history": [
				{
					"number": 1,
					"result": {
						"banker": ["2C", "KD", "JD"], "bankerPair": false, "player": ["8S", "3S", "8S"], "playerPair": false,
						"points": {"banker": 2, "player": 9}, "winner": "player"
					}
				}
			],
			"mine": [
				{
					"betId": "00000000-0000-4000-8000-000000000004", "id": "1152", "spots": {"banker": 50000}, "status": "refunded",
					"total": 50000, "win": 0
				}
			],
			"now": "(varies)",
			"round": {
				"closesAt": 1773480463800, "commitment": "caad2401dfb4737b336328c1e00fd2df1a54648b5177f3452b5eb77f5e16d7d2",
				"dealAt": 1773480464800, "endsAt": 1773480469800, "id": "1150", "number": 2, "opensAt": 1773480443800, "phase": "void",
				"result": null, "resultAt": 1773480467200, "seed": "d8d68ddb2cd4d65ebe0a1dec059a8e04621d210fc77effa5bb793d3fbce07380"
			},
			"table": "(varies)"
		}
	}`, "now", "table")
}

// Equal seeds have equal results and pays with play money.
func TestPP12FreePlayAtTheTables(t *testing.T) {
	t.Parallel()
	for _, engine := range table.Engines() {
		t.Run("PP-12 "+engine, func(t *testing.T) {
			t.Parallel()
			game, id := table.FirstTable(engine)
			var played [2]string
			for i, currency := range []string{"VND", "FUN"} {
				h := newHall(t, dbtest.SQLite(t)) // the same random bytes each time
				h.game, h.Wallet.Currency = game, currency
				h.frame = h.Open(housetest.Minh).Token
				for n := range 3 {
					played[i] += h.playRound(t, id, n)
				}
			}
			if played[0] != played[1] {
				t.Errorf("for money:\n%s\nwith play money:\n%s", played[0], played[1])
			}
		})
	}
}

// playRound plays a round with the minimum on every spot, and returns everything that does not depend on the currency.
func (h *hall) playRound(t *testing.T, id string, n int) string {
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
	until := func(phase string) shownTable {
		for range 500 {
			h.House.Tables.Poll(t.Context(), id, true)
			if now := h.table(); now.Round != nil && now.Round.Phase == phase {
				return now
			}
			h.time.Add(time.Second)
		}
		t.Fatalf("the table never reaches phase %s", phase)
		return shownTable{}
	}
	open := until("betting")
	rules := merchanttest.Value[spots](t, h.Call(t, http.MethodGet, "/house/v1/table", nil, "Authorization", h.frame)).Table
	out := fmt.Sprintln(rules.Version, rules.Spots)
	for i, spot := range rules.Spots {
		if i < 30 {
			merchanttest.Value[shownBet](t, h.bet(1000*(n+1)+i, open.Round.ID, map[string]int64{spot.ID: rules.Minimum}))
		}
	}
	got := until("result")
	out += fmt.Sprintln(open.Round.Commitment, *got.Round.Seed, string(got.Round.Result))
	for _, ticket := range got.Mine {
		for spot := range ticket.Spots {
			out += fmt.Sprintln(spot, ticket.Status, float64(ticket.Win)/float64(rules.Minimum))
		}
	}
	h.time.Add(10 * time.Second)
	return out
}

// Statistics of the results, from fixed seeds. internal/game/fairness has the same bound.
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
