package round_test

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
	"fairground/internal/game/house/housetest"
	"fairground/internal/game/house/reels"
	"fairground/internal/game/house/round"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

// The server publishes the commitment before the bet and the seed after it. The outcome can be derived from the seed.
func TestPP17SeedsAreCommittedAndRevealed(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := housetest.New(t, store)
		session := s.Open(housetest.Minh)
		if session.Balance != housetest.Balance || session.Nonce != 1 || session.Open != nil || session.Last != nil {
			t.Fatalf("session = %+v, want balance %v, nonce 1, open nil and last nil", session, housetest.Balance)
		}
		committed, nonce, balance := session.Commitment, session.Nonce, session.Balance
		seeds := map[string]bool{}
		newest, _ := round.FindMachine("slot", 0)
		for n := 1; n <= 20; n++ {
			got := s.Play(session.Token, n)
			r := got.Round
			if r.Seed == nil || r.Commitment != committed || r.Nonce != nonce || seeds[*r.Seed] {
				t.Fatalf("round %d = %+v, want commitment %s and nonce %d", n, r, committed, nonce)
			}
			seeds[*r.Seed] = true
			seed, err := fairness.ParseSeed(*r.Seed)
			if err != nil || !seed.Matches(committed) {
				t.Fatalf("seed of round %d = %s, %v, want a seed that matches the commitment", n, *r.Seed, err)
			}
			want, err := newest.Play(fairness.NewStream(seed, r.ClientSeed, r.Nonce), 10_000)
			if err != nil || fmt.Sprint(stopsOf(want)) != fmt.Sprint(r.Spins) || int64(want.Win) != r.Win {
				t.Fatalf("round %d = %+v, want %+v, %v", n, r, want, err)
			}
			balance += r.Win - r.Stake
			if got.Balance != balance || s.BalanceOf(housetest.Minh) != balance {
				t.Fatalf("balance after round %d = %d, want %d", n, got.Balance, balance)
			}
			committed, nonce = got.Next.Commitment, got.Next.Nonce
			if got.Next.ClientSeed != r.ClientSeed || r.ClientSeed == "" {
				t.Fatalf("client seed of round %d = %q, of the next %q, want the same", n, r.ClientSeed, got.Next.ClientSeed)
			}
		}
		if nonce != 21 {
			t.Errorf("nonce = %d, want 21", nonce)
		}
	})
}

// The commitment is stored, not computed from the seed, so that a replaced seed is detected.
func TestPP17ReplacedSeedBreaksTheCommitment(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := housetest.New(t, store)
		session := s.Open(housetest.Minh)
		played := s.Play(session.Token, 1).Round
		other := strings.Repeat("\x07", len(fairness.Seed{}))
		if err := store.Write(t.Context(), func(tx *db.Tx) error {
			_, err := tx.ExecContext(t.Context(), "UPDATE house_round SET seed = $1", []byte(other))
			return err
		}); err != nil {
			t.Fatal(err)
		}
		r := s.Call(t, "GET", "/wps/fairness/round?vendor=HOUSE&roundId="+played.ID, nil, "Authorization", "minh")
		got := merchanttest.Value[housetest.RoundResponse](t, r)
		seed, err := fairness.ParseSeed(*got.Seed)
		if err != nil || string(seed[:]) != other || got.Commitment != session.Commitment || seed.Matches(got.Commitment) {
			t.Errorf("proof = %s, %v, want the replaced seed under the published commitment", r.Body, err)
		}
	})
}

func stopsOf(o reels.Outcome) (shown []struct{ Stops []int }) {
	for _, spin := range o.Spins {
		shown = append(shown, struct{ Stops []int }{spin.Stops})
	}
	return shown
}

func TestRepeatedSpinIsPlayedOnce(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := housetest.New(t, store)
		session := s.Open(housetest.Minh)
		first := s.Play(session.Token, 1)
		s.Clock.Add(time.Hour)
		if again := merchanttest.Value[housetest.SpinResponse](t, s.Spin(session.Token, 1)); again.Round.ID != first.Round.ID || again.Balance != first.Balance {
			t.Errorf("repeated spin = %+v, want %+v", again, first)
		}
		s.WantError(s.Call(t, "POST", "/house/v1/spin", map[string]any{"spinId": housetest.SpinID(1), "stake": 20_000}, "Authorization", session.Token), 409, "house.spin_conflict")
		// Concurrent requests from two tabs.
		other := s.Open(housetest.Minh)
		var requests sync.WaitGroup
		replies := make([]merchanttest.Reply, 12)
		for i := range replies {
			requests.Go(func() { replies[i] = s.Spin([]string{session.Token, other.Token}[i%2], 2+i%3) })
		}
		requests.Wait()
		played := map[string]bool{}
		for _, r := range replies {
			if r.Status == http.StatusOK {
				played[merchanttest.Value[housetest.SpinResponse](t, r).Round.ID] = true
			} else if c := housetest.Code(t, r); c != "house.too_fast" && c != "house.pending" {
				t.Errorf("response = %d %s, want 200, too_fast or pending", r.Status, r.Body)
			}
		}
		if len(played) != 1 || len(s.Wallet.Rounds) != 2 {
			t.Errorf("played rounds = %v, %d in the wallet, want 1 and 2", played, len(s.Wallet.Rounds))
		}
	})
}

