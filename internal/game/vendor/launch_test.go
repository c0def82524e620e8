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
	"fairground/internal/platform/events"
	"fairground/internal/site/merchant/merchanttest"
)

func launchBody(w *world, game, maker, category string) map[string]any {
	return map[string]any{"gameCategory": category, "vendor": maker, "gameId": game, "nodeId": fmt.Sprint(w.nodes[game]), "supportPlay": true}
}

func TestLaunch(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newWorld(t, store)
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
		t.Run("GL-03 CA-10 launchGame: answers", func(t *testing.T) {
			merchanttest.Golden(t, "launch", launch("minhanh92", launchBody(w, "G1", "TEST", "RNG")), "gameUrl", "game_url", "playId", "startedAt")
			merchanttest.Golden(t, "launch_house", launch("minhanh92", launchBody(w, "H1", "HOUSE", "RNG")), "gameUrl", "game_url", "playId", "startedAt")
			body := launchBody(w, "G1", "TEST", "RNG")
			delete(body, "nodeId")
			if r := launch("minhanh92", body); r.Status != 200 {
				t.Errorf("without a node: %d %s", r.Status, r.Body)
			}
			var l struct{ Value struct{ GameURL string } }
			if err := json.Unmarshal(launch("trial004", launchBody(w, "G1", "TEST", "RNG")).Body, &l); err != nil || !strings.HasPrefix(l.Value.GameURL, "https://play.test.example/g?t=") {
				t.Errorf("on trial: %+v %v", l, err)
			}
		})
		t.Run("CA-12 what was launched was played last", func(t *testing.T) {
			r := w.Call(t, "GET", "/wps/relay/GCS_recentGame", nil, "Authorization", "minhanh92")
			if !strings.Contains(string(r.Body), `"gameId":"G1"`) || !strings.Contains(string(r.Body), `"gameId":"H1"`) {
				t.Errorf("%s", r.Body)
			}
		})
		t.Run("GL-03 CA-10 launchGame: refusals", func(t *testing.T) {
			for name, body := range map[string]map[string]any{
				"launch_unknown_game":   {"gameCategory": "RNG", "vendor": "TEST", "gameId": "G9"},
				"launch_unknown_vendor": launchBody(w, "G1", "HOUSE", "RNG"),
				"launch_other_category": launchBody(w, "G1", "TEST", "FISH"),
				"launch_other_node":     {"gameCategory": "RNG", "vendor": "TEST", "gameId": "G1", "nodeId": fmt.Sprint(w.nodes["G2"])},
				"launch_not_open":       launchBody(w, "F1", "HOUSE", "FISH"),
				"launch_no_vendor":      {"gameCategory": "RNG", "gameId": "G1"},
				"launch_bad_node":       {"gameCategory": "RNG", "vendor": "TEST", "gameId": "G1", "nodeId": "7x"},
				"launch_huge_node":      {"gameCategory": "RNG", "vendor": "TEST", "gameId": "G1", "nodeId": "9999999999999999999"},
				"launch_more":           {"gameCategory": "RNG", "vendor": "TEST", "gameId": "G1", "currency": "VND"},
			} {
				merchanttest.Golden(t, name, launch("minhanh92", body))
			}
			merchanttest.Golden(t, "launch_no_trial", launch("trial004", launchBody(w, "G2", "TEST", "RNG")))
			merchanttest.Golden(t, "launch_no_session", w.Call(t, "POST", "/wps/game/launchGame", launchBody(w, "G1", "TEST", "RNG")))
			yes := true
			if _, err := w.games.SwitchVendor(t.Context(), w.ID, "TEST", catalogue.Switches{Maintenance: &yes}); err != nil {
				t.Fatal(err)
			}
			merchanttest.Golden(t, "launch_maintenance", launch("minhanh92", launchBody(w, "G1", "TEST", "RNG")))
			yes = false
			if _, err := w.games.SwitchVendor(t.Context(), w.ID, "TEST", catalogue.Switches{Maintenance: &yes}); err != nil {
				t.Fatal(err)
			}
			off("G1", false)
			merchanttest.Golden(t, "launch_off", launch("minhanh92", launchBody(w, "G1", "TEST", "RNG")))
			off("G1", true)
		})
		t.Run("GL-03 a ticket is good once, for a minute, and for its vendor", func(t *testing.T) {
			ticket, _ := w.launch(t, "minhanh92", "G1", "TEST", "RNG")
			rival, err := w.vendors.Create(t.Context(), w.ID, "RIVAL", vendor.Launch{URL: "https://rival.example/{ticket}", Mode: "window"})
			if err != nil {
				t.Fatal(err)
			}
			if r := w.callAs(t, "RIVAL", rival.KeyID, []byte(rival.Key), "authenticate", fields{"ticket": ticket}); r.Code != "SESSION_EXPIRED" {
				t.Errorf("by another vendor: %s", r.raw)
			}
			w.Clock.Add(59 * time.Second)
			r := w.call(t, "authenticate", fields{"ticket": ticket})
			merchanttest.Golden(t, "authenticate", merchanttest.Reply{Status: r.status, Body: []byte(r.raw)}, "sessionId", "playerId")
			if again := w.call(t, "authenticate", fields{"ticket": ticket}); again.Code != "SESSION_EXPIRED" {
				t.Errorf("twice: %s", again.raw)
			}
			if own := w.callAs(t, "RIVAL", rival.KeyID, []byte(rival.Key), "balance", fields{"sessionId": r.SessionID}); own.Code != "SESSION_EXPIRED" {
				t.Errorf("another vendor's session: %s", own.raw)
			}
			late, _ := w.launch(t, "minhanh92", "G1", "TEST", "RNG")
			w.Clock.Add(61 * time.Second)
			if r := w.call(t, "authenticate", fields{"ticket": late}); r.Code != "SESSION_EXPIRED" {
				t.Errorf("late: %s", r.raw)
			}
			if r := w.call(t, "authenticate", fields{"ticket": "no-ticket"}); r.Code != "SESSION_EXPIRED" || r.Balance != "0" {
				t.Errorf("none: %s", r.raw)
			}
		})
		t.Run("GL-03 of many who use a ticket at once one opens the game, and none when its session has ended", func(t *testing.T) {
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
					t.Errorf("late: %s", r.raw)
				}
			}
			if opened != 1 {
				t.Errorf("%d opened it", opened)
			}
			unused, _ := w.launch(t, "quangvu88", "G1", "TEST", "RNG")
			w.sessions.mu.Lock()
			w.sessions.ended[other+1000] = true
			w.sessions.mu.Unlock()
			if r := w.call(t, "authenticate", fields{"ticket": unused}); r.Code != "SESSION_EXPIRED" || r.SessionID != "" {
				t.Errorf("of a session that has ended: %s", r.raw)
			}
		})
		t.Run("GL-07 the same authenticate again, after an answer that was lost", func(t *testing.T) {
			ticket, playID := w.launch(t, "minhanh92", "G1", "TEST", "RNG")
			ask := fields{"ticket": ticket, "requestId": "auth-1"}
			replies := make([]reply, 4)
			var wg sync.WaitGroup
			for i := range replies {
				wg.Go(func() { replies[i] = w.call(t, "authenticate", ask) })
			}
			wg.Wait()
			w.Clock.Add(30 * time.Second)
			for _, r := range slices.Concat(replies, []reply{w.call(t, "authenticate", ask)}) {
				if r.Code != "OK" || r.raw != replies[0].raw {
					t.Errorf("%s, and %s", r.raw, replies[0].raw)
				}
			}
			if r := w.call(t, "authenticate", fields{"ticket": ticket, "requestId": "auth-2"}); r.Code != "SESSION_EXPIRED" {
				t.Errorf("another request: %s", r.raw)
			}
			if r := w.call(t, "bet", bet(replies[0].SessionID, "auth-bet", "auth", "1")); r.Code != "OK" {
				t.Errorf("bet: %s", r.raw)
			}
			if r := w.Call(t, "DELETE", "/wps/game/play?playId="+playID, nil, "Authorization", "minhanh92"); r.Status != 200 {
				t.Fatalf("close: %s", r.Body)
			}
			if r := w.call(t, "authenticate", ask); r.Code != "SESSION_EXPIRED" {
				t.Errorf("after it was closed: %s", r.raw)
			}
		})
		t.Run("GL-07 on trial, with play money", func(t *testing.T) {
			ticket, _ := w.launch(t, "trial004", "G1", "TEST", "RNG")
			r := w.call(t, "authenticate", fields{"ticket": ticket})
			if r.Code != "OK" || r.Currency != "FUN" || r.Trial == nil || !*r.Trial {
				t.Fatalf("%s", r.raw)
			}
			b := bet(r.SessionID, "trial-1", "trial", "10")
			b["currency"] = "FUN"
			if r := w.call(t, "bet", b); r.Code != "OK" || r.Balance != "999990" {
				t.Errorf("%s", r.raw)
			}
		})
	})
}

