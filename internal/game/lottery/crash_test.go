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

// A failingLedger works until its budget is used up. The last call is carried out, but its result is lost.
type failingLedger struct {
	lottery.Ledger
	budget atomic.Int64
}

func (f *failingLedger) spend() error {
	if f.budget.Add(-1) < 0 {
		return errCrash
	}
	return nil
}

func (f *failingLedger) Post(ctx context.Context, t ledger.Transfer) (ledger.Posted, error) {
	if f.budget.Load() < 0 {
		return ledger.Posted{}, errCrash
	}
	posted, err := f.Ledger.Post(ctx, t)
	return posted, errors.Join(err, f.spend())
}

func (f *failingLedger) Write(ctx context.Context, fn func(*db.Tx) error) error {
	if f.budget.Load() < 0 {
		return errCrash
	}
	return errors.Join(f.Ledger.Write(ctx, fn), f.spend())
}

// settleWithCrashes settles in attempts that fail after one more payment each, until one succeeds.
func (w *world) settleWithCrashes(t *testing.T, f *failingLedger) {
	t.Helper()
	for attempt := range int64(200) {
		f.budget.Store(attempt)
		err := w.lottery.SettleDue(t.Context())
		if err == nil && attempt > 0 {
			f.budget.Store(1 << 40)
			return
		}
		if err == nil || !errors.Is(err, errCrash) {
			t.Fatalf("attempt %d: got %v, want a crash", attempt, err)
		}
	}
	t.Fatal("the settlement did not end after 200 attempts")
}

func TestFT07CrashInTheMiddleOfSettlingPart(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newWorld(t, store, servertest.Options(func(o *server.Options) { o.Demo = false }))
		near := w.near(t, "101")
		for name, numbers := range map[string][]string{"minhanh92": {"05", "05", "11"}, "quangvu88": {"17", "17", "05", "23"}} {
			session := w.session(t, name, "TCG_LOTTO_VN", "LOTT", "101")
			for i, number := range numbers {
				w.place(t, session, bet(fmt.Sprint(i), "101", near["numero"], "ZY", "de", number, 10_000, "95.500"))
			}
		}
		w.pass(t, near)
		crashing := &failingLedger{}
		lottery.WrapLedger(w.lottery, func(l lottery.Ledger) lottery.Ledger {
			crashing.Ledger = l
			return crashing
		})
		lottery.SetChunkSize(w.lottery, 2)
		change := func(special string) {
			t.Helper()
			err := w.enter(t, fields{"gameId": 101, "numero": near["numero"], "version": w.version(t, 101, near["numero"]), "result": northern(special), "reason": "test"})
			if err != nil {
				t.Fatal(err)
			}
		}
		want := func(when string, minh, quang int64) {
			t.Helper()
			if got := w.balance(t, "minhanh92"); got != minh {
				t.Errorf("%s, minhanh92: got %d, want %d", when, got, minh)
			}
			if got := w.balance(t, "quangvu88"); got != quang {
				t.Errorf("%s, quangvu88: got %d, want %d", when, got, quang)
			}
		}
		const stake, rebate, win = 10_000, 150, 955_000
		change("12305")
		w.settleWithCrashes(t, crashing)
		want("settled", funds-3*stake+3*rebate+2*win, funds-4*stake+4*rebate+win)
		change("12317")
		w.settleWithCrashes(t, crashing)
		want("corrected", funds-3*stake+3*rebate, funds-4*stake+4*rebate+2*win)
		err := w.enter(t, fields{"gameId": 101, "numero": near["numero"], "version": w.version(t, 101, near["numero"]), "void": true, "reason": "test"})
		if err != nil {
			t.Fatal(err)
		}
		w.settleWithCrashes(t, crashing)
		want("void", funds, funds)
		if got := w.Number(t, "SELECT COUNT(*) FROM lottery_debt"); got != 0 {
			t.Errorf("debts: got %d, want 0", got)
		}
		w.VerifyLedger(t)
	})
}

func TestClockJumpDrawsOnceAndReopensNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t, dbtest.SQLite(t))
	session := w.fast(t, "minhanh92", "1101")
	near := w.near(t, "1101")
	w.place(t, session, bet("a", "1101", near["numero"], "Elott", "sum-side", "big,small", 1000, "1.940"))
	w.Clock.Add(12 * time.Minute)
	w.tick(t)
	if got := w.balance(t, "minhanh92"); got != funds-60 {
		t.Errorf("after the jump forward: got %d, want %d", got, funds-60)
	}
	w.Clock.Add(-6 * time.Minute)
	w.tick(t)
	old := w.near(t, "1101")
	if old["status"] == "open" {
		t.Errorf("a numero whose seed is public: got %v, want it not open", old)
	}
	w.refuse(t, session, bet("b", "1101", old["numero"], "Elott", "sum-side", "big", 1000, "1.940"), http.StatusConflict, "lottery.closed")
	if got := w.balance(t, "minhanh92"); got != funds-60 {
		t.Errorf("after the jump back: got %d, want %d", got, funds-60)
	}
	if got := w.Number(t, "SELECT COUNT(*) FROM transfer WHERE kind = 'lottery.win'"); got != 1 {
		t.Errorf("wins paid: got %d, want 1", got)
	}
	w.VerifyLedger(t)
}

func TestOrdersKeepTheLimitsOfTheMember(t *testing.T) {
	t.Parallel()
	w := newWorld(t, dbtest.SQLite(t))
	session, numero := w.fast(t, "minhanh92", "1201"), w.near(t, "1201")["numero"]
	w.call(t, "PUT", "/wps/member/limits", fields{"kind": "stake", "period": "day", "amount": 5000}, w.tokens["minhanh92"], http.StatusOK)
	w.place(t, session, bet("a", "1201", numero, "Elott", "side", "big", 3000, "1.995"))
	got := w.call(t, "POST", "/lgw/orders/betting", bet("b", "1201", numero, "Elott", "side", "big", 3000, "1.995"), session, http.StatusUnprocessableEntity)
	if got["errorCode"] != "limits.reached" {
		t.Errorf("above the limit: got %v, want limits.reached", got)
	}
	w.place(t, session, bet("c", "1201", numero, "Elott", "side", "small", 2000, "1.995"))
	if got := w.balance(t, "minhanh92"); got != funds-5000 {
		t.Errorf("balance: got %d, want %d", got, funds-5000)
	}
	w.call(t, "POST", "/wps/member/limits/break", fields{"period": "24h"}, w.tokens["minhanh92"], http.StatusOK)
	after := w.Call(t, "POST", "/lgw/orders/betting", bet("d", "1201", numero, "Elott", "side", "big", 1000, "1.995"), "Authorization", session)
	if after.Status == http.StatusOK || w.balance(t, "minhanh92") != funds-5000 {
		t.Errorf("during a break: got %d %s, want a refusal", after.Status, after.Body)
	}
}

func TestTrialMemberBetsPlayMoney(t *testing.T) {
	t.Parallel()
	w := newWorld(t, dbtest.SQLite(t))
	started := w.call(t, "POST", "/wps/member/trial", fields{"moduleId": "FREEPLAY3", "ageConfirmed": true}, "", http.StatusOK)
	value, _ := started["value"].(fields)
	token, _ := value["token"].(string)
	w.tokens["trial"] = token
	session, near := w.fast(t, "trial", "1101"), w.near(t, "1101")
	placed := w.place(t, session, bet("a", "1101", near["numero"], "Elott", "sum-side", "big,small", 1000, "1.940"))
	w.pass(t, near)
	if bets := w.bets(t, session, placed["orderId"]); len(bets) != 1 || bets[0]["state"] != "won" || bets[0]["payout"] != 1940.0 {
		t.Errorf("bets of the trial: got %v, want a win of 1940", bets)
	}
	if got := w.Number(t, "SELECT COUNT(*) FROM lottery_order WHERE currency <> 'VND'"); got != 1 {
		t.Errorf("orders in play money: got %d, want 1", got)
	}
	if got := w.Number(t, "SELECT COUNT(*) FROM transfer t JOIN account a ON a.id = t.debit_id WHERE t.kind LIKE 'lottery.%' AND a.currency = 'VND'"); got != 0 {
		t.Errorf("transfers of the lottery in VND: got %d, want 0", got)
	}
	w.VerifyLedger(t)
}
