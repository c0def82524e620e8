package deposit_test

import (
	"fmt"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"fairground/internal/finance/deposit"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

// gatewayStates are the states of payments at the gateway, by reference: STATUS AMOUNT, silent if the gateway does not answer, or empty
// if it does not know the payment.
type gatewayStates struct {
	mu     sync.Mutex
	states map[string]string
}

func (g *gatewayStates) set(reference, state string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.states[reference] = state
}

// reportStates makes the gateway accept all payments and report the states that the test sets.
func (d *fixture) reportStates() *gatewayStates {
	g := &gatewayStates{states: map[string]string{}}
	d.handle(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			_, _ = fmt.Fprint(w, `{"gatewayId":"P1","payUrl":"https://pay.example/1"}`)
			return
		}
		reference := path.Base(r.URL.Path)
		g.mu.Lock()
		state := g.states[reference]
		g.mu.Unlock()
		status, amount, _ := strings.Cut(state, " ")
		switch status {
		case "":
			w.WriteHeader(http.StatusNotFound)
		case "silent":
			w.WriteHeader(http.StatusServiceUnavailable)
		default:
			_, _ = fmt.Fprintf(w, `{"reference":%q,"gatewayId":"P1","status":%q,"amount":%q,"currency":"VND"}`, reference, status, amount)
		}
	})
	return g
}

func (d *fixture) reconcile(t *testing.T) deposit.Reconciliation {
	t.Helper()
	g, err := d.Server.Gateways.Find(t.Context(), d.ID, "G1")
	if err != nil {
		t.Fatal(err)
	}
	result, err := d.Server.Deposits.Reconcile(t.Context(), g)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// A reconciliation lists each kind of difference between the deposits and the gateway's payments, and nothing else. It moves
// nothing.
func TestReconcileDeposits(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		d := newFixture(t, store)
		states := d.reportStates()
		old := d.pay(t, "100000")
		states.set(old.Reference, "paid 100000") // more than three days ago
		d.Clock.Add(3*24*time.Hour + time.Minute)
		var want []string
		for _, c := range []struct{ end, state, text string }{
			{"paid", "paid 100000", ""},
			{"", "pending 100000", ""},
			{"", "", ""},
			{"failed", "failed 100000", ""},
			{"expired", "expired 100000", ""},
			{"failed", "", ""},
			{"paid", "", "credited, but the gateway does not know it"},
			{"paid", "pending 100000", "credited, but not paid"},
			{"paid", "failed 100000", "credited, but not paid"},
			{"paid", "paid 90000", "credited with another amount or currency"},
			{"", "paid 100000", "paid, but not credited"},
			{"failed", "paid 100000", "paid, but not credited"},
			{"", "failed 100000", "ended at the gateway, but not here"},
			{"", "expired 100000", "ended at the gateway, but not here"},
			{"paid", "silent", "the gateway did not answer"},
		} {
			d.Refill()
			created := d.pay(t, "100000")
			if c.end != "" {
				if got := d.notice(t, created.Reference, "P1", c.end, "100000", "VND"); got != "200 OK" {
					t.Fatalf("notice %s: %s", c.end, got)
				}
			}
			states.set(created.Reference, c.state)
			if c.text != "" {
				here := map[string]string{"": "WAITING", "paid": "CREDITED", "failed": "REFUSED"}[c.end]
				there, amount, _ := strings.Cut(c.state, " ")
				switch there {
				case "":
					there = "unknown"
				case "silent":
				default:
					amount += " VND"
				}
				want = append(want, strings.Join([]string{created.Reference, here, there, amount, c.text}, "|"))
			}
		}
		d.notice(t, "NOSUCH", "P9", "paid", "70000", "VND")
		want = append(want, "NOSUCH||paid|70000 VND|a notice about a payment that does not exist here")
		slices.Sort(want)

		moved := func() string {
			return fmt.Sprint(d.Balance(t, d.cash.ID), d.Count(t, "transfer"), d.Count(t, "task"), d.Number(t, "SELECT CAST(SUM(version) AS BIGINT) FROM deposit"), d.Count(t, "deposit WHERE status = 'WAITING'"))
		}
		before := moved()
		result := d.reconcile(t)
		var got []string
		for _, x := range result.Differences {
			text, _, _ := strings.Cut(x.Text, ": ") // the cause of a missing answer
			got = append(got, strings.Join([]string{x.Reference, x.Here, x.There, x.Amount, text}, "|"))
		}
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("differences (-want +got):\n%s", diff)
		}
		if result.Checked != 15 {
			t.Errorf("%d deposits were compared, want 15 without the old one", result.Checked)
		}
		if after := moved(); after != before {
			t.Errorf("balance, transfers, tasks, versions, waiting: got %s, want %s", after, before)
		}
		d.VerifyLedger(t)
	})
}

// The daily job reconciles each enabled gateway once a day, also if it runs more often, and keeps the result.
func TestReconcileDaily(t *testing.T) {
	t.Parallel()
	d := newFixture(t, dbtest.SQLite(t))
	states := d.reportStates()
	created := d.pay(t, "100000")
	states.set(created.Reference, "paid 100000")
	run := func(results int) {
		t.Helper()
		if err := d.Server.Deposits.ReconcileAll(t.Context()); err != nil {
			t.Fatal(err)
		}
		want(t, "results", fmt.Sprint(d.Count(t, "gateway_reconciliation")), fmt.Sprint(results))
	}
	run(1)
	run(1)
	g, err := d.Server.Gateways.Find(t.Context(), d.ID, "G1")
	if err != nil {
		t.Fatal(err)
	}
	last, err := d.Server.Deposits.LastReconciliation(t.Context(), g.ID)
	if err != nil || last == nil || len(last.Differences) != 1 || last.Differences[0].Text != "paid, but not credited" {
		t.Errorf("last reconciliation %+v, %v; want one difference", last, err)
	}
	d.Clock.Add(24 * time.Hour)
	run(2)
	d.Clock.Add(24 * time.Hour)
	d.Exec(t, "UPDATE gateway SET enabled = FALSE")
	run(2)
	want(t, "status", d.status(t, created.ID), "WAITING")
}
