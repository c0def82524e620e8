package vendor_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/events"
	"fairground/internal/site/merchant/merchanttest"
)

func TestEndedPlays(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newVendorSite(t, store)
		n := 0
		over := func(name, want string, end, undo func(session string)) {
			t.Run("GL-07 "+name, func(t *testing.T) {
				n++
				session := w.openSession(t, "minhanh92")
				round, tx := fmt.Sprintf("end-%d", n), fmt.Sprintf("end-%d-", n)
				if r := w.call(t, "bet", bet(session, tx+"1", round, "10")); r.Code != "OK" {
					t.Fatalf("bet = %s, want OK", r.raw)
				}
				if r := w.call(t, "bet", bet(session, tx+"2", round, "10")); r.Code != "OK" {
					t.Fatalf("bet = %s, want OK", r.raw)
				}
				end(session)
				for range 2 { // the refusal is not stored
					if r := w.call(t, "bet", bet(session, tx+"3", round, "10")); r.Code != want || r.replayed() {
						t.Errorf("bet: %s, want %s, not replayed", r.raw, want)
					}
				}
				if r := w.call(t, "bet", bet(session, tx+"1", round, "10")); r.Code != "OK" || !r.replayed() {
					t.Errorf("replayed bet: %s, want OK", r.raw)
				}
				if want != "GAME_UNAVAILABLE" {
					if r := w.call(t, "balance", fields{"sessionId": session}); r.Code != want {
						t.Errorf("balance: %s, want %v", r.raw, want)
					}
				}
				if r := w.call(t, "rollback", rollback(session, tx+"4", tx+"2")); r.Code != "OK" || r.Status != "reversed" {
					t.Errorf("rollback: %s, want OK and reversed", r.raw)
				}
				if r := w.call(t, "win", win(session, tx+"5", round, "10", false)); r.Code != "OK" {
					t.Errorf("win: %s, want OK", r.raw)
				}
				if r := w.call(t, "endRound", moveFields(session, tx+"6", round, nil)); r.Code != "OK" {
					t.Errorf("endRound: %s, want OK", r.raw)
				}
				undo(session)
			})
		}
		nothing := func(string) {}
		// The clock does not move, so only the notification can end the play.
		notify := func(session string, e events.SessionEnded) {
			raw, err := json.Marshal(e)
			if err != nil {
				t.Fatal(err)
			}
			w.Bus.Notify(events.SubjectSessionEnded, raw)
			for end := time.Now().Add(time.Minute); w.call(t, "balance", fields{"sessionId": session}).Code == "OK"; time.Sleep(time.Millisecond) {
				if time.Now().After(end) {
					t.Fatal("the play did not end within a minute of the notification")
				}
			}
		}
		set := func(ended bool) {
			w.sessions.mu.Lock()
			defer w.sessions.mu.Unlock()
			w.sessions.ended[minh+1000] = ended
		}
		over("logout ends the play at once", "SESSION_EXPIRED", func(session string) {
			set(true)
			notify(session, events.SessionEnded{Session: "3001", Member: "2001"})
		}, func(string) { set(false); w.Clock.Add(time.Minute) })
		over("an expired session ends the play within seconds", "SESSION_EXPIRED", func(string) { set(true); w.Clock.Add(11 * time.Second) },
			func(string) { set(false); w.Clock.Add(time.Minute) })
		over("disabled account", "ACCOUNT_DISABLED", func(session string) {
			w.exec(t, "UPDATE member SET status = 'disabled' WHERE id = 2001")
			notify(session, events.SessionEnded{Member: "2001"})
		}, func(string) {
			w.exec(t, "UPDATE member SET status = 'active' WHERE id = 2001")
			w.Clock.Add(time.Minute)
		})
		over("after 24 hours", "SESSION_EXPIRED", func(string) { w.Clock.Add(24 * time.Hour) }, nothing)
		over("disabled game", "GAME_UNAVAILABLE", func(string) {
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
				t.Fatalf("balance = %s, want OK", r.raw)
			}
			merchanttest.Want(t, w.Call(t, "DELETE", "/wps/game/play?playId="+playID, nil, "Authorization", "quangvu88"), 404,
				`{"success":false,"message":"not found","errorCode":"vendor.unknown_play"}`)
			merchanttest.Want(t, w.Call(t, "DELETE", "/wps/game/play?playId="+playID, nil, "Authorization", "minhanh92"), 200,
				`{"success":true,"value":{}}`)
			merchanttest.Want(t, w.Call(t, "DELETE", "/wps/game/play?playId="+playID, nil, "Authorization", "minhanh92"), 200,
				`{"success":true,"value":{}}`)
			if r := w.call(t, "bet", bet(session, "closed-1", "closed", "1")); r.Code != "SESSION_EXPIRED" {
				t.Errorf("bet = %s, want SESSION_EXPIRED", r.raw)
			}
		})
		t.Run("GL-07 PP-07 closed by a break, or by the member before it", func(t *testing.T) {
			ticket, playID := w.launch(t, "minhanh92", "G1", "TEST", "RNG")
			before := w.call(t, "authenticate", fields{"ticket": ticket}).SessionID
			w.Call(t, "DELETE", "/wps/game/play?playId="+playID, nil, "Authorization", "minhanh92")
			session := w.openSession(t, "minhanh92")
			var notify func()
			err := store.Write(t.Context(), func(tx *db.Tx) (err error) {
				notify, err = w.vendors.CloseAllIn(t.Context(), tx, minh)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			notify()
			promo := func(session, tx string) fields {
				return fields{"sessionId": session, "currency": "VND", "txId": tx, "amount": "5", "reason": "gift"}
			}
			for _, c := range []struct {
				name, session, want string
				again               bool
			}{{"by the break", session, "EXCLUDED", true}, {"by the member", before, "SESSION_EXPIRED", false}} {
				for range 2 {
					if r := w.call(t, "balance", fields{"sessionId": c.session}); r.Code != c.want {
						t.Errorf("%s: balance: %s, want %v", c.name, r.raw, c.want)
					}
				}
				for i, again := range []bool{false, c.again} {
					if r := w.call(t, "bet", bet(c.session, "away-b-"+c.want, "away", "1")); r.Code != c.want || r.replayed() != again {
						t.Errorf("%s: bet %d: %s, want %v and replayed %v", c.name, i, r.raw, c.want, again)
					}
					if r := w.call(t, "promo", promo(c.session, "away-p-"+c.want)); r.Code != c.want || r.replayed() != again {
						t.Errorf("%s: promo %d: %s, want %v and replayed %v", c.name, i, r.raw, c.want, again)
					}
				}
			}
			w.Clock.Add(25 * time.Hour)
			if r := w.call(t, "balance", fields{"sessionId": session}); r.Code != "SESSION_EXPIRED" {
				t.Errorf("after 25 hours: %s, want SESSION_EXPIRED", r.raw)
			}
		})
		w.verify(t)
	})
}
