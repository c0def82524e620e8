package lottery_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"fairground/internal/game/lottery"
	"fairground/internal/ledger"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

// A watchedLedger calls a function before each payment.
type watchedLedger struct {
	lottery.Ledger
	before func(ledger.Transfer)
}

func (w watchedLedger) Post(ctx context.Context, t ledger.Transfer) (ledger.Posted, error) {
	w.before(t)
	return w.Ledger.Post(ctx, t)
}

// watchPayments calls a function before each payment of the service.
func watchPayments(s *lottery.Service, before func(ledger.Transfer)) {
	lottery.WrapLedger(s, func(l lottery.Ledger) lottery.Ledger { return watchedLedger{l, before} })
}

// placeMany places a number of orders on the current numero of a game, and draws it.
func (s *site) placeMany(t *testing.T, game string, count int) {
	t.Helper()
	session, current := s.fastSession(t, "minhanh92", game), s.currentNumero(t, game)
	for i := range count {
		s.place(t, session, bet(fmt.Sprint(game, "/", i), game, current["numero"], "Elott", "sum-side", "big,small", 1000, "1.940"))
	}
	s.Clock.Add(time.UnixMilli(int64(current["drawTime"].(float64))).Sub(s.Clock.Now()) + time.Second)
	if err := s.lottery.DrawDue(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func TestDrawsDoNotWaitForASettlement(t *testing.T) {
	t.Parallel()
	s := newSite(t, dbtest.SQLite(t))
	s.placeMany(t, "1101", 1)
	settling, release := make(chan struct{}), make(chan struct{})
	var once sync.Once
	watchPayments(s.lottery, func(ledger.Transfer) {
		once.Do(func() { close(settling) })
		<-release
	})
	s.lottery.Start()
	<-settling
	drawn := s.Number(t, "SELECT COUNT(*) FROM lottery_numero WHERE game_id = 1101 AND status = 'drawn'")
	s.Clock.Add(time.Minute)
	// The loop draws the next numero while the payment hangs. Without a second loop, the test ends at its time limit.
	for s.Number(t, "SELECT COUNT(*) FROM lottery_numero WHERE game_id = 1101 AND status = 'drawn'") == drawn {
		select {
		case <-t.Context().Done():
			t.Fatal("no draw during a settlement")
		case <-time.After(50 * time.Millisecond):
		}
	}
	close(release)
	s.lottery.Close()
}

func TestBetsDoNotWaitForASettlement(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newSite(t, store)
		s.placeMany(t, "1101", 1)
		settling, release := make(chan struct{}), make(chan struct{})
		var once sync.Once
		watchPayments(s.lottery, func(ledger.Transfer) {
			once.Do(func() { close(settling) })
			<-release
		})
		s.lottery.Start()
		<-settling
		// If a bet waited for the payment that hangs, the test would end at its time limit.
		for _, game := range []string{"1101", "1103"} {
			session, current := s.fastSession(t, "quangvu88", game), s.currentNumero(t, game)
			s.place(t, session, bet(game, game, current["numero"], "Elott", "sum-side", "big", 1000, "1.940"))
		}
		if got := s.balance(t, "quangvu88"); got != funds-2000 {
			t.Errorf("balance after bets during the settlement: got %d, want %d", got, funds-2000)
		}
		close(release)
		s.lottery.Close()
		s.VerifyLedger(t)
	})
}

func TestSettlementRenewsItsLeaseAndStopsWhenItIsLost(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newSite(t, store)
		s.placeMany(t, "1101", 5)
		lottery.SetChunkSize(s.lottery, 1)
		second := lottery.SecondReplica(s.lottery)
		payments := 0
		watchPayments(s.lottery, func(ledger.Transfer) {
			payments++
			step, want := 6*time.Second, false
			if payments == 4 { // the process hangs longer than its lease
				step, want = 11*time.Second, true
			}
			s.Clock.Add(step)
			if taken, err := lottery.TakeSettleLease(t.Context(), second); err != nil || taken != want {
				t.Errorf("lease of the second process at payment %d: got %v, %v, want %v", payments, taken, err, want)
			}
		})
		if err := lottery.SettleWithLease(t.Context(), s.lottery); err != nil {
			t.Fatal(err)
		}
		if payments != 4 {
			t.Errorf("payments until the lease was lost: got %d, want 4", payments)
		}
		if err := lottery.SettleWithLease(t.Context(), second); err != nil {
			t.Fatal(err)
		}
		if got, want := s.balance(t, "minhanh92"), int64(funds-5*60); got != want {
			t.Errorf("balance: got %d, want %d", got, want)
		}
		s.VerifyLedger(t)
	})
}

func TestShortSettlementDoesNotWaitForALongOne(t *testing.T) {
	t.Parallel()
	s := newSite(t, dbtest.SQLite(t))
	s.placeMany(t, "1101", 4) // drawn first
	s.placeMany(t, "1103", 1)
	lottery.SetChunkSize(s.lottery, 1)
	var order []string
	watchPayments(s.lottery, func(transfer ledger.Transfer) {
		id, _, _ := strings.Cut(transfer.RefID, "-")
		order = append(order, fmt.Sprint(s.Number(t, "SELECT game_id FROM lottery_order WHERE CAST(id AS TEXT) = $1", id)))
	})
	if err := s.lottery.SettleDue(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(order), "[1101 1103 1101 1101 1101]"; got != want {
		t.Errorf("order of the payments: got %s, want %s", got, want)
	}
}
