package round_test

import (
	"net/http"
	"testing"
	"time"

	"pgregory.net/rapid"

	"fairground/internal/game/house/housetest"
	"fairground/internal/game/house/round"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
)

// After any sequence of spins, failures, refusals and restarts, every round is settled, refused or refunded, the wallet agrees and
// the nonces are consecutive.
func TestPP15AnySequenceOfEventsRecovers(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := housetest.New(t, store)
		spins := 0
		rapid.Check(t, func(r *rapid.T) {
			tokens := []string{s.Open(housetest.Minh).Token, s.Open(housetest.Minh).Token}
			for range rapid.IntRange(1, 12).Draw(r, "events") {
				switch rapid.SampledFrom([]string{"spin", "repeat", "fail", "stop failing", "refuse", "wait", "long wait", "recover", "restart"}).Draw(r, "event") {
				case "spin":
					spins++
					s.Clock.Add(round.MinBetInterval)
					s.Spin(tokens[spins%2], spins)
				case "repeat":
					s.Spin(tokens[0], max(1, spins-rapid.IntRange(0, 2).Draw(r, "which")))
				case "fail":
					call := rapid.SampledFrom([]string{"bet", "win", "rollback", "balance"}).Draw(r, "call")
					how := rapid.SampledFrom([]housetest.Failure{housetest.FailBefore, housetest.FailAfter, housetest.InvalidResponse}).Draw(r, "how")
					every := rapid.IntRange(1, 2).Draw(r, "every")
					s.Wallet.Fail = func(c string, nth int) housetest.Failure {
						if c == call && nth%every == 0 {
							return how
						}
						return housetest.NoFailure
					}
				case "stop failing":
					s.Wallet.Fail, s.Wallet.RefuseBets = nil, ""
				case "refuse":
					s.Wallet.RefuseBets = rapid.SampledFrom([]string{"INSUFFICIENT_FUNDS", "SESSION_EXPIRED", "GAME_UNAVAILABLE"}).Draw(r, "code")
				case "wait":
					s.Clock.Add(6 * time.Second)
				case "long wait":
					s.Clock.Add(62 * time.Second)
				case "recover":
					_ = s.House.Recover(t.Context()) // a later recovery retries
				case "restart":
					s.Start()
				}
			}
			s.Wallet.Fail, s.Wallet.RefuseBets = nil, ""
			s.Clock.Add(6 * time.Second)
			if err := s.House.Recover(t.Context()); err != nil {
				r.Fatal(err)
			}
			checkRounds(r, s)
		})
	})
}

// checkRounds checks that every round is finished and that the wallet agrees.
func checkRounds(t *rapid.T, s *housetest.Site) {
	rows, err := s.Store.Reader.QueryContext(s.T.Context(), "SELECT id, status, stake, win, nonce FROM house_round ORDER BY id")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	balance, nonce := int64(housetest.Balance), int64(0)
	for rows.Next() {
		var id, stake, win, n int64
		var status string
		if err := rows.Scan(&id, &status, &stake, &win, &n); err != nil {
			t.Fatal(err)
		}
		switch status {
		case "settled":
			balance += win - stake
			if nonce++; n != nonce {
				t.Fatalf("round %d has nonce %d, want %d", id, n, nonce)
			}
		case "refused", "refunded":
		default:
			t.Fatalf("round %d has status %s, want settled, refused or refunded", id, status)
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	if got := s.BalanceOf(housetest.Minh); got != balance {
		t.Fatalf("balance = %d, want %d", got, balance)
	}
	for id, r := range s.Wallet.Rounds {
		if len(r.Stakes) > 0 && !r.Closed {
			t.Fatalf("round %s is open in the wallet", id)
		}
	}
	s.Clock.Add(round.MinBetInterval)
	if r := s.Call(s.T, "GET", "/house/v1/state", nil, "Authorization", s.Open(housetest.Minh).Token); r.Status != http.StatusOK || merchanttest.Value[housetest.SessionResponse](s.T, r).Open != nil {
		t.Fatalf("got %s, want 200 without an open round", r.Body)
	}
}
