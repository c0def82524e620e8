package vendor_test

import (
	"testing"
	"time"

	"fairground/internal/game/vendor"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
)

// FT-09 (vendors): tickets and plays expire by database time, not by this machine's clock. Signatures are checked against this
// machine's clock.
func TestFT09TicketsAndPlaysUseDatabaseTime(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newVendorSite(t, store, func(o *vendor.Options) { o.Now = store.Time })
		older := func(d time.Duration) {
			w.exec(t, "UPDATE play SET created_at = created_at - $1, ticket_expires = ticket_expires - $1", d.Milliseconds())
		}
		for i, jump := range []time.Duration{0, 48 * time.Hour, -96 * time.Hour} {
			ticket, playID := w.launch(t, "minhanh92", "G1", "TEST", "RNG")
			late, _ := w.launch(t, "minhanh92", "G1", "TEST", "RNG")
			w.Clock.Add(jump)
			opened := w.call(t, "authenticate", fields{"ticket": ticket})
			if opened.Code != "OK" {
				t.Fatalf("after a clock jump of %v: %s, want OK", jump, opened.raw)
			}
			session := opened.SessionID
			w.Clock.Add(jump)
			if r := w.call(t, "bet", bet(session, "t"+jump.String(), "t"+jump.String(), "10")); r.Code != "OK" {
				t.Errorf("after a clock jump of %v: %s, want OK", 2*jump, r.raw)
			}
			page := w.record(t, "minhanh92", "")
			if len(page.List) == 0 || page.List[0].RoundID != "t"+jump.String() {
				t.Errorf("after a clock jump of %v: record = %+v, want the round %s first", 2*jump, page.List, "t"+jump.String())
			}
			s := merchanttest.Value[struct{ StartedAt, Now, Rounds int64 }](t, w.Call(t, "GET", "/wps/game/play?playId="+playID, nil, "Authorization", "minhanh92"))
			if s.Now < s.StartedAt || s.Now-s.StartedAt > time.Hour.Milliseconds() || s.Rounds != int64(i+1) { // all in one sitting
				t.Errorf("after a clock jump of %v: play = %+v", 2*jump, s)
			}
			older(61 * time.Second)
			if r := w.call(t, "authenticate", fields{"ticket": late}); r.Code != "SESSION_EXPIRED" {
				t.Errorf("ticket one minute old: %s, want SESSION_EXPIRED", r.raw)
			}
			older(24 * time.Hour)
			w.Clock.Add(jump)
			if r := w.call(t, "authenticate", fields{"requestId": "again", "ticket": ticket}); r.Code != "SESSION_EXPIRED" {
				t.Errorf("ticket one day old: %s, want SESSION_EXPIRED", r.raw)
			}
		}
	})
}

func TestPP03SittingSpansGamesUntilRest(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newVendorSite(t, store, func(o *vendor.Options) { o.Now = store.Time })
		pass := func(d time.Duration) {
			w.exec(t, "UPDATE play SET created_at = created_at - $1, closed_at = closed_at - $1", d.Milliseconds())
			w.exec(t, "UPDATE vendor_move SET at = at - $1", d.Milliseconds())
		}
		type figures struct{ StartedAt, Now, Rounds, Staked, Returned, Net int64 }
		read := func(who, playID string) figures {
			return merchanttest.Value[figures](t, w.Call(t, "GET", "/wps/game/play?playId="+playID, nil, "Authorization", who))
		}
		play := func(who, game, tx, amount string) (playID string) {
			ticket, playID := w.launch(t, who, game, "TEST", "RNG")
			session := w.call(t, "authenticate", fields{"ticket": ticket}).SessionID
			b := bet(session, tx, tx, amount)
			b["gameCode"] = "x-" + game
			if r := w.call(t, "bet", b); r.Code != "OK" {
				t.Fatalf("bet: %s, want OK", r.raw)
			}
			return playID
		}
		want := func(when, who, playID string, staked, rounds int64, elapsed time.Duration) {
			t.Helper()
			got := read(who, playID)
			since := time.Duration(got.Now-got.StartedAt) * time.Millisecond
			if got.Staked != staked || got.Net != got.Returned-staked || got.Rounds != rounds || since < elapsed || since > elapsed+10*time.Minute {
				t.Errorf("%s: %+v after %v; want %d staked in %d rounds after %v", when, got, since, staked, rounds, elapsed)
			}
		}
		first := play("minhanh92", "G1", "a", "100")
		pass(29 * time.Minute)
		second := play("minhanh92", "G2", "b", "10")
		want("in another game", "minhanh92", second, 110, 2, 29*time.Minute)
		want("in the first window", "minhanh92", first, 110, 2, 29*time.Minute)
		want("another member", "quangvu88", play("quangvu88", "G1", "c", "7"), 7, 1, 0)
		// Closing a game without a stake is not a rest.
		pass(25 * time.Minute)
		if r := w.Call(t, "DELETE", "/wps/game/play?playId="+second, nil, "Authorization", "minhanh92"); r.Status != 200 {
			t.Fatalf("close the play: %d %s, want 200", r.Status, r.Body)
		}
		pass(25 * time.Minute)
		_, third := w.launch(t, "minhanh92", "G1", "TEST", "RNG")
		want("after a game without a stake", "minhanh92", third, 110, 2, 79*time.Minute)
		pass(31 * time.Minute)
		want("after a rest", "minhanh92", play("minhanh92", "G1", "d", "1"), 1, 1, 0)
		want("the sitting before the rest", "minhanh92", second, 110, 2, 110*time.Minute)
	})
}
