package withdraw_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"fairground/internal/finance/gateway"
	"fairground/internal/finance/gateway/sandbox"
	"fairground/internal/money"
	"fairground/internal/platform/db/dbtest"
)

// The mode of the sandbox gateway decides how payouts end.
func TestSandboxPayouts(t *testing.T) {
	t.Parallel()
	d := newFixture(t, dbtest.SQLite(t))
	mux := &http.ServeMux{}
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	key, err := d.Server.Gateways.Create(t.Context(), d.ID, gateway.Draft{Code: "BOX", Name: "Sandbox", URL: server.URL, Currencies: []string{"VND"}})
	if err != nil {
		t.Fatal(err)
	}
	g := sandbox.New(sandbox.Options{Code: "BOX", KeyID: key.KeyID, Key: key.Key, Base: server.URL, Client: server.Client(), Now: d.Clock.Now, Log: slog.New(slog.DiscardHandler)})
	t.Cleanup(g.Close)
	mux.Handle("/", g)
	for _, c := range []struct{ mode, status string }{{sandbox.Manual, "PAID"}, {sandbox.Fail, "FAILED"}, {sandbox.Late, "SENT"}, {sandbox.Other, "SENT"}} {
		if err := g.SetMode(c.mode); err != nil {
			t.Fatal(err)
		}
		withdrawal := d.newWithdrawal(t, "100000")
		if _, err := d.Server.Withdrawals.Approve(t.Context(), d.ID, number(t, withdrawal.ID), 1, "BOX", ""); err != nil {
			t.Fatal(err)
		}
		if err := d.Server.Withdrawals.CallDue(t.Context()); err != nil {
			t.Fatal(err)
		}
		want(t, "status in mode "+c.mode, d.find(t, withdrawal.ID).Status, c.status)
	}
	want(t, "balance", d.Balance(t, d.cash.ID), money.Minor(700_000))
	d.VerifyLedger(t)
}
