package main

import (
	"net/http"
	"slices"
	"time"

	"fairground/internal/game/catalogue"
	"fairground/internal/game/house"
)

func launchCall() callTest {
	var game slot // by default the first slot of the House
	valid := func(p *actorServer) (map[string]any, []string) {
		if game == (slot{}) {
			game = p.slot()
		}
		return map[string]any{"gameCategory": game.GameCategory, "vendor": game.VendorCode, "gameId": game.GameID, "nodeId": game.NodeID, "supportPlay": true}, nil
	}
	// changeCatalogue executes a statement and makes the server reload the catalogue.
	changeCatalogue := func(statement string) func(*actorServer) {
		return inOrder(func(p *actorServer) {
			p.exec(statement)
			p.exec("UPDATE catalogue SET version = version + 1")
		}, advance(2*time.Minute))
	}
	maintenance := func(on bool) func(*actorServer) {
		return func(p *actorServer) {
			if _, err := p.services.Catalogue.SwitchVendor(p.t.Context(), p.demo, game.VendorCode, catalogue.Switches{Maintenance: &on}); err != nil {
				p.t.Fatal(err)
			}
		}
	}
	without := func(field string) attempt {
		return attempt{name: "no " + field, want: "400 request_param_err on " + field, with: map[string]any{field: nil}}
	}
	return callTest{id: "launchGame", valid: valid, untested: map[string]string{"limits.held": "needs a new account; internal/identity/account tests it"}, attempts: []attempt{
		{name: "done", want: "200"}, {name: "on trial", want: "200", actor: "trial"}, {name: "no nodeId", want: "200", with: map[string]any{"nodeId": nil}},
		without("gameCategory"), without("vendor"), without("gameId"),
		{name: "unknown game", want: "404 catalogue.unknown_game", with: map[string]any{"gameId": "none-1"}}, {name: "wrong vendor", want: "404 catalogue.unknown_game", with: map[string]any{"vendor": "NONE"}},
		{name: "wrong category", want: "404 catalogue.unknown_game", with: map[string]any{"gameCategory": "FISH"}}, {name: "unknown node", want: "404 catalogue.unknown_game", with: map[string]any{"nodeId": "7"}},
		{name: "node overflow", want: "400 request_param_err on nodeId", with: map[string]any{"nodeId": "9999999999999999999"}}, {name: "node with letters", want: "400 request_param_err on nodeId", with: map[string]any{"nodeId": "x"}},
		{name: "number instead of text", want: "400 request_param_err on gameId", with: map[string]any{"gameId": 7}},
		{name: "vendor in maintenance", want: "422 vendor.maintenance", before: maintenance(true)},
		{name: "no trial play", want: "422 vendor.no_trial", before: inOrder(maintenance(false), changeCatalogue("UPDATE game SET free_play = FALSE")), actor: "trial"},
		{name: "disabled game", want: "422 vendor.game_unavailable", before: changeCatalogue("UPDATE game SET free_play = TRUE, enabled = FALSE WHERE category = 'RNG'")},
		{name: "game that is not served", want: "422 vendor.not_open", before: inOrder(changeCatalogue("UPDATE game SET enabled = TRUE"), func(p *actorServer) {
			categories := []string{"PVP", "FISH", "ESPORTS", "SPORTS", "ELOTT", "LOTT"}
			c := categories[slices.IndexFunc(categories, func(c string) bool { return !house.Serves(c) })]
			list := value[struct{ Games []slot }](p.program, http.MethodGet, "/wps/relay/GCSGAME_gameList?gameType="+c, "", "")
			game = list.Games[slices.IndexFunc(list.Games, func(g slot) bool { return g.GameCategory == c })]
		})},
		{name: "age not confirmed", want: "400 register.age_required on ageConfirmed age=18", before: func(p *actorServer) {
			game = slot{}
			p.exec("UPDATE member SET age_confirmed_at = NULL WHERE account = 'owner001'")
		}},
		{name: "age confirmed", want: "200", before: func(p *actorServer) { p.as("owner", http.MethodPut, "/wps/member/age", `{"ageConfirmed":true}`) }},
		{name: "on a break", want: "422 limits.excluded", before: inOrder(func(*actorServer) { game = slot{} }, startBreak("+84912345678"))},
	}}
}
