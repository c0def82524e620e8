package withdraw_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path"
	"strings"
	"testing"
	"time"

	"fairground/internal/finance/gateway"
	"fairground/internal/finance/gateway/sandbox"
	"fairground/internal/finance/withdraw"
	"fairground/internal/money"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant"
)

// newSandbox adds the sandbox gateway BOX. A slow gateway answers after the server has given up.
func (d *fixture) newSandbox(t *testing.T) *sandbox.Gateway {
	t.Helper()
	mux := &http.ServeMux{}
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	key, err := d.Server.Gateways.Create(t.Context(), d.ID, gateway.Draft{Code: "BOX", Name: "Sandbox", URL: server.URL, Currencies: []string{"VND"}})
	if err != nil {
		t.Fatal(err)
	}
	g := sandbox.New(sandbox.Options{
		Code: "BOX", KeyID: key.KeyID, Key: key.Key, Base: server.URL, Client: server.Client(), Now: d.Clock.Now, Log: slog.New(slog.DiscardHandler),
		Wait: func(context.Context, time.Duration) error { return context.Canceled },
	})
	t.Cleanup(g.Close)
	mux.Handle("/", g)
	return g
}

// newAtSandbox requests a withdrawal and approves it for the sandbox gateway.
func (d *fixture) newAtSandbox(t *testing.T) withdraw.Withdrawal {
	t.Helper()
	withdrawal := d.newWithdrawal(t, "100000")
	if _, err := d.Server.Withdrawals.Approve(t.Context(), d.ID, number(t, withdrawal.ID), 1, "BOX", ""); err != nil {
		t.Fatal(err)
	}
	return withdrawal
}

func setMode(t *testing.T, g *sandbox.Gateway, mode string) {
	t.Helper()
	if err := g.SetMode(mode); err != nil {
		t.Fatal(err)
	}
}

// The mode of the sandbox gateway decides how payouts end.
func TestSandboxPayouts(t *testing.T) {
	t.Parallel()
	d := newFixture(t, dbtest.SQLite(t))
	d.Set(t, merchant.WithdrawPerDay, "100")
	g := d.newSandbox(t)
	for _, c := range []struct{ mode, status string }{
		{sandbox.Manual, "PAID"}, {sandbox.Pay, "PAID"}, {sandbox.Twice, "PAID"}, {sandbox.Fail, "FAILED"}, {sandbox.Late, "SENT"}, {sandbox.Other, "SENT"},
	} {
		setMode(t, g, c.mode)
		withdrawal := d.newAtSandbox(t)
		for range 2 { // asks again after five minutes, if the payout has not ended
			d.callDue(t)
			want(t, "status in mode "+c.mode, d.find(t, withdrawal.ID).Status, c.status)
			d.Clock.Add(6 * time.Minute)
		}
	}
	want(t, "balance", d.Balance(t, d.cash.ID), money.Minor(500_000))
	want(t, "payments", d.Count(t, "transfer WHERE kind = 'hold.pay'"), 3)
	d.VerifyLedger(t)
}

// While the gateway is down or slow, the payout is repeated and its amount stays held. When the gateway answers again, it pays
// once.
func TestSandboxPayoutsWithoutAnswer(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{sandbox.Slow, sandbox.Down} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			d := newFixture(t, dbtest.SQLite(t))
			g := d.newSandbox(t)
			setMode(t, g, mode)
			withdrawal := d.newAtSandbox(t)
			for range 3 {
				d.callDue(t)
				want(t, "status without an answer", d.find(t, withdrawal.ID).Status, "APPROVED")
				want(t, "balance without an answer", d.Balance(t, d.cash.ID), money.Minor(900_000))
				d.Clock.Add(2 * time.Minute)
			}
			want(t, "calls", d.Number(t, "SELECT calls FROM withdrawal"), int64(3))
			setMode(t, g, sandbox.Pay)
			for range 2 {
				d.callDue(t)
				want(t, "status after the answer", d.find(t, withdrawal.ID).Status, "PAID")
				d.Clock.Add(6 * time.Minute)
			}
			want(t, "payments", d.Count(t, "transfer WHERE kind = 'hold.pay'"), 1)
			want(t, "balance", d.Balance(t, d.cash.ID), money.Minor(900_000))
			d.VerifyLedger(t)
		})
	}
}

// An answer that is not of the protocol decides nothing, neither about a payout nor about its state.
func TestGarbageDecidesNothingAboutAPayout(t *testing.T) {
	t.Parallel()
	for what, answer := range map[string]string{
		"a web page":        "<html>",
		"an unknown status": `{"reference":"REF","gatewayId":"P1","status":"done","amount":"100000","currency":"VND"}`,
		"no id":             `{"reference":"REF","gatewayId":"","status":"paid","amount":"100000","currency":"VND"}`,
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			d := newFixture(t, dbtest.SQLite(t))
			accept := d.gatewayHandler
			isUp := false
			d.mu.Lock()
			d.gatewayHandler = func(w http.ResponseWriter, r *http.Request) {
				if isUp && r.Method == http.MethodPost {
					accept(w, r)
					return
				}
				_, _ = fmt.Fprint(w, strings.ReplaceAll(answer, "REF", path.Base(r.URL.Path)))
			}
			d.mu.Unlock()
			withdrawal := d.newApproved(t, "100000")
			d.callDue(t)
			want(t, "status after the payout's answer", d.find(t, withdrawal.ID).Status, "APPROVED")
			isUp = true
			d.Clock.Add(time.Minute)
			d.callDue(t)
			want(t, "status after an answer of the protocol", d.find(t, withdrawal.ID).Status, "SENT")
			d.Clock.Add(6 * time.Minute)
			d.callDue(t)
			want(t, "status after the state's answer", d.find(t, withdrawal.ID).Status, "SENT")
			want(t, "balance", d.Balance(t, d.cash.ID), money.Minor(900_000))
			d.VerifyLedger(t)
		})
	}
}
