package lottery_test

import (
	"context"
	"testing"

	"fairground/internal/game/lottery"
	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

// A pausedLedger calls a function before its first write.
type pausedLedger struct {
	lottery.Ledger
	meanwhile func()
}

func (p *pausedLedger) Write(ctx context.Context, fn func(*db.Tx) error) error {
	if meanwhile := p.meanwhile; meanwhile != nil {
		p.meanwhile = nil
		meanwhile()
	}
	return p.Ledger.Write(ctx, fn)
}

func TestFT07PartStaleSettlementTakesNothingBackTwice(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newRegionalSite(t, store)
		current := s.currentNumero(t, "101")
		session := s.session(t, "minhanh92", "TCG_LOTTO_VN", "LOTT", "101")
		s.place(t, session, bet("a", "101", current["numero"], "Lott", "de", "05", 10_000, "97.000"))
		s.drawNow(t, current)
		enter := func(special string) {
			t.Helper()
			change := fields{"gameId": 101, "numero": current["numero"], "version": s.version(t, 101, current["numero"]), "result": northResult(special), "reason": "test"}
			if err := s.enterResult(t, change); err != nil {
				t.Error(err) // it may run in a goroutine of the settlement
			}
		}
		move := func(key string, from, to, amount int64, kind string) {
			t.Helper()
			if _, err := s.Server.Ledger.Post(t.Context(), ledger.Transfer{Key: key, Debit: from, Credit: to, Amount: money.Minor(amount), Kind: kind}); err != nil {
				t.Error(err)
			}
		}
		cash, out := s.cash["minhanh92"].ID, s.House(t, ledger.Withdrawals).ID
		enter("12305")
		s.runJobs(t)
		move("test/withdraw", cash, out, s.balance(t, "minhanh92"), "withdrawal")
		enter("12317")

		other := lottery.SecondReplica(s.lottery)
		settle := func() {
			t.Helper()
			if err := other.SettleDue(t.Context()); err != nil {
				t.Error(err)
			}
		}
		resumed := false
		lottery.WrapLedger(s.lottery, func(l lottery.Ledger) lottery.Ledger {
			return &pausedLedger{l, func() {
				resumed = true
				settle()
				if got := s.Number(t, "SELECT SUM(amount) FROM lottery_debt"); got != 970_000 {
					t.Errorf("debt of the wrong winner: got %d, want 970000", got)
				}
				enter("12305") // the first result was right after all
				settle()
				if got := s.Number(t, "SELECT COUNT(*) FROM lottery_debt"); got != 0 {
					t.Errorf("debts after the second correction: got %d, want 0", got)
				}
				move("test/return", out, cash, 2_000_000, "deposit")
			}}
		})
		if err := s.lottery.SettleDue(t.Context()); err != nil {
			t.Fatal(err)
		}
		if !resumed {
			t.Fatal("the stale settlement did not reach its payment")
		}
		if got := s.balance(t, "minhanh92"); got != 2_000_000 {
			t.Errorf("balance after the stale settlement: got %d, want 2000000", got)
		}
		if got := s.Number(t, "SELECT COUNT(*) FROM lottery_debt"); got != 0 {
			t.Errorf("debts after the stale settlement: got %d, want 0", got)
		}
		s.VerifyLedger(t)
	})
}
