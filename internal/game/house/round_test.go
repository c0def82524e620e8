package house_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"fairground/internal/game/fairness"
	"fairground/internal/game/house"
	"fairground/internal/game/house/reels"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
)

// A commitment is shown before the bet, the seed after it; the seed is the one that was committed to, and the outcome
// follows from it.
func TestPP17RoundsAreCommittedToAndRevealed(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newSite(t, store)
		session := s.enter(minh)
		if session.Balance != purse || session.Nonce != 1 || session.Open != nil || session.Last != nil {
			t.Fatalf("%+v", session)
		}
		committed, nonce, balance := session.Commitment, session.Nonce, session.Balance
		seeds := map[string]bool{}
		newest, _ := house.FindMachine("slot", 0)
		for n := 1; n <= 20; n++ {
			got := s.play(session.Token, n)
			r := got.Round
			if r.Seed == nil || r.Commitment != committed || r.Nonce != nonce || seeds[*r.Seed] {
				t.Fatalf("round %d: %+v, committed to %s with nonce %d", n, r, committed, nonce)
			}
			seeds[*r.Seed] = true
			seed, err := fairness.ParseSeed(*r.Seed)
			if err != nil || !seed.Matches(committed) {
				t.Fatalf("round %d: seed %s, %v", n, *r.Seed, err)
			}
			want, err := newest.Play(fairness.NewStream(seed, r.ClientSeed, r.Nonce), 10_000)
			if err != nil || fmt.Sprint(stopsOf(want)) != fmt.Sprint(r.Spins) || int64(want.Win) != r.Win {
				t.Fatalf("round %d: %+v, drawn again %+v, %v", n, r, want, err)
			}
			balance += r.Win - r.Stake
			if got.Balance != balance || s.wallet.balances[playerOf(minh)] != balance {
				t.Fatalf("round %d: balance %d, want %d", n, got.Balance, balance)
			}
			committed, nonce = got.Next.Commitment, got.Next.Nonce
			if got.Next.ClientSeed != r.ClientSeed || r.ClientSeed == "" {
				t.Fatalf("round %d was drawn with %q, the next is to be with %q", n, r.ClientSeed, got.Next.ClientSeed)
			}
		}
		if nonce != 21 {
			t.Errorf("nonce %d after 20 rounds", nonce)
		}
	})
}

// The promise is what was published, not what follows from the seed: an exchanged seed does not keep it.
func TestPP17AnExchangedSeedBreaksItsPromise(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newSite(t, store)
		session := s.enter(minh)
		played := s.play(session.Token, 1).Round
		other := strings.Repeat("\x07", len(fairness.Seed{}))
		if err := store.Write(t.Context(), func(tx *db.Tx) error {
			_, err := tx.ExecContext(t.Context(), "UPDATE house_round SET seed = $1", []byte(other))
			return err
		}); err != nil {
			t.Fatal(err)
		}
		r := s.Call(t, "GET", "/wps/fairness/round?vendor=HOUSE&roundId="+played.ID, nil, "Authorization", "minh")
		got := merchanttest.Value[shownRound](t, r)
		seed, err := fairness.ParseSeed(*got.Seed)
		if err != nil || string(seed[:]) != other || got.Commitment != session.Commitment || seed.Matches(got.Commitment) {
			t.Errorf("%s, %v", r.Body, err)
		}
	})
}

func stopsOf(o reels.Outcome) (shown []struct{ Stops []int }) {
	for _, spin := range o.Spins {
		shown = append(shown, struct{ Stops []int }{spin.Stops})
	}
	return shown
}

func TestASpinIsPlayedOnce(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newSite(t, store)
		session := s.enter(minh)
		first := s.play(session.Token, 1)
		s.Clock.Add(time.Hour)
		if again := merchanttest.Value[shownSpin](t, s.spin(session.Token, 1)); again.Round.ID != first.Round.ID || again.Balance != first.Balance {
			t.Errorf("%+v, again %+v", first, again)
		}
		s.refused(s.Call(t, "POST", "/house/v1/spin", map[string]any{"spinId": spinID(1), "stake": 20_000}, "Authorization", session.Token), 409, "house.spin_conflict")
		// Two taps at once, and two tabs beside them.
		other := s.enter(minh)
		var taps sync.WaitGroup
		ids := make([]string, 12)
		for i := range ids {
			taps.Go(func() {
				r := s.spin([]string{session.Token, other.Token}[i%2], 2+i%3)
				if r.Status == http.StatusOK {
					ids[i] = merchanttest.Value[shownSpin](t, r).Round.ID
				} else if c := code(t, r); c != "house.too_fast" && c != "house.pending" {
					t.Errorf("%d %s", r.Status, r.Body)
				}
			})
		}
		taps.Wait()
		played := map[string]bool{}
		for _, id := range ids {
			if id != "" {
				played[id] = true
			}
		}
		if len(played) != 1 || len(s.wallet.rounds) != 2 {
			t.Errorf("played %v, the wallet knows %d rounds", played, len(s.wallet.rounds))
		}
	})
}

