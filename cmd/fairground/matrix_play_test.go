package main

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// playRows are the calls by which games are launched, played and proved.
var playRows = []row{
	{
		// Everyone sees the games; what is launched is the caller's.
		call: "POST /wps/game/launchGame", field: "nodeId",
		object: func(p *people) string { return p.slot().NodeID },
		send: func(p *people, actor, node string) answer {
			g := p.slot()
			return launched(p, actor, node, g.GameID, g.VendorCode, g.GameCategory)
		},
		want: but(all(""), map[string]string{"visitor": noSession}),
		after: func(t *testing.T, p *people, actor, _ string) {
			t.Helper()
			p.onlyThoseUpTo(t, actor, "/wps/relay/GCS_recentGame")
		},
	},
	{
		call: "POST /wps/game/launchGame", field: "gameId",
		object: func(p *people) string { return p.slot().GameID },
		send: func(p *people, actor, game string) answer {
			g := p.slot()
			return launched(p, actor, g.NodeID, game, g.VendorCode, g.GameCategory)
		},
		want: but(all(""), map[string]string{"visitor": noSession}),
	},
	{
		call: "GET /wps/game/play", field: "playId",
		object: func(p *people) string { return p.play() },
		send: func(p *people, actor, id string) answer {
			return p.as(actor, http.MethodGet, "/wps/game/play?playId="+id, "")
		},
		want: but(all("vendor.unknown_play"), map[string]string{"visitor": noSession, "owner": ""}),
	},
	{
		call: "DELETE /wps/game/play", field: "playId",
		object: func(p *people) string { return p.play() },
		send: func(p *people, actor, id string) answer {
			return p.as(actor, http.MethodDelete, "/wps/game/play?playId="+id, "")
		},
		want: but(all("vendor.unknown_play"), map[string]string{"visitor": noSession, "owner": ""}),
		after: func(t *testing.T, p *people, actor, id string) {
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
		object: func(p *people) string { return p.ticket("owner") },
		send: func(p *people, actor, ticket string) answer {
			return p.as(actor, http.MethodPost, "/house/v1/session", body(map[string]any{"ticket": ticket}))
		},
		want: all(""),
		after: func(t *testing.T, p *people, actor, ticket string) {
			t.Helper()
			if a := p.as(actor, http.MethodPost, "/house/v1/session", body(map[string]any{"ticket": ticket})); a.ErrorCode != "house.session_expired" {
				t.Errorf("%s used it again: %+v", actor, a)
			}
		},
	},
	{
		// Members' tokens play no rounds; what one frame may do of another's, internal/game/house shows.
		call: "POST /house/v1/spin", field: "spinId",
		object: func(*people) string { return "00000000-0000-4000-8000-000000000001" },
		send: func(p *people, actor, id string) answer {
			return p.as(actor, http.MethodPost, "/house/v1/spin", `{"spinId":"`+id+`","stake":10000}`)
		},
		want: but(all("house.session_expired"), map[string]string{"visitor": noSession}),
	},
	{
		call: "POST /house/v1/table/bet", field: "betId",
		object: func(*people) string { return "00000000-0000-4000-8000-000000000001" },
		send: func(p *people, actor, id string) answer {
			return p.as(actor, http.MethodPost, "/house/v1/table/bet", `{"betId":"`+id+`","round":"1","spots":{"player":10000}}`)
		},
		want: but(all("house.session_expired"), map[string]string{"visitor": noSession}),
	},
	{
		call: "GET /wps/fairness/round", field: "roundId",
		object: func(p *people) string { return p.round() },
		send: func(p *people, actor, id string) answer {
			vendor, round, _ := strings.Cut(id, " ")
			return p.as(actor, http.MethodGet, "/wps/fairness/round?vendor="+vendor+"&roundId="+round, "")
		},
		want: but(all("house.unknown_round"), map[string]string{"visitor": noSession, "owner": ""}),
	},
	{
		// How games are played is everybody's to read.
		call: "GET /wps/fairness/engine", field: "name",
		object: func(*people) string { return "slot" },
		send: func(p *people, actor, name string) answer {
			return p.as(actor, http.MethodGet, "/wps/fairness/engine?name="+name, "")
		},
		want: all(""),
	},
	{
		// Draws name nobody: everybody may do any of them again.
		call: "GET /wps/jackpot/draw", field: "nonce",
		object: func(*people) string { return "1" },
		send: func(p *people, actor, nonce string) answer {
			return p.as(actor, http.MethodGet, "/wps/jackpot/draw?currency=VND&series=1000000&nonce="+nonce, "")
		},
		want: all("jackpot.no_draw"),
	},
	{
		// Only its own: another's round has no draws for whoever asks.
		call: "GET /wps/jackpot/draws", field: "roundId",
		object: func(p *people) string { return p.round() },
		send:   drawsOf,
		want:   but(all(""), map[string]string{"visitor": noSession}),
		after: func(t *testing.T, p *people, actor, id string) {
			t.Helper()
			if a := drawsOf(p, actor, id); a.status == http.StatusOK && strings.Contains(string(a.Value), `"draw"`) != (actor == "owner") {
				t.Errorf("%s reads %s", actor, a.Value)
			}
		},
	},
	{
		call: "GET /wps/fairness/table", field: "name",
		object: func(*people) string { return "baccarat" },
		send: func(p *people, actor, name string) answer {
			return p.as(actor, http.MethodGet, "/wps/fairness/table?name="+name, "")
		},
		want: all(""),
	},
}

// drawsOf asks for the jackpot's draws of a round.
func drawsOf(p *people, actor, id string) answer {
	vendor, round, _ := strings.Cut(id, " ")
	return p.as(actor, http.MethodGet, "/wps/jackpot/draws?vendor="+vendor+"&roundId="+round, "")
}

// launched asks for a game to be opened.
func launched(p *people, actor string, nodeID, gameID, vendor, category string) answer {
	return p.as(actor, http.MethodPost, "/wps/game/launchGame", body(map[string]any{
		"gameCategory": category, "vendor": vendor, "gameId": gameID, "nodeId": nodeID, "supportPlay": true,
	}))
}

type slot struct{ NodeID, GameID, VendorCode, GameCategory string }

// slot is a game that the House serves.
func (p *people) slot() slot {
	p.t.Helper()
	list := value[struct{ Games []slot }](p.program, http.MethodGet, "/wps/relay/GCSGAME_gameList?gameCategory=RNG", "", "")
	i := slices.IndexFunc(list.Games, func(g slot) bool { return g.GameCategory == "RNG" })
	return list.Games[i]
}

func (p *people) play() string {
	p.t.Helper()
	g := p.slot()
	a := launched(p, "owner", g.NodeID, g.GameID, g.VendorCode, g.GameCategory)
	var l struct{ PlayID string }
	if err := json.Unmarshal(a.Value, &l); err != nil || l.PlayID == "" {
		p.t.Fatalf("%+v", a)
	}
	return l.PlayID
}
