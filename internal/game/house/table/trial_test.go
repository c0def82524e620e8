package table_test

import (
	"net/http"
	"testing"
	"time"

	"fairground/internal/game/house/housetest"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
)

// newTrialFixture returns a fixture and lan's frame. Minh plays with VND. Lan is a trial member and plays with FUN.
func newTrialFixture(t *testing.T, store *db.Store) (h *fixture, trial string) {
	t.Helper()
	h = newFixture(t, store)
	h.Wallet.Currencies = map[string]string{housetest.PlayerOf(housetest.Lan): "FUN"}
	opened := merchanttest.Value[struct {
		Token  string
		Player struct{ Trial bool }
	}](t, h.Call(t, http.MethodPost, "/house/v1/session", map[string]any{"ticket": h.Wallet.Ticket(housetest.PlayerOf(housetest.Lan))}))
	if !opened.Player.Trial {
		t.Fatal("the frame of a trial member is not marked as trial")
	}
	return h, opened.Token
}

// withFrame calls do as another player.
func (h *fixture) withFrame(frame string, do func()) {
	own := h.frame
	h.frame = frame
	do()
	h.frame = own
}

func TestPP12TrialAndRealTicketsInOneRound(t *testing.T) {
	t.Parallel()
	realStakes, trialStakes := map[string]int64{"player": 50_000, "banker": 30_000}, map[string]int64{"player": 700, "banker": 200}
	// place puts both tickets on the same round.
	place := func(t *testing.T, h *fixture, trial string) {
		t.Helper()
		open := h.waitForBetting()
		merchanttest.Value[betResponse](t, h.placeBet(1, open.Round.ID, realStakes))
		h.withFrame(trial, func() { merchanttest.Value[betResponse](t, h.placeBet(2, open.Round.ID, trialStakes)) })
		h.poll()
	}
	// want checks that the frame has one ticket with this status, and checks its crowd.
	want := func(t *testing.T, h *fixture, status string, stakes map[string]int64) ticketResponse {
		t.Helper()
		h.poll()
		now := h.getTable()
		if len(now.Mine) != 1 || now.Mine[0].Status != status {
			t.Fatalf("tickets = %+v, want one that is %s", now.Mine, status)
		}
		if status == "refunded" {
			return now.Mine[0]
		}
		if now.Crowd.Players != 1 {
			t.Errorf("crowd = %d players, want 1: only those with the same kind of money", now.Crowd.Players)
		}
		for id, stake := range stakes {
			if got := now.Crowd.Spots[id]; got.Players != 1 || got.Amount != stake {
				t.Errorf("crowd on %s = %+v, want 1 player with %d", id, got, stake)
			}
		}
		return now.Mine[0]
	}
	both := func(t *testing.T, h *fixture, trial, status string) (own, trialTicket ticketResponse) {
		t.Helper()
		own = want(t, h, status, realStakes)
		h.withFrame(trial, func() { trialTicket = want(t, h, status, trialStakes) })
		return own, trialTicket
	}
	resultPhase := func(h *fixture) {
		for h.getTable().Round.Phase != "result" {
			h.advance(time.Second)
		}
	}
	t.Run("PP-12 both are settled by the same result, each in its own currency", func(t *testing.T) {
		t.Parallel()
		dbtest.Each(t, func(t *testing.T, store *db.Store) {
			h, trial := newTrialFixture(t, store)
			place(t, h, trial)
			both(t, h, trial, "placed")
			resultPhase(h)
			own, trialTicket := both(t, h, trial, "won") // the fixed seed makes both tickets win
			if own.Win != 80_000 || trialTicket.Win != 900 {
				t.Errorf("wins = %d VND and %d FUN, want 80000 and 900", own.Win, trialTicket.Win)
			}
			h.checkBalances(t)
		})
	})
	t.Run("PP-12 PP-15 both stakes of a void round are returned", func(t *testing.T) {
		t.Parallel()
		dbtest.Each(t, func(t *testing.T, store *db.Store) {
			h, trial := newTrialFixture(t, store)
			place(t, h, trial)
			h.Random.SetFails(true)
			for h.getTable().Round.Phase != "void" {
				h.advance(time.Second)
			}
			both(t, h, trial, "refunded")
			h.checkBalances(t)
		})
	})
	t.Run("PP-12 PP-15 recovery pays both after the wallet was down", func(t *testing.T) {
		t.Parallel()
		dbtest.Each(t, func(t *testing.T, store *db.Store) {
			h, trial := newTrialFixture(t, store)
			place(t, h, trial)
			h.Wallet.Fail = func(call string, _ int) housetest.Failure {
				if call == "win" {
					return housetest.FailBefore
				}
				return housetest.NoFailure
			}
			resultPhase(h)
			both(t, h, trial, "placed")
			h.Wallet.Fail = nil
			h.restart()
			h.dbClock.Add(10 * time.Second)
			h.Clock.Add(10 * time.Second)
			h.Recover()
			h.checkBalances(t)
		})
	})
}

func TestPP12TrialLimitsAtTheTables(t *testing.T) {
	t.Parallel()
	h, trial := newTrialFixture(t, dbtest.SQLite(t))
	h.frame = trial
	open := h.waitForBetting()
	rules := merchanttest.Value[struct {
		Table struct {
			Unit, Minimum, Maximum int64
			Chips                  []int64
		}
	}](t, h.Call(t, http.MethodGet, "/house/v1/table", nil, "Authorization", trial)).Table
	if rules.Unit != 100 || rules.Minimum != 100 || rules.Maximum != 200_000 || len(rules.Chips) != 6 || rules.Chips[0] != 100 {
		t.Errorf("limits of play money = %+v, want unit 100, minimum 100, maximum 200000 and six chips from 100", rules)
	}
	for i, c := range []struct {
		stake  int64
		status int
		code   string
	}{{99, 422, "house.below_minimum"}, {150, 422, "house.wrong_multiple"}, {50_100, 422, "house.spot_limit"}} {
		h.WantError(h.placeBet(10+i, open.Round.ID, map[string]int64{"player": c.stake}), c.status, c.code)
	}
	merchanttest.Value[betResponse](t, h.placeBet(20, open.Round.ID, map[string]int64{"player": 50_000}))
}
