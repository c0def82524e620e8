package deposit_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"fairground/internal/finance/deposit"
	"fairground/internal/finance/gateway"
	"fairground/internal/finance/gateway/sandbox"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
)

// newSandbox adds the sandbox gateway BOX. It sends its notices over HTTP. A slow gateway answers after the server has given up. A
// late payment is paid after its deposit has expired.
func (d *fixture) newSandbox(t *testing.T, mode string) *sandbox.Gateway {
	t.Helper()
	site := httptest.NewServer(d.Handler())
	t.Cleanup(site.Close)
	d.Server.Deposits.SetSite(site.URL)
	mux := &http.ServeMux{}
	web := httptest.NewServer(mux)
	t.Cleanup(web.Close)
	key, err := d.Server.Gateways.Create(t.Context(), d.ID, gateway.Draft{Code: "BOX", Name: "Sandbox", URL: web.URL, Currencies: []string{"VND"}})
	if err != nil {
		t.Fatal(err)
	}
	box := sandbox.New(sandbox.Options{
		Code: "BOX", KeyID: key.KeyID, Key: key.Key, Base: web.URL, Mode: mode, Client: web.Client(), Now: d.Clock.Now, Log: slog.New(slog.DiscardHandler),
		Wait: func(ctx context.Context, delay time.Duration) error {
			if delay == sandbox.SlowFor {
				return context.Canceled
			}
			d.Clock.Add(delay)
			return d.Server.Deposits.Expire(ctx)
		},
	})
	t.Cleanup(box.Close)
	mux.Handle("/", box)
	return box
}

// The mode of the sandbox gateway decides how payments end. A payment that is paid twice is credited once.
func TestSandboxPayments(t *testing.T) {
	t.Parallel()
	for mode, c := range map[string]struct {
		status  string
		balance int64
		notices string // codes of the different notices
		task    string
	}{
		sandbox.Pay:   {"CREDITED", 100_000, "OK", ""},
		sandbox.Fail:  {"REFUSED", 0, "OK", ""},
		sandbox.Twice: {"CREDITED", 100_000, "OK CONFLICT", "deposit.conflict"},
		sandbox.Other: {"WAITING", 0, "AMOUNT_MISMATCH", "deposit.mismatch"},
		sandbox.Late:  {"EXPIRED", 0, "LATE", "deposit.late"},
	} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			d := newFixture(t, dbtest.SQLite(t))
			box := d.newSandbox(t, mode)
			created := merchanttest.Value[deposit.View](t, d.create(t, "pg", "BOX", "100000"))
			box.Drain()
			want(t, "status", d.status(t, created.ID), c.status)
			if mode == sandbox.Other {
				d.expectInReview(t, created.ID)
			}
			want(t, "balance", fmt.Sprint(d.Balance(t, d.cash.ID)), fmt.Sprint(c.balance))
			want(t, "codes", d.noticeCodes(t), c.notices)
			tasks := 0
			if c.task != "" {
				tasks = d.Count(t, "task WHERE state = 'open' AND kind = '"+c.task+"'")
				want(t, "tasks "+c.task, fmt.Sprint(tasks), "1")
			}
			want(t, "all tasks", fmt.Sprint(d.Count(t, "task")), fmt.Sprint(tasks))
			d.VerifyLedger(t)
		})
	}
}

// expectInReview checks that the member sees that a payment is checked, and cannot cancel.
func (d *fixture) expectInReview(t *testing.T, id string) {
	t.Helper()
	path := "/wps/transaction/deposit/" + id
	if v := merchanttest.Value[deposit.View](t, d.Call(t, "GET", path, nil, "Authorization", "payer")); !v.InReview {
		t.Error("the member does not see that the payment is checked")
	}
	if r := d.Call(t, "DELETE", path, nil, "Authorization", "payer"); r.Status != 409 {
		t.Errorf("cancel: %d, want 409", r.Status)
	}
}

// noticeCodes returns the codes of all notices, in the order of their arrival.
func (d *fixture) noticeCodes(t *testing.T) (codes string) {
	t.Helper()
	rows, err := d.Store.Reader.QueryContext(t.Context(), "SELECT code FROM gateway_notice ORDER BY id")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for separator := ""; rows.Next(); separator = " " {
		var code string
		if err := rows.Scan(&code); err != nil {
			t.Fatal(err)
		}
		codes += separator + code
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return codes
}

// While the gateway is down or slow, the deposit waits without an address, and does not expire until the grace is over. When the gateway
// answers again, the payment is created and credited once.
func TestSandboxPaymentsWithoutAnswer(t *testing.T) {
	t.Parallel()
	if sandbox.SlowFor <= gateway.CallTimeout {
		t.Errorf("a slow gateway answers after %v, want more than %v", sandbox.SlowFor, gateway.CallTimeout)
	}
	for _, mode := range []string{sandbox.Slow, sandbox.Down} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			d := newFixture(t, dbtest.SQLite(t))
			box := d.newSandbox(t, mode)
			created := merchanttest.Value[deposit.View](t, d.create(t, "pg", "BOX", "100000"))
			for range 3 {
				want(t, "status and address", d.status(t, created.ID)+d.find(t, created.ID).PayURL, "WAITING")
				d.Clock.Add(time.Minute)
				d.repeatDue(t)
			}
			d.Clock.Add(time.UnixMilli(created.ExpiresAt).Sub(d.Clock.Now()) + time.Second)
			if err := d.Server.Deposits.Expire(t.Context()); err != nil {
				t.Fatal(err)
			}
			want(t, "status after the expiry", d.status(t, created.ID), "WAITING")
			if err := box.SetMode(sandbox.Pay); err != nil {
				t.Fatal(err)
			}
			for range 2 {
				d.Clock.Add(2 * time.Minute)
				d.repeatDue(t)
				box.Drain()
			}
			want(t, "status after the answer", d.status(t, created.ID), "CREDITED")
			if mode == sandbox.Other {
				d.expectInReview(t, created.ID)
			}
			want(t, "balance", fmt.Sprint(d.Balance(t, d.cash.ID)), "100000")
			want(t, "codes", d.noticeCodes(t), "OK")
			d.VerifyLedger(t)
		})
	}
}
