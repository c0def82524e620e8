package house_test

import (
	"errors"
	"strconv"
	"sync"
	"testing"
	"time"

	"fairground/internal/game/house"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
)

// stuck gives the one round that was set aside.
func (s *site) stuck() (house.Stuck, int64) {
	s.t.Helper()
	all, err := house.ListStuck(s.t.Context(), s.Store)
	if err != nil || len(all) != 1 {
		s.t.Fatalf("%+v, %v", all, err)
	}
	id, err := strconv.ParseInt(all[0].Round, 10, 64)
	if err != nil {
		s.t.Fatal(err)
	}
	return all[0], id
}

func (s *site) noneStuck() {
	s.t.Helper()
	if all, err := house.ListStuck(s.t.Context(), s.Store); err != nil || len(all) != 0 {
		s.t.Fatalf("%+v, %v", all, err)
	}
}

// A wallet that refuses a win for good keeps nobody from playing on, and what the round brings is not lost.
func TestPP15AWinThatTheWalletRefusesIsSetAsideAndOwed(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newSite(t, store)
		session := s.enter(minh)
		player, balance := playerOf(minh), int64(purse)
		for n, won := 1, false; !won; n += 2 {
			s.wallet.ends = "GAME_UNAVAILABLE"
			s.Clock.Add(house.Cycle)
			s.refused(s.spin(session.Token, n), 503, "house.pending")
			s.noneStuck()
			s.Clock.Add(house.Cycle)
			s.refused(s.spin(session.Token, n+1), 503, "house.pending") // one at a time
			s.Clock.Add(2 * time.Minute)
			if err := s.house.Recover(t.Context()); err != nil {
				t.Fatal(err)
			}
			aside, id := s.stuck()
			if aside.Player != player || aside.Owed != "win" || aside.Code != "GAME_UNAVAILABLE" || aside.Stake != "10000" || aside.Game != "rong-vang" {
				t.Fatalf("%+v", aside)
			}
			balance -= 10_000
			win, err := strconv.ParseInt(aside.Win, 10, 64)
			if err != nil || s.wallet.balances[player] != balance {
				t.Fatalf("%d, want %d, %v", s.wallet.balances[player], balance, err)
			}
			// The spin has an answer now, and it is not that nothing was staked.
			s.refused(s.spin(session.Token, n), 422, "house.set_aside")
			if err := s.house.Retry(t.Context(), id); !errors.Is(err, house.ErrSetAside) {
				t.Fatalf("retried while it is refused: %v", err)
			}
			s.stuck()

			s.wallet.ends = ""
			next := s.play(session.Token, n+1) // the player plays on
			balance += next.Round.Win - 10_000
			if next.Balance != balance {
				t.Fatalf("%d, want %d", next.Balance, balance)
			}
			for range 2 { // once, however often it is asked for
				err := s.house.Retry(t.Context(), id)
				if err != nil && !errors.Is(err, house.ErrNotAside) {
					t.Fatal(err)
				}
			}
			balance += win
			if s.wallet.balances[player] != balance {
				t.Fatalf("after the retry %d, want %d", s.wallet.balances[player], balance)
			}
			s.noneStuck()
			round := merchanttest.Value[shownSpin](t, s.spin(session.Token, n)).Round
			if round.Win != win || round.Seed == nil {
				t.Fatalf("%+v", round)
			}
			won = win > 0
		}
	})
}

// A bet that cannot be taken back is owed in the same way.
func TestPP15ABetThatCannotBeGivenBackIsSetAsideAndOwed(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newSite(t, store)
		session := s.enter(minh)
		s.wallet.cut = func(call string, _ int) cut {
			if call == "bet" {
				return after
			}
			return whole
		}
		s.Clock.Add(house.Cycle)
		s.refused(s.spin(session.Token, 1), 503, "house.pending")
		s.wallet.cut, s.wallet.ends = nil, "ROUND_CLOSED"
		s.Clock.Add(2 * time.Minute)
		if err := s.house.Recover(t.Context()); err != nil {
			t.Fatal(err)
		}
		aside, id := s.stuck()
		if aside.Owed != "stake" || s.wallet.balances[playerOf(minh)] != purse-10_000 {
			t.Fatalf("%+v", aside)
		}
		s.wallet.ends = ""
		balance := s.play(session.Token, 2).Balance
		if err := s.house.Retry(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		if got := s.wallet.balances[playerOf(minh)]; got != balance+10_000 {
			t.Errorf("%d, want %d", got, balance+10_000)
		}
		s.noneStuck()
		s.refused(s.spin(session.Token, 1), 422, "house.refunded")
		if err := s.house.Retry(t.Context(), 1); !errors.Is(err, house.ErrNotAside) {
			t.Errorf("of no such round: %v", err)
		}
	})
}

