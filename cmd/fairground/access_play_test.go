package main

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
)

var playRows = []accessRow{
	{
		// Games are public. The play belongs to the caller.
		call: "POST /wps/game/launchGame", field: "nodeId",
		object: func(p *actorServer) string { return p.slot().NodeID },
		send: func(p *actorServer, actor, node string) response {
			g := p.slot()
			return launchGame(p, actor, node, g.GameID, g.VendorCode, g.GameCategory)
		},
		want: except(everyone(""), map[string]string{"visitor": noSession}),
		after: func(t *testing.T, p *actorServer, actor, _ string) {
			t.Helper()
			p.checkListed(t, actor, "/wps/relay/GCS_recentGame")
		},
	},
	{
		call: "POST /wps/game/launchGame", field: "gameId",
		object: func(p *actorServer) string { return p.slot().GameID },
		send: func(p *actorServer, actor, game string) response {
			g := p.slot()
			return launchGame(p, actor, g.NodeID, game, g.VendorCode, g.GameCategory)
		},
		want: except(everyone(""), map[string]string{"visitor": noSession}),
	},
	{
		call: "GET /wps/game/play", field: "playId",
		object: func(p *actorServer) string { return p.play() },
		send: func(p *actorServer, actor, id string) response {
			return p.as(actor, http.MethodGet, "/wps/game/play?playId="+id, "")
		},
		want: except(everyone("vendor.unknown_play"), map[string]string{"visitor": noSession, "owner": ""}),
	},
	{
		call: "DELETE /wps/game/play", field: "playId",
		object: func(p *actorServer) string { return p.play() },
		send: func(p *actorServer, actor, id string) response {
			return p.as(actor, http.MethodDelete, "/wps/game/play?playId="+id, "")
		},
		want: except(everyone("vendor.unknown_play"), map[string]string{"visitor": noSession, "owner": ""}),
		after: func(t *testing.T, p *actorServer, actor, id string) {
			t.Helper()
			shown := value[struct{ ClosedAt *int64 }](p.program, http.MethodGet, "/wps/game/play?playId="+id, p.tokens["owner"], "")
			if closed := shown.ClosedAt != nil; closed != (actor == "owner") {
				t.Errorf("after %s: closed = %v, want %v", actor, closed, actor == "owner")
			}
		},
	},
	{
		// Anyone with the ticket can use it, once.
		call: "POST /house/v1/session", field: "ticket",
		object: func(p *actorServer) string { return p.ticket("owner") },
		send: func(p *actorServer, actor, ticket string) response {
			return p.as(actor, http.MethodPost, "/house/v1/session", body(map[string]any{"ticket": ticket}))
		},
		want: everyone(""),
		after: func(t *testing.T, p *actorServer, actor, ticket string) {
			t.Helper()
			if a := p.as(actor, http.MethodPost, "/house/v1/session", body(map[string]any{"ticket": ticket})); a.ErrorCode != "house.session_expired" {
				t.Errorf("second use by %s: %+v, want house.session_expired", actor, a)
			}
		},
	},
	{
		// Session tokens cannot play rounds. internal/game/house tests tokens of other frames.
		call: "POST /house/v1/spin", field: "spinId",
		object: func(*actorServer) string { return "00000000-0000-4000-8000-000000000001" },
		send: func(p *actorServer, actor, id string) response {
			return p.as(actor, http.MethodPost, "/house/v1/spin", `{"spinId":"`+id+`","stake":10000}`)
		},
		want: except(everyone("house.session_expired"), map[string]string{"visitor": noSession}),
	},
	{
		call: "POST /house/v1/table/bet", field: "betId",
		object: func(*actorServer) string { return "00000000-0000-4000-8000-000000000001" },
		send: func(p *actorServer, actor, id string) response {
			return p.as(actor, http.MethodPost, "/house/v1/table/bet", `{"betId":"`+id+`","round":"1","spots":{"player":10000}}`)
		},
		want: except(everyone("house.session_expired"), map[string]string{"visitor": noSession}),
	},
	{
		call: "GET /wps/fairness/round", field: "roundId",
		object: func(p *actorServer) string { return p.round() },
		send: func(p *actorServer, actor, id string) response {
			vendor, round, _ := strings.Cut(id, " ")
			return p.as(actor, http.MethodGet, "/wps/fairness/round?vendor="+vendor+"&roundId="+round, "")
		},
		want: except(everyone("house.unknown_round"), map[string]string{"visitor": noSession, "owner": ""}),
	},
	{
		// Game rules are public.
		call: "GET /wps/fairness/engine", field: "name",
		object: func(*actorServer) string { return "slot" },
		send: func(p *actorServer, actor, name string) response {
			return p.as(actor, http.MethodGet, "/wps/fairness/engine?name="+name, "")
		},
		want: everyone(""),
	},
	{
		// Series are public.
		call: "GET /wps/fairness/oneSeries", field: "id",
		object: func(*actorServer) string { return "1" },
		send: func(p *actorServer, actor, id string) response {
			return p.as(actor, http.MethodGet, "/wps/fairness/oneSeries?id="+id, "")
		},
		want: everyone("fairness.unknown_series"),
	},
	{
		// Draws are public and contain no names.
		call: "GET /wps/jackpot/draw", field: "nonce",
		object: func(*actorServer) string { return "1" },
		send: func(p *actorServer, actor, nonce string) response {
			return p.as(actor, http.MethodGet, "/wps/jackpot/draw?currency=VND&series=1000000&nonce="+nonce, "")
		},
		want: everyone("jackpot.no_draw"),
	},
	{
		// Other members get no draws.
		call: "GET /wps/jackpot/draws", field: "roundId",
		object: func(p *actorServer) string { return p.round() },
		send:   drawsOf,
		want:   except(everyone(""), map[string]string{"visitor": noSession}),
		after: func(t *testing.T, p *actorServer, actor, id string) {
			t.Helper()
			if a := drawsOf(p, actor, id); a.status == http.StatusOK && strings.Contains(string(a.Value), `"draw"`) != (actor == "owner") {
				t.Errorf("%s reads %s, want draws for the owner only", actor, a.Value)
			}
		},
	},
	{
		call: "GET /wps/fairness/table", field: "name",
		object: func(*actorServer) string { return "baccarat" },
		send: func(p *actorServer, actor, name string) response {
			return p.as(actor, http.MethodGet, "/wps/fairness/table?name="+name, "")
		},
		want: everyone(""),
	},
}

