package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"fairground/internal/demo"
	"fairground/internal/finance/withdraw"
	"fairground/internal/platform/audit"
	"fairground/internal/platform/db"
	"fairground/internal/platform/rest"
	"fairground/internal/server"
)

// Moments of a kill that are not within a transaction.
const (
	atStep   = ""       // before the commit of a step
	onCall   = "call"   // after the gateway has booked a call, before its answer
	onNotice = "notice" // after a notice was decided, before its answer
)

// A cashierKill is a moment of a deposit or a withdrawal at which the server is killed.
type cashierKill struct {
	step

	on      string
	request bool // during the member's request
	calls   int  // for a payment or a payout, until the end
}

// payoutMoments are the moments of a withdrawal, in order.
var payoutMoments = []cashierKill{
	{step: step{"the amount is held", "INSERT", "transfer", "NEW.kind = 'hold'"}, request: true, calls: 1},
	{step: step{"the payout is about to be sent", "UPDATE", "withdrawal", "NEW.calls > OLD.calls AND NEW.status = 'APPROVED'"}, calls: 1},
	{step: step{name: "the gateway has the payout"}, on: onCall, calls: 2},
	{step: step{"the gateway's answer is stored", "UPDATE", "withdrawal", "NEW.status = 'SENT' AND OLD.status = 'APPROVED'"}, calls: 2},
	{step: step{"the hold is paid", "INSERT", "transfer", "NEW.kind = 'hold.pay'"}, calls: 1},
}

// depositMoments are the moments of a deposit, in order.
var depositMoments = []cashierKill{
	{step: step{"the deposit is stored", "INSERT", "deposit", "NEW.amount > 0"}, request: true, calls: 1},
	{step: step{name: "the gateway has the payment"}, on: onCall, request: true, calls: 2},
	{step: step{"the gateway's answer is stored", "UPDATE", "deposit", "NEW.pay_url <> OLD.pay_url"}, request: true, calls: 2},
	{step: step{"the notice is stored", "INSERT", "gateway_notice", "NEW.status = 'paid'"}, calls: 1},
	{step: step{"the deposit is credited", "INSERT", "transfer", "NEW.kind = 'deposit'"}, calls: 1},
	{step: step{name: "the notice is about to be answered"}, on: onNotice, calls: 1},
}

// A cashierKiller kills servers on one database, whose member deposits and withdraws.
type cashierKiller struct {
	t       *testing.T
	args    []string
	o       db.Options
	gate    *survivingGateway
	other   *server.Server // a second process that approves; it calls no gateway
	member  withdraw.Member
	token   string
	card    string
	payouts int
	credits int
}

const (
	killedWithdrawal = 100_000
	killedDeposit    = 50_000
)

// Each withdrawal is held once and paid once under one reference, and each deposit is credited once, wherever the server is
// killed.
func TestKillDuringCashier(t *testing.T) {
	t.Parallel()
	t.Run("FT-01 cashier part: kill -9 between hold, payout request and gateway answer, and between a credited notice and its answer", func(t *testing.T) {
		t.Parallel()
		forEachDatabase(t, testKillDuringCashier)
	})
}

func testKillDuringCashier(t *testing.T, args []string) {
	c := newCashierKiller(t, args)
	for _, k := range payoutKills() {
		c.killPayout(k)
	}
	for _, k := range depositKills() {
		c.killDeposit(k)
	}
	s := c.start()
	if got, want := s.balance(c.token), 12_480_500-killedWithdrawal*c.payouts+killedDeposit*c.credits; got != strconv.Itoa(want) {
		t.Errorf("balance of demo88 = %s, want %d", got, want)
	}
	s.end()
	for command, want := range map[string]string{"ledger": "transfers", "audit": " rows, unbroken."} {
		if report := runCommand(t, "", args, command, "verify"); !strings.Contains(report, want) {
			t.Errorf("%s verify: %s, want %v", command, report, want)
		}
	}
}

