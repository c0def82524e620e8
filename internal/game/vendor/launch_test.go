package vendor_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"fairground/internal/fault"
	"fairground/internal/game/catalogue"
	"fairground/internal/game/vendor"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
)

func launchBody(w *vendorSite, game, vendorCode, category string) map[string]any {
	return map[string]any{"gameCategory": category, "vendor": vendorCode, "gameId": game, "nodeId": fmt.Sprint(w.nodes[game]), "supportPlay": true}
}

func TestLaunch(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newVendorSite(t, store)
		off := func(code string, on bool) {
			t.Helper()
			w.exec(t, "UPDATE game SET enabled = $1 WHERE code = $2", on, code)
			w.exec(t, "UPDATE catalogue SET version = version + 1")
			w.Clock.Add(2 * time.Minute)
		}
		launch := func(who string, body map[string]any) merchanttest.Reply {
			t.Helper()
			return w.Call(t, "POST", "/wps/game/launchGame", body, "Authorization", who)
		}
		t.Run("GL-03 CA-10 launchGame: responses", func(t *testing.T) {
			merchanttest.Want(t, launch("minhanh92", launchBody(w, "G1", "TEST", "RNG")), 200, `{
				"success":true,
				"value":{
					"content":{"game_url":"(varies)"}, "gameUrl":"(varies)", "mode":"frame", "origin":"https://play.test.example",
					"playId":"(varies)", "startedAt":"(varies)"
				}
			}`, "gameUrl", "game_url", "playId", "startedAt")
			merchanttest.Want(t, launch("minhanh92", launchBody(w, "H1", "HOUSE", "RNG")), 200, `{
				"success":true,
				"value":{"content":{"game_url":"(varies)"},"gameUrl":"(varies)","mode":"frame","origin":"","playId":"(varies)","startedAt":"(varies)"}
			}`, "gameUrl", "game_url", "playId", "startedAt")
			body := launchBody(w, "G1", "TEST", "RNG")
			delete(body, "nodeId")
			if r := launch("minhanh92", body); r.Status != 200 {
				t.Errorf("without nodeId: %d %s, want 200", r.Status, r.Body)
			}
			var l struct{ Value struct{ GameURL string } }
			if err := json.Unmarshal(launch("trial004", launchBody(w, "G1", "TEST", "RNG")).Body, &l); err != nil || !strings.HasPrefix(l.Value.GameURL, "https://play.test.example/g?t=") {
				t.Errorf("trial member: %+v %v, want \"https://play.test.example/g?t=\"", l, err)
			}
		})
		t.Run("CA-12 launched games are listed as recent", func(t *testing.T) {
			r := w.Call(t, "GET", "/wps/relay/GCS_recentGame", nil, "Authorization", "minhanh92")
			if !strings.Contains(string(r.Body), `"gameId":"G1"`) || !strings.Contains(string(r.Body), `"gameId":"H1"`) {
				t.Errorf("response = %s, want games G1 and H1", r.Body)
			}
		})
		t.Run("GL-03 CA-10 launchGame: refusals", func(t *testing.T) {
			const unknownGame = `{"success":false,"message":"not found","errorCode":"catalogue.unknown_game"}`
			for _, c := range []struct {
				body   map[string]any
				status int
				want   string
			}{
				{map[string]any{"gameCategory": "RNG", "vendor": "TEST", "gameId": "G9"}, 404, unknownGame},
				{launchBody(w, "G1", "HOUSE", "RNG"), 404, unknownGame},
				{launchBody(w, "G1", "TEST", "FISH"), 404, unknownGame},
				{map[string]any{"gameCategory": "RNG", "vendor": "TEST", "gameId": "G1", "nodeId": fmt.Sprint(w.nodes["G2"])}, 404, unknownGame},
				{launchBody(w, "F1", "HOUSE", "FISH"), 422, `{"success":false,"message":"the request was refused","errorCode":"vendor.not_open"}`},
				{
					map[string]any{"gameCategory": "RNG", "gameId": "G1"}, 400,
					`{"success":false,"message":"expected required property vendor to be present","errorCode":"request_param_err","field":"vendor"}`,
				},
				{
					map[string]any{"gameCategory": "RNG", "vendor": "TEST", "gameId": "G1", "nodeId": "7x"}, 400,
					`{"success":false,"message":"expected string to match pattern ^[0-9]{0,19}$","errorCode":"request_param_err","field":"nodeId"}`,
				},
				{
					map[string]any{"gameCategory": "RNG", "vendor": "TEST", "gameId": "G1", "nodeId": "9999999999999999999"}, 400,
					`{"success":false,"message":"the request is not valid","errorCode":"request_param_err","field":"nodeId"}`,
				},
				{
					map[string]any{"gameCategory": "RNG", "vendor": "TEST", "gameId": "G1", "currency": "VND"}, 400,
					`{"success":false,"message":"unexpected property","errorCode":"request_param_err","field":"currency"}`,
				},
			} {
				merchanttest.Want(t, launch("minhanh92", c.body), c.status, c.want)
			}
			merchanttest.Want(t, launch("trial004", launchBody(w, "G2", "TEST", "RNG")), 422,
				`{"success":false,"message":"the request was refused","errorCode":"vendor.no_trial"}`)
			merchanttest.Want(t, w.Call(t, "POST", "/wps/game/launchGame", launchBody(w, "G1", "TEST", "RNG")), 401,
				`{"success":false,"message":"a valid session is needed","errorCode":"login.not.session"}`)
			yes := true
			if _, err := w.games.SwitchVendor(t.Context(), w.ID, "TEST", catalogue.Switches{Maintenance: &yes}); err != nil {
				t.Fatal(err)
			}
			merchanttest.Want(t, launch("minhanh92", launchBody(w, "G1", "TEST", "RNG")), 422,
				`{"success":false,"message":"the request was refused","errorCode":"vendor.maintenance"}`)
			yes = false
			if _, err := w.games.SwitchVendor(t.Context(), w.ID, "TEST", catalogue.Switches{Maintenance: &yes}); err != nil {
				t.Fatal(err)
			}
			off("G1", false)
			merchanttest.Want(t, launch("minhanh92", launchBody(w, "G1", "TEST", "RNG")), 422,
				`{"success":false,"message":"the request was refused","errorCode":"vendor.game_unavailable"}`)
			off("G1", true)
		})
		t.Run("GL-03 a ticket works once, for one minute, for its vendor only", func(t *testing.T) {
			ticket, _ := w.launch(t, "minhanh92", "G1", "TEST", "RNG")
			rival, err := w.vendors.Create(t.Context(), w.ID, "RIVAL", vendor.Launch{URL: "https://rival.example/{ticket}", Mode: "window"})
			if err != nil {
				t.Fatal(err)
			}
			if r := w.callAs(t, "RIVAL", rival.KeyID, []byte(rival.Key), "authenticate", fields{"ticket": ticket}); r.Code != "SESSION_EXPIRED" {
				t.Errorf("other vendor: %s, want SESSION_EXPIRED", r.raw)
			}
			w.Clock.Add(59 * time.Second)
			r := w.call(t, "authenticate", fields{"ticket": ticket})
			merchanttest.Want(t, merchanttest.Reply{Status: r.status, Body: []byte(r.raw)}, 200, `{
				"balance":"1000000", "code":"OK", "currency":"VND", "gameCode":"x-G1", "language":"vi", "nickname":"mi***", "playerId":"(varies)",
				"sessionId":"(varies)", "trial":false
			}`, "sessionId", "playerId")
			if again := w.call(t, "authenticate", fields{"ticket": ticket}); again.Code != "SESSION_EXPIRED" {
				t.Errorf("second use: %s, want SESSION_EXPIRED", again.raw)
			}
			if own := w.callAs(t, "RIVAL", rival.KeyID, []byte(rival.Key), "balance", fields{"sessionId": r.SessionID}); own.Code != "SESSION_EXPIRED" {
				t.Errorf("session of another vendor: %s, want SESSION_EXPIRED", own.raw)
			}
			late, _ := w.launch(t, "minhanh92", "G1", "TEST", "RNG")
			w.Clock.Add(61 * time.Second)
			if r := w.call(t, "authenticate", fields{"ticket": late}); r.Code != "SESSION_EXPIRED" {
				t.Errorf("expired or used ticket: %s, want SESSION_EXPIRED", r.raw)
			}
			if r := w.call(t, "authenticate", fields{"ticket": "no-ticket"}); r.Code != "SESSION_EXPIRED" || r.Balance != "0" {
				t.Errorf("unknown ticket: %s, want SESSION_EXPIRED and balance 0", r.raw)
			}
		})
		t.Run("GL-03 concurrent uses of a ticket open one session; an ended login session opens none", func(t *testing.T) {
			ticket, _ := w.launch(t, "minhanh92", "G1", "TEST", "RNG")
			replies := make([]reply, 8)
			var wg sync.WaitGroup
			for i := range replies {
				wg.Go(func() {
					replies[i] = w.call(t, "authenticate", fields{"ticket": ticket, "requestId": fmt.Sprint(i)})
				})
			}
			wg.Wait()
			opened := 0
			for _, r := range replies {
				if r.Code == "OK" {
					opened++
				} else if r.Code != "SESSION_EXPIRED" || r.SessionID != "" || r.Balance != "0" {
					t.Errorf("expired or used ticket: %s, want SESSION_EXPIRED", r.raw)
				}
			}
			if opened != 1 {
				t.Errorf("%d requests opened the game, want 1", opened)
			}
			unused, _ := w.launch(t, "quangvu88", "G1", "TEST", "RNG")
			w.sessions.mu.Lock()
			w.sessions.ended[other+1000] = true
			w.sessions.mu.Unlock()
			if r := w.call(t, "authenticate", fields{"ticket": unused}); r.Code != "SESSION_EXPIRED" || r.SessionID != "" {
				t.Errorf("ticket of an ended login session: %s, want SESSION_EXPIRED", r.raw)
			}
		})
		t.Run("GL-07 repeating authenticate after a lost response", func(t *testing.T) {
			ticket, playID := w.launch(t, "minhanh92", "G1", "TEST", "RNG")
			request := fields{"ticket": ticket, "requestId": "auth-1"}
			replies := make([]reply, 4)
			var wg sync.WaitGroup
			for i := range replies {
				wg.Go(func() { replies[i] = w.call(t, "authenticate", request) })
			}
			wg.Wait()
			w.Clock.Add(30 * time.Second)
			for _, r := range slices.Concat(replies, []reply{w.call(t, "authenticate", request)}) {
				if r.Code != "OK" || r.raw != replies[0].raw {
					t.Errorf("repeated authenticate: %s, want %s", r.raw, replies[0].raw)
				}
			}
			if r := w.call(t, "authenticate", fields{"ticket": ticket, "requestId": "auth-2"}); r.Code != "SESSION_EXPIRED" {
				t.Errorf("another requestId: %s, want SESSION_EXPIRED", r.raw)
			}
			if r := w.call(t, "bet", bet(replies[0].SessionID, "auth-bet", "auth", "1")); r.Code != "OK" {
				t.Errorf("bet: %s, want OK", r.raw)
			}
			if r := w.Call(t, "DELETE", "/wps/game/play?playId="+playID, nil, "Authorization", "minhanh92"); r.Status != 200 {
				t.Fatalf("close: %s, want 200", r.Body)
			}
			if r := w.call(t, "authenticate", request); r.Code != "SESSION_EXPIRED" {
				t.Errorf("after closing: %s, want SESSION_EXPIRED", r.raw)
			}
		})
		t.Run("GL-07 a trial member plays with play money", func(t *testing.T) {
			ticket, _ := w.launch(t, "trial004", "G1", "TEST", "RNG")
			r := w.call(t, "authenticate", fields{"ticket": ticket})
			if r.Code != "OK" || r.Currency != "FUN" || r.Trial == nil || !*r.Trial {
				t.Fatalf("authenticate: %s, want OK, a trial in FUN", r.raw)
			}
			b := bet(r.SessionID, "trial-1", "trial", "10")
			b["currency"] = "FUN"
			if r := w.call(t, "bet", b); r.Code != "OK" || r.Balance != "999990" {
				t.Errorf("bet: %s, want OK and balance 999990", r.raw)
			}
		})
	})
}

