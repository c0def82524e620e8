package table_test

import (
	"net/http"
	"testing"
	"time"

	"pgregory.net/rapid"

	"fairground/internal/game/house"
	"fairground/internal/game/house/housetest"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
)

// Random sequences of bets, failures, dying leaders and clock jumps. In the end every ticket is settled or refunded once.
func TestPP15AnySequenceOfTableEventsRecovers(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newHall(t, store)
		tickets := 0
		rapid.Check(t, func(r *rapid.T) {
			second := h.process()
			frames := []string{h.Open(housetest.Minh).Token, h.Open(housetest.Lan).Token}
			h.frame = frames[0]
			for range rapid.IntRange(4, 24).Draw(r, "events") {
				switch rapid.SampledFrom([]string{
					"bet", "bet", "bet", "repeat", "poll", "poll", "pass", "pass", "to the close", "second", "die", "fail", "heal", "random", "jump", "recover", "lan",
				}).Draw(r, "event") {
				case "bet":
					tickets++
					h.tryBet(tickets, rapid.SampledFrom([]string{"player", "banker", "tie", "playerPair"}).Draw(r, "spot"))
				case "repeat":
					if tickets > 0 {
						h.tryBet(max(1, tickets-rapid.IntRange(0, 3).Draw(r, "which")), "player")
					}
				case "poll":
					h.poll()
				case "pass":
					h.pass(time.Duration(rapid.IntRange(1, 12).Draw(r, "seconds")) * time.Second)
				case "to the close":
					if round := h.table().Round; round != nil && round.Phase == "betting" {
						h.time.Add(time.UnixMilli(round.ClosesAt).Sub(h.time.Now()) - time.Duration(rapid.IntRange(0, 1).Draw(r, "before"))*time.Millisecond)
					}
				case "second":
					second.Tables.Poll(t.Context(), tableID, rapid.Bool().Draw(r, "sitting"))
				case "die":
					h.restart()
				case "fail":
					call := rapid.SampledFrom([]string{"bet", "win", "rollback"}).Draw(r, "call")
					how := rapid.SampledFrom([]housetest.Failure{housetest.Before, housetest.After, housetest.Garbled}).Draw(r, "how")
					h.Wallet.Fail = func(c string, _ int) housetest.Failure {
						if c == call {
							return how
						}
						return housetest.None
					}
				case "heal":
					h.Wallet.Fail = nil
					h.Random.SetFails(false)
				case "random":
					h.Random.SetFails(true)
				case "jump":
					h.Clock.Add(time.Duration(rapid.IntRange(-1800, 1800).Draw(r, "by")) * time.Second)
				case "recover":
					_ = h.House.Recover(t.Context()) // later recoveries retry
				case "lan":
					h.frame = frames[1]
				}
			}
			h.recoverAll(r, second)
		})
	})
}

// tryBet bets on the table's round, and ignores the response.
func (h *hall) tryBet(n int, id string) {
	if round := h.table().Round; round != nil {
		h.bet(n, round.ID, map[string]int64{id: 10_000})
	}
}

// recoverAll heals the failures, lets the round end and checks the balances.
func (h *hall) recoverAll(r *rapid.T, others ...*house.Service) {
	h.Wallet.Fail = nil
	h.Random.SetFails(false)
	for range 10 {
		h.time.Add(6 * time.Second)
		h.House.Tables.Poll(h.T.Context(), tableID, false)
		for _, other := range others {
			other.Tables.Poll(h.T.Context(), tableID, false)
		}
	}
	for range 2 { // recovery skips recent tickets, by a clock that may have jumped
		if err := h.House.Recover(h.T.Context()); err != nil {
			r.Fatal(err)
		}
		h.Clock.Add(20 * time.Second)
	}
	h.checkBalances(r)
	h.frame = h.Open(housetest.Minh).Token
	if answer := h.Call(h.T, "GET", "/house/v1/table", nil, "Authorization", h.frame); answer.Status != http.StatusOK || merchanttest.Value[shownTable](h.T, answer).Round != nil {
		r.Fatalf("%s", answer.Body)
	}
}
