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

// After any sequence of bets, failures, crashes and clock jumps, every ticket is settled, refused or refunded once.
func TestPP15AnySequenceOfTableEventsRecovers(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newFixture(t, store)
		tickets := 0
		rapid.Check(t, func(r *rapid.T) {
			second := h.newProcess()
			frames := []string{h.Open(housetest.Minh).Token, h.Open(housetest.Lan).Token}
			h.frame = frames[0]
			for range rapid.IntRange(4, 24).Draw(r, "events") {
				switch rapid.SampledFrom([]string{
					"bet", "bet", "bet", "repeat", "poll", "poll", "advance", "advance", "advance to the close", "second process polls", "crash", "fail", "stop failing", "random source fails", "clock jumps", "recover", "play as lan",
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
				case "advance":
					h.advance(time.Duration(rapid.IntRange(1, 12).Draw(r, "seconds")) * time.Second)
				case "advance to the close":
					if round := h.getTable().Round; round != nil && round.Phase == "betting" {
						h.dbClock.Add(time.UnixMilli(round.ClosesAt).Sub(h.dbClock.Now()) - time.Duration(rapid.IntRange(0, 1).Draw(r, "before"))*time.Millisecond)
					}
				case "second process polls":
					second.Tables.Poll(t.Context(), tableID, rapid.Bool().Draw(r, "in use"))
				case "crash":
					h.restart()
				case "fail":
					call := rapid.SampledFrom([]string{"bet", "win", "rollback"}).Draw(r, "call")
					how := rapid.SampledFrom([]housetest.Failure{housetest.FailBefore, housetest.FailAfter, housetest.InvalidResponse}).Draw(r, "how")
					h.Wallet.Fail = func(c string, _ int) housetest.Failure {
						if c == call {
							return how
						}
						return housetest.NoFailure
					}
				case "stop failing":
					h.Wallet.Fail = nil
					h.Random.SetFails(false)
				case "random source fails":
					h.Random.SetFails(true)
				case "clock jumps":
					h.Clock.Add(time.Duration(rapid.IntRange(-1800, 1800).Draw(r, "by")) * time.Second)
				case "recover":
					_ = h.House.Recover(t.Context()) // a later recovery retries
				case "play as lan":
					h.frame = frames[1]
				}
			}
			h.finishAndCheck(r, second)
		})
	})
}

// tryBet bets on the table's round, and ignores the response.
func (h *fixture) tryBet(n int, id string) {
	if round := h.getTable().Round; round != nil {
		h.placeBet(n, round.ID, map[string]int64{id: 10_000})
	}
}

// finishAndCheck stops all failures, lets the round finish and checks the balances.
func (h *fixture) finishAndCheck(r *rapid.T, others ...*house.Service) {
	h.Wallet.Fail = nil
	h.Random.SetFails(false)
	for range 10 {
		h.dbClock.Add(6 * time.Second)
		h.House.Tables.Poll(h.T.Context(), tableID, false)
		for _, other := range others {
			other.Tables.Poll(h.T.Context(), tableID, false)
		}
	}
	for range 2 { // recovery skips recent tickets, and its clock may have jumped
		if err := h.House.Recover(h.T.Context()); err != nil {
			r.Fatal(err)
		}
		h.Clock.Add(20 * time.Second)
	}
	h.checkBalances(r)
	h.frame = h.Open(housetest.Minh).Token
	if response := h.Call(h.T, "GET", "/house/v1/table", nil, "Authorization", h.frame); response.Status != http.StatusOK || merchanttest.Value[tableResponse](h.T, response).Round != nil {
		r.Fatalf("the table answers %s, want no round", response.Body)
	}
}
