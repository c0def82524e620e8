package lottery_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"fairground/internal/game/lottery"
	"fairground/internal/ledger"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/server"
	"fairground/internal/server/servertest"
)

var errCrash = errors.New("crash")

// A failingLedger fails after a number of writes. The first write that fails is carried out, but reports an error.
type failingLedger struct {
	lottery.Ledger
	writesLeft atomic.Int64
}

func (f *failingLedger) countWrite() error {
	if f.writesLeft.Add(-1) < 0 {
		return errCrash
	}
	return nil
}

func (f *failingLedger) Post(ctx context.Context, t ledger.Transfer) (ledger.Posted, error) {
	if f.writesLeft.Load() < 0 {
		return ledger.Posted{}, errCrash
	}
	posted, err := f.Ledger.Post(ctx, t)
	return posted, errors.Join(err, f.countWrite())
}

func (f *failingLedger) Write(ctx context.Context, fn func(*db.Tx) error) error {
	if f.writesLeft.Load() < 0 {
		return errCrash
	}
	return errors.Join(f.Ledger.Write(ctx, fn), f.countWrite())
}

// settleWithCrashes tries to settle until it succeeds. Each attempt fails one ledger write later than the one before.
func (s *site) settleWithCrashes(t *testing.T, f *failingLedger) {
	t.Helper()
	for attempt := range int64(200) {
		f.writesLeft.Store(attempt)
		err := s.lottery.SettleDue(t.Context())
		if err == nil && attempt > 0 {
			f.writesLeft.Store(1 << 40)
			return
		}
		if err == nil || !errors.Is(err, errCrash) {
			t.Fatalf("attempt %d: got %v, want a crash", attempt, err)
		}
	}
	t.Fatal("the settlement did not end after 200 attempts")
}

func TestFT07CrashDuringSettlementPart(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newSite(t, store, servertest.Options(func(o *server.Options) { o.Demo = false }))
		current := s.currentNumero(t, "101")
		for name, numbers := range map[string][]string{"minhanh92": {"05", "05", "11"}, "quangvu88": {"17", "17", "05", "23"}} {
			session := s.session(t, name, "TCG_LOTTO_VN", "LOTT", "101")
			for i, number := range numbers {
				s.place(t, session, bet(fmt.Sprint(i), "101", current["numero"], "ZY", "de", number, 10_000, "95.500"))
			}
		}
		s.drawNow(t, current)
		crashing := &failingLedger{}
		lottery.WrapLedger(s.lottery, func(l lottery.Ledger) lottery.Ledger {
			crashing.Ledger = l
			return crashing
		})
		lottery.SetChunkSize(s.lottery, 2)
		change := func(special string) {
			t.Helper()
			err := s.enterResult(t, fields{"gameId": 101, "numero": current["numero"], "version": s.version(t, 101, current["numero"]), "result": northResult(special), "reason": "test"})
			if err != nil {
				t.Fatal(err)
			}
		}
		want := func(when string, minh, quang int64) {
			t.Helper()
			if got := s.balance(t, "minhanh92"); got != minh {
				t.Errorf("%s, minhanh92: got %d, want %d", when, got, minh)
			}
			if got := s.balance(t, "quangvu88"); got != quang {
				t.Errorf("%s, quangvu88: got %d, want %d", when, got, quang)
			}
		}
		const stake, rebate, win = 10_000, 150, 955_000
		change("12305")
		s.settleWithCrashes(t, crashing)
		want("settled", funds-3*stake+3*rebate+2*win, funds-4*stake+4*rebate+win)
		change("12317")
		s.settleWithCrashes(t, crashing)
		want("corrected", funds-3*stake+3*rebate, funds-4*stake+4*rebate+2*win)
		err := s.enterResult(t, fields{"gameId": 101, "numero": current["numero"], "version": s.version(t, 101, current["numero"]), "void": true, "reason": "test"})
		if err != nil {
			t.Fatal(err)
		}
		s.settleWithCrashes(t, crashing)
		want("void", funds, funds)
		if got := s.Number(t, "SELECT COUNT(*) FROM lottery_debt"); got != 0 {
			t.Errorf("debts: got %d, want 0", got)
		}
		s.VerifyLedger(t)
	})
}