// One clock decides for all replicas, the database's: a server whose own clock is wrong neither lets a player spin sooner nor keeps
// them waiting, nor gives back a bet that has just been made.
func TestPP10PaceBetweenReplicas(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newSite(t, store)
		session := s.enter(minh)
		s.play(session.Token, 1)
		for n, skew := range []time.Duration{time.Hour, -time.Hour, 0} {
			s.skew = skew
			s.start()
			s.refused(s.spin(session.Token, 10+n), 429, "house.too_fast")
			s.Clock.Add(house.Cycle)
			if r := s.spin(session.Token, 20+n); r.Status != http.StatusOK {
				t.Errorf("%v beside the database: %s", skew, r.Body)
			}
		}
	})
}

func TestPP10ServerPartRoundsKeepTheirPace(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newSite(t, store)
		session := s.enter(minh)
		s.play(session.Token, 1)
		s.Clock.Add(house.Cycle - time.Millisecond)
		s.refused(s.spin(session.Token, 2), 429, "house.too_fast")
		s.refused(s.spin(s.enter(minh).Token, 3), 429, "house.too_fast") // nor in another tab
		s.start()
		s.refused(s.spin(session.Token, 2), 429, "house.too_fast") // nor after a restart
		if r := s.spin(s.enter(lan).Token, 2); r.Status != http.StatusOK {
			t.Errorf("somebody else waits too: %s", r.Body)
		}
		s.Clock.Add(time.Millisecond)
		merchanttest.Value[shownSpin](t, s.spin(session.Token, 2))
		s.Clock.Add(-time.Hour) // the server's clock is set back: nobody is locked out by it
		s.start()
		merchanttest.Value[shownSpin](t, s.spin(session.Token, 4))
	})
}

// A round that was refused was not played: nobody waits for it to be over, here or at another server.
func TestPP10ARefusedSpinStartsNoWait(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newSite(t, store)
		session := s.enter(minh)
		for n, said := range []string{"LIMIT_REACHED", "INSUFFICIENT_FUNDS", "GAME_UNAVAILABLE"} {
			s.wallet.bets = said
			if r := s.spin(session.Token, 10+n); r.Status == http.StatusOK || code(t, r) == "house.too_fast" {
				t.Errorf("%s: %d %s", said, r.Status, r.Body)
			}
		}
		s.wallet.bets = ""
		s.play(session.Token, 20)
		s.refused(s.spin(session.Token, 21), 429, "house.too_fast")
		s.refused(s.spin(session.Token, 10), 422, "house.limit_reached") // told again, it gives back no time that was not its own
		s.refused(s.spin(session.Token, 21), 429, "house.too_fast")
	})
}

// What the wallet refuses moves nothing, uses no seed up, and may be tried again under another name.
func TestRefusedBets(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newSite(t, store)
		session := s.enter(minh)
		n := 0
		for said, want := range map[string]struct {
			status int
			code   string
		}{
			"INSUFFICIENT_FUNDS": {422, "house.insufficient_funds"},
			"LIMIT_REACHED":      {422, "house.limit_reached"},
			"EXCLUDED":           {422, "house.excluded"},
			"SESSION_EXPIRED":    {401, "house.session_expired"},
			"ACCOUNT_DISABLED":   {401, "house.session_expired"},
			"GAME_UNAVAILABLE":   {422, "house.game_closed"},
			"WRONG_CURRENCY":     {503, "house.unavailable"},
		} {
			n++
			s.wallet.bets = said
			s.Clock.Add(house.Cycle)
			s.refused(s.spin(session.Token, n), want.status, want.code)
			s.wallet.bets = ""
			s.refused(s.spin(session.Token, n), want.status, want.code) // a refused round stays refused
		}
		// The wallet would take three of them another time: it was told never to.
		if s.wallet.counts["rollback"] != 3 {
			t.Errorf("calls %v", s.wallet.calls)
		}
		if s.wallet.balances[playerOf(minh)] != purse || len(s.wallet.rounds) != 0 {
			t.Errorf("something moved: %d", s.wallet.balances[playerOf(minh)])
		}
		if r := s.play(session.Token, n+1).Round; r.Nonce != 1 || r.Commitment != session.Commitment {
			t.Errorf("a refused bet used a seed up: %+v", r)
		}
	})
}