// newCashierKiller verifies the identity of demo88 and adds a card.
func newCashierKiller(t *testing.T, args []string) *cashierKiller {
	t.Helper()
	c := &cashierKiller{t: t, args: args, o: optionsOf(args), gate: newSurvivingGateway(t, args)}
	for name, value := range map[string]string{"ops.two_person_above": "1000000", "withdraw.per_day": "100", "withdraw.turnover_percent": "0"} {
		runCommand(t, "", args, "merchant", "set", name, value)
	}
	s := start(t, append(args, "--demo")...)
	c.token = s.login("demo88", demo.Password)
	passwords := body(map[string]any{"password": demo.Password, "paymentPassword": paymentPassword, "confirmPaymentPassword": paymentPassword})
	if a := s.call(http.MethodPut, "/wps/member/paymentPassword", c.token, passwords); a.status != http.StatusOK {
		t.Fatalf("payment password: %+v, want 200", a)
	}
	if a := s.send(http.MethodPost, "/wps/member/kyc", imageForm(kycFields), "Authorization", c.token, "Content-Type", formType); a.status != http.StatusOK {
		t.Fatalf("identity check: %+v, want 200", a)
	}
	c.other = openOther(t, args)
	m, err := c.other.Merchants.Find(t.Context(), demo.MerchantCode)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.other.Identity.Approve(audit.As(t.Context(), "test"), m.ID, int64(count(c.o, "SELECT id FROM kyc")), 1); err != nil {
		t.Fatal(err)
	}
	c.card = value[struct{ ID string }](s, http.MethodPost, "/wps/member/bankCard", c.token,
		body(map[string]any{"bank": "DEMO1", "number": "0000000042", "paymentPassword": paymentPassword})).ID
	s.end()
	c.member = withdraw.Member{ID: int64(count(c.o, "SELECT id FROM member WHERE account = 'demo88'")), MerchantID: m.ID, Currency: "VND"}
	return c
}

// start starts a server that the test does not kill.
func (c *cashierKiller) start() *program {
	c.t.Helper()
	s := start(c.t, append(c.args, "--demo")...)
	c.gate.connect(s.url)
	c.t.Cleanup(func() { c.gate.disconnect(s.url) })
	return s
}

// killed starts a server, runs an action with its address, and waits until the server is killed.
func (c *cashierKiller) killed(k cashierKill, action func(url string)) {
	c.t.Helper()
	remove := func() {}
	if k.on == atStep {
		remove = k.install(c.t, c.o)
	}
	kill, out := startChild(c.t, append(c.args, "--demo")...)
	dead := make(chan struct{})
	c.gate.mu.Lock()
	switch k.on {
	case onCall:
		c.gate.booked = func() { kill(); close(dead) }
	case onNotice:
		c.gate.decided = func() {
			if !awaitRows(c.o, "SELECT COUNT(*) - "+strconv.Itoa(c.credits)+" FROM deposit WHERE status = 'CREDITED'") {
				c.t.Errorf("the notice was not decided")
			}
			kill()
			close(dead)
		}
	}
	c.gate.mu.Unlock()
	address := serverURL(c.t, out)
	c.gate.connect(address)
	action(address)
	if k.on == atStep {
		killAtStep(c.t, c.o, kill, out)
	} else {
		select {
		case <-dead:
		case <-time.After(testTimeout):
			c.t.Fatalf("%s: not reached", k.name)
		}
	}
	c.gate.disconnect(address)
	remove()
	for _, table := range []string{"withdrawal", "deposit"} { // the call of the killed server is due now, not when its lease ends
		execSQL(c.t, c.o, "UPDATE "+table+" SET next_call_at = 1 WHERE next_call_at > 0")
	}
}

// killPayout requests a withdrawal, kills the server, and checks what the next server does.
func (c *cashierKiller) killPayout(k cashierKill) {
	c.t.Helper()
	key := fmt.Sprintf("w%d", c.payouts)
	var w withdraw.Withdrawal
	if !k.request {
		w = c.request(key)
		c.approve(w)
	}
	request := body(map[string]any{"cardId": c.card, "amount": killedWithdrawal, "paymentPassword": paymentPassword})
	c.killed(k, func(url string) {
		if k.request {
			go c.post(url+"/wps/transaction/withdraw", key, request)
		}
	})
	c.payouts++
	s := c.start()
	again := c.repeat(s, "/wps/transaction/withdraw", key, request)
	if k.request {
		w = withdraw.Withdrawal{ID: again.ID, Reference: again.Reference}
		c.approve(w)
	} else if again.ID != w.ID {
		c.t.Errorf("killed when %s: repeated request = %s, want the withdrawal %s", k.name, again.ID, w.ID)
	}
	c.awaitNone(k, "SELECT COUNT(*) FROM withdrawal WHERE status <> 'PAID'")
	c.check(k, w.Reference, killedWithdrawal)
	s.end()
	c.gate.disconnect(s.url)
}

// killDeposit creates a deposit, kills the server, and checks what the next server does.
func (c *cashierKiller) killDeposit(k cashierKill) {
	c.t.Helper()
	key, request := fmt.Sprintf("d%d", c.credits), body(map[string]any{"method": c.gate.code, "amount": killedDeposit})
	c.gate.takeReplies()
	c.killed(k, func(url string) {
		if k.request {
			go c.post(url+"/wps/transaction/deposit/pg", key, request)
			return
		}
		created := c.repeat(&program{t: c.t, url: url}, "/wps/transaction/deposit/pg", key, request)
		c.gate.pay(c.t, created.Reference)
	})
	c.credits++
	s := c.start()
	again := c.repeat(s, "/wps/transaction/deposit/pg", key, request)
	c.awaitNone(k, "SELECT COUNT(*) FROM deposit WHERE pay_url = ''")
	c.gate.pay(c.t, again.Reference)
	c.awaitNone(k, "SELECT COUNT(*) FROM deposit WHERE status <> 'CREDITED'")
	c.gate.box.Drain()
	if replies := c.gate.takeReplies(); len(replies) != 1 || replies[0] != (noticeReply{"OK", k.on == onNotice}) {
		c.t.Errorf("killed when %s: answers to the notice = %+v, want one, replayed %t", k.name, replies, k.on == onNotice)
	}
	c.check(k, again.Reference, killedDeposit)
	s.end()
	c.gate.disconnect(s.url)
}