// What ends a play, and what is still taken from one that is over.
func TestEnds(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newWorld(t, store)
		n := 0
		over := func(name, want string, end, undo func(session string)) {
			t.Run("GL-07 "+name, func(t *testing.T) {
				n++
				session := w.enter(t, "minhanh92")
				round, tx := fmt.Sprintf("end-%d", n), fmt.Sprintf("end-%d-", n)
				if r := w.call(t, "bet", bet(session, tx+"1", round, "10")); r.Code != "OK" {
					t.Fatal(r.raw)
				}
				if r := w.call(t, "bet", bet(session, tx+"2", round, "10")); r.Code != "OK" {
					t.Fatal(r.raw)
				}
				end(session)
				for range 2 { // it is not remembered
					if r := w.call(t, "bet", bet(session, tx+"3", round, "10")); r.Code != want || r.replayed() {
						t.Errorf("bet: %s", r.raw)
					}
				}
				if r := w.call(t, "bet", bet(session, tx+"1", round, "10")); r.Code != "OK" || !r.replayed() {
					t.Errorf("a bet from before: %s", r.raw)
				}
				if want != "GAME_UNAVAILABLE" {
					if r := w.call(t, "balance", fields{"sessionId": session}); r.Code != want {
						t.Errorf("balance: %s", r.raw)
					}
				}
				if r := w.call(t, "rollback", rollback(session, tx+"4", tx+"2")); r.Code != "OK" || r.Status != "reversed" {
					t.Errorf("rollback: %s", r.raw)
				}
				if r := w.call(t, "win", win(session, tx+"5", round, "10", false)); r.Code != "OK" {
					t.Errorf("win: %s", r.raw)
				}
				if r := w.call(t, "endRound", common(session, tx+"6", round, nil)); r.Code != "OK" {
					t.Errorf("endRound: %s", r.raw)
				}
				undo(session)
			})
		}
		nothing := func(string) {}
		// The clock stands still meanwhile: the play is over because it was told, not because it looked.
		tell := func(session string, e events.SessionEnded) {
			raw, err := json.Marshal(e)
			if err != nil {
				t.Fatal(err)
			}
			w.Bus.Notify(events.SubjectSessionEnded, raw, time.Second)
			for end := time.Now().Add(time.Minute); w.call(t, "balance", fields{"sessionId": session}).Code == "OK"; time.Sleep(time.Millisecond) {
				if time.Now().After(end) {
					t.Fatal("nobody heard of it")
				}
			}
		}
		set := func(ended bool) {
			w.sessions.mu.Lock()
			defer w.sessions.mu.Unlock()
			w.sessions.ended[minh+1000] = ended
		}
		over("logged out: heard of at once", "SESSION_EXPIRED", func(session string) {
			set(true)
			tell(session, events.SessionEnded{Session: "3001", Member: "2001"})
		}, func(string) { set(false); w.Clock.Add(time.Minute) })
		over("a session that ran out: seen after some seconds", "SESSION_EXPIRED", func(string) { set(true); w.Clock.Add(11 * time.Second) },
			func(string) { set(false); w.Clock.Add(time.Minute) })
		over("disabled", "ACCOUNT_DISABLED", func(session string) {
			w.exec(t, "UPDATE member SET status = 'disabled' WHERE id = 2001")
			tell(session, events.SessionEnded{Member: "2001"})
		}, func(string) {
			w.exec(t, "UPDATE member SET status = 'active' WHERE id = 2001")
			w.Clock.Add(time.Minute)
		})
		over("a day is over", "SESSION_EXPIRED", func(string) { w.Clock.Add(24 * time.Hour) }, nothing)
		over("the game was switched off", "GAME_UNAVAILABLE", func(string) {
			w.exec(t, "UPDATE game SET enabled = FALSE WHERE code = 'G1'")
			w.exec(t, "UPDATE catalogue SET version = version + 1")
			w.Clock.Add(2 * time.Minute)
		}, func(string) {
			w.exec(t, "UPDATE game SET enabled = TRUE WHERE code = 'G1'")
			w.exec(t, "UPDATE catalogue SET version = version + 1")
			w.Clock.Add(2 * time.Minute)
		})
		t.Run("GL-07 closed by the member", func(t *testing.T) {
			ticket, playID := w.launch(t, "minhanh92", "G1", "TEST", "RNG")
			session := w.call(t, "authenticate", fields{"ticket": ticket}).SessionID
			if r := w.call(t, "balance", fields{"sessionId": session}); r.Code != "OK" {
				t.Fatal(r.raw)
			}
			merchanttest.Golden(t, "close_unknown", w.Call(t, "DELETE", "/wps/game/play?playId="+playID, nil, "Authorization", "quangvu88"))
			merchanttest.Golden(t, "close", w.Call(t, "DELETE", "/wps/game/play?playId="+playID, nil, "Authorization", "minhanh92"))
			merchanttest.Golden(t, "close", w.Call(t, "DELETE", "/wps/game/play?playId="+playID, nil, "Authorization", "minhanh92"))
			if r := w.call(t, "bet", bet(session, "closed-1", "closed", "1")); r.Code != "SESSION_EXPIRED" {
				t.Error(r.raw)
			}
		})
		t.Run("GL-07 PP-07 closed by a break, and before one", func(t *testing.T) {
			ticket, playID := w.launch(t, "minhanh92", "G1", "TEST", "RNG")
			before := w.call(t, "authenticate", fields{"ticket": ticket}).SessionID
			w.Call(t, "DELETE", "/wps/game/play?playId="+playID, nil, "Authorization", "minhanh92")
			session := w.enter(t, "minhanh92")
			var tell func()
			err := store.Write(t.Context(), func(tx *db.Tx) (err error) {
				tell, err = w.vendors.CloseAllIn(t.Context(), tx, minh)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			tell()
			promo := func(session, tx string) fields {
				return fields{"sessionId": session, "currency": "VND", "txId": tx, "amount": "5", "reason": "gift"}
			}
			for _, c := range []struct {
				name, session, want string
				again               bool
			}{{"by the break", session, "EXCLUDED", true}, {"by the member", before, "SESSION_EXPIRED", false}} {
				for range 2 {
					if r := w.call(t, "balance", fields{"sessionId": c.session}); r.Code != c.want {
						t.Errorf("%s: balance: %s", c.name, r.raw)
					}
				}
				for i, again := range []bool{false, c.again} {
					if r := w.call(t, "bet", bet(c.session, "away-b-"+c.want, "away", "1")); r.Code != c.want || r.replayed() != again {
						t.Errorf("%s: bet %d: %s", c.name, i, r.raw)
					}
					if r := w.call(t, "promo", promo(c.session, "away-p-"+c.want)); r.Code != c.want || r.replayed() != again {
						t.Errorf("%s: promo %d: %s", c.name, i, r.raw)
					}
				}
			}
			w.Clock.Add(25 * time.Hour)
			if r := w.call(t, "balance", fields{"sessionId": session}); r.Code != "SESSION_EXPIRED" {
				t.Errorf("when its day is over: %s", r.raw)
			}
		})
		w.verify(t)
	})
}

