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

// getTickets returns minh's tickets, newest first.
func (h *fixture) getTickets() []ticketResponse {
	h.T.Helper()
	return merchanttest.Value[struct{ List []ticketResponse }](h.T, h.Call(h.T, http.MethodGet, "/house/v1/table/mine", nil, "Authorization", h.frame)).List
}

// hedged always gets money back: one of its spots wins, or both stakes are returned.
var hedged = map[string]int64{"player": 50_000, "banker": 50_000}

func TestPP15UnpaidTicketIsShownAsOwed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		fail   func(h *fixture)
		repair func(h *fixture)
		retry  func(t *testing.T, h *fixture, id int64)
	}{
		{
			"PP-15 the wallet is down",
			func(h *fixture) {
				h.Wallet.Fail = func(call string, _ int) housetest.Failure {
					if call == "win" {
						return housetest.FailBefore
					}
					return housetest.NoFailure
				}
			},
			func(h *fixture) { h.Wallet.Fail = nil },
			func(t *testing.T, h *fixture, _ int64) {
				t.Helper()
				if err := h.House.Recover(t.Context()); err != nil {
					t.Errorf("Recover: got %v, want no error", err)
				}
			},
		},
		{
			"PP-15 the wallet keeps refusing the win",
			func(h *fixture) { h.Wallet.RefuseEnds, h.Wallet.IsFinal = "WRONG_CURRENCY", true },
			func(h *fixture) { h.Wallet.RefuseEnds = "" },
			func(t *testing.T, h *fixture, id int64) {
				t.Helper()
				if err := h.House.Bets.Retry(t.Context(), id); err != nil {
					t.Errorf("Retry: got %v, want no error", err)
				}
			},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dbtest.Each(t, func(t *testing.T, store *db.Store) {
				h := newFixture(t, store)
				open := h.waitForBetting()
				ticket := merchanttest.Value[betResponse](t, h.placeBet(1, open.Round.ID, hedged)).Bet
				c.fail(h)
				h.advance(45 * time.Second)
				if got := h.getTickets()[0]; got.Status != "placed" || got.Win != 0 {
					t.Fatalf("ticket within the pay time = %+v, want placed", got)
				}
				h.advance(2 * time.Minute)
				h.Clock.Add(3 * time.Minute)
				_ = h.House.Recover(t.Context()) // marks a refused ticket stuck
				var win int64
				if err := store.Reader.QueryRowContext(t.Context(), "SELECT win FROM house_round WHERE id = "+ticket.ID).Scan(&win); err != nil || win == 0 {
					t.Fatalf("win = %d, %v, want above 0", win, err)
				}
				if got := h.getTickets()[0]; got.Status != "owed" || got.Win != win || got.Total != 100_000 {
					t.Fatalf("ticket = %+v, want %d owed", got, win)
				}
				if h.BalanceOf(housetest.Minh) != tableBalance-100_000 {
					t.Fatalf("balance = %d, want %d", h.BalanceOf(housetest.Minh), tableBalance-100_000)
				}
				c.repair(h)
				id, err := strconv.ParseInt(ticket.ID, 10, 64)
				if err != nil {
					t.Fatal(err)
				}
				c.retry(t, h, id)
				_ = h.House.Bets.Retry(t.Context(), id) // the ticket is no longer stuck, so this changes nothing
				if got := h.getTickets()[0]; got.Status != "won" || got.Win != win {
					t.Fatalf("ticket = %+v, want %d won", got, win)
				}
				h.checkBalances(t)
			})
		})
	}
}

func TestPP15UnrefundedTicketIsShownAsOwed(t *testing.T) {
	t.Parallel()
	t.Run("PP-15 the stake of a void round", func(t *testing.T) {
		t.Parallel()
		h := newFixture(t, dbtest.SQLite(t))
		open := h.waitForBetting()
		ticket := merchanttest.Value[betResponse](t, h.placeBet(1, open.Round.ID, hedged)).Bet
		h.Wallet.RefuseEnds = "GAME_UNAVAILABLE"
		h.Random.SetFails(true)
		h.advance(2 * time.Minute)
		if got := h.getTickets()[0]; got.Status != "owed" || got.Win != 100_000 {
			t.Errorf("ticket before it is stuck = %+v, want 100,000 owed", got)
		}
		h.Clock.Add(3 * time.Minute)
		_ = h.House.Recover(t.Context())
		if got := h.getTickets()[0]; got.Status != "owed" || got.Win != 100_000 {
			t.Errorf("stuck ticket = %+v, want 100,000 owed", got)
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
		if got := h.getTickets()[0]; got.Status != "refunded" {
			t.Errorf("ticket = %+v, want refunded", got)
		}
		h.checkBalances(t)
	})
	t.Run("PP-15 the stake of a void round that the wallet has closed", func(t *testing.T) {
		t.Parallel()
		dbtest.Each(t, func(t *testing.T, store *db.Store) {
			h := newFixture(t, store)
			open := h.waitForBetting()
			ticket := merchanttest.Value[betResponse](t, h.placeBet(1, open.Round.ID, hedged)).Bet
			h.Wallet.RefuseEnds, h.Wallet.IsFinal = "ROUND_CLOSED", true
			h.Random.SetFails(true)
			h.advance(2 * time.Minute)
			h.Clock.Add(3 * time.Minute)
			_ = h.House.Recover(t.Context()) // marks the ticket stuck
			stuck, err := house.ListStuck(t.Context(), store)
			if err != nil || len(stuck) != 1 || stuck[0].Code != "ROUND_CLOSED" || stuck[0].Owed != "stake" {
				t.Fatalf("stuck rounds = %+v, %v, want 1 entry, ROUND_CLOSED and owed stake", stuck, err)
			}
			id, err := strconv.ParseInt(ticket.ID, 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			if err := h.House.Bets.Retry(t.Context(), id); !errors.Is(err, bet.ErrClosedByWallet) || !errors.Is(err, refusal.ErrStuck) {
				t.Errorf("error of the retry = %v, want %v", err, bet.ErrClosedByWallet)
			}
			debt, err := h.House.Bets.Debt(t.Context(), id)
			if err != nil || debt.Amount != 100_000 || debt.Bet != "r"+ticket.ID+":b" || debt.Vendor != stuck[0].Vendor {
				t.Errorf("debt = %+v, %v, want 100000 of ticket %s", debt, err, ticket.ID)
			}
			if got := h.getTickets()[0]; got.Status != "owed" || got.Win != 100_000 {
				t.Errorf("stuck ticket = %+v, want 100,000 owed", got)
			}
			if err := h.House.Bets.Discharge(t.Context(), id, 0, false); err != nil {
				t.Fatal(err)
			}
			if got := h.getTickets()[0]; got.Status != "refunded" || got.Win != 0 {
				t.Errorf("discharged ticket = %+v, want refunded", got)
			}
			if err := h.House.Bets.Discharge(t.Context(), id, 0, false); !errors.Is(err, bet.ErrNotStuck) {
				t.Errorf("error of a second discharge = %v, want %v", err, bet.ErrNotStuck)
			}
		})
	})
	t.Run("a ticket without a win is lost", func(t *testing.T) {
		t.Parallel()
		for status, want := range map[string]string{"owed": "lost", "bet": "lost", "settled": "lost", "placed": "placed"} {
			if got, back := table.TicketStatus(status, 10, 0, true); got != want || back != 0 {
				t.Errorf("shown status of %s = %s, %d, want %s", status, got, back, want)
			}
		}
	})
}