func TestPP15FailingRandomSourceStopsTheGame(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newSite(t, store)
		session := s.enter(minh)
		s.random.fails = true
		s.Clock.Add(house.Cycle)
		s.refused(s.spin(session.Token, 1), 503, "house.unavailable")
		s.refused(s.Call(t, "POST", "/house/v1/session", map[string]any{"ticket": s.wallet.ticket(playerOf(lan))}), 503, "house.unavailable")
		if s.wallet.balances[playerOf(minh)] != purse || s.wallet.counts["bet"] != 0 {
			t.Errorf("something was asked of the wallet: %v", s.wallet.calls)
		}
		// It fails between the bet and the draw: the bet is given back.
		s.random.fails = false
		s.wallet.cut = func(call string, _ int) cut {
			s.random.mu.Lock()
			s.random.fails = call == "bet"
			s.random.mu.Unlock()
			return whole
		}
		s.refused(s.spin(session.Token, 2), 503, "house.unavailable")
		s.wallet.cut = nil
		s.Clock.Add(61 * time.Second)
		if err := s.house.Recover(t.Context()); err != nil {
			t.Fatal(err)
		}
		if s.wallet.balances[playerOf(minh)] != purse {
			t.Errorf("balance %d", s.wallet.balances[playerOf(minh)])
		}
		s.random.fails = false
		s.refused(s.spin(session.Token, 2), 422, "house.refunded")
		s.play(session.Token, 3)
	})
}

// Every call is cut before or after it is carried out, once, always for a while, or across a restart: the round is then
// either settled as the wallet has it, or the stake is back; and nothing is open any more.
func TestPP15InterruptedRoundsAreResumedOrRefunded(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newSite(t, store)
		n, balance := 0, int64(purse)
		for _, call := range []string{"bet", "win"} {
			for _, how := range []cut{before, after, broken} {
				for _, wait := range []time.Duration{0, 10 * time.Second, 61 * time.Second} {
					t.Run(fmt.Sprintf("PP-15 %s cut %d for %s", call, how, wait), func(t *testing.T) {
						n++
						session := s.enter(minh)
						s.Clock.Add(house.Cycle)
						s.wallet.cut = func(c string, _ int) cut {
							if c == call {
								return how
							}
							return whole
						}
						s.refused(s.spin(session.Token, n), 503, "house.pending")
						s.start() // killed in between
						s.wallet.cut = nil
						s.Clock.Add(wait)
						var r merchanttest.Reply
						if wait == 0 {
							r = s.spin(session.Token, n) // the frame asks again
						} else {
							if err := s.house.Recover(t.Context()); err != nil {
								t.Fatal(err)
							}
							r = s.spin(session.Token, n)
						}
						if given := call == "bet" && wait > time.Minute; given {
							s.refused(r, 422, "house.refunded")
						} else {
							got := merchanttest.Value[shownSpin](t, r)
							balance += got.Round.Win - got.Round.Stake
						}
						if s.wallet.balances[playerOf(minh)] != balance {
							t.Errorf("balance %d, want %d", s.wallet.balances[playerOf(minh)], balance)
						}
						for id, r := range s.wallet.rounds {
							if len(r.stakes) > 0 && !r.closed {
								t.Errorf("round %s is open at the wallet", id)
							}
						}
						if again := s.enter(minh); again.Open != nil || again.Balance != balance {
							t.Errorf("%+v", again)
						}
					})
				}
			}
		}
	})
}