// Limits before currency, currency before the game, the game before the round: each hides what comes after it.
func TestOrderOfChecks(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		g := &stakes{}
		w := newWorldWith(t, store, g, func(o *vendor.Options) { o.Limits = g })
		session := w.enter(t, "minhanh92")
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
			want("a round to close", w.call(t, "bet", bet(session, "o1", "o", "10")), "OK")
			want("close", w.call(t, "endRound", common(session, "o2", "o", nil)), "OK")
			want("round", w.call(t, "bet", bet(session, "o3", "o", "99999999")), "ROUND_CLOSED")
			off(false)
			want("game before round", w.call(t, "bet", bet(session, "o4", "o", "10")), "GAME_UNAVAILABLE")
			want("currency before game", w.call(t, "bet", cny("o5", "o")), "WRONG_CURRENCY")
			want("known before all", w.call(t, "bet", bet(session, "o3", "o", "99999999")), "ROUND_CLOSED")
			want("conflict before all", w.call(t, "bet", bet(session, "o3", "o", "1")), "DUPLICATE_CONFLICT")
			want("take back", w.call(t, "rollback", rollback(session, "o6", "o7")), "OK")
			want("rolled back before all but that", w.call(t, "bet", bet(session, "o7", "o", "10")), "TX_ROLLED_BACK")
			want("currency before funds", w.call(t, "bet", with(b("o10", "o", "100000000000000"), "currency", "CNY")(session)), "WRONG_CURRENCY")
			for code, word := range map[string]string{"limits.excluded": "EXCLUDED", "limits.reached": "LIMIT_REACHED", "limits.check_due": "LIMIT_REACHED"} {
				g.set(code)
				want(code+" before currency and game", w.call(t, "bet", cny("o8"+word+code[7:9], "o")), word)
			}
			want("win is no stake", w.call(t, "win", win(session, "o9", "other", "1", false)), "ROUND_NOT_FOUND")
			g.set("")
			off(true)
			want("remembered", w.call(t, "bet", cny("o8EXCLUDEDex", "o")), "EXCLUDED")
			want("not remembered", w.call(t, "bet", bet(session, "o4", "p", "10")), "OK")
		})
		t.Run("PP-07 an excluded member: no launch, no ticket, no promotion", func(t *testing.T) {
			ticket, _ := w.launch(t, "minhanh92", "G1", "TEST", "RNG")
			g.set("limits.excluded")
			if _, err := w.vendors.Open(t.Context(), w.tokens["minhanh92"], "vi", vendor.Choice{Code: "G1"}); !errors.Is(err, errExcluded) {
				t.Errorf("launched: %v", err)
			}
			merchanttest.Golden(t, "launch_excluded", w.Call(t, "POST", "/wps/game/launchGame", launchBody(w, "G1", "TEST", "RNG"), "Authorization", "minhanh92"))
			want("authenticate", w.call(t, "authenticate", fields{"ticket": ticket}), "EXCLUDED")
			promo := fields{"sessionId": session, "currency": "VND", "txId": "x1", "amount": "5", "reason": "gift"}
			want("promo", w.call(t, "promo", promo), "EXCLUDED")
			g.set("")
			want("promo, remembered", w.call(t, "promo", promo), "EXCLUDED")
		})
		w.verify(t)
	})
}

// No game opens for money before the member has confirmed their age; one for play money was asked when the trial began.
func TestPP08NoGameForMoneyBeforeTheAge(t *testing.T) {
	t.Parallel()
	confirmed := false
	w := newWorld(t, dbtest.SQLite(t), func(o *vendor.Options) {
		o.OfAge = func(_ context.Context, _, memberID int64) error {
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
		t.Errorf("%d plays, %v", plays, err)
	}
	if r := launch("trial004"); r.Status != 200 {
		t.Errorf("on trial: %d %s", r.Status, r.Body)
	}
	confirmed = true
	if r := launch("minhanh92"); r.Status != 200 {
		t.Errorf("confirmed: %d %s", r.Status, r.Body)
	}
}
