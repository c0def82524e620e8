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
	"fairground/internal/site/merchant"
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
		t.Run("FT-07 part: a settlement that crashes at any write pays once", func(t *testing.T) { crashDuringSettlement(t, store) })
	})
}

func TestFT07CrashDuringDrawPart(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		t.Run("FT-07 part: a draw that crashes at any write publishes one result", func(t *testing.T) { crashDuringDraw(t, store) })
	})
}

func crashDuringDraw(t *testing.T, store *db.Store) {
	var readsLeft atomic.Int64
	readsLeft.Store(1 << 40)
	s := newSite(t, store, servertest.Options(func(o *server.Options) {
		read := o.DBTime
		o.DBTime = func(ctx context.Context, tx *db.Tx) (time.Time, error) { // each draw reads the time in its transaction
			if readsLeft.Add(-1) < 0 {
				return time.Time{}, errCrash
			}
			return read(ctx, tx)
		}
	}))
	session := s.session(t, "minhanh92", "ELOTT", "ELOTT", "lobby")
	var current fields
	for _, c := range [][4]string{{"1101", "sum-side", "big,small", "1.940"}, {"1201", "side", "big", "1.995"}, {"1301", "pos-side", "1:big", "1.940"}} {
		current = s.currentNumero(t, c[0])
		s.place(t, session, bet(c[0], c[0], current["numero"], "Elott", c[1], c[2], 1000, c[3]))
	}
	s.Clock.Add(time.UnixMilli(int64(current["drawTime"].(float64))).Sub(s.Clock.Now()) + time.Second)
	crashes, before := 0, int64(0)
	for attempt := int64(0); ; attempt++ {
		readsLeft.Store(attempt)
		process := lottery.SecondReplica(s.lottery) // after a crash, another process continues
		err := process.DrawDue(t.Context())
		if err != nil && !errors.Is(err, errCrash) || attempt == 100 {
			t.Fatalf("attempt %d: got %v, want a crash", attempt, err)
		}
		drawn := s.Number(t, "SELECT COUNT(*) FROM lottery_numero WHERE status = 'drawn' AND numero = $1", current["numero"])
		if drawn < before {
			t.Errorf("attempt %d: got %d drawn numeros, want at least %d", attempt, drawn, before)
		}
		before = drawn
		if err == nil {
			break
		}
		crashes++
	}
	readsLeft.Store(1 << 40)
	if crashes < 3 {
		t.Errorf("crashes: got %d, want at least one for each game", crashes)
	}
	_, proof := s.lastDraw(t, "1101")
	s.runJobs(t)
	if _, again := s.lastDraw(t, "1101"); again["seed"] != proof["seed"] || again["link"] != proof["link"] {
		t.Errorf("result after the crashes: got %v, want %v", again, proof)
	}
	if open := s.Number(t, "SELECT COUNT(*) FROM lottery_bet WHERE state = 'open'"); open != 0 {
		t.Errorf("%d bets are not settled", open)
	}
	won := s.Number(t, "SELECT COALESCE(SUM(payout), 0) FROM lottery_bet")
	if got := s.balance(t, "minhanh92"); won < 1940 || got != funds-4000+won {
		t.Errorf("balance: got %d, want %d", got, funds-4000+won)
	}
	s.VerifyLedger(t)
}

func crashDuringSettlement(t *testing.T, store *db.Store) {
	s := newRegionalSite(t, store)
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
}

func TestFT09PartClockJumpsDrawOnceAndReopenNoNumero(t *testing.T) {
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

func TestPP14PartClosedRegionalNumeroStaysClosedWhenTheClockIsSetBack(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newRegionalSite(t, store)
		login := func() string {
			s.tokens["minhanh92"] = s.Login(t, "minhanh92", password)
			return s.session(t, "minhanh92", "TCG_LOTTO_VN", "LOTT", "lobby")
		}
		for _, game := range []string{"102", "101"} {
			current := s.currentNumero(t, game)
			placed := fields{}
			if game == "101" { // the other numero has no row before it closes
				placed = s.place(t, login(), bet("a", game, current["numero"], "Lott", "de", "05", 10_000, "97.000"))
			}
			s.Clock.Add(time.UnixMilli(int64(current["closeTime"].(float64))).Sub(s.Clock.Now()) + 20*time.Minute)
			s.runJobs(t)
			s.Clock.Add(-30 * time.Minute) // the result may be known already
			again, session := s.currentNumero(t, game), login()
			if again["numero"] != current["numero"] || again["status"] != "closed" {
				t.Errorf("game %s after the clock was set back: got %v, want %v closed", game, again, current["numero"])
			}
			s.placeRefused(t, session, bet("b"+game, game, current["numero"], "Lott", "de", "05", 10_000, "97.000"), http.StatusConflict, "lottery.closed")
			if id, found := placed["orderId"].(string); found {
				if got := s.call(t, "DELETE", "/lgw/orders/"+id, nil, session, http.StatusOK); got["returned"] != 0.0 {
					t.Errorf("cancel after the close: got %v, want nothing returned", got)
				}
			}
		}
		if got := s.balance(t, "minhanh92"); got != funds-10_000 {
			t.Errorf("balance: got %d, want %d", got, funds-10_000)
		}
	})
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

func TestTrialBetsTheShownStakeAtAMerchantWithAnotherCurrency(t *testing.T) {
	t.Parallel()
	s := newSite(t, dbtest.SQLite(t))
	s.Exec(t, "UPDATE merchant SET currency = 'CNY'")
	s.Set(t, merchant.LotteryExposure, "100000") // reads the merchant again
	started := s.call(t, "POST", "/wps/member/trial", fields{"moduleId": "FREEPLAY3", "ageConfirmed": true}, "", http.StatusOK)
	value, _ := started["value"].(fields)
	s.tokens["trial"], _ = value["token"].(string)
	session, current := s.fastSession(t, "trial", "1101"), s.currentNumero(t, "1101")
	unit := func(session string) any {
		t.Helper()
		menu, _ := s.call(t, "GET", "/lgw/games/1101/play_menu", nil, session, http.StatusOK)["list"].([]any)
		stake, _ := menu[0].(fields)["stake"].(fields)
		return stake["unit"]
	}
	if got := unit(""); got != 1.0 {
		t.Errorf("unit of a visitor: got %v, want 1 CNY", got)
	}
	if got := unit("no session"); got != 1.0 {
		t.Errorf("unit with an unknown session: got %v, want 1 CNY", got)
	}
	shown, _ := unit(session).(float64)
	s.place(t, session, bet("a", "1101", current["numero"], "Elott", "sum-side", "big", int(shown), "1.940"))
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
