package withdraw_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"fairground/internal/finance/limits"

	"fairground/internal/finance/gateway"
	"fairground/internal/finance/withdraw"
	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/rest"
	"fairground/internal/server/servertest"
	"fairground/internal/site/merchant"
	"fairground/internal/site/merchant/merchanttest"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

const member, other = 601, 602

// verifiedNames has the names of the members whose identity is verified.
type verifiedNames map[int64]string

func (p verifiedNames) State(_ context.Context, id int64) (state, name string, err error) {
	if name = p[id]; name == "" {
		return "NONE", "", nil
	}
	return withdraw.Verified, name, nil
}

type passwords struct{}

func (passwords) CheckPaymentPassword(_ context.Context, _ int64, password string) error {
	if password != "123456" {
		return rest.ErrParam.On("paymentPassword")
	}
	return nil
}

// A fixture is a site with a verified member who has cash and a card, and with a gateway that gatewayHandler simulates.
type fixture struct {
	*servertest.Site
	key            gateway.Key
	cash           ledger.Account
	identities     verifiedNames
	card           string
	mu             sync.Mutex
	gatewayHandler http.HandlerFunc
}

func newFixture(t *testing.T, store *db.Store) *fixture {
	t.Helper()
	d := &fixture{Site: servertest.New(t, store), identities: verifiedNames{member: "NGUYEN VAN AN", other: "TRAN THI B"}}
	d.AddMember(t, member, "player")
	d.AddMember(t, other, "stranger")
	d.cash = d.Fund(t, member, "VND", 1_000_000)
	d.Fund(t, other, "VND", 0)
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		d.mu.Lock()
		handler := d.gatewayHandler
		d.mu.Unlock()
		handler(w, r)
	}))
	t.Cleanup(web.Close)
	d.gatewayHandler = func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprint(w, `{"gatewayId":"P1","status":"pending"}`)
	}
	var err error
	if d.key, err = d.Server.Gateways.Create(t.Context(), d.ID, gateway.Draft{Code: "G1", Name: "Gate", URL: web.URL, Currencies: []string{"VND"}}); err != nil {
		t.Fatal(err)
	}
	d.Set(t, merchant.TwoPersonAbove, "500000")
	d.Server.Withdrawals.Replace(d.identities, passwords{})
	d.Serve(t, merchanttest.Tokens{"player": d.Caller(member, "player"), "stranger": d.Caller(other, "stranger"), "trial": {MemberID: 603, MerchantID: d.ID, Type: rest.Trial, Currency: "VND"}},
		func(a *rest.API) { d.Server.Routes(a, nil) })
	card := merchanttest.Value[withdraw.Card](t, d.Call(t, "POST", "/wps/member/bankCard", `{"bank":"VCB","number":"0011 0019 3241 8","paymentPassword":"123456"}`, "Authorization", "player"))
	if card.LastFour != "2418" || card.Holder != "NGUYEN VAN AN" || !card.Default {
		t.Fatalf("card %+v, want 2418 of the verified name as default", card)
	}
	d.card = card.ID
	return d
}

func (d *fixture) request(t *testing.T, amount string, headers ...string) merchanttest.Reply {
	t.Helper()
	return d.Call(t, "POST", "/wps/transaction/withdraw", fmt.Sprintf(`{"cardId":%q,"amount":%s,"paymentPassword":"123456"}`, d.card, amount), append([]string{"Authorization", "player"}, headers...)...)
}

func (d *fixture) find(t *testing.T, id string) withdraw.Withdrawal {
	t.Helper()
	return merchanttest.Value[withdraw.Withdrawal](t, d.Call(t, "GET", "/wps/transaction/withdraw/"+id, nil, "Authorization", "player"))
}

