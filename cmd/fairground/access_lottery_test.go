package main

import (
	"encoding/json"
	"net/http"
	"time"
)

// fastGame is a game of the demo that draws every minute.
const fastGame = "1101"

// lotteryToken opens the fast game for an actor and returns the token of its frame.
func (p *actorServer) lotteryToken(actor string) string {
	p.t.Helper()
	launched := p.as(actor, http.MethodPost, "/wps/game/launchGame", body(map[string]any{"gameCategory": "ELOTT", "vendor": "ELOTT", "gameId": fastGame}))
	var l struct{ Ticket string }
	if err := json.Unmarshal(launched.Value, &l); err != nil || l.Ticket == "" {
		p.t.Fatalf("launch: got %+v, want a ticket", launched)
	}
	opened := p.send(http.MethodPost, "/lgw/session", body(map[string]any{"token": l.Ticket}))
	var s struct{ Session string }
	if err := json.Unmarshal(opened.Value, &s); err != nil || s.Session == "" {
		p.t.Fatalf("open: got %+v, want a session", opened)
	}
	return s.Session
}

// lotteryOrder returns an order with one bet on the fast game. Its request id is the numero:
// the game draws every minute, so a second order of the same actor can be for another numero.
func lotteryOrder(numero string) string {
	return body(map[string]any{
		"requestId": numero, "gameId": fastGame, "numero": numero, "playType": "trad", "prizeMode": "Elott",
		"bets": []any{map[string]any{"playCode": "sum-side", "selection": "big", "stake": 1000, "multiple": 1, "odds": "1.940"}},
	})
}

// inLottery sends a call as an actor in their own frame. Visitors have none.
func inLottery(p *actorServer, actor, method, path, sent string) response {
	if actor == "visitor" {
		return p.send(method, path, sent)
	}
	return p.call(method, path, p.lotteryToken(actor), sent)
}

type nearNumero struct {
	Numero                          string
	OpenTime, CloseTime, ServerTime int64
}

// openNumero runs the draws that are due and returns the current numero (draw) of the fast game.
func (p *actorServer) openNumero() (near nearNumero) {
	p.t.Helper()
	if err := p.services.Lottery.DrawDue(p.t.Context()); err != nil {
		p.t.Fatal(err)
	}
	if a := p.send(http.MethodGet, "/lgw/numeros/near?gameId="+fastGame, ""); json.Unmarshal(a.Value, &near) != nil || near.Numero == "" {
		p.t.Fatalf("near: got %+v, want a numero", a)
	}
	return near
}

func newOrder(p *actorServer) string {
	p.t.Helper()
	p.deposit()
	near := p.openNumero()
	if left := time.Duration(near.CloseTime-near.ServerTime) * time.Millisecond; left < 30*time.Second { // bet on the next one
		p.clockOffset.Add(int64(left + 20*time.Second))
		near = p.openNumero()
	} else if wait := near.OpenTime - near.ServerTime; wait > 0 { // the first numero of a new series
		p.clockOffset.Add(wait * int64(time.Millisecond))
	}
	a := inLottery(p, "owner", http.MethodPost, "/lgw/orders/betting", lotteryOrder(near.Numero))
	var placed struct{ OrderID string }
	if err := json.Unmarshal(a.Value, &placed); err != nil || placed.OrderID == "" {
		p.t.Fatalf("bet: got %+v, want an order", a)
	}
	return placed.OrderID
}

// publicOfLottery returns a row for a lottery call whose objects are public.
func publicOfLottery(path, field, query, object, code string) accessRow {
	return accessRow{
		call: "GET " + path, field: field, object: func(*actorServer) string { return object },
		send: func(p *actorServer, actor, id string) response { return p.as(actor, http.MethodGet, query+id, "") },
		want: everyone(code),
	}
}

var orderOfOwner = except(everyone("lottery.unknown_order"), map[string]string{"visitor": noSession, "owner": ""})

var lotteryRows = []accessRow{
	publicOfLottery("/lgw/draw/{gameId}", "gameId", "/lgw/draw/", fastGame, ""),
	publicOfLottery("/lgw/games/{id}/play_menu", "id", "/lgw/games/1101/play_menu?prizeMode=", "", ""),
	publicOfLottery("/lgw/games/{id}/stats", "id", "/lgw/games/1101/stats?playCode=", "sum-side", ""),
	publicOfLottery("/lgw/games/{id}/stats", "playCode", "/lgw/games/1101/stats?playCode=", "sum-side", ""),
	publicOfLottery("/lgw/numeros/near", "gameId", "/lgw/numeros/near?gameId=", fastGame, ""),
	publicOfLottery("/lgw/vn/numeros/opened/game", "gameId", "/lgw/vn/numeros/opened/game?numero=20261101&gameId=", "101", "lottery.unknown_numero"),
	publicOfLottery("/lgw/series/{series}", "series", "/lgw/series/", "1", "lottery.unknown_series"),
	{
		call: "GET /lgw/orders/{id}", field: "id", object: newOrder,
		send: func(p *actorServer, actor, id string) response {
			return inLottery(p, actor, http.MethodGet, "/lgw/orders/"+id, "")
		},
		want: orderOfOwner,
	},
	{
		call: "DELETE /lgw/orders/{id}", field: "id", object: newOrder,
		send: func(p *actorServer, actor, id string) response {
			return inLottery(p, actor, http.MethodDelete, "/lgw/orders/"+id, "")
		},
		want: orderOfOwner,
	},
	{
		// Games are public. The list belongs to the caller.
		call: "GET /lgw/orders", field: "gameId", object: func(*actorServer) string { return fastGame },
		send: func(p *actorServer, actor, game string) response {
			return inLottery(p, actor, http.MethodGet, "/lgw/orders?gameId="+game, "")
		},
		want: except(everyone(""), map[string]string{"visitor": noSession}),
	},
	{
		call: "POST /lgw/orders/betting", field: "gameId", object: func(*actorServer) string { return "1" },
		send: func(p *actorServer, actor, numero string) response {
			return inLottery(p, actor, http.MethodPost, "/lgw/orders/betting", lotteryOrder(numero))
		},
		want: except(everyone("lottery.unknown_numero"), map[string]string{"visitor": noSession}),
	},
}