func TestOrderOfChecks(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		g := &fakeLimits{}
		w := newSiteWith(t, store, g, func(o *vendor.Options) { o.Limits = g })
		session := w.openSession(t, "minhanh92")
		off := func(on bool) {
			w.exec(t, "UPDATE game SET enabled = $1 WHERE code = 'G1'", on)
			w.exec(t, "UPDATE catalogue SET version = version + 1")
			w.Clock.Add(2 * time.Minute)
		}
		cny := func(tx, round string) fields {
			b := bet(session, tx, round, "10")
			b["currency"] = "CNY"
			return b
		}
		want := func(name string, r reply, code string) {
			t.Helper()
			if r.Code != code {
				t.Errorf("%s: %s, want %s", name, r.raw, code)
			}
		}
		t.Run("GL-07 order of checks", func(t *testing.T) {
			want("bet", w.call(t, "bet", bet(session, "o1", "o", "10")), "OK")
			want("end the round", w.call(t, "endRound", moveFields(session, "o2", "o", nil)), "OK")
			want("closed round", w.call(t, "bet", bet(session, "o3", "o", "99999999")), "ROUND_CLOSED")
			off(false)
			want("game before round", w.call(t, "bet", bet(session, "o4", "o", "10")), "GAME_UNAVAILABLE")
			want("currency before game", w.call(t, "bet", cny("o5", "o")), "WRONG_CURRENCY")
			want("replay before all", w.call(t, "bet", bet(session, "o3", "o", "99999999")), "ROUND_CLOSED")
			want("conflict before all", w.call(t, "bet", bet(session, "o3", "o", "1")), "DUPLICATE_CONFLICT")
			want("rollback", w.call(t, "rollback", rollback(session, "o6", "o7")), "OK")
			want("rolled back before game", w.call(t, "bet", bet(session, "o7", "o", "10")), "TX_ROLLED_BACK")
			want("currency before funds", w.call(t, "bet", withField(betFor("o10", "o", "100000000000000"), "currency", "CNY")(session)), "WRONG_CURRENCY")
			for code, word := range map[string]string{"limits.excluded": "EXCLUDED", "limits.reached": "LIMIT_REACHED", "limits.check_due": "LIMIT_REACHED"} {
				g.set(code)
				want(code+" before currency and game", w.call(t, "bet", cny("o8"+word+code[7:9], "o")), word)
			}
			want("limits do not apply to a win", w.call(t, "win", win(session, "o9", "other", "1", false)), "ROUND_NOT_FOUND")
			g.set("")
			off(true)
			want("remembered", w.call(t, "bet", cny("o8EXCLUDEDex", "o")), "EXCLUDED")
			want("not remembered", w.call(t, "bet", bet(session, "o4", "p", "10")), "OK")
		})
		t.Run("PP-07 an excluded member cannot launch, authenticate or get promotions", func(t *testing.T) {
			ticket, _ := w.launch(t, "minhanh92", "G1", "TEST", "RNG")
			g.set("limits.excluded")
			if _, err := w.vendors.LaunchGame(t.Context(), w.tokens["minhanh92"], "vi", vendor.GameQuery{Code: "G1"}); !errors.Is(err, errExcluded) {
				t.Errorf("launch: %v, want errExcluded", err)
			}
			merchanttest.Want(t, w.Call(t, "POST", "/wps/game/launchGame", launchBody(w, "G1", "TEST", "RNG"), "Authorization", "minhanh92"), 422,
				`{"success":false,"message":"the request was refused","errorCode":"limits.excluded"}`)
			want("authenticate", w.call(t, "authenticate", fields{"ticket": ticket}), "EXCLUDED")
			promo := fields{"sessionId": session, "currency": "VND", "txId": "x1", "amount": "5", "reason": "gift"}
			want("promo", w.call(t, "promo", promo), "EXCLUDED")
			g.set("")
			want("promo, remembered", w.call(t, "promo", promo), "EXCLUDED")
		})
		w.verify(t)
	})
}

