package main

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// playRows are the calls by which games are launched, played and proved.
var playRows = []accessRow{
	{
		// Everyone sees the games; what is launched is the caller's.
		call: "POST /wps/game/launchGame", field: "nodeId",
		object: func(p *callers) string { return p.slot().NodeID },
		send: func(p *callers, actor, node string) response {
			g := p.slot()
			return launched(p, actor, node, g.GameID, g.VendorCode, g.GameCategory)
		},
		want: except(everyone(""), map[string]string{"visitor": noSession}),
		after: func(t *testing.T, p *callers, actor, _ string) {
			t.Helper()
			p.checkListed(t, actor, "/wps/relay/GCS_recentGame")
		},
	},
	{
		call: "POST /wps/game/launchGame", field: "gameId",
		object: func(p *callers) string { return p.slot().GameID },
		send: func(p *callers, actor, game string) response {
			g := p.slot()
			return launched(p, actor, g.NodeID, game, g.VendorCode, g.GameCategory)
		},
		want: except(everyone(""), map[string]string{"visitor": noSession}),
	},
	{
		call: "GET /wps/game/play", field: "playId",
		object: func(p *callers) string { return p.play() },
		send: func(p *callers, actor, id string) response {
			return p.as(actor, http.MethodGet, "/wps/game/play?playId="+id, "")
		},
		want: except(everyone("vendor.unknown_play"), map[string]string{"visitor": noSession, "owner": ""}),
	},
	{
		call: "DELETE /wps/game/play", field: "playId",
		object: func(p *callers) string { return p.play() },
		send: func(p *callers, actor, id string) response {
			return p.as(actor, http.MethodDelete, "/wps/game/play?playId="+id, "")
		},
		want: except(everyone("vendor.unknown_play"), map[string]string{"visitor": noSession, "owner": ""}),
		after: func(t *testing.T, p *callers, actor, id string) {
			t.Helper()
			shown := value[struct{ ClosedAt *int64 }](p.program, http.MethodGet, "/wps/game/play?playId="+id, p.tokens["owner"], "")
			if closed := shown.ClosedAt != nil; closed != (actor == "owner") {
				t.Errorf("closed by %s: %v", actor, closed)
			}
		},
	},
	{
		// A ticket is for whoever holds it, once: it stands for the play that it was made for.
		call: "POST /house/v1/session", field: "ticket",
		object: func(p *callers) string { return p.ticket("owner") },
		send: func(p *callers, actor, ticket string) response {
			return p.as(actor, http.MethodPost, "/house/v1/session", body(map[string]any{"ticket": ticket}))
		},
		want: everyone(""),
		after: func(t *testing.T, p *callers, actor, ticket string) {
			t.Helper()
			if a := p.as(actor, http.MethodPost, "/house/v1/session", body(map[string]any{"ticket": ticket})); a.ErrorCode != "house.session_expired" {
				t.Errorf("%s used it again: %+v", actor, a)
			}
		},
	},
	{
		// Members' tokens play no rounds; what one frame may do of another's, internal/game/house shows.
		call: "POST /house/v1/spin", field: "spinId",
		object: func(*callers) string { return "00000000-0000-4000-8000-000000000001" },
		send: func(p *callers, actor, id string) response {
			return p.as(actor, http.MethodPost, "/house/v1/spin", `{"spinId":"`+id+`","stake":10000}`)
		},
		want: except(everyone("house.session_expired"), map[string]string{"visitor": noSession}),
	},
	{
		call: "POST /house/v1/table/bet", field: "betId",
		object: func(*callers) string { return "00000000-0000-4000-8000-000000000001" },
		send: func(p *callers, actor, id string) response {
			return p.as(actor, http.MethodPost, "/house/v1/table/bet", `{"betId":"`+id+`","round":"1","spots":{"player":10000}}`)
		},
		want: except(everyone("house.session_expired"), map[string]string{"visitor": noSession}),
	},
	{
		call: "GET /wps/fairness/round", field: "roundId",
		object: func(p *callers) string { return p.round() },
		send: func(p *callers, actor, id string) response {
			vendor, round, _ := strings.Cut(id, " ")
			return p.as(actor, http.MethodGet, "/wps/fairness/round?vendor="+vendor+"&roundId="+round, "")
		},
		want: except(everyone("house.unknown_round"), map[string]string{"visitor": noSession, "owner": ""}),
	},
	{
		// How games are played is everybody's to read.
		call: "GET /wps/fairness/engine", field: "name",
		object: func(*callers) string { return "slot" },
		send: func(p *callers, actor, name string) response {
			return p.as(actor, http.MethodGet, "/wps/fairness/engine?name="+name, "")
		},
		want: everyone(""),
	},
	{
		// Draws name nobody: everybody may do any of them again.
		call: "GET /wps/jackpot/draw", field: "nonce",
		object: func(*callers) string { return "1" },
		send: func(p *callers, actor, nonce string) response {
			return p.as(actor, http.MethodGet, "/wps/jackpot/draw?currency=VND&series=1000000&nonce="+nonce, "")
		},
		want: everyone("jackpot.no_draw"),
	},
	{
		// Only its own: another's round has no draws for whoever asks.
		call: "GET /wps/jackpot/draws", field: "roundId",
		object: func(p *callers) string { return p.round() },
		send:   drawsOf,
		want:   except(everyone(""), map[string]string{"visitor": noSession}),
		after: func(t *testing.T, p *callers, actor, id string) {
			t.Helper()
			if a := drawsOf(p, actor, id); a.status == http.StatusOK && strings.Contains(string(a.Value), `"draw"`) != (actor == "owner") {
				t.Errorf("%s reads %s", actor, a.Value)
			}
		},
	},
	{
		call: "GET /wps/fairness/table", field: "name",
		object: func(*callers) string { return "baccarat" },
		send: func(p *callers, actor, name string) response {
			return p.as(actor, http.MethodGet, "/wps/fairness/table?name="+name, "")
		},
		want: everyone(""),
	},
}

// drawsOf asks for the jackpot's draws of a round.
func drawsOf(p *callers, actor, id string) response {
	vendor, round, _ := strings.Cut(id, " ")
	return p.as(actor, http.MethodGet, "/wps/jackpot/draws?vendor="+vendor+"&roundId="+round, "")
}

// launched asks for a game to be opened.
func launched(p *callers, actor string, nodeID, gameID, vendor, category string) response {
	return p.as(actor, http.MethodPost, "/wps/game/launchGame", body(map[string]any{
		"gameCategory": category, "vendor": vendor, "gameId": gameID, "nodeId": nodeID, "supportPlay": true,
	}))
}

type slot struct{ NodeID, GameID, VendorCode, GameCategory string }

// slot is a game that the House serves.
func (p *callers) slot() slot {
	p.t.Helper()
	list := value[struct{ Games []slot }](p.program, http.MethodGet, "/wps/relay/GCSGAME_gameList?gameCategory=RNG", "", "")
	i := slices.IndexFunc(list.Games, func(g slot) bool { return g.GameCategory == "RNG" })
	return list.Games[i]
}

func (p *callers) play() string {
	p.t.Helper()
	g := p.slot()
	a := launched(p, "owner", g.NodeID, g.GameID, g.VendorCode, g.GameCategory)
	var l struct{ PlayID string }
	if err := json.Unmarshal(a.Value, &l); err != nil || l.PlayID == "" {
		p.t.Fatalf("%+v", a)
	}
	return l.PlayID
}