func number(t *testing.T, id string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(id, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// newApproved requests and approves a withdrawal.
func (d *fixture) newApproved(t *testing.T, amount string) withdraw.Withdrawal {
	t.Helper()
	v := merchanttest.Value[withdraw.Withdrawal](t, d.request(t, amount))
	if _, err := d.Server.Withdrawals.Approve(t.Context(), d.ID, number(t, v.ID), 1, "", ""); err != nil {
		t.Fatal(err)
	}
	return v
}

func (d *fixture) notice(t *testing.T, reference, payoutID, status, amount, key string) string {
	t.Helper()
	const path = "/pay/v1/G1/payout"
	body := fmt.Sprintf(`{"reference":%q,"gatewayId":%q,"status":%q,"amount":%q,"currency":"VND","at":1}`, reference, payoutID, status, amount)
	timestamp := strconv.FormatInt(d.Clock.Now().UnixMilli(), 10)
	r := d.Call(t, "POST", path, body, "X-Gateway", "G1", "X-Key", d.key.KeyID, "X-Timestamp", timestamp, "X-Signature", gateway.Sign(key, timestamp, path, []byte(body)))
	var reply struct {
		Code     string
		Replayed bool
	}
	if err := json.Unmarshal(r.Body, &reply); err != nil {
		t.Fatalf("%d %s: %v", r.Status, r.Body, err)
	}
	if reply.Replayed {
		reply.Code += " again"
	}
	return reply.Code
}

func want[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func TestOS21PartPayoutNotices(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		d := newFixture(t, store)
		withdrawal := d.newApproved(t, "100000")
		want(t, "balance after the request", d.Balance(t, d.cash.ID), money.Minor(900_000))
		if err := d.Server.Withdrawals.CallDue(t.Context()); err != nil {
			t.Fatal(err)
		}
		want(t, "status after the gateway's response", d.find(t, withdrawal.ID).Status, "SENT")
		want(t, "forged", d.notice(t, withdrawal.Reference, "P1", "paid", "100000", "wrong"), "INVALID_SIGNATURE")
		want(t, "pending", d.notice(t, withdrawal.Reference, "P1", "pending", "100000", d.key.Key), "OK")
		want(t, "other amount", d.notice(t, withdrawal.Reference, "P1", "paid", "200000", d.key.Key), "AMOUNT_MISMATCH")
		want(t, "status after mismatch", d.find(t, withdrawal.ID).Status, "SENT")
		want(t, "paid", d.notice(t, withdrawal.Reference, "P1", "paid", "100000", d.key.Key), "OK")
		want(t, "paid again", d.notice(t, withdrawal.Reference, "P1", "paid", "100000", d.key.Key), "OK again")
		want(t, "failed after paid", d.notice(t, withdrawal.Reference, "P1", "failed", "100000", d.key.Key), "CONFLICT")
		want(t, "other id", d.notice(t, withdrawal.Reference, "P2", "paid", "100000", d.key.Key), "CONFLICT")
		want(t, "status", d.find(t, withdrawal.ID).Status, "PAID")
		second := d.newApproved(t, "50000")
		want(t, "expired before the response to our call", d.notice(t, second.Reference, "P3", "expired", "50000", d.key.Key), "OK")
		want(t, "failed again", d.notice(t, second.Reference, "P3", "failed", "50000", d.key.Key), "OK")
		want(t, "paid after failed", d.notice(t, second.Reference, "P3", "paid", "50000", d.key.Key), "CONFLICT")
		want(t, "status of the second", d.find(t, second.ID).Status, "FAILED")
		want(t, "unknown", d.notice(t, "NOSUCH", "P4", "paid", "1", d.key.Key), "UNKNOWN")
		want(t, "balance", d.Balance(t, d.cash.ID), money.Minor(900_000))
		d.VerifyLedger(t)
	})
}

// rejectPayouts makes the gateway answer each payout with a status that status returns, and know no payout. It returns the number of
// calls.
func (d *fixture) rejectPayouts(status *int) (calls *int) {
	calls = new(int)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.gatewayHandler = func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		*calls++
		w.WriteHeader(*status)
	}
	return calls
}

func (d *fixture) callDue(t *testing.T) {
	t.Helper()
	if err := d.Server.Withdrawals.CallDue(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func (d *fixture) openTasks(t *testing.T, kind, reference string) int64 {
	t.Helper()
	return d.Number(t, "SELECT COUNT(*) FROM task WHERE kind = $1 AND reference = $2 AND state = 'open'", kind, reference)
}

// The gateway is down at first and then rejects the payout. It may still pay because of a call whose answer was lost, so the payout is
// repeated with the same reference and its money stays held. After 30 minutes an operator gets a task.
func TestPayoutIsRepeated(t *testing.T) {
	t.Parallel()
	for _, first := range []int{http.StatusInternalServerError, http.StatusNotFound, http.StatusRequestTimeout, http.StatusConflict, http.StatusTooEarly, http.StatusTooManyRequests} {
		t.Run(fmt.Sprint(first), func(t *testing.T) {
			t.Parallel()
			d := newFixture(t, dbtest.SQLite(t))
			status := first
			calls := d.rejectPayouts(&status)
			withdrawal := d.newApproved(t, "100000")
			for range 3 {
				d.callDue(t)
				d.Clock.Add(time.Minute)
			}
			want(t, "calls while the gateway is down", *calls, 3)
			want(t, "status while the gateway is down", d.find(t, withdrawal.ID).Status, "APPROVED")
			status = http.StatusBadRequest
			d.callDue(t)
			want(t, "calls", *calls, 4)
			want(t, "status after the rejection", d.find(t, withdrawal.ID).Status, "APPROVED")
			want(t, "tasks before 30 minutes", d.openTasks(t, "withdrawal.conflict", withdrawal.Reference), 0)
			d.Clock.Add(27 * time.Minute)
			d.callDue(t)
			want(t, "calls after 30 minutes", *calls, 5)
			want(t, "status after 30 minutes", d.find(t, withdrawal.ID).Status, "APPROVED")
			want(t, "tasks after 30 minutes", d.openTasks(t, "withdrawal.conflict", withdrawal.Reference), 1)
			want(t, "balance", d.Balance(t, d.cash.ID), money.Minor(900_000))
			d.VerifyLedger(t)
		})
	}
}

// Without an unanswered call, a rejected payout that the gateway does not know fails at once.
func TestRejectedPayoutFails(t *testing.T) {
	t.Parallel()
	d := newFixture(t, dbtest.SQLite(t))
	status := http.StatusBadRequest
	calls := d.rejectPayouts(&status)
	withdrawal := d.newApproved(t, "100000")
	d.callDue(t)
	want(t, "calls", *calls, 1)
	want(t, "status", d.find(t, withdrawal.ID).Status, "FAILED")
	want(t, "balance", d.Balance(t, d.cash.ID), money.Minor(1_000_000))
	d.VerifyLedger(t)
}

func TestRT08PartConcurrentWithdrawalsHoldOnce(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		d := newFixture(t, store)
		replies := make([]merchanttest.Reply, 6)
		var wg sync.WaitGroup
		for i := range replies {
			wg.Go(func() { replies[i] = d.request(t, "700000") })
		}
		wg.Wait()
		accepted := 0
		for _, r := range replies {
			if r.Status == http.StatusOK {
				accepted++
			} else if !strings.Contains(string(r.Body), `"withdraw.balance"`) {
				t.Errorf("got %d %s, want withdraw.balance", r.Status, r.Body)
			}
		}
		want(t, "accepted", accepted, 1)
		want(t, "balance", d.Balance(t, d.cash.ID), money.Minor(300_000))
		d.VerifyLedger(t)
	})
}