func TestClockJumpsDrawOnceAndReopenNoNumero(t *testing.T) {
	t.Parallel()
	s := newSite(t, dbtest.SQLite(t))
	session := s.fastSession(t, "minhanh92", "1101")
	current := s.currentNumero(t, "1101")
	s.place(t, session, bet("a", "1101", current["numero"], "Elott", "sum-side", "big,small", 1000, "1.940"))
	s.Clock.Add(12 * time.Minute)
	s.runJobs(t)
	if got := s.balance(t, "minhanh92"); got != funds-60 {
		t.Errorf("after the jump forward: got %d, want %d", got, funds-60)
	}
	s.Clock.Add(-6 * time.Minute)
	s.runJobs(t)
	old := s.currentNumero(t, "1101")
	if old["status"] == "open" {
		t.Errorf("numero with a public seed: got %v, want it not open", old)
	}
	s.placeRefused(t, session, bet("b", "1101", old["numero"], "Elott", "sum-side", "big", 1000, "1.940"), http.StatusConflict, "lottery.closed")
	if got := s.balance(t, "minhanh92"); got != funds-60 {
		t.Errorf("after the jump back: got %d, want %d", got, funds-60)
	}
	if got := s.Number(t, "SELECT COUNT(*) FROM transfer WHERE kind = 'lottery.win'"); got != 1 {
		t.Errorf("wins paid: got %d, want 1", got)
	}
	s.VerifyLedger(t)
}

func TestOrdersRespectMemberLimits(t *testing.T) {
	t.Parallel()
	s := newSite(t, dbtest.SQLite(t))
	session, numero := s.fastSession(t, "minhanh92", "1201"), s.currentNumero(t, "1201")["numero"]
	s.call(t, "PUT", "/wps/member/limits", fields{"kind": "stake", "period": "day", "amount": 5000}, s.tokens["minhanh92"], http.StatusOK)
	s.place(t, session, bet("a", "1201", numero, "Elott", "side", "big", 3000, "1.995"))
	got := s.call(t, "POST", "/lgw/orders/betting", bet("b", "1201", numero, "Elott", "side", "big", 3000, "1.995"), session, http.StatusUnprocessableEntity)
	if got["errorCode"] != "limits.reached" {
		t.Errorf("above the limit: got %v, want limits.reached", got)
	}
	s.place(t, session, bet("c", "1201", numero, "Elott", "side", "small", 2000, "1.995"))
	if got := s.balance(t, "minhanh92"); got != funds-5000 {
		t.Errorf("balance: got %d, want %d", got, funds-5000)
	}
	s.call(t, "POST", "/wps/member/limits/break", fields{"period": "24h"}, s.tokens["minhanh92"], http.StatusOK)
	after := s.Call(t, "POST", "/lgw/orders/betting", bet("d", "1201", numero, "Elott", "side", "big", 1000, "1.995"), "Authorization", session)
	if after.Status == http.StatusOK || s.balance(t, "minhanh92") != funds-5000 {
		t.Errorf("during a break: got %d %s, want a refusal", after.Status, after.Body)
	}
}

func TestTrialMemberBetsPlayMoney(t *testing.T) {
	t.Parallel()
	s := newSite(t, dbtest.SQLite(t))
	started := s.call(t, "POST", "/wps/member/trial", fields{"moduleId": "FREEPLAY3", "ageConfirmed": true}, "", http.StatusOK)
	value, _ := started["value"].(fields)
	token, _ := value["token"].(string)
	s.tokens["trial"] = token
	session, current := s.fastSession(t, "trial", "1101"), s.currentNumero(t, "1101")
	placed := s.place(t, session, bet("a", "1101", current["numero"], "Elott", "sum-side", "big,small", 1000, "1.940"))
	s.drawNow(t, current)
	if bets := s.bets(t, session, placed["orderId"]); len(bets) != 1 || bets[0]["state"] != "won" || bets[0]["payout"] != 1940.0 {
		t.Errorf("bets of the trial: got %v, want a win of 1940", bets)
	}
	if got := s.Number(t, "SELECT COUNT(*) FROM lottery_order WHERE currency <> 'VND'"); got != 1 {
		t.Errorf("orders in play money: got %d, want 1", got)
	}
	if got := s.Number(t, "SELECT COUNT(*) FROM transfer t JOIN account a ON a.id = t.debit_id WHERE t.kind LIKE 'lottery.%' AND a.currency = 'VND'"); got != 0 {
		t.Errorf("transfers of the lottery in VND: got %d, want 0", got)
	}
	s.VerifyLedger(t)
}
