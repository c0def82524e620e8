package main

import (
	"net/http"
	"slices"
	"time"

	"fairground/internal/game/catalogue"
	"fairground/internal/game/house"
)

// launching is the call that opens games, with all that it can be refused with.
func launching() visited {
	var of slot // the game that is launched; the first slot of the House unless said
	good := func(p *people) (map[string]any, []string) {
		if of == (slot{}) {
			of = p.slot()
		}
		return map[string]any{"gameCategory": of.GameCategory, "vendor": of.VendorCode, "gameId": of.GameID, "nodeId": of.NodeID, "supportPlay": true}, nil
	}
	// changed has the catalogue read anew.
	changed := func(statement string) func(*people) {
		return both(func(p *people) {
			p.exec(statement)
			p.exec("UPDATE catalogue SET version = version + 1")
		}, wait(2*time.Minute))
	}
	mending := func(on bool) func(*people) {
		return func(p *people) {
			if _, err := p.parts.Catalogue.SwitchVendor(p.t.Context(), p.demo, of.VendorCode, catalogue.Switches{Maintenance: &on}); err != nil {
				p.t.Fatal(err)
			}
		}
	}
	without := func(field string) try { return try{name: "no " + field, with: map[string]any{field: nil}} }
	return visited{id: "launchGame", good: good, tries: []try{
		{name: "done"}, {name: "on trial", actor: "trial"}, {name: "without its node", with: map[string]any{"nodeId": nil}},
		without("gameCategory"), without("vendor"), without("gameId"),
		{name: "a game that there is not", with: map[string]any{"gameId": "none-1"}}, {name: "another vendor's", with: map[string]any{"vendor": "NONE"}},
		{name: "another category's", with: map[string]any{"gameCategory": "FISH"}}, {name: "a node that there is not", with: map[string]any{"nodeId": "7"}},
		{name: "a node beyond numbers", with: map[string]any{"nodeId": "9999999999999999999"}}, {name: "a node that is no number", with: map[string]any{"nodeId": "x"}},
		{name: "a number for its id", with: map[string]any{"gameId": 7}},
		{name: "in maintenance", before: mending(true)},
		{name: "not on trial", before: both(mending(false), changed("UPDATE game SET free_play = FALSE")), actor: "trial"},
		{name: "off", before: changed("UPDATE game SET free_play = TRUE, enabled = FALSE WHERE category = 'RNG'")},
		{name: "one that nobody serves yet", before: both(changed("UPDATE game SET enabled = TRUE"), func(p *people) {
			categories := []string{"PVP", "FISH", "ESPORTS", "SPORTS", "ELOTT", "LOTT"}
			c := categories[slices.IndexFunc(categories, func(c string) bool { return !house.Serves(c) })]
			list := value[struct{ Games []slot }](p.program, http.MethodGet, "/wps/relay/GCSGAME_gameList?gameCategory="+c, "", "")
			of = list.Games[slices.IndexFunc(list.Games, func(g slot) bool { return g.GameCategory == c })]
		})},
		{name: "by a member who has not confirmed their age", before: func(p *people) {
			of = slot{}
			p.exec("UPDATE member SET age_confirmed_at = NULL WHERE account = 'owner001'")
		}},
		{name: "and who has", before: func(p *people) { p.as("owner", http.MethodPut, "/wps/member/age", `{"ageConfirmed":true}`) }},
		{name: "on a break", before: both(func(*people) { of = slot{} }, away("+84912345678"))},
	}}
}