func TestPP09RefusalsOfWithdrawalsPart(t *testing.T) {
	t.Parallel()
	d := newFixture(t, dbtest.SQLite(t))
	refused := func(what, code, token, body string) {
		t.Helper()
		if r := d.Call(t, "POST", "/wps/transaction/withdraw", body, "Authorization", token); !strings.Contains(string(r.Body), code) || r.Status/100 != 4 {
			t.Errorf("%s: got %d %s, want %s", what, r.Status, r.Body, code)
		}
	}
	refused("wrong password", "withdraw.password", "player", fmt.Sprintf(`{"cardId":%q,"amount":50000,"paymentPassword":"000000"}`, d.card))
	refused("another member's card", "withdraw.card", "stranger", fmt.Sprintf(`{"cardId":%q,"amount":50000,"paymentPassword":"123456"}`, d.card))
	refused("trial", "", "trial", fmt.Sprintf(`{"cardId":%q,"amount":50000,"paymentPassword":"123456"}`, d.card))
	first := d.request(t, "50000", "Idempotency-Key", "k1")
	if again := d.request(t, "50000", "Idempotency-Key", "k1"); string(again.Body) != string(first.Body) {
		t.Errorf("again: got %s, want %s", again.Body, first.Body)
	}
	want(t, "other body", d.request(t, "60000", "Idempotency-Key", "k1").Status, 409)
	v := merchanttest.Value[withdraw.Withdrawal](t, first)
	if r := d.Call(t, "DELETE", "/wps/transaction/withdraw/"+v.ID, nil, "Authorization", "player"); r.Status/100 != 4 {
		t.Errorf("cancel: got %d, want a refusal", r.Status)
	}
	want(t, "another member's withdrawal", d.Call(t, "GET", "/wps/transaction/withdraw/"+v.ID, nil, "Authorization", "stranger").Status, 404)
	delete(d.identities, member)
	if r := d.request(t, "50000"); !strings.Contains(string(r.Body), "withdraw.identity") {
		t.Errorf("identity: got %s, want withdraw.identity", r.Body)
	}
	want(t, "balance", d.Balance(t, d.cash.ID), money.Minor(950_000))
	d.VerifyLedger(t)
}

func TestPP07PartCardOfAnExcludedMemberIsHeld(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		d := newFixture(t, store)
		if err := d.Server.Limits.BeginBreak(t.Context(), member, "1y"); err != nil {
			t.Fatal(err)
		}
		add := func(number string) {
			t.Helper()
			r := d.Call(t, "POST", "/wps/member/bankCard", `{"bank":"VCB","number":"`+number+`","paymentPassword":"123456"}`, "Authorization", "stranger")
			want(t, "status of the card "+number, r.Status, http.StatusOK)
		}
		add("0011001932419")
		if err := d.Server.Limits.Check(t.Context(), other); err != nil {
			t.Errorf("a card of no other member: got %v, want no hold", err)
		}
		add("0011001932418")
		if err := d.Server.Limits.Check(t.Context(), other); !errors.Is(err, limits.ErrHeld) {
			t.Errorf("the card of a member on a break: got %v, want %v", err, limits.ErrHeld)
		}
		want(t, "tasks", d.Number(t, "SELECT COUNT(*) FROM task WHERE kind = 'hold' AND state = 'open'"), int64(1))
		if err := d.Server.Limits.Release(t.Context(), other); err != nil {
			t.Fatal(err)
		}
		if err := d.Server.Limits.Check(t.Context(), other); err != nil {
			t.Errorf("after the release: got %v, want no hold", err)
		}
	})
}
