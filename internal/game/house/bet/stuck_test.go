package bet_test

import (
	"errors"
	"strconv"
	"sync"
	"testing"
	"time"

	"fairground/internal/game/house"
	"fairground/internal/game/house/bet"
	"fairground/internal/game/house/housetest"
	"fairground/internal/game/house/refusal"
	"fairground/internal/game/house/round"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

func oneStuck(s *housetest.Site) (bet.Stuck, int64) {
	s.T.Helper()
	all, err := house.ListStuck(s.T.Context(), s.Store)
	if err != nil || len(all) != 1 {
		s.T.Fatalf("stuck rounds = %+v, %v, want one", all, err)
	}
	id, err := strconv.ParseInt(all[0].Round, 10, 64)
	if err != nil {
		s.T.Fatal(err)
	}
	return all[0], id
}

func wantNoneStuck(s *housetest.Site) {
	s.T.Helper()
	if all, err := house.ListStuck(s.T.Context(), s.Store); err != nil || len(all) != 0 {
		s.T.Fatalf("stuck rounds = %+v, %v, want none", all, err)
	}
}

// After a refused win the player can continue to play. An operator's retry pays the win.
func TestPP15RefusedWinIsMarkedStuck(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := housetest.New(t, store)
		session := s.Open(housetest.Minh)
		player, balance := housetest.PlayerOf(housetest.Minh), int64(housetest.Balance)
		for n, won := 1, false; !won; n += 2 {
			s.Wallet.RefuseEnds = "GAME_UNAVAILABLE"
			s.Clock.Add(round.MinBetInterval)
			s.WantError(s.Spin(session.Token, n), 503, "house.pending")
			wantNoneStuck(s)
			s.Clock.Add(round.MinBetInterval)
			s.WantError(s.Spin(session.Token, n+1), 503, "house.pending") // one open round per player
			s.Clock.Add(2 * time.Minute)
			if err := s.House.Recover(t.Context()); err != nil {
				t.Fatal(err)
			}
			stuck, id := oneStuck(s)
			if stuck.Player != player || stuck.Owed != "win" || stuck.Code != "GAME_UNAVAILABLE" || stuck.Stake != "10000" || stuck.Game != "rong-vang" {
				t.Fatalf("stuck round = %+v, want player %v, owed win, GAME_UNAVAILABLE, stake 10000 and game rong-vang", stuck, player)
			}
			balance -= 10_000
			win, err := strconv.ParseInt(stuck.Win, 10, 64)
			if err != nil || s.Wallet.Balances[player] != balance {
				t.Fatalf("balance = %d, want %d, %v", s.Wallet.Balances[player], balance, err)
			}
			s.WantError(s.Spin(session.Token, n), 422, "house.set_aside")
			if err := s.House.Bets.Retry(t.Context(), id); !errors.Is(err, refusal.ErrStuck) {
				t.Fatalf("error of a refused retry = %v, want %v", err, refusal.ErrStuck)
			}
			oneStuck(s)

			s.Wallet.RefuseEnds = ""
			next := s.Play(session.Token, n+1)
			balance += next.Round.Win - 10_000
			if next.Balance != balance {
				t.Fatalf("balance = %d, want %d", next.Balance, balance)
			}
			for range 2 { // the second retry changes nothing
				err := s.House.Bets.Retry(t.Context(), id)
				if err != nil && !errors.Is(err, bet.ErrNotStuck) {
					t.Fatal(err)
				}
			}
			balance += win
			if s.Wallet.Balances[player] != balance {
				t.Fatalf("balance after the retry = %d, want %d", s.Wallet.Balances[player], balance)
			}
			wantNoneStuck(s)
			round := merchanttest.Value[housetest.SpinResponse](t, s.Spin(session.Token, n)).Round
			if round.Win != win || round.Seed == nil {
				t.Fatalf("round = %+v, want win %d and a seed", round, win)
			}
			won = win > 0
		}
	})
}