// The minimum interval uses the database's clock, so a wrong server clock has no effect.
func TestPP10PaceBetweenReplicas(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := housetest.New(t, store)
		session := s.Open(housetest.Minh)
		s.Play(session.Token, 1)
		for n, skew := range []time.Duration{time.Hour, -time.Hour, 0} {
			s.Skew = skew
			s.Start()
			s.WantError(s.Spin(session.Token, 10+n), 429, "house.too_fast")
			s.Clock.Add(round.MinBetInterval)
			if r := s.Spin(session.Token, 20+n); r.Status != http.StatusOK {
				t.Errorf("response with a clock skew of %v = %s, want 200", skew, r.Body)
			}
		}
	})
}

func TestPP10ServerPartPace(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := housetest.New(t, store)
		session := s.Open(housetest.Minh)
		s.Play(session.Token, 1)
		s.Clock.Add(round.MinBetInterval - time.Millisecond)
		s.WantError(s.Spin(session.Token, 2), 429, "house.too_fast")
		s.WantError(s.Spin(s.Open(housetest.Minh).Token, 3), 429, "house.too_fast") // in another tab
		s.Start()
		s.WantError(s.Spin(session.Token, 2), 429, "house.too_fast") // after a restart
		if r := s.Spin(s.Open(housetest.Lan).Token, 2); r.Status != http.StatusOK {
			t.Errorf("response to another player = %s, want 200", r.Body)
		}
		s.Clock.Add(time.Millisecond)
		merchanttest.Value[housetest.SpinResponse](t, s.Spin(session.Token, 2))
		s.Clock.Add(-time.Hour) // setting the clock back does not lock the player out
		s.Start()
		merchanttest.Value[housetest.SpinResponse](t, s.Spin(session.Token, 4))
	})
}

// After a refused round the player may spin again without waiting.
func TestPP10RefusedSpinStartsNoWait(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := housetest.New(t, store)
		session := s.Open(housetest.Minh)
		for n, code := range []string{"LIMIT_REACHED", "INSUFFICIENT_FUNDS", "GAME_UNAVAILABLE"} {
			s.Wallet.RefuseBets = code
			if r := s.Spin(session.Token, 10+n); r.Status == http.StatusOK || housetest.Code(t, r) == "house.too_fast" {
				t.Errorf("response to code %s = %d %s, want a refusal other than house.too_fast", code, r.Status, r.Body)
			}
		}
		s.Wallet.RefuseBets = ""
		s.Play(session.Token, 20)
		s.WantError(s.Spin(session.Token, 21), 429, "house.too_fast")
		s.WantError(s.Spin(session.Token, 10), 422, "house.limit_reached") // repeating a refused request does not shorten the wait after another round
		s.WantError(s.Spin(session.Token, 21), 429, "house.too_fast")
	})
}

// A refused bet moves no money and uses up no seed. The player may bet again with another id.
func TestRefusedBets(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := housetest.New(t, store)
		session := s.Open(housetest.Minh)
		n := 0
		for code, want := range map[string]struct {
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
			s.Wallet.RefuseBets = code
			s.Clock.Add(round.MinBetInterval)
			s.WantError(s.Spin(session.Token, n), want.status, want.code)
			s.Wallet.RefuseBets = ""
			s.WantError(s.Spin(session.Token, n), want.status, want.code) // a repeated request is refused too
		}
		// The wallet might accept three of these bets later, so each was rolled back.
		if s.Wallet.Counts["rollback"] != 3 {
			t.Errorf("calls = %v, want 3 rollbacks", s.Wallet.Calls)
		}
		if s.BalanceOf(housetest.Minh) != housetest.Balance || len(s.Wallet.Rounds) != 0 {
			t.Errorf("balance = %d, want %d", s.BalanceOf(housetest.Minh), housetest.Balance)
		}
		if r := s.Play(session.Token, n+1).Round; r.Nonce != 1 || r.Commitment != session.Commitment {
			t.Errorf("round = %+v, want the first nonce and commitment", r)
		}
	})
}

