package house_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"fairground/internal/game/house/housetest"
	"fairground/internal/game/house/round"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

func TestResponses(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := housetest.New(t, store)
		merchanttest.Want(t, s.Call(t, "GET", "/wps/fairness/seed", nil, "Authorization", "minh"), 200, `{"success": true, "value": {"clientSeed": "", "commitment": "", "fixed": false, "nonce": 1, "publishedAt": 0}}`)
		opened := s.Call(t, "POST", "/house/v1/session", map[string]any{"ticket": s.Wallet.Ticket(housetest.PlayerOf(housetest.Minh))})
		merchanttest.Want(t, opened, 200, `{
			"success": true,
			"value": {
				"balance": 1000000, "game": {"code": "rong-vang", "engine": "slot", "name": "rong-vang (vi)", "theme": "dragon", "vendor": "HOUSE"},
				"player": {
					"currency": {"code": "VND", "decimals": 0, "pattern": "#,##0", "position": "B", "symbol": "₫"}, "language": "vi", "nickname": "Minh",
					"trial": false
				},
				"slot": {
					"clientSeed": "103a49a2c7ff7f87", "commitment": "f7d638256b73561b9a7a4c151de17e4bc3b11392450438f59da04b693adc2604", "cycleMs": 2500,
					"fixed": false, "freeRounds": {"awards": {"3": 8, "4": 12, "5": 20}, "most": 40, "multipliers": [2]}, "kind": "lines", "last": null,
					"lines": 20, "multipliers": [1], "nonce": 1, "open": null, "parts": 20, "paylines": "(varies)", "paytable": "(varies)", "reels": 5,
					"rows": 3, "rtp": "96.26", "scatter": "scatter", "stake": 10000,
					"stakes": [1000, 2000, 5000, 10000, 20000, 50000, 100000, 200000, 500000], "strips": "(varies)",
					"symbols": ["wild", "scatter", "dragon", "lotus", "diamond", "lantern", "envelope", "A", "K", "Q", "J", "10"], "ways": 0,
					"wild": "wild"
				},
				"token": "a9ROS-_neSwZSk9rP4XmsUVOlPVveFPCt19nWTVi6-I"
			}
		}`, "strips", "paylines", "paytable")
		token := merchanttest.Value[housetest.SessionResponse](t, opened).Token
		frame := func(method, path string, body any) merchanttest.Reply {
			return s.Call(t, method, path, body, "Authorization", token)
		}
		merchanttest.Want(t, frame("GET", "/house/v1/state", nil), 200, `{
			"success": true,
			"value": {
				"balance": 1000000, "last": null,
				"next": {
					"clientSeed": "103a49a2c7ff7f87", "commitment": "f7d638256b73561b9a7a4c151de17e4bc3b11392450438f59da04b693adc2604", "fixed": false,
					"nonce": 1
				},
				"open": null
			}
		}`)
		merchanttest.Want(t, frame("GET", "/house/v1/history", nil), 200, `{"success": true, "value": {"list": [], "next": null}}`)
		s.Clock.Add(round.MinBetInterval)
		merchanttest.Want(t, s.Spin(token, 1), 200, `{
			"success": true,
			"value": {
				"balance": 990000,
				"next": {
					"clientSeed": "103a49a2c7ff7f87", "commitment": "5aa6926fbe50e2cf44b0e91baee6c2b99908a1bed903e2a9d2104c76982ab160", "fixed": false,
					"nonce": 2
				},
				"round": {
					"at": 1773480415500, "clientSeed": "103a49a2c7ff7f87",
					"commitment": "f7d638256b73561b9a7a4c151de17e4bc3b11392450438f59da04b693adc2604", "freeRounds": 0, "id": "1005", "net": -10000,
					"nonce": 1, "seed": "c6869f767aae0bd53d734471812531980e1a0341282f0276c8623e39d081daa6",
					"spins": [
						{
							"awarded": 0, "free": false,
							"grid": [
								["diamond", "dragon", "Q"], ["K", "A", "dragon"], ["Q", "lantern", "envelope"], ["wild", "J", "dragon"],
								["diamond", "wild", "Q"]
							],
							"multiplier": 1,
							"steps": [
								{
									"grid": [
										["diamond", "dragon", "Q"], ["K", "A", "dragon"], ["Q", "lantern", "envelope"], ["wild", "J", "dragon"],
										["diamond", "wild", "Q"]
									],
									"multiplier": 1, "win": 0, "wins": []
								}
							],
							"stops": [28, 18, 10, 24, 1], "win": 0, "wins": []
						}
					],
					"stake": 10000, "win": 0
				}
			}
		}`)
		merchanttest.Want(t, s.Spin(token, 2), 429, `{"errorCode": "house.too_fast", "message": "too many requests", "success": false}`)
		merchanttest.Want(t, frame("GET", "/house/v1/history", nil), 200, `{
			"success": true,
			"value": {
				"list": [
					{
						"at": 1773480415500, "clientSeed": "103a49a2c7ff7f87",
						"commitment": "f7d638256b73561b9a7a4c151de17e4bc3b11392450438f59da04b693adc2604", "freeRounds": 0, "id": "1005",
						"net": -10000, "nonce": 1, "seed": "c6869f767aae0bd53d734471812531980e1a0341282f0276c8623e39d081daa6",
						"spins": "(varies)", "stake": 10000, "win": 0
					}
				],
				"next": null
			}
		}`, "spins")
		id := ""
		for n := 2; n < 30 && id == ""; n++ { // until a spin wins
			if r := s.Play(token, n).Round; r.Win > 0 {
				id = r.ID
			}
		}
		merchanttest.Want(t, frame("GET", "/house/v1/state", nil), 200, `{
			"success": true,
			"value": {
				"balance": 936000,
				"last": {
					"at": 1773480430500, "clientSeed": "103a49a2c7ff7f87",
					"commitment": "2cb0998773360b44ccec6fe44505713030ed7471aa16876f8f1fdefbe46ae745", "freeRounds": 0, "id": "1012", "net": -4000,
					"nonce": 7, "seed": "35ad4284deda0688ad82e01ec63006b63a98b1e76e2098dd51d448a458869ba7", "spins": "(varies)", "stake": 10000,
					"win": 6000
				},
				"next": {
					"clientSeed": "103a49a2c7ff7f87", "commitment": "1378d687c583613049ec508db3b14faf45a3caf5debca7d752bc92e5c1c80b8c", "fixed": false,
					"nonce": 8
				},
				"open": null
			}
		}`, "spins")
		member := func(method, path string, body any) merchanttest.Reply {
			return s.Call(t, method, path, body, "Authorization", "minh", "Language", "EN")
		}
		merchanttest.Want(t, member("GET", "/wps/fairness/seed", nil), 200, `{
			"success": true,
			"value": {
				"clientSeed": "103a49a2c7ff7f87", "commitment": "1378d687c583613049ec508db3b14faf45a3caf5debca7d752bc92e5c1c80b8c", "fixed": false,
				"nonce": 8, "publishedAt": 1773480430500
			}
		}`)
		merchanttest.Want(t, member("PUT", "/wps/fairness/seed", map[string]any{"clientSeed": "Minh-Anh_92"}), 200, `{
			"success": true,
			"value": {
				"clientSeed": "Minh-Anh_92", "commitment": "1378d687c583613049ec508db3b14faf45a3caf5debca7d752bc92e5c1c80b8c", "fixed": true, "nonce": 8,
				"publishedAt": 1773480430500
			}
		}`)
		merchanttest.Want(t, member("GET", "/wps/fairness/round?vendor=HOUSE&roundId="+id, nil), 200, `{
			"success": true,
			"value": {
				"at": 1773480430500, "clientSeed": "103a49a2c7ff7f87",
				"commitment": "2cb0998773360b44ccec6fe44505713030ed7471aa16876f8f1fdefbe46ae745", "currency": "VND", "engine": "slot",
				"gameId": "rong-vang", "gameName": "rong-vang (en)", "nonce": 7,
				"outcome": {
					"freeRounds": 0,
					"spins": [
						{
							"awarded": 0, "free": false,
							"grid": [
								["lantern", "J", "A"], ["10", "lantern", "wild"], ["K", "Q", "lantern"], ["diamond", "Q", "lantern"],
								["wild", "lantern", "A"]
							],
							"multiplier": 1, "steps": "(varies)", "stops": [20, 22, 9, 29, 22], "win": 6000,
							"wins": [
								{
									"amount": 6000, "cells": [[0, 0], [1, 1], [2, 2]], "count": 3, "line": 5, "symbol": "lantern",
									"times": 12, "ways": 0
								}
							]
						}
					]
				},
				"publishedAt": 1773480428000, "roundId": "1012", "seed": "35ad4284deda0688ad82e01ec63006b63a98b1e76e2098dd51d448a458869ba7",
				"stake": 10000, "theme": "dragon", "ticket": null, "vendor": "HOUSE", "version": 2, "win": 6000
			}
		}`, "steps")
		merchanttest.Want(t, member("GET", "/wps/fairness/round?vendor=HOUSE&roundId=1", nil), 404, `{"errorCode": "house.unknown_round", "message": "not found", "success": false}`)
		merchanttest.Want(t, s.Call(t, "GET", "/wps/fairness/engine?name=slot", nil), 200, `{
			"success": true,
			"value": {
				"freeRounds": {"awards": {"3": 8, "4": 12, "5": 20}, "most": 40, "multipliers": [2]}, "kind": "lines", "lines": "(varies)",
				"multipliers": [1], "name": "slot", "parts": 20, "pays": "(varies)", "rows": 3, "rtp": "96.26", "scatter": "scatter",
				"scatterPays": {"3": 2, "4": 10, "5": 100}, "strips": "(varies)",
				"symbols": ["wild", "scatter", "dragon", "lotus", "diamond", "lantern", "envelope", "A", "K", "Q", "J", "10"], "version": 2,
				"wild": "wild"
			}
		}`, "strips", "lines", "pays")
		merchanttest.Want(t, s.Call(t, "GET", "/wps/fairness/engine?name=wheel", nil), 404, `{"errorCode": "house.unknown_engine", "message": "not found", "success": false}`)
	})
}

