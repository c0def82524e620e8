package house_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"fairground/internal/game/fairness"
	"fairground/internal/game/fairness/fairnesstest"
	"fairground/internal/game/house"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
)

// What a table answers in each phase of a round, field by field.
func TestTableAnswers(t *testing.T) {
	t.Parallel()
	h := newHall(t, dbtest.SQLite(t))
	golden := func(name, method, path string, body any) {
		t.Helper()
		merchanttest.Golden(t, name, h.Call(t, method, path, body, "Authorization", h.frame), "now") // carried on by the machine's own clock
	}
	golden("table_waiting", http.MethodGet, "/house/v1/table", nil)
	open := h.betting()
	golden("table_bet", http.MethodPost, "/house/v1/table/bet", map[string]any{"betId": spinID(1), "round": open.Round.ID, "spots": map[string]int64{"banker": 50_000, "tie": 10_000}})
	golden("table_unknown_spot", http.MethodPost, "/house/v1/table/bet", map[string]any{"betId": spinID(2), "round": open.Round.ID, "spots": map[string]int64{"zero": 50_000}})
	for _, phase := range []string{"betting", "locked", "dealing", "result"} {
		for h.table().Round.Phase != phase {
			h.pass(200 * time.Millisecond)
		}
		golden("table_"+phase, http.MethodGet, "/house/v1/table", nil)
	}
	golden("table_closed", http.MethodPost, "/house/v1/table/bet", map[string]any{"betId": spinID(3), "round": open.Round.ID, "spots": map[string]int64{"banker": 50_000}})
	golden("table_mine", http.MethodGet, "/house/v1/table/mine", nil)
	next := h.betting()
	merchanttest.Value[shownBet](t, h.bet(4, next.Round.ID, map[string]int64{"banker": 50_000}))
	h.random.fails = true
	for h.table().Round.Phase != "void" {
		h.pass(time.Second)
	}
	golden("table_void", http.MethodGet, "/house/v1/table", nil)
}

// liveGames are a game of each engine and its table.
var liveGames = map[string][2]string{
	"baccarat": {"live-001", "baccarat-1"}, "sicbo": {"live-009", "sicbo-1"}, "dragontiger": {"live-007", "dragontiger-1"}, "roulette": {"live-016", "roulette-1"},
}

// With play money a table is the same: the same seeds give the same results, every spot pays and returns the same.
func TestPP12FreePlayAtTheTables(t *testing.T) {
	t.Parallel()
	for engine, game := range liveGames {
		t.Run("PP-12 "+engine, func(t *testing.T) {
			t.Parallel()
			var played [2]string
			for i, currency := range []string{"VND", "FUN"} {
				h := newHall(t, dbtest.SQLite(t)) // its randomness is the same each time
				h.game, h.wallet.currency = game[0], currency
				h.frame = h.enter(minh).Token
				for n := range 3 {
					played[i] += h.round(t, game[1], n)
				}
			}
			if played[0] != played[1] {
				t.Errorf("for money:\n%s\nwith play money:\n%s", played[0], played[1])
			}
		})
	}
}

// round plays one with the smallest stake on every spot, and tells all that does not depend on the currency.
func (h *hall) round(t *testing.T, id string, n int) string {
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
			h.house.Turn(t.Context(), id, true)
			if now := h.table(); now.Round != nil && now.Round.Phase == phase {
				return now
			}
			h.time.Add(time.Second)
		}
		t.Fatalf("never %s", phase)
		return shownTable{}
	}
	open := until("betting")
	rules := merchanttest.Value[spots](t, h.Call(t, http.MethodGet, "/house/v1/table", nil, "Authorization", h.frame)).Table
	told := fmt.Sprintln(rules.Version, rules.Spots)
	for i, spot := range rules.Spots {
		if i < 30 {
			merchanttest.Value[shownBet](t, h.bet(1000*(n+1)+i, open.Round.ID, map[string]int64{spot.ID: rules.Minimum}))
		}
	}
	got := until("result")
	told += fmt.Sprintln(open.Round.Commitment, *got.Round.Seed, string(got.Round.Result))
	for _, ticket := range got.Mine {
		for spot := range ticket.Spots {
			told += fmt.Sprintln(spot, ticket.Status, float64(ticket.Win)/float64(rules.Minimum))
		}
	}
	h.time.Add(10 * time.Second)
	return told
}

// What the tables deal looks like chance: fixed seeds, one for each round as tables have, so the answer is always the same. The
// bound is that of internal/game/fairness.
func TestPP16WhatTablesDealLooksLikeChance(t *testing.T) {
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
			dealer, _ := house.FindDealer(engine, 1)
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
					t.Error(score)
				}
			}
		})
	}
}