func TestPP15RefusedRollbackIsMarkedStuck(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := housetest.New(t, store)
		session := s.Open(housetest.Minh)
		s.Wallet.Fail = func(call string, _ int) housetest.Failure {
			if call == "bet" {
				return housetest.FailAfter
			}
			return housetest.NoFailure
		}
		s.Clock.Add(round.MinBetInterval)
		s.WantError(s.Spin(session.Token, 1), 503, "house.pending")
		s.Wallet.Fail, s.Wallet.RefuseEnds = nil, "ROUND_CLOSED"
		s.Clock.Add(2 * time.Minute)
		if err := s.House.Recover(t.Context()); err != nil {
			t.Fatal(err)
		}
		stuck, id := oneStuck(s)
		if stuck.Owed != "stake" || s.BalanceOf(housetest.Minh) != housetest.Balance-10_000 {
			t.Fatalf("stuck round = %+v, balance %d, want the stake owed and %d", stuck, s.BalanceOf(housetest.Minh), housetest.Balance-10_000)
		}
		s.Wallet.RefuseEnds = ""
		balance := s.Play(session.Token, 2).Balance
		if err := s.House.Bets.Retry(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		if got := s.BalanceOf(housetest.Minh); got != balance+10_000 {
			t.Errorf("balance = %d, want %d", got, balance+10_000)
		}
		wantNoneStuck(s)
		s.WantError(s.Spin(session.Token, 1), 422, "house.refunded")
		if err := s.House.Bets.Retry(t.Context(), 1); !errors.Is(err, bet.ErrNotStuck) {
			t.Errorf("error for an unknown round = %v, want %v", err, bet.ErrNotStuck)
		}
	})
}

