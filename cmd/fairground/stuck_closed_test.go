package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"fairground/internal/game/house"
	"fairground/internal/game/house/bet"
	"fairground/internal/game/house/round"
	"fairground/internal/ledger"
	"fairground/internal/platform/db"
)

// The wallet closes a round before the House pays its win. The win is owed until the operator pays it, once.
func TestPP15StuckWinOfClosedRound(t *testing.T) {
	t.Parallel()
	p := newServerWithActors(t)
	p.deposit()
	handler := p.services.Loopback.Handler()
	for won := false; !won; {
		f := p.frame("owner")
		before := number(t, f.Balance)
		p.services.Loopback.Use(&failingWallet{Handler: handler, call: "win", broken: true})
		p.clockOffset.Add(int64(round.MinBetInterval))
		p.rounds++
		body := fmt.Sprintf(`{"spinId":"00000000-0000-4000-8000-%012d","stake":%s}`, p.rounds, f.Slot.Stake)
		if a := p.call(http.MethodPost, "/house/v1/spin", f.Token, body); a.ErrorCode != "house.pending" {
			t.Fatalf("got %+v, want house.pending", a)
		}
		p.services.Loopback.Use(handler)
		id, stake, win := p.closeLastRound(t)
		p.clockOffset.Add(int64(3 * time.Minute))
		if err := p.services.House.Recover(t.Context()); err != nil {
			t.Fatal(err)
		}
		stuck, err := house.ListStuck(t.Context(), p.services.Store)
		if err != nil || len(stuck) != 1 || stuck[0].Code != "ROUND_CLOSED" || stuck[0].Round != strconv.FormatInt(id, 10) {
			t.Fatalf("got %+v (%v), want the round with ROUND_CLOSED", stuck, err)
		}
		if _, err := retryRound.run(t.Context(), p.services, retryRequest{Round: id}); err == nil || !strings.Contains(err.Error(), "--closed") {
			t.Errorf("PP-15 retry without --closed: %v, want an error with --closed", err)
		}
		wantBalance := func(want int64) {
			t.Helper()
			if got := p.balance(p.tokens["owner"]); got != strconv.FormatInt(want, 10) {
				t.Errorf("PP-15 balance = %s, want %d", got, want)
			}
		}
		wantBalance(before - stake)
		message, err := retryRound.run(t.Context(), p.services, retryRequest{Round: id, Closed: true})
		if err != nil || !strings.Contains(message, fmt.Sprintf("and %d was paid now", win)) {
			t.Fatalf("got %q (%v), want that the win was paid now", message, err)
		}
		wantBalance(before - stake + win)
		if _, err := retryRound.run(t.Context(), p.services, retryRequest{Round: id, Closed: true}); err == nil {
			t.Error("PP-15 the second retry succeeded")
		}
		wantBalance(before - stake + win)
		record := value[struct {
			List []struct {
				RoundID string
				Net     json.Number
			}
		}](p.program, http.MethodGet, "/wps/report/accountGameBetHistory?status=all", p.tokens["owner"], "")
		if len(record.List) != min(p.rounds, 20) || record.List[0].RoundID != strconv.FormatInt(id, 10) || number(t, record.List[0].Net) != win-stake {
			t.Errorf("PP-15 CA-31 record = %+v, want round %d with the win %d less the stake %d", record.List[0], id, win, stake)
		}
		if a := p.call(http.MethodPost, "/house/v1/spin", f.Token, body); a.status != http.StatusOK {
			t.Errorf("PP-15 repeated spin: %+v, want 200", a)
		}
		if report, err := ledger.Verify(t.Context(), p.services.Store); err != nil || !report.OK() {
			t.Errorf("ledger verify: %+v, %v, want a verified ledger", report, err)
		}
		won = win > 0
	}
}

