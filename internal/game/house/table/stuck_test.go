package table_test

import (
	"errors"
	"net/http"
	"strconv"
	"testing"
	"time"

	"fairground/internal/game/house"
	"fairground/internal/game/house/bet"
	"fairground/internal/game/house/housetest"
	"fairground/internal/game/house/refusal"
	"fairground/internal/game/house/table"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
)

// tickets are minh's own, the latest first.
func (h *hall) tickets() []shownTicket {
	h.T.Helper()
	return merchanttest.Value[struct{ List []shownTicket }](h.T, h.Call(h.T, http.MethodGet, "/house/v1/table/mine", nil, "Authorization", h.frame)).List
}

// hedged bets on both sides, one of which brings something.
var hedged = map[string]int64{"player": 50_000, "banker": 50_000}

// A ticket that has won, and on which the wallet does not pay, is neither open nor paid: its player is told what is owed. Once
// the wallet takes it, it is paid once.
func TestPP15ATicketThatIsNotPaidIsShownAsOwed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		away  func(h *hall)
		back  func(h *hall)
		again func(t *testing.T, h *hall, id int64)
	}{
		{
			"PP-15 the wallet is away",
			func(h *hall) {
				h.Wallet.Fail = func(call string, _ int) housetest.Failure {
					if call == "win" {
						return housetest.Before
					}
					return housetest.None
				}
			},
			func(h *hall) { h.Wallet.Fail = nil },
			func(t *testing.T, h *hall, _ int64) {
				t.Helper()
				if err := h.House.Recover(t.Context()); err != nil {
					t.Error(err)
				}
			},
		},
		{
			"PP-15 the wallet refuses it for good",
			func(h *hall) { h.Wallet.RefuseEnds, h.Wallet.IsFinal = "WRONG_CURRENCY", true },
			func(h *hall) { h.Wallet.RefuseEnds = "" },
			func(t *testing.T, h *hall, id int64) {
				t.Helper()
				if err := h.House.Bets.Retry(t.Context(), id); err != nil {
					t.Error(err)
				}
			},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dbtest.Each(t, func(t *testing.T, store *db.Store) {
				h := newHall(t, store)
				open := h.betting()
				ticket := merchanttest.Value[shownBet](t, h.bet(1, open.Round.ID, hedged)).Bet
				c.away(h)
				h.pass(45 * time.Second)
				if got := h.tickets()[0]; got.Status != "placed" || got.Win != 0 {
					t.Fatalf("while it is being paid: %+v", got)
				}
				h.pass(2 * time.Minute)
				h.Clock.Add(3 * time.Minute)
				_ = h.House.Recover(t.Context()) // sets aside what is refused; a wallet that is away says nothing
				var win int64
				if err := store.Reader.QueryRowContext(t.Context(), "SELECT win FROM house_round WHERE id = "+ticket.ID).Scan(&win); err != nil || win == 0 {
					t.Fatalf("%d, %v", win, err)
				}
				if got := h.tickets()[0]; got.Status != "owed" || got.Win != win || got.Total != 100_000 {
					t.Fatalf("while it is owed: %+v", got)
				}
				if h.BalanceOf(housetest.Minh) != tableBalance-100_000 {
					t.Fatal("something was paid")
				}
				c.back(h)
				id, err := strconv.ParseInt(ticket.ID, 10, 64)
				if err != nil {
					t.Fatal(err)
				}
				c.again(t, h, id)
				_ = h.House.Bets.Retry(t.Context(), id) // it is none of those set aside any more
				if got := h.tickets()[0]; got.Status != "won" || got.Win != win {
					t.Fatalf("once it is paid: %+v", got)
				}
				h.checkBalances(t)
			})
		})
	}
}

// A stake that is to go back and does not is owed, too. A ticket that brings nothing is lost, whatever the wallet says to it.
func TestPP15WhatElseIsOwed(t *testing.T) {
	t.Parallel()
	t.Run("PP-15 the stake of a round that was called off", func(t *testing.T) {
		t.Parallel()
		h := newHall(t, dbtest.SQLite(t))
		open := h.betting()
		ticket := merchanttest.Value[shownBet](t, h.bet(1, open.Round.ID, hedged)).Bet
		h.Wallet.RefuseEnds = "GAME_UNAVAILABLE"
		h.Random.SetFails(true)
		h.pass(2 * time.Minute)
		if got := h.tickets()[0]; got.Status != "owed" || got.Win != 100_000 {
			t.Errorf("while the wallet is asked: %+v", got)
		}
		h.Clock.Add(3 * time.Minute)
		_ = h.House.Recover(t.Context())
		if got := h.tickets()[0]; got.Status != "owed" || got.Win != 100_000 {
			t.Errorf("when it was set aside: %+v", got)
		}
		h.Wallet.RefuseEnds = ""
		h.Random.SetFails(false)
		id, err := strconv.ParseInt(ticket.ID, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		if err := h.House.Bets.Retry(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		if got := h.tickets()[0]; got.Status != "refunded" {
			t.Errorf("%+v", got)
		}
		h.checkBalances(t)
	})
	t.Run("PP-15 the stake of a round that was called off, and that the wallet has closed", func(t *testing.T) {
		t.Parallel()
		dbtest.Each(t, func(t *testing.T, store *db.Store) {
			h := newHall(t, store)
			open := h.betting()
			ticket := merchanttest.Value[shownBet](t, h.bet(1, open.Round.ID, hedged)).Bet
			h.Wallet.RefuseEnds, h.Wallet.IsFinal = "ROUND_CLOSED", true
			h.Random.SetFails(true)
			h.pass(2 * time.Minute)
			h.Clock.Add(3 * time.Minute)
			_ = h.House.Recover(t.Context()) // what is refused is no error of its own
			stuck, err := house.ListStuck(t.Context(), store)
			if err != nil || len(stuck) != 1 || stuck[0].Code != "ROUND_CLOSED" || stuck[0].Owed != "stake" {
				t.Fatalf("%+v, %v", stuck, err)
			}
			id, err := strconv.ParseInt(ticket.ID, 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			if err := h.House.Bets.Retry(t.Context(), id); !errors.Is(err, bet.ErrClosedByWallet) || !errors.Is(err, refusal.ErrStuck) {
				t.Errorf("not said: %v", err)
			}
			debt, err := h.House.Bets.Debt(t.Context(), id)
			if err != nil || debt.Amount != 100_000 || debt.Bet != "r"+ticket.ID+":b" || debt.Vendor != stuck[0].Vendor {
				t.Errorf("%+v, %v", debt, err)
			}
			if got := h.tickets()[0]; got.Status != "owed" || got.Win != 100_000 {
				t.Errorf("until it is paid: %+v", got)
			}
			if err := h.House.Bets.Discharge(t.Context(), id, 0, false); err != nil {
				t.Fatal(err)
			}
			if got := h.tickets()[0]; got.Status != "refunded" || got.Win != 0 {
				t.Errorf("once it is back: %+v", got)
			}
			if err := h.House.Bets.Discharge(t.Context(), id, 0, false); !errors.Is(err, bet.ErrNotStuck) {
				t.Errorf("twice: %v", err)
			}
		})
	})
	t.Run("nothing", func(t *testing.T) {
		t.Parallel()
		for status, want := range map[string]string{"owed": "lost", "bet": "lost", "settled": "lost", "placed": "placed"} {
			if got, back := table.TicketStatus(status, 10, 0, true); got != want || back != 0 {
				t.Errorf("%s with nothing to pay is %s, %d", status, got, back)
			}
		}
	})
}