// The wallet repeats a stored refusal for the same transaction ID. Retry uses a new ID and still moves money only once.
func TestPP15RetryAfterAFinalRefusal(t *testing.T) {
	t.Parallel()
	t.Run("PP-15 a win", func(t *testing.T) {
		t.Parallel()
		dbtest.Each(t, func(t *testing.T, store *db.Store) {
			s := housetest.New(t, store)
			session := s.Open(housetest.Minh)
			player, balance := housetest.PlayerOf(housetest.Minh), int64(housetest.Balance)
			for n, won := 1, false; !won; n++ {
				s.Wallet.RefuseEnds, s.Wallet.IsFinal = "WRONG_CURRENCY", true
				id := makeStuck(s, session.Token, n)
				s.Wallet.RefuseEnds = ""
				var win int64
				if err := store.Reader.QueryRowContext(t.Context(), "SELECT win FROM house_round WHERE id = "+strconv.FormatInt(id, 10)).Scan(&win); err != nil {
					t.Fatal(err)
				}
				balance += win - 10_000
				s.Wallet.Fail = func(call string, _ int) housetest.Failure { // no response to the new ID
					if name := "r" + strconv.FormatInt(id, 10) + ":w2"; call == "win" && s.Wallet.HasTxID(name) {
						return housetest.FailAfter
					}
					return housetest.NoFailure
				}
				if err := s.House.Bets.Retry(t.Context(), id); !errors.Is(err, refusal.ErrPending) {
					t.Fatalf("error without a response = %v, want %v", err, refusal.ErrPending)
				}
				s.Wallet.Fail = nil
				var calls sync.WaitGroup
				for range 2 {
					calls.Go(func() {
						if err := s.House.Bets.Retry(t.Context(), id); err != nil && !errors.Is(err, bet.ErrNotStuck) {
							t.Errorf("Retry: got %v, want no error or ErrNotStuck", err)
						}
					})
				}
				calls.Wait()
				if wantNoneStuck(s); s.Wallet.Balances[player] != balance {
					t.Fatalf("balance = %d, want %d", s.Wallet.Balances[player], balance)
				}
				if round := merchanttest.Value[housetest.SpinResponse](t, s.Spin(session.Token, n)).Round; round.Win != win {
					t.Fatalf("round = %+v, want win %d", round, win)
				}
				won = win > 0
			}
		})
	})
	t.Run("each retry tries one more transaction ID", func(t *testing.T) {
		t.Parallel()
		s := housetest.New(t, dbtest.SQLite(t))
		s.Wallet.RefuseEnds, s.Wallet.IsFinal = "ROUND_CLOSED", true
		id := makeStuck(s, s.Open(housetest.Minh).Token, 1)
		for n := 2; n < 5; n++ {
			if err := s.House.Bets.Retry(t.Context(), id); !errors.Is(err, refusal.ErrStuck) {
				t.Fatal(err)
			}
			name := "r" + strconv.FormatInt(id, 10) + ":w"
			if s.Wallet.Responses[name+strconv.Itoa(n)].Body == "" || s.Wallet.Responses[name+strconv.Itoa(n+1)].Body != "" {
				t.Fatalf("responses after %d retries = %v, want none of the next one", n-1, s.Wallet.Responses)
			}
		}
		oneStuck(s)
	})
	t.Run("PP-15 a round that the wallet has closed is stuck until Discharge", func(t *testing.T) {
		t.Parallel()
		dbtest.Each(t, func(t *testing.T, store *db.Store) {
			s := housetest.New(t, store)
			s.Wallet.RefuseEnds, s.Wallet.IsFinal = "ROUND_CLOSED", true
			token := s.Open(housetest.Minh).Token
			id := makeStuck(s, token, 1)
			if err := s.House.Bets.Retry(t.Context(), id); !errors.Is(err, bet.ErrClosedByWallet) || !errors.Is(err, refusal.ErrStuck) {
				t.Fatalf("error of the retry = %v, want %v", err, bet.ErrClosedByWallet)
			}
			stuck, _ := oneStuck(s)
			debt, err := s.House.Bets.Debt(t.Context(), id)
			if err != nil || stuck.Code != "ROUND_CLOSED" || debt.Round != stuck.Round || debt.Vendor != stuck.Vendor || debt.Currency.Format(debt.Amount) != stuck.Win {
				t.Fatalf("debt = %+v, %v, want the win of %+v, ROUND_CLOSED", debt, err, stuck)
			}
			s.WantError(s.Spin(token, 1), 422, "house.set_aside")
			if err := s.House.Bets.Discharge(t.Context(), id, 777, false); err != nil {
				t.Fatal(err)
			}
			wantNoneStuck(s)
			if got := merchanttest.Value[housetest.SpinResponse](t, s.Spin(token, 1)); money.Minor(got.Round.Win) != debt.Amount || got.Round.Seed == nil {
				t.Errorf("round = %+v, want win %d and a seed", got.Round, debt.Amount)
			}
			if err := s.House.Bets.Discharge(t.Context(), id, 777, false); !errors.Is(err, bet.ErrNotStuck) {
				t.Errorf("error of a second discharge = %v, want %v", err, bet.ErrNotStuck)
			}
		})
	})
	t.Run("Discharge rejects a round that is stuck for another reason", func(t *testing.T) {
		t.Parallel()
		s := housetest.New(t, dbtest.SQLite(t))
		s.Wallet.RefuseEnds, s.Wallet.IsFinal = "WRONG_CURRENCY", true
		id := makeStuck(s, s.Open(housetest.Minh).Token, 1)
		if err := s.House.Bets.Retry(t.Context(), id); errors.Is(err, bet.ErrClosedByWallet) {
			t.Errorf("Retry: got %v, want any result but ErrClosedByWallet", err)
		}
		if err := s.House.Bets.Discharge(t.Context(), id, 0, false); !errors.Is(err, bet.ErrNotStuck) {
			t.Errorf("Discharge: got %v, want ErrNotStuck", err)
		}
		oneStuck(s)
	})
	t.Run("a conflict stays stuck", func(t *testing.T) {
		t.Parallel()
		s := housetest.New(t, dbtest.SQLite(t))
		s.Wallet.RefuseEnds, s.Wallet.IsFinal = "DUPLICATE_CONFLICT", true
		id := makeStuck(s, s.Open(housetest.Minh).Token, 1)
		s.Wallet.RefuseEnds = ""
		if err := s.House.Bets.Retry(t.Context(), id); !errors.Is(err, refusal.ErrStuck) || s.BalanceOf(housetest.Minh) != housetest.Balance-10_000 {
			t.Fatalf("balance = %d, error %v", s.BalanceOf(housetest.Minh), err)
		}
	})
	t.Run("PP-15 a win on a refunded bet", func(t *testing.T) {
		t.Parallel()
		dbtest.Each(t, func(t *testing.T, store *db.Store) {
			s := housetest.New(t, store)
			s.Wallet.RefuseEnds, s.Wallet.IsFinal = "ROUND_NOT_FOUND", true
			token := s.Open(housetest.Minh).Token
			id := makeStuck(s, token, 1)
			s.Wallet.RefuseEnds = ""
			bet := "r" + strconv.FormatInt(id, 10) + ":b"
			round := s.Wallet.Rounds[strconv.FormatInt(id, 10)]
			s.Wallet.Balances[housetest.PlayerOf(housetest.Minh)] += round.Stakes[bet]
			delete(round.Stakes, bet)
			if err := s.House.Bets.Retry(t.Context(), id); err != nil {
				t.Fatal(err)
			}
			wantNoneStuck(s)
			s.WantError(s.Spin(token, 1), 422, "house.refunded")
			if got := s.BalanceOf(housetest.Minh); got != housetest.Balance {
				t.Errorf("balance = %d, want %d", got, housetest.Balance)
			}
		})
	})
	t.Run("PP-15 a win on a bet that the wallet does not know stays stuck", func(t *testing.T) {
		t.Parallel()
		s := housetest.New(t, dbtest.SQLite(t))
		s.Wallet.RefuseEnds, s.Wallet.IsFinal = "ROUND_NOT_FOUND", true
		id := makeStuck(s, s.Open(housetest.Minh).Token, 1)
		s.Wallet.RefuseEnds = ""
		delete(s.Wallet.Rounds, strconv.FormatInt(id, 10))
		delete(s.Wallet.Responses, "r"+strconv.FormatInt(id, 10)+":b")
		if err := s.House.Bets.Retry(t.Context(), id); !errors.Is(err, refusal.ErrStuck) {
			t.Fatal(err)
		}
		oneStuck(s)
	})
	t.Run("PP-15 a rollback", func(t *testing.T) {
		t.Parallel()
		dbtest.Each(t, func(t *testing.T, store *db.Store) {
			s := housetest.New(t, store)
			token := s.Open(housetest.Minh).Token
			s.Wallet.Fail = func(call string, _ int) housetest.Failure {
				if call == "bet" {
					return housetest.FailAfter
				}
				return housetest.NoFailure
			}
			s.Clock.Add(round.MinBetInterval)
			s.WantError(s.Spin(token, 1), 503, "house.pending")
			s.Wallet.Fail, s.Wallet.RefuseEnds, s.Wallet.IsFinal = nil, "ROUND_CLOSED", true
			s.Clock.Add(2 * time.Minute)
			if err := s.House.Recover(t.Context()); err != nil {
				t.Fatal(err)
			}
			_, id := oneStuck(s)
			s.Wallet.RefuseEnds = ""
			if err := s.House.Bets.Retry(t.Context(), id); err != nil {
				t.Fatal(err)
			}
			if got := s.BalanceOf(housetest.Minh); got != housetest.Balance {
				t.Errorf("balance = %d, want %d", got, housetest.Balance)
			}
			wantNoneStuck(s)
		})
	})
}

// makeStuck plays a round and makes the wallet refuse the win until the round is stuck.
func makeStuck(s *housetest.Site, token string, n int) (id int64) {
	s.T.Helper()
	s.Clock.Add(round.MinBetInterval)
	s.WantError(s.Spin(token, n), 503, "house.pending")
	s.Clock.Add(2 * time.Minute)
	if err := s.House.Recover(s.T.Context()); err != nil {
		s.T.Fatal(err)
	}
	_, id = oneStuck(s)
	return id
}