// A frame's token cannot make member calls, and a member's token cannot make frame calls.
func TestPP17SeedIsSecretUntilSettled(t *testing.T) {
	t.Parallel()
	s := housetest.New(t, dbtest.SQLite(t))
	session := s.Open(housetest.Minh)
	s.Clock.Add(round.MinBetInterval)
	s.Wallet.RefuseBets = "INSUFFICIENT_FUNDS"
	s.WantError(s.Spin(session.Token, 2), 422, "house.insufficient_funds")
	s.Wallet.RefuseBets = ""
	s.Wallet.Fail = func(string, int) housetest.Failure { return housetest.FailBefore }
	s.WantError(s.Spin(session.Token, 3), 503, "house.pending")
	s.Wallet.Fail = nil
	s.Clock.Add(61 * time.Second)
	if err := s.House.Recover(t.Context()); err != nil {
		t.Fatal(err)
	}
	for n, status := range map[int]string{2: "refused", 3: "refunded"} {
		var id int64
		err := s.Store.Reader.QueryRowContext(t.Context(), "SELECT id FROM house_round WHERE spin_id = '"+housetest.SpinID(n)+"' AND status = '"+status+"'").Scan(&id)
		if err != nil {
			t.Fatalf("%s: %v", status, err)
		}
		s.WantError(s.Call(t, "GET", fmt.Sprintf("/wps/fairness/round?vendor=HOUSE&roundId=%d", id), nil, "Authorization", "minh"), 404, "house.unknown_round")
	}
	s.Wallet.Fail = func(call string, _ int) housetest.Failure {
		if call == "win" {
			return housetest.FailBefore
		}
		return housetest.NoFailure
	}
	s.WantError(s.Spin(session.Token, 1), 503, "house.pending")
	id := ""
	for known := range s.Wallet.Rounds {
		id = known
	}
	r := s.Call(t, "GET", "/wps/fairness/round?vendor=HOUSE&roundId="+id, nil, "Authorization", "minh")
	got := merchanttest.Value[housetest.RoundResponse](t, r)
	if got.Seed != nil || got.Commitment != session.Commitment || !strings.Contains(string(r.Body), `"outcome":null`) {
		t.Errorf("proof = %s, want no seed and no outcome", r.Body)
	}
}