// A browser that is closed amid a round cuts nothing off: the round is brought to its end at once, without anybody who asks again.
func TestPP15WhoeverLeavesAmidARoundHasWhatItBrings(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newSite(t, store)
		session := s.enter(minh)
		for n, amid := range []string{"bet", "win"} {
			s.Clock.Add(house.Cycle)
			ctx, leave := context.WithCancel(t.Context())
			s.wallet.cut = func(call string, _ int) cut {
				if call == amid {
					leave()
				}
				return whole
			}
			s.CallIn(ctx, t, "POST", "/house/v1/spin", map[string]any{"spinId": spinID(n), "stake": 10_000}, "Authorization", session.Token)
			if ctx.Err() == nil {
				t.Fatalf("nothing was asked of the wallet: %v", s.wallet.calls)
			}
			s.wallet.cut = nil
			was := s.wallet.balances[playerOf(minh)]
			var open int
			if err := store.Reader.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM house_round WHERE status <> 'settled'").Scan(&open); err != nil || open > 0 {
				t.Errorf("left amid its %s the round is not settled: %v", amid, err)
			}
			if got := merchanttest.Value[shownSpin](t, s.spin(session.Token, n)); got.Balance != was || s.wallet.balances[playerOf(minh)] != was {
				t.Errorf("left amid its %s the player has %d, then %d", amid, was, got.Balance)
			}
		}
	})
}

// A round that began in what is now the future is brought to its end as well: a clock was set back.
func TestPP15ARoundIsFinishedThoughTheClockWasSetBack(t *testing.T) {
	t.Parallel()
	s := newSite(t, dbtest.SQLite(t))
	session := s.enter(minh)
	s.Clock.Add(house.Cycle)
	s.wallet.cut = func(string, int) cut { return before }
	s.refused(s.spin(session.Token, 1), 503, "house.pending")
	s.wallet.cut = nil
	s.Clock.Add(-time.Hour)
	if err := s.house.Recover(t.Context()); err != nil {
		t.Fatal(err)
	}
	var status string
	if err := s.Store.Reader.QueryRowContext(t.Context(), "SELECT status FROM house_round").Scan(&status); err != nil || status != "settled" {
		t.Errorf("the round is %q, %v", status, err)
	}
}

// A window that is opened again shows what became of the round.
func TestAReloadedFrameResumes(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newSite(t, store)
		session := s.enter(minh)
		s.Clock.Add(house.Cycle)
		away := true
		s.wallet.cut = func(call string, _ int) cut {
			if call == "win" && away {
				return before
			}
			return whole
		}
		s.refused(s.spin(session.Token, 1), 503, "house.pending")
		st := merchanttest.Value[shownSession](t, s.Call(t, "GET", "/house/v1/state", nil, "Authorization", session.Token))
		if st.Open == nil || st.Open.Seed != nil || st.Open.Commitment != session.Commitment || len(st.Open.Spins) != 0 || st.Last != nil {
			t.Errorf("an open round shows %+v", st)
		}
		s.Clock.Add(house.Cycle)
		s.refused(s.spin(session.Token, 2), 503, "house.pending") // one after the other
		away = false
		again := s.enter(minh)
		if again.Open != nil || again.Last == nil || again.Last.Commitment != session.Commitment || again.Nonce != 2 || again.Balance != purse-10_000+again.Last.Win {
			t.Errorf("resumed: %+v", again)
		}
		merchanttest.Value[shownSpin](t, s.spin(again.Token, 2))
	})
}

// The same client over a socket: there is no other code path.
func TestTheWalletOverLoopback(t *testing.T) {
	t.Parallel()
	s := newSite(t, dbtest.SQLite(t))
	server := httptest.NewServer(s.wallet)
	defer server.Close()
	s.trip = rewrite{server.URL}
	s.start()
	session := s.enter(minh)
	s.wallet.cut = func(call string, nth int) cut {
		switch {
		case call == "bet" && nth == 1:
			return before
		case call == "win" && nth == 1:
			return after
		}
		return whole
	}
	got := s.play(session.Token, 1)
	if want := purse - 10_000 + got.Round.Win; got.Balance != want || s.wallet.balances[playerOf(minh)] != want {
		t.Errorf("%+v, the wallet has %d", got, s.wallet.balances[playerOf(minh)])
	}
	if want := "authenticate,bet,bet,win,win"; strings.Join(s.wallet.calls, ",") != want {
		t.Errorf("calls %v, want %s", s.wallet.calls, want)
	}
}

// rewrite sends requests to another address.
type rewrite struct{ url string }

func (w rewrite) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.URL.Host = strings.TrimPrefix(w.url, "http://")
	return http.DefaultTransport.RoundTrip(r)
}
