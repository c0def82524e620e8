package house_test

import (
	"errors"
	"net/http"
	"strconv"
	"testing"
	"time"

	"fairground/internal/game/house"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
)

// tickets are minh's own, the latest first.
func (h *hall) tickets() []shownTicket {
	h.t.Helper()
	return merchanttest.Value[struct{ List []shownTicket }](h.t, h.Call(h.t, http.MethodGet, "/house/v1/table/mine", nil, "Authorization", h.frame)).List
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
				h.wallet.cut = func(call string, _ int) cut {
					if call == "win" {
						return before
					}
					return whole
				}
			},
			func(h *hall) { h.wallet.cut = nil },
			func(t *testing.T, h *hall, _ int64) {
				t.Helper()
				if err := h.house.Recover(t.Context()); err != nil {
					t.Error(err)
				}
			},
		},
		{
			"PP-15 the wallet refuses it for good",
			func(h *hall) { h.wallet.ends, h.wallet.kept = "WRONG_CURRENCY", true },
			func(h *hall) { h.wallet.ends = "" },
			func(t *testing.T, h *hall, id int64) {
				t.Helper()
				if err := h.house.Retry(t.Context(), id); err != nil {
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
				bet := merchanttest.Value[shownBet](t, h.bet(1, open.Round.ID, hedged)).Bet
				c.away(h)
				h.pass(45 * time.Second)
				if got := h.tickets()[0]; got.Status != "placed" || got.Win != 0 {
					t.Fatalf("while it is being paid: %+v", got)
				}
				h.pass(2 * time.Minute)
				h.Clock.Add(3 * time.Minute)
				_ = h.house.Recover(t.Context()) // sets aside what is refused; a wallet that is away says nothing
				var win int64
				if err := store.Reader.QueryRowContext(t.Context(), "SELECT win FROM house_round WHERE id = "+bet.ID).Scan(&win); err != nil || win == 0 {
					t.Fatalf("%d, %v", win, err)
				}
				if got := h.tickets()[0]; got.Status != "owed" || got.Win != win || got.Total != 100_000 {
					t.Fatalf("while it is owed: %+v", got)
				}
				if h.wallet.balances[playerOf(minh)] != tablePurse-100_000 {
					t.Fatal("something was paid")
				}
				c.back(h)
				id, err := strconv.ParseInt(bet.ID, 10, 64)
				if err != nil {
					t.Fatal(err)
				}
				c.again(t, h, id)
				_ = h.house.Retry(t.Context(), id) // it is none of those set aside any more
				if got := h.tickets()[0]; got.Status != "won" || got.Win != win {
					t.Fatalf("once it is paid: %+v", got)
				}
				h.balanced(t)
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
		bet := merchanttest.Value[shownBet](t, h.bet(1, open.Round.ID, hedged)).Bet
		h.wallet.ends, h.random.fails = "GAME_UNAVAILABLE", true
		h.pass(2 * time.Minute)
		if got := h.tickets()[0]; got.Status != "owed" || got.Win != 100_000 {
			t.Errorf("while the wallet is asked: %+v", got)
		}
		h.Clock.Add(3 * time.Minute)
		_ = h.house.Recover(t.Context())
		if got := h.tickets()[0]; got.Status != "owed" || got.Win != 100_000 {
			t.Errorf("when it was set aside: %+v", got)
		}
		h.wallet.ends, h.random.fails = "", false
		id, err := strconv.ParseInt(bet.ID, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		if err := h.house.Retry(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		if got := h.tickets()[0]; got.Status != "refunded" {
			t.Errorf("%+v", got)
		}
		h.balanced(t)
	})
	t.Run("PP-15 the stake of a round that was called off, and that the wallet has closed", func(t *testing.T) {
		t.Parallel()
		dbtest.Each(t, func(t *testing.T, store *db.Store) {
			h := newHall(t, store)
			open := h.betting()
			bet := merchanttest.Value[shownBet](t, h.bet(1, open.Round.ID, hedged)).Bet
			h.wallet.ends, h.wallet.kept, h.random.fails = "ROUND_CLOSED", true, true
			h.pass(2 * time.Minute)
			h.Clock.Add(3 * time.Minute)
			_ = h.house.Recover(t.Context()) // what is refused is no error of its own
			aside, err := house.ListStuck(t.Context(), store)
			if err != nil || len(aside) != 1 || aside[0].Code != "ROUND_CLOSED" || aside[0].Owed != "stake" {
				t.Fatalf("%+v, %v", aside, err)
			}
			id, err := strconv.ParseInt(bet.ID, 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			if err := h.house.Retry(t.Context(), id); !errors.Is(err, house.ErrClosedThere) || !errors.Is(err, house.ErrSetAside) {
				t.Errorf("not said: %v", err)
			}
			debt, err := h.house.Debt(t.Context(), id)
			if err != nil || debt.Amount != 100_000 || debt.Bet != "r"+bet.ID+":b" || debt.Vendor != aside[0].Vendor {
				t.Errorf("%+v, %v", debt, err)
			}
			if got := h.tickets()[0]; got.Status != "owed" || got.Win != 100_000 {
				t.Errorf("until it is paid: %+v", got)
			}
			if err := h.house.Discharge(t.Context(), id, 0, false); err != nil {
				t.Fatal(err)
			}
			if got := h.tickets()[0]; got.Status != "refunded" || got.Win != 0 {
				t.Errorf("once it is back: %+v", got)
			}
			if err := h.house.Discharge(t.Context(), id, 0, false); !errors.Is(err, house.ErrNotAside) {
				t.Errorf("twice: %v", err)
			}
		})
	})
	t.Run("nothing", func(t *testing.T) {
		t.Parallel()
		for status, want := range map[string]string{"owed": "lost", "bet": "lost", "settled": "lost", "placed": "placed"} {
			if got, back := house.TicketStatus(status, 10, 0, true); got != want || back != 0 {
				t.Errorf("%s with nothing to pay is %s, %d", status, got, back)
			}
		}
	})
}