func TestPP15FailingRandomSourceStopsTheGame(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := housetest.New(t, store)
		session := s.Open(housetest.Minh)
		s.Random.SetFails(true)
		s.Clock.Add(round.MinBetInterval)
		s.WantError(s.Spin(session.Token, 1), 503, "house.unavailable")
		s.WantError(s.Call(t, "POST", "/house/v1/session", map[string]any{"ticket": s.Wallet.Ticket(housetest.PlayerOf(housetest.Lan))}), 503, "house.unavailable")
		if s.BalanceOf(housetest.Minh) != housetest.Balance || s.Wallet.Counts["bet"] != 0 {
			t.Errorf("calls = %v, want no bet", s.Wallet.Calls)
		}
		// If the random source fails between the bet and the draw, the bet is refunded.
		s.Random.SetFails(false)
		s.Wallet.Fail = func(call string, _ int) housetest.Failure {
			s.Random.SetFails(call == "bet")
			return housetest.NoFailure
		}
		s.WantError(s.Spin(session.Token, 2), 503, "house.unavailable")
		s.Wallet.Fail = nil
		s.Clock.Add(61 * time.Second)
		if err := s.House.Recover(t.Context()); err != nil {
			t.Fatal(err)
		}
		if s.BalanceOf(housetest.Minh) != housetest.Balance {
			t.Errorf("balance = %d, want %d", s.BalanceOf(housetest.Minh), housetest.Balance)
		}
		s.Random.SetFails(false)
		s.WantError(s.Spin(session.Token, 2), 422, "house.refunded")
		s.Play(session.Token, 3)
	})
}

// Wallet calls fail before or after they take effect, and the server restarts. Afterwards the round is settled or refunded, and no
// round is open.
func TestPP15InterruptedRoundsAreResumedOrRefunded(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := housetest.New(t, store)
		n, balance := 0, int64(housetest.Balance)
		for _, call := range []string{"bet", "win"} {
			for _, how := range []housetest.Failure{housetest.FailBefore, housetest.FailAfter, housetest.InvalidResponse} {
				for _, wait := range []time.Duration{0, 10 * time.Second, 61 * time.Second} {
					t.Run(fmt.Sprintf("PP-15 %s fails (%d) for %s", call, how, wait), func(t *testing.T) {
						n++
						session := s.Open(housetest.Minh)
						s.Clock.Add(round.MinBetInterval)
						s.Wallet.Fail = func(c string, _ int) housetest.Failure {
							if c == call {
								return how
							}
							return housetest.NoFailure
						}
						s.WantError(s.Spin(session.Token, n), 503, "house.pending")
						s.Start() // a crash
						s.Wallet.Fail = nil
						s.Clock.Add(wait)
						var r merchanttest.Reply
						if wait == 0 {
							r = s.Spin(session.Token, n) // the frame repeats the request
						} else {
							if err := s.House.Recover(t.Context()); err != nil {
								t.Fatal(err)
							}
							r = s.Spin(session.Token, n)
						}
						if isRefunded := call == "bet" && wait > time.Minute; isRefunded {
							s.WantError(r, 422, "house.refunded")
						} else {
							got := merchanttest.Value[housetest.SpinResponse](t, r)
							balance += got.Round.Win - got.Round.Stake
						}
						if s.BalanceOf(housetest.Minh) != balance {
							t.Errorf("balance = %d, want %d", s.BalanceOf(housetest.Minh), balance)
						}
						for id, r := range s.Wallet.Rounds {
							if len(r.Stakes) > 0 && !r.Closed {
								t.Errorf("round %s is open in the wallet", id)
							}
						}
						if again := s.Open(housetest.Minh); again.Open != nil || again.Balance != balance {
							t.Errorf("session = %+v, want no open round and balance %d", again, balance)
						}
					})
				}
			}
		}
	})
}

