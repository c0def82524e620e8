package main

import (
	"net/http"
	"slices"
	"time"

	"fairground/internal/game/catalogue"
	"fairground/internal/game/house"
)

// launching is the call that opens games, with all that it can be refused with.
func launching() callTest {
	var of slot // the game that is launched; the first slot of the House unless said
	good := func(p *callers) (map[string]any, []string) {
		if of == (slot{}) {
			of = p.slot()
		}
		return map[string]any{"gameCategory": of.GameCategory, "vendor": of.VendorCode, "gameId": of.GameID, "nodeId": of.NodeID, "supportPlay": true}, nil
	}
	// changed has the catalogue read anew.
	changed := func(statement string) func(*callers) {
		return inOrder(func(p *callers) {
			p.exec(statement)
			p.exec("UPDATE catalogue SET version = version + 1")
		}, advance(2*time.Minute))
	}
	mending := func(on bool) func(*callers) {
		return func(p *callers) {
			if _, err := p.services.Catalogue.SwitchVendor(p.t.Context(), p.demo, of.VendorCode, catalogue.Switches{Maintenance: &on}); err != nil {
				p.t.Fatal(err)
			}
		}
	}
	without := func(field string) attempt {
		return attempt{name: "no " + field, want: "400 request_param_err on " + field, with: map[string]any{field: nil}}
	}
	return callTest{id: "launchGame", valid: good, attempts: []attempt{
		{name: "done", want: "200"}, {name: "on trial", want: "200", actor: "trial"}, {name: "without its node", want: "200", with: map[string]any{"nodeId": nil}},
		without("gameCategory"), without("vendor"), without("gameId"),
		{name: "a game that there is not", want: "404 catalogue.unknown_game", with: map[string]any{"gameId": "none-1"}}, {name: "another vendor's", want: "404 catalogue.unknown_game", with: map[string]any{"vendor": "NONE"}},
		{name: "another category's", want: "404 catalogue.unknown_game", with: map[string]any{"gameCategory": "FISH"}}, {name: "a node that there is not", want: "404 catalogue.unknown_game", with: map[string]any{"nodeId": "7"}},
		{name: "a node beyond numbers", want: "400 request_param_err on nodeId", with: map[string]any{"nodeId": "9999999999999999999"}}, {name: "a node that is no number", want: "400 request_param_err on nodeId", with: map[string]any{"nodeId": "x"}},
		{name: "a number for its id", want: "400 request_param_err on gameId", with: map[string]any{"gameId": 7}},
		{name: "in maintenance", want: "422 vendor.maintenance", before: mending(true)},
		{name: "not on trial", want: "422 vendor.no_trial", before: inOrder(mending(false), changed("UPDATE game SET free_play = FALSE")), actor: "trial"},
		{name: "off", want: "422 vendor.game_unavailable", before: changed("UPDATE game SET free_play = TRUE, enabled = FALSE WHERE category = 'RNG'")},
		{name: "one that nobody serves yet", want: "422 vendor.not_open", before: inOrder(changed("UPDATE game SET enabled = TRUE"), func(p *callers) {
			categories := []string{"PVP", "FISH", "ESPORTS", "SPORTS", "ELOTT", "LOTT"}
			c := categories[slices.IndexFunc(categories, func(c string) bool { return !house.Serves(c) })]
			list := value[struct{ Games []slot }](p.program, http.MethodGet, "/wps/relay/GCSGAME_gameList?gameCategory="+c, "", "")
			of = list.Games[slices.IndexFunc(list.Games, func(g slot) bool { return g.GameCategory == c })]
		})},
		{name: "by a member who has not confirmed their age", want: "400 register.age_required on ageConfirmed age=18", before: func(p *callers) {
			of = slot{}
			p.exec("UPDATE member SET age_confirmed_at = NULL WHERE account = 'owner001'")
		}},
		{name: "and who has", want: "200", before: func(p *callers) { p.as("owner", http.MethodPut, "/wps/member/age", `{"ageConfirmed":true}`) }},
		{name: "on a break", want: "422 limits.excluded", before: inOrder(func(*callers) { of = slot{} }, startBreak("+84912345678"))},
	}}
}