func drawsOf(p *actorServer, actor, id string) response {
	vendor, round, _ := strings.Cut(id, " ")
	return p.as(actor, http.MethodGet, "/wps/jackpot/draws?vendor="+vendor+"&roundId="+round, "")
}

func launchGame(p *actorServer, actor string, nodeID, gameID, vendor, category string) response {
	return p.as(actor, http.MethodPost, "/wps/game/launchGame", body(map[string]any{
		"gameCategory": category, "vendor": vendor, "gameId": gameID, "nodeId": nodeID, "supportPlay": true,
	}))
}

type slot struct{ NodeID, GameID, VendorCode, GameCategory string }

func (p *actorServer) slot() slot {
	p.t.Helper()
	list := value[struct{ Games []slot }](p.program, http.MethodGet, "/wps/relay/GCSGAME_gameList?gameCategory=RNG", "", "")
	i := slices.IndexFunc(list.Games, func(g slot) bool { return g.GameCategory == "RNG" })
	return list.Games[i]
}

func (p *actorServer) play() string {
	p.t.Helper()
	g := p.slot()
	a := launchGame(p, "owner", g.NodeID, g.GameID, g.VendorCode, g.GameCategory)
	var l struct{ PlayID string }
	if err := json.Unmarshal(a.Value, &l); err != nil || l.PlayID == "" {
		p.t.Fatalf("launch: got %+v, want a playId", a)
	}
	return l.PlayID
}