func TestPP08RealMoneyGameNeedsConfirmedAge(t *testing.T) {
	t.Parallel()
	confirmed := false
	w := newVendorSite(t, dbtest.SQLite(t), func(o *vendor.Options) {
		o.CheckAge = func(_ context.Context, _, memberID int64) error {
			if confirmed || memberID != minh {
				return nil
			}
			return fault.New(fault.Invalid, "register.age_required").On("ageConfirmed").With("age", 18)
		}
	})
	launch := func(who string) merchanttest.Reply {
		return w.Call(t, "POST", "/wps/game/launchGame", launchBody(w, "G1", "TEST", "RNG"), "Authorization", who)
	}
	merchanttest.Want(t, launch("minhanh92"), 400,
		`{"success":false,"message":"the request is not valid","errorCode":"register.age_required","field":"ageConfirmed","args":{"age":"18"}}`)
	var plays int
	if err := w.Store.Reader.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM play").Scan(&plays); err != nil || plays != 0 {
		t.Errorf("%d plays, %v, want none", plays, err)
	}
	if r := launch("trial004"); r.Status != 200 {
		t.Errorf("trial member: %d %s, want 200", r.Status, r.Body)
	}
	confirmed = true
	if r := launch("minhanh92"); r.Status != 200 {
		t.Errorf("after confirming the age: %d %s, want 200", r.Status, r.Body)
	}
}