// What the wallet has refused it refuses for ever under the same name, also when the cause is gone. The operator's retry ends
// the debt under another name, and pays once: also when an answer is lost, and when two ask at once.
func TestPP15ARefusalThatTheWalletRemembersCanBeEnded(t *testing.T) {
	t.Parallel()
	t.Run("PP-15 a win", func(t *testing.T) {
		t.Parallel()
		dbtest.Each(t, func(t *testing.T, store *db.Store) {
			s := newSite(t, store)
			session := s.enter(minh)
			player, balance := playerOf(minh), int64(purse)
			for n, won := 1, false; !won; n++ {
				s.wallet.ends, s.wallet.kept = "WRONG_CURRENCY", true
				id := s.aside(session.Token, n)
				s.wallet.ends = ""
				var win int64
				if err := store.Reader.QueryRowContext(t.Context(), "SELECT win FROM house_round WHERE id = "+strconv.FormatInt(id, 10)).Scan(&win); err != nil {
					t.Fatal(err)
				}
				balance += win - 10_000
				s.wallet.cut = func(call string, _ int) cut { // the answer to the new name is lost, each time that it is asked for
					if name := "r" + strconv.FormatInt(id, 10) + ":w2"; call == "win" && s.wallet.asks(name) {
						return after
					}
					return whole
				}
				if err := s.house.Retry(t.Context(), id); !errors.Is(err, house.ErrPending) {
					t.Fatalf("without an answer: %v", err)
				}
				s.wallet.cut = nil
				var both sync.WaitGroup
				for range 2 {
					both.Go(func() {
						if err := s.house.Retry(t.Context(), id); err != nil && !errors.Is(err, house.ErrNotAside) {
							t.Error(err)
						}
					})
				}
				both.Wait()
				if s.noneStuck(); s.wallet.balances[player] != balance {
					t.Fatalf("%d, want %d", s.wallet.balances[player], balance)
				}
				if round := merchanttest.Value[shownSpin](t, s.spin(session.Token, n)).Round; round.Win != win {
					t.Fatalf("%+v", round)
				}
				won = win > 0
			}
		})
	})
	t.Run("a wallet that goes on refusing is asked under one more name each time", func(t *testing.T) {
		t.Parallel()
		s := newSite(t, dbtest.SQLite(t))
		s.wallet.ends, s.wallet.kept = "ROUND_CLOSED", true
		id := s.aside(s.enter(minh).Token, 1)
		for n := 2; n < 5; n++ {
			if err := s.house.Retry(t.Context(), id); !errors.Is(err, house.ErrSetAside) {
				t.Fatal(err)
			}
			name := "r" + strconv.FormatInt(id, 10) + ":w"
			if s.wallet.txs[name+strconv.Itoa(n)].body == "" || s.wallet.txs[name+strconv.Itoa(n+1)].body != "" {
				t.Fatalf("after %d retries the wallet knows %v", n-1, s.wallet.txs)
			}
		}
		s.stuck()
	})
	t.Run("PP-15 a round that the wallet has closed is owed until whoever keeps the wallet has paid it", func(t *testing.T) {
		t.Parallel()
		dbtest.Each(t, func(t *testing.T, store *db.Store) {
			s := newSite(t, store)
			s.wallet.ends, s.wallet.kept = "ROUND_CLOSED", true
			token := s.enter(minh).Token
			id := s.aside(token, 1)
			if err := s.house.Retry(t.Context(), id); !errors.Is(err, house.ErrClosedThere) || !errors.Is(err, house.ErrSetAside) {
				t.Fatalf("not said: %v", err)
			}
			aside, _ := s.stuck()
			debt, err := s.house.Debt(t.Context(), id)
			if err != nil || aside.Code != "ROUND_CLOSED" || debt.Round != aside.Round || debt.Vendor != aside.Vendor || debt.Currency.Format(debt.Amount) != aside.Win {
				t.Fatalf("%+v, %+v, %v", debt, aside, err)
			}
			s.refused(s.spin(token, 1), 422, "house.set_aside")
			if err := s.house.Discharge(t.Context(), id, 777, false); err != nil {
				t.Fatal(err)
			}
			s.noneStuck()
			if got := merchanttest.Value[shownSpin](t, s.spin(token, 1)); moneyOf(got.Round.Win) != debt.Amount || got.Round.Seed == nil {
				t.Errorf("the player is shown %+v", got)
			}
			if err := s.house.Discharge(t.Context(), id, 777, false); !errors.Is(err, house.ErrNotAside) {
				t.Errorf("twice: %v", err)
			}
		})
	})
	t.Run("what is owed for another reason is nobody's to discharge", func(t *testing.T) {
		t.Parallel()
		s := newSite(t, dbtest.SQLite(t))
		s.wallet.ends, s.wallet.kept = "WRONG_CURRENCY", true
		id := s.aside(s.enter(minh).Token, 1)
		if err := s.house.Retry(t.Context(), id); errors.Is(err, house.ErrClosedThere) {
			t.Error(err)
		}
		if err := s.house.Discharge(t.Context(), id, 0, false); !errors.Is(err, house.ErrNotAside) {
			t.Error(err)
		}
		s.stuck()
	})
	t.Run("a conflict is nobody's to guess about", func(t *testing.T) {
		t.Parallel()
		s := newSite(t, dbtest.SQLite(t))
		s.wallet.ends, s.wallet.kept = "DUPLICATE_CONFLICT", true
		id := s.aside(s.enter(minh).Token, 1)
		s.wallet.ends = ""
		if err := s.house.Retry(t.Context(), id); !errors.Is(err, house.ErrSetAside) || s.wallet.balances[playerOf(minh)] != purse-10_000 {
			t.Fatalf("%d, %v", s.wallet.balances[playerOf(minh)], err)
		}
	})
	t.Run("PP-15 a win on a bet that was given back", func(t *testing.T) {
		t.Parallel()
		dbtest.Each(t, func(t *testing.T, store *db.Store) {
			s := newSite(t, store)
			s.wallet.ends, s.wallet.kept = "ROUND_NOT_FOUND", true
			token := s.enter(minh).Token
			id := s.aside(token, 1)
			s.wallet.ends = ""
			bet := "r" + strconv.FormatInt(id, 10) + ":b"
			round := s.wallet.rounds[strconv.FormatInt(id, 10)]
			s.wallet.balances[playerOf(minh)] += round.stakes[bet]
			delete(round.stakes, bet)
			if err := s.house.Retry(t.Context(), id); err != nil {
				t.Fatal(err)
			}
			s.noneStuck()
			s.refused(s.spin(token, 1), 422, "house.refunded")
			if got := s.wallet.balances[playerOf(minh)]; got != purse {
				t.Errorf("%d", got)
			}
		})
	})
	t.Run("PP-15 a bet that the wallet does not know is owed still", func(t *testing.T) {
		t.Parallel()
		s := newSite(t, dbtest.SQLite(t))
		s.wallet.ends, s.wallet.kept = "ROUND_NOT_FOUND", true
		id := s.aside(s.enter(minh).Token, 1)
		s.wallet.ends = ""
		delete(s.wallet.rounds, strconv.FormatInt(id, 10))
		delete(s.wallet.txs, "r"+strconv.FormatInt(id, 10)+":b")
		if err := s.house.Retry(t.Context(), id); !errors.Is(err, house.ErrSetAside) {
			t.Fatal(err)
		}
		s.stuck()
	})
	t.Run("PP-15 a bet's return", func(t *testing.T) {
		t.Parallel()
		dbtest.Each(t, func(t *testing.T, store *db.Store) {
			s := newSite(t, store)
			token := s.enter(minh).Token
			s.wallet.cut = func(call string, _ int) cut {
				if call == "bet" {
					return after
				}
				return whole
			}
			s.Clock.Add(house.Cycle)
			s.refused(s.spin(token, 1), 503, "house.pending")
			s.wallet.cut, s.wallet.ends, s.wallet.kept = nil, "ROUND_CLOSED", true
			s.Clock.Add(2 * time.Minute)
			if err := s.house.Recover(t.Context()); err != nil {
				t.Fatal(err)
			}
			_, id := s.stuck()
			s.wallet.ends = ""
			if err := s.house.Retry(t.Context(), id); err != nil {
				t.Fatal(err)
			}
			if got := s.wallet.balances[playerOf(minh)]; got != purse {
				t.Errorf("%d", got)
			}
			s.noneStuck()
		})
	})
}