// A chosen client seed applies from the next round on.
func TestChosenClientSeed(t *testing.T) {
	t.Parallel()
	s := housetest.New(t, dbtest.SQLite(t))
	session := s.Open(housetest.Minh)
	s.Play(session.Token, 1)
	s.Call(t, "PUT", "/wps/fairness/seed", map[string]any{"clientSeed": "Minh-Anh_92"}, "Authorization", "minh")
	if r := s.Play(session.Token, 2).Round; r.ClientSeed != "Minh-Anh_92" || r.Nonce != 2 {
		t.Errorf("round = %+v, want the chosen client seed and nonce 2", r)
	}
}

// The browser draws a client seed for every spin after it has seen the commitment.
func TestPP17PartClientSeedOfASpinComesAfterTheCommitment(t *testing.T) {
	t.Parallel()
	s := housetest.New(t, dbtest.SQLite(t))
	session := s.Open(housetest.Minh)
	commitment := func() string {
		return merchanttest.Value[struct{ Commitment string }](t, s.Call(t, "GET", "/wps/fairness/seed", nil, "Authorization", "minh")).Commitment
	}
	spin := func(n int, clientSeed, commitment string) merchanttest.Reply {
		s.Clock.Add(round.MinBetInterval)
		return s.Call(t, "POST", "/house/v1/spin", map[string]any{"spinId": housetest.SpinID(n), "stake": 10_000, "clientSeed": clientSeed, "commitment": commitment}, "Authorization", session.Token)
	}
	seen := []string{}
	for n, own := range []string{"fresh-1", "fresh-2"} {
		seen = append(seen, commitment())
		if r := merchanttest.Value[housetest.SpinResponse](t, spin(n+1, own, seen[n])).Round; r.ClientSeed != own || r.Commitment != seen[n] {
			t.Errorf("round %d = %+v, want the client seed %s and the commitment %s", n+1, r, own, seen[n])
		}
	}
	if seen[0] == seen[1] {
		t.Errorf("both rounds have the commitment %s, want a new one for each", seen[0])
	}
	s.WantError(spin(3, "fresh-3", seen[1]), 409, "house.other_seed")
	s.Call(t, "PUT", "/wps/fairness/seed", map[string]any{"clientSeed": "fixed"}, "Authorization", "minh")
	for n := 4; n < 6; n++ {
		if r := merchanttest.Value[housetest.SpinResponse](t, spin(n, "fresh-4", commitment())).Round; r.ClientSeed != "fixed" {
			t.Errorf("round %d has the client seed %s, want the fixed one", n, r.ClientSeed)
		}
	}
}

