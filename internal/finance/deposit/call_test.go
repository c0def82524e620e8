package deposit_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"fairground/internal/finance/deposit"
	"fairground/internal/finance/gateway"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
)

func (d *fixture) handle(handler http.HandlerFunc) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.gatewayHandler = handler
}

func (d *fixture) repeatDue(t *testing.T) {
	t.Helper()
	if err := d.Server.Deposits.RepeatDue(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func (d *fixture) find(t *testing.T, id string) deposit.View {
	t.Helper()
	return merchanttest.Value[deposit.View](t, d.Call(t, "GET", "/wps/transaction/deposit/"+id, nil, "Authorization", "payer"))
}

// If the gateway does not answer, the member gets a waiting deposit without an address within 10 seconds. The call is repeated within
// 5 seconds with the same reference.
func TestPaymentIsRepeated(t *testing.T) {
	t.Parallel()
	if gateway.CallTimeout >= 10*time.Second {
		t.Errorf("timeout of a call: got %v, want less than 10 s", gateway.CallTimeout)
	}
	for what, answer := range map[string]http.HandlerFunc{
		"down":    func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) },
		"slow":    func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, // until the timeout of the call
		"garbage": func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprint(w, "<html>") },
		"an address that is not a web page": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = fmt.Fprint(w, `{"gatewayId":"P1","payUrl":"javascript:alert(1)"}`)
		},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			d := newFixture(t, dbtest.SQLite(t))
			var calls atomic.Int64
			var bodies [2]string
			isUp := false
			d.handle(func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				n := calls.Add(1)
				bodies[min(n, 2)-1] = string(body)
				if isUp {
					_, _ = fmt.Fprint(w, `{"gatewayId":"P1","payUrl":"https://pay.example/1"}`)
					return
				}
				answer(w, r)
			})
			created := d.pay(t, "100000")
			want(t, "status", created.Status, "WAITING")
			want(t, "address", created.PayURL, "")
			want(t, "calls at creation", fmt.Sprint(calls.Load()), "1")
			d.repeatDue(t)
			want(t, "calls without a delay", fmt.Sprint(calls.Load()), "1")
			isUp = true
			d.Clock.Add(5 * time.Second)
			d.repeatDue(t)
			want(t, "calls after 5 seconds", fmt.Sprint(calls.Load()), "2")
			want(t, "address after 5 seconds", d.find(t, created.ID).PayURL, "https://pay.example/1")
			if bodies[0] != bodies[1] || !strings.Contains(bodies[0], created.Reference) {
				t.Errorf("repeated call: got %s, want %s with the reference", bodies[1], bodies[0])
			}
			d.Clock.Add(time.Minute)
			d.repeatDue(t)
			want(t, "calls after the answer", fmt.Sprint(calls.Load()), "2")
			d.VerifyLedger(t)
		})
	}
}

// A gateway that rejects a payment ends the deposit.
func TestRejectedPaymentIsRefused(t *testing.T) {
	t.Parallel()
	d := newFixture(t, dbtest.SQLite(t))
	d.handle(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadRequest) })
	created := d.pay(t, "100000")
	want(t, "status", d.status(t, created.ID), "REFUSED")
	want(t, "used", d.used(t), "0")
	d.VerifyLedger(t)
}

// Nothing is sent to a disabled gateway: a waiting payment is repeated after it is enabled again.
func TestNoPaymentGoesToADisabledGateway(t *testing.T) {
	t.Parallel()
	d := newFixture(t, dbtest.SQLite(t))
	var calls atomic.Int64
	status := http.StatusBadGateway
	d.handle(func(w http.ResponseWriter, _ *http.Request) {
		calls.Add(1)
		w.WriteHeader(status)
		_, _ = fmt.Fprint(w, `{"gatewayId":"P1","payUrl":"https://pay.example/1"}`)
	})
	created := d.pay(t, "100000")
	d.Exec(t, "UPDATE gateway SET enabled = FALSE")
	for range 3 {
		d.Clock.Add(2 * time.Minute)
		d.repeatDue(t)
	}
	want(t, "calls while the gateway is disabled", fmt.Sprint(calls.Load()), "1")
	want(t, "status while the gateway is disabled", d.status(t, created.ID), "WAITING")
	d.Exec(t, "UPDATE gateway SET enabled = TRUE")
	status = http.StatusOK
	d.Clock.Add(2 * time.Minute)
	d.repeatDue(t)
	want(t, "calls after the gateway was enabled", fmt.Sprint(calls.Load()), "2")
	want(t, "address", d.find(t, created.ID).PayURL, "https://pay.example/1")
}