// aside plays a round whose win the wallet refuses, until it is set aside.
func (s *site) aside(token string, n int) (id int64) {
	s.t.Helper()
	s.Clock.Add(house.Cycle)
	s.refused(s.spin(token, n), 503, "house.pending")
	s.Clock.Add(2 * time.Minute)
	if err := s.house.Recover(s.t.Context()); err != nil {
		s.t.Fatal(err)
	}
	_, id = s.stuck()
	return id
}

// A frame is its merchant's: a request that names another is refused, whatever ticket or token it has.
func TestX11AFrameOfAnotherMerchantIsNoneHere(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newSite(t, store)
		other := []string{"Merchant", merchanttest.Code} // the launches are of the merchant called second
		ticket := map[string]any{"ticket": s.wallet.ticket(playerOf(minh))}
		s.refused(s.Call(t, "POST", "/house/v1/session", ticket, other...), 401, "house.session_expired")
		session := merchanttest.Value[shownSession](t, s.Call(t, "POST", "/house/v1/session", ticket)) // it was not used up
		for _, path := range []string{"/house/v1/state", "/house/v1/history"} {
			s.refused(s.Call(t, "GET", path, nil, append(other, "Authorization", session.Token)...), 401, "house.session_expired")
		}
		body := map[string]any{"spinId": spinID(1), "stake": 10_000}
		s.refused(s.Call(t, "POST", "/house/v1/spin", body, append(other, "Authorization", session.Token)...), 401, "house.session_expired")
		if s.wallet.balances[playerOf(minh)] != purse {
			t.Error("something was staked")
		}
		s.play(session.Token, 1)
	})
}