func TestBadInput(t *testing.T) {
	t.Parallel()
	s := housetest.New(t, dbtest.SQLite(t))
	token := s.Open(housetest.Minh).Token
	s.Clock.Add(round.MinBetInterval)
	for _, tt := range []struct{ path, body, code string }{
		{"session", `{}`, "request_param_err"},
		{"session", `{"ticket":""}`, "request_param_err"},
		{"session", `{"ticket":5}`, "request_param_err"},
		{"session", `{"ticket":"a b"}`, "request_param_err"},
		{"session", `{"ticket":"` + strings.Repeat("a", 129) + `"}`, "request_param_err"},
		{"session", `{"ticket":"a","vendor":"x"}`, "request_param_err"},
		{"session", `[`, "request_param_err"},
		{"spin", `{"stake":10000}`, "request_param_err"},
		{"spin", `{"spinId":"1","stake":10000}`, "request_param_err"},
		{"spin", `{"spinId":"` + strings.ToUpper("0000000a-0000-4000-8000-000000000001") + `","stake":10000}`, "request_param_err"},
		{"spin", `{"spinId":"` + housetest.SpinID(1) + `"}`, "request_param_err"},
		{"spin", `{"spinId":"` + housetest.SpinID(1) + `","stake":"10000"}`, "request_param_err"},
		{"spin", `{"spinId":"` + housetest.SpinID(1) + `","stake":null}`, "request_param_err"},
		{"spin", `{"spinId":"` + housetest.SpinID(1) + `","stake":10000,"win":1}`, "request_param_err"},
		{"spin", `{"spinId":"` + housetest.SpinID(1) + `","stake":0}`, "house.invalid_stake"},
		{"spin", `{"spinId":"` + housetest.SpinID(1) + `","stake":-10000}`, "house.invalid_stake"},
		{"spin", `{"spinId":"` + housetest.SpinID(1) + `","stake":10000.5}`, "house.invalid_stake"},
		{"spin", `{"spinId":"` + housetest.SpinID(1) + `","stake":1e4}`, "house.invalid_stake"},
		{"spin", `{"spinId":"` + housetest.SpinID(1) + `","stake":9999}`, "house.invalid_stake"},
		{"spin", `{"spinId":"` + housetest.SpinID(1) + `","stake":99999999999999999999}`, "house.invalid_stake"},
	} {
		s.WantError(s.Call(t, "POST", "/house/v1/"+tt.path, tt.body, "Authorization", token), 400, tt.code)
	}
	for _, query := range []string{"before=0", "before=x", "before=-1", "before=99999999999999999999", "before=9999999999999999999"} {
		s.WantError(s.Call(t, "GET", "/house/v1/history?"+query, nil, "Authorization", token), 400, "request_param_err")
	}
	for _, seed := range []string{`"a:b"`, `"ă"`, `5`, `null`, `"` + strings.Repeat("a", 65) + `"`} {
		s.WantError(s.Call(t, "PUT", "/wps/fairness/seed", `{"clientSeed":`+seed+`}`, "Authorization", "minh"), 400, "request_param_err")
	}
	for _, query := range []string{"", "vendor=HOUSE", "roundId=1", "vendor=&roundId=1", "vendor=HOUSE&roundId=x", "vendor=a%20b&roundId=1", "vendor=HOUSE&roundId=-1"} {
		s.WantError(s.Call(t, "GET", "/wps/fairness/round?"+query, nil, "Authorization", "minh"), 400, "request_param_err")
	}
	s.WantError(s.Call(t, "GET", "/wps/fairness/round?vendor=HOUSE&roundId=9999999999999999999", nil, "Authorization", "minh"), 404, "house.unknown_round")
	if s.Wallet.Counts["bet"] != 0 {
		t.Errorf("calls = %v, want no bet", s.Wallet.Calls)
	}
	s.WantError(s.Call(t, "GET", "/house/v1/spin", nil, "Authorization", token), http.StatusMethodNotAllowed, "route.unknown")
	s.WantError(s.Call(t, "GET", "/house/v2/spin", nil, "Authorization", token), 404, "route.unknown")
}