// check compares the gateway's calls and the ledger's transfers with the deposits and withdrawals.
func (c *cashierKiller) check(k cashierKill, reference string, amount int) {
	c.t.Helper()
	calls, references := c.gate.callsOf(reference)
	if len(calls) != k.calls || references != c.payouts+c.credits {
		c.t.Errorf("killed when %s: %d calls for %s and %d references, want %d and %d", k.name, len(calls), reference, references, k.calls, c.payouts+c.credits)
	}
	for _, call := range calls {
		if call.Amount != strconv.Itoa(amount) {
			c.t.Errorf("killed when %s: amount of a call = %s, want %d", k.name, call.Amount, amount)
		}
	}
	for query, want := range map[string]int{
		"SELECT COUNT(*) FROM withdrawal":                                               c.payouts,
		"SELECT COUNT(*) FROM transfer WHERE kind = 'hold'":                             c.payouts,
		"SELECT COUNT(*) FROM transfer WHERE kind = 'hold.pay'":                         c.payouts,
		"SELECT COUNT(*) FROM transfer WHERE kind = 'hold.release'":                     0,
		"SELECT balance FROM account WHERE kind = 'held' AND balance <> 0":              0,
		"SELECT COUNT(*) FROM deposit":                                                  c.credits,
		"SELECT COUNT(*) FROM transfer WHERE kind = 'deposit' AND ref_type = 'deposit'": c.credits,
		"SELECT COUNT(*) FROM gateway_notice WHERE code = 'OK'":                         c.credits,
		"SELECT COUNT(*) FROM task WHERE kind LIKE 'deposit%' AND state = 'open'":       0,
	} {
		if got := count(c.o, query); got != want {
			c.t.Errorf("killed when %s: %s = %d, want %d", k.name, query, got, want)
		}
	}
}

// request requests a withdrawal while no server runs.
func (c *cashierKiller) request(key string) withdraw.Withdrawal {
	c.t.Helper()
	card, err := strconv.ParseInt(c.card, 10, 64)
	if err != nil {
		c.t.Fatal(err)
	}
	w, err := c.other.Withdrawals.Create(c.t.Context(), c.member, key, paymentPassword, withdraw.Request{CardID: card, Amount: rest.Amount(strconv.Itoa(killedWithdrawal))})
	if err != nil {
		c.t.Fatal(err)
	}
	return w
}

// approve approves a withdrawal in another process.
func (c *cashierKiller) approve(w withdraw.Withdrawal) {
	c.t.Helper()
	id, err := strconv.ParseInt(w.ID, 10, 64)
	if err != nil {
		c.t.Fatal(err)
	}
	if waiting, err := c.other.Withdrawals.Approve(audit.As(c.t.Context(), "test"), c.member.MerchantID, id, 1, c.gate.code, ""); err != nil || waiting != nil {
		c.t.Fatalf("approval %+v: %v, want waiting nil", waiting, err)
	}
}

// post sends a request to a server that is about to be killed.
func (c *cashierKiller) post(url, key, content string) {
	r, err := http.NewRequestWithContext(c.t.Context(), http.MethodPost, url, strings.NewReader(content))
	if err != nil {
		c.t.Errorf("got %v, want no error", err)
		return
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", c.token)
	r.Header.Set("Idempotency-Key", key)
	if res, err := http.DefaultClient.Do(r); err == nil {
		_ = res.Body.Close() // the response does not matter
	}
}

// repeat sends a request with a key, which must succeed, and returns the deposit or withdrawal.
func (c *cashierKiller) repeat(s *program, path, key, content string) (v struct{ ID, Reference string }) {
	c.t.Helper()
	a := s.send(http.MethodPost, path, content, "Authorization", c.token, "Idempotency-Key", key)
	if err := json.Unmarshal(a.Value, &v); a.status != http.StatusOK || err != nil {
		c.t.Fatalf("%s: %d %s %v, want 200", path, a.status, a.ErrorCode, err)
	}
	return v
}

// awaitNone waits until a query returns 0.
func (c *cashierKiller) awaitNone(k cashierKill, query string) {
	c.t.Helper()
	for end := time.Now().Add(testTimeout); count(c.o, query) > 0; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			c.t.Fatalf("killed when %s: %s = %d, want 0", k.name, query, count(c.o, query))
		}
	}
}