// The wallet closes a round before the House refunds its stake. The operator refunds it once, even if the first attempt was
// interrupted after the wallet's transfer.
func TestPP15StuckStakeOfClosedRound(t *testing.T) { //nolint:tparallel // sequential rounds
	t.Parallel()
	p := newServerWithActors(t)
	p.deposit()
	handler := p.services.Loopback.Handler()
	for _, c := range []struct {
		name   string
		closed bool // with --closed
		before func(t *testing.T, d bet.Debt)
	}{
		{"PP-15 refund with --closed", true, func(*testing.T, bet.Debt) {}},
		{"PP-15 refund interrupted after the wallet's transfer", false, func(t *testing.T, d bet.Debt) {
			t.Helper()
			if paid, err := p.services.Vendors.RefundClosedBet(t.Context(), d.Vendor, d.Bet); err != nil || paid.PaidNow != d.Amount {
				t.Fatalf("got %+v (%v), want that the whole amount was paid now", paid, err)
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := p.frame("owner")
			before := p.balance(p.tokens["owner"])
			p.services.Loopback.Use(&failingWallet{Handler: handler, call: "bet", after: true, broken: true})
			p.clockOffset.Add(int64(round.MinBetInterval))
			p.rounds++
			body := fmt.Sprintf(`{"spinId":"00000000-0000-4000-8000-%012d","stake":%s}`, p.rounds, f.Slot.Stake)
			if a := p.call(http.MethodPost, "/house/v1/spin", f.Token, body); a.ErrorCode != "house.pending" {
				t.Fatalf("got %+v, want house.pending", a)
			}
			p.services.Loopback.Use(handler)
			id, stake, _ := p.closeLastRound(t)
			p.clockOffset.Add(int64(3 * time.Minute))
			if err := p.services.House.Recover(t.Context()); err != nil {
				t.Fatal(err)
			}
			stuck, err := house.ListStuck(t.Context(), p.services.Store)
			if err != nil || len(stuck) != 1 || stuck[0].Code != "ROUND_CLOSED" || stuck[0].Owed != "stake" {
				t.Fatalf("got %+v (%v), want one stake with ROUND_CLOSED", stuck, err)
			}
			if p.balance(p.tokens["owner"]) == before {
				t.Fatal("nothing was staked")
			}
			if _, err := retryRound.run(t.Context(), p.services, retryRequest{Round: id}); err == nil || !strings.Contains(err.Error(), "--closed") {
				t.Errorf("PP-15 retry without --closed: %v, want an error with --closed", err)
			}
			debt, err := p.services.House.Bets.Debt(t.Context(), id)
			if err != nil || int64(debt.Amount) != stake {
				t.Fatalf("got %+v (%v), want the stake", debt, err)
			}
			c.before(t, debt)
			message, err := retryRound.run(t.Context(), p.services, retryRequest{Round: id, Closed: c.closed})
			if err != nil || c.closed && !strings.Contains(message, fmt.Sprintf("and %d was paid now", stake)) {
				t.Fatalf("got %q (%v), want that the stake was paid now", message, err)
			}
			if _, err := retryRound.run(t.Context(), p.services, retryRequest{Round: id, Closed: true}); err == nil {
				t.Error("PP-15 the second retry succeeded")
			}
			if got := p.balance(p.tokens["owner"]); got != before {
				t.Errorf("PP-15 balance = %s, want %s", got, before)
			}
			record := value[struct {
				List []struct{ RoundID, Status string }
			}](p.program, http.MethodGet, "/wps/report/accountGameBetHistory?status=all", p.tokens["owner"], "")
			if len(record.List) == 0 || record.List[0].RoundID != strconv.FormatInt(id, 10) || record.List[0].Status != "refunded" {
				t.Errorf("PP-15 CA-31 record = %+v, want refunded", record.List)
			}
			if a := p.call(http.MethodPost, "/house/v1/spin", f.Token, body); a.ErrorCode != "house.refunded" {
				t.Errorf("PP-15 repeated spin: %+v, want house.refunded", a)
			}
			if report, err := ledger.Verify(t.Context(), p.services.Store); err != nil || !report.OK() {
				t.Errorf("ledger verify: %+v, %v, want a verified ledger", report, err)
			}
		})
	}
}

// closeLastRound ends the last round in the wallet.
func (p *actorServer) closeLastRound(t *testing.T) (id, stake, win int64) {
	t.Helper()
	if err := p.services.Store.Reader.QueryRowContext(t.Context(), "SELECT id, stake, win FROM house_round ORDER BY id DESC LIMIT 1").Scan(&id, &stake, &win); err != nil {
		t.Fatal(err)
	}
	err := p.services.Store.Write(t.Context(), func(tx *db.Tx) error {
		_, err := tx.ExecContext(t.Context(), fmt.Sprintf(`INSERT INTO vendor_move (transfer_id, vendor_id, member_id, round, call, tx, amount, currency, play_id, game_id, ends, at)
SELECT -transfer_id, vendor_id, member_id, round, 'end', 'closed', 0, currency, play_id, game_id, TRUE, at FROM vendor_move WHERE round = '%d' AND call = 'bet'`, id))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return id, stake, win
}