func TestHistoryPages(t *testing.T) {
	t.Parallel()
	s := housetest.New(t, dbtest.SQLite(t))
	token := s.Open(housetest.Minh).Token
	for n := 1; n <= 45; n++ {
		s.Play(token, n)
	}
	type page struct {
		List []housetest.RoundResponse
		Next *string
	}
	want, query := int64(45), ""
	for pages := 1; ; pages++ {
		p := merchanttest.Value[page](t, s.Call(t, "GET", "/house/v1/history"+query, nil, "Authorization", token))
		for _, r := range p.List {
			if r.Nonce != want {
				t.Fatalf("page %d: nonce = %d, want %d", pages, r.Nonce, want)
			}
			want--
		}
		if p.Next == nil {
			break
		}
		query = "?before=" + *p.Next
	}
	if want != 0 {
		t.Errorf("%d rounds are missing", want)
	}
}

// With the same seed, play money and real money have the same outcome (PP-12).
func TestPP12FreePlayIsTheSameGame(t *testing.T) {
	t.Parallel()
	var outcomes [2]string
	for i, currency := range []string{"VND", "FUN"} {
		s := housetest.New(t, dbtest.SQLite(t)) // the same random bytes each time
		s.Wallet.Currency = currency
		token := s.Open(housetest.Minh).Token
		for n := 1; n <= 10; n++ {
			r := s.Play(token, n).Round
			outcomes[i] += fmt.Sprintln(r.Spins, *r.Seed, r.Win)
		}
	}
	if outcomes[0] != outcomes[1] {
		t.Errorf("real play:\n%s\nfree play, want the same:\n%s", outcomes[0], outcomes[1])
	}
}

// A request is refused if it names a merchant other than the frame's.
