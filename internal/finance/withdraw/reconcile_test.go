package withdraw_test

import (
	"fmt"
	"net/http"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fairground/internal/finance/withdraw"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant"
)

// A reconciliation also lists each kind of difference between the withdrawals and the gateway's payouts, and nothing else. It moves
// nothing.
func TestReconcileWithdrawals(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		d := newFixture(t, store)
		d.Set(t, merchant.WithdrawPerDay, "100")
		states := map[string]string{} // by reference: STATUS AMOUNT, or silent, or empty if the gateway does not know the payout
		isUp := true
		d.gatewayHandler = func(w http.ResponseWriter, r *http.Request) {
			d.mu.Lock()
			defer d.mu.Unlock()
			status, amount, _ := strings.Cut(states[path.Base(r.URL.Path)], " ")
			switch {
			case r.Method == http.MethodPost && isUp:
				_, _ = fmt.Fprint(w, `{"gatewayId":"P1","status":"pending"}`)
			case r.Method == http.MethodPost || status == "silent":
				w.WriteHeader(http.StatusServiceUnavailable)
			case status == "":
				w.WriteHeader(http.StatusNotFound)
			default:
				_, _ = fmt.Fprintf(w, `{"reference":%q,"gatewayId":"P1","status":%q,"amount":%q,"currency":"VND"}`, path.Base(r.URL.Path), status, amount)
			}
		}
		var expected []string
		for _, c := range []struct{ here, state, text string }{
			{"SENT", "pending 10000", ""},
			{"PAID", "paid 10000", ""},
			{"FAILED", "failed 10000", ""},
			{"FAILED", "", ""},
			{"SENT", "", "sent, but the gateway does not know it"},
			{"PAID", "", "sent, but the gateway does not know it"},
			{"SENT", "paid 10000", "paid out, but not marked as paid"},
			{"FAILED", "paid 10000", "paid out, but not marked as paid"},
			{"PAID", "pending 10000", "marked as paid, but not paid out"},
			{"PAID", "failed 10000", "marked as paid, but not paid out"},
			{"PAID", "paid 9000", "paid out with another amount or currency"},
			{"SENT", "failed 10000", "ended at the gateway, but not here"},
			{"SENT", "expired 10000", "ended at the gateway, but not here"},
			{"SENT", "silent", "the gateway did not answer"},
			{"APPROVED", "", ""},
		} {
			d.Refill()
			d.mu.Lock()
			isUp = c.here != withdraw.Approved
			d.mu.Unlock()
			withdrawal := d.newApproved(t, "10000")
			d.callDue(t)
			if c.here == withdraw.Paid || c.here == withdraw.Failed {
				want(t, "notice", d.notice(t, withdrawal.Reference, "P1", strings.ToLower(c.here), "10000", d.key.Key), "OK")
			}
			want(t, "status", d.find(t, withdrawal.ID).Status, c.here)
			d.mu.Lock()
			states[withdrawal.Reference] = c.state
			d.mu.Unlock()
			if c.text != "" {
				there, amount, _ := strings.Cut(c.state, " ")
				switch there {
				case "":
					there = "unknown"
				case "silent":
				default:
					amount += " VND"
				}
				expected = append(expected, strings.Join([]string{withdrawal.Reference, c.here, there, amount, c.text}, "|"))
			}
		}
		slices.Sort(expected)

		moved := func() string {
			return fmt.Sprint(d.Balance(t, d.cash.ID), d.Count(t, "transfer"), d.Count(t, "task"), d.Number(t, "SELECT CAST(SUM(version) AS BIGINT) FROM withdrawal"), d.Count(t, "withdrawal WHERE status = 'SENT'"))
		}
		before := moved()
		g, err := d.Server.Gateways.Find(t.Context(), d.ID, "G1")
		if err != nil {
			t.Fatal(err)
		}
		result, err := d.Server.Deposits.Reconcile(t.Context(), g)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, x := range result.Differences {
			text, _, _ := strings.Cut(x.Text, ": ") // the cause of a missing answer
			got = append(got, strings.Join([]string{x.Reference, x.Here, x.There, x.Amount, text}, "|"))
		}
		slices.Sort(got)
		if diff := cmp.Diff(expected, got); diff != "" {
			t.Errorf("differences (-want +got):\n%s", diff)
		}
		want(t, "compared withdrawals", result.Checked, int64(15))
		want(t, "balance, transfers, tasks, versions, sent", moved(), before)
		d.VerifyLedger(t)
	})
}