// A round continues if the browser disconnects.
func TestPP15RoundEndsAfterDisconnect(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := housetest.New(t, store)
		session := s.Open(housetest.Minh)
		for n, during := range []string{"bet", "win"} {
			s.Clock.Add(round.MinBetInterval)
			ctx, leave := context.WithCancel(t.Context())
			s.Wallet.Fail = func(call string, _ int) housetest.Failure {
				if call == during {
					leave()
				}
				return housetest.NoFailure
			}
			s.CallWith(ctx, t, "POST", "/house/v1/spin", map[string]any{"spinId": housetest.SpinID(n), "stake": 10_000}, "Authorization", session.Token)
			if ctx.Err() == nil {
				t.Fatalf("calls = %v, want %s", s.Wallet.Calls, during)
			}
			s.Wallet.Fail = nil
			was := s.BalanceOf(housetest.Minh)
			var open int
			if err := store.Reader.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM house_round WHERE status <> 'settled'").Scan(&open); err != nil || open > 0 {
				t.Errorf("disconnect during %s: %d rounds are not settled, %v", during, open, err)
			}
			if got := merchanttest.Value[housetest.SpinResponse](t, s.Spin(session.Token, n)); got.Balance != was || s.BalanceOf(housetest.Minh) != was {
				t.Errorf("disconnect during %s: balance = %d, want %d", during, got.Balance, was)
			}
		}
	})
}

// Recovery works when the clock is set back to before the round began.
func TestPP15RecoveryAfterClockIsSetBack(t *testing.T) {
	t.Parallel()
	s := housetest.New(t, dbtest.SQLite(t))
	session := s.Open(housetest.Minh)
	s.Clock.Add(round.MinBetInterval)
	s.Wallet.Fail = func(string, int) housetest.Failure { return housetest.FailBefore }
	s.WantError(s.Spin(session.Token, 1), 503, "house.pending")
	s.Wallet.Fail = nil
	s.Clock.Add(-time.Hour)
	if err := s.House.Recover(t.Context()); err != nil {
		t.Fatal(err)
	}
	var status string
	if err := s.Store.Reader.QueryRowContext(t.Context(), "SELECT status FROM house_round").Scan(&status); err != nil || status != "settled" {
		t.Errorf("status = %q, %v, want settled", status, err)
	}
}

// Reopening a frame finishes the open round.
func TestReloadedFrameResumesTheRound(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := housetest.New(t, store)
		session := s.Open(housetest.Minh)
		s.Clock.Add(round.MinBetInterval)
		isDown := true
		s.Wallet.Fail = func(call string, _ int) housetest.Failure {
			if call == "win" && isDown {
				return housetest.FailBefore
			}
			return housetest.NoFailure
		}
		s.WantError(s.Spin(session.Token, 1), 503, "house.pending")
		st := merchanttest.Value[housetest.SessionResponse](t, s.Call(t, "GET", "/house/v1/state", nil, "Authorization", session.Token))
		if st.Open == nil || st.Open.Seed != nil || st.Open.Commitment != session.Commitment || len(st.Open.Spins) != 0 || st.Last != nil {
			t.Errorf("state = %+v, want an open round without outcome and seed", st)
		}
		s.Clock.Add(round.MinBetInterval)
		s.WantError(s.Spin(session.Token, 2), 503, "house.pending") // one open round per player
		isDown = false
		again := s.Open(housetest.Minh)
		if again.Open != nil || again.Last == nil || again.Last.Commitment != session.Commitment || again.Nonce != 2 || again.Balance != housetest.Balance-10_000+again.Last.Win {
			t.Errorf("session = %+v, want a last round and no open one", again)
		}
		merchanttest.Value[housetest.SpinResponse](t, s.Spin(again.Token, 2))
	})
}

// The wallet client also works over a real socket.
func TestWalletOverSocket(t *testing.T) {
	t.Parallel()
	s := housetest.New(t, dbtest.SQLite(t))
	server := httptest.NewServer(s.Wallet)
	defer server.Close()
	s.Transport = redirect{server.URL}
	s.Start()
	session := s.Open(housetest.Minh)
	s.Wallet.Fail = func(call string, nth int) housetest.Failure {
		switch {
		case call == "bet" && nth == 1:
			return housetest.FailBefore
		case call == "win" && nth == 1:
			return housetest.FailAfter
		}
		return housetest.NoFailure
	}
	got := s.Play(session.Token, 1)
	if want := housetest.Balance - 10_000 + got.Round.Win; got.Balance != want || s.BalanceOf(housetest.Minh) != want {
		t.Errorf("balance = %d, in the wallet %d, want %d", got.Balance, s.BalanceOf(housetest.Minh), want)
	}
	if want := "authenticate,bet,bet,win,win"; strings.Join(s.Wallet.Calls, ",") != want {
		t.Errorf("calls = %v, want %s", s.Wallet.Calls, want)
	}
}

// A redirect sends requests to another server.
type redirect struct{ url string }

func (w redirect) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.URL.Host = strings.TrimPrefix(w.url, "http://")
	return http.DefaultTransport.RoundTrip(r)
}
