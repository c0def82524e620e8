package deposit_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"fairground/internal/platform/db/dbtest"
)

// Before a deposit of a gateway expires, the gateway is asked, because its notice may be lost.
func TestExpiredDepositsAskTheGateway(t *testing.T) {
	t.Parallel()
	const state = `{"reference":"REF","gatewayId":"P1","status":%q,"amount":%q,"currency":"VND"}`
	for what, c := range map[string]struct {
		code             int
		answer           string
		disabled         bool
		status, afterEnd string
		late             int64
	}{
		"paid":                 {200, fmt.Sprintf(state, "paid", "100000"), false, "CREDITED", "CREDITED", 0},
		"another amount":       {200, fmt.Sprintf(state, "paid", "90000"), false, "EXPIRED", "EXPIRED", 1},
		"a disabled gateway":   {200, fmt.Sprintf(state, "paid", "100000"), true, "EXPIRED", "EXPIRED", 1},
		"failed":               {200, fmt.Sprintf(state, "failed", "100000"), false, "REFUSED", "REFUSED", 0},
		"pending":              {200, fmt.Sprintf(state, "pending", "100000"), false, "EXPIRED", "EXPIRED", 0},
		"unknown":              {404, "", false, "EXPIRED", "EXPIRED", 0},
		"down":                 {503, "", false, "WAITING", "EXPIRED", 0},
		"garbage":              {200, "<html>", false, "WAITING", "EXPIRED", 0},
		"of another reference": {200, strings.ReplaceAll(fmt.Sprintf(state, "paid", "100000"), "REF", "OTHER"), false, "WAITING", "EXPIRED", 0},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			d := newFixture(t, dbtest.SQLite(t))
			created := d.pay(t, "100000")
			d.mu.Lock()
			d.gatewayHandler = func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(c.code)
				_, _ = fmt.Fprint(w, strings.ReplaceAll(c.answer, "REF", created.Reference))
			}
			d.mu.Unlock()
			if c.disabled {
				d.Exec(t, "UPDATE gateway SET enabled = FALSE")
			}
			expire := func() {
				t.Helper()
				if err := d.Server.Deposits.Expire(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			expire()
			want(t, "status before the end", d.status(t, created.ID), "WAITING")
			d.Clock.Add(time.UnixMilli(created.ExpiresAt).Sub(d.Clock.Now()) + time.Second)
			expire()
			want(t, "status", d.status(t, created.ID), c.status)
			d.Clock.Add(11 * time.Minute)
			expire()
			want(t, "status after the grace", d.status(t, created.ID), c.afterEnd)
			want(t, "late in the queue", fmt.Sprint(d.Number(t, "SELECT COUNT(*) FROM task WHERE kind = 'deposit.late' AND state = 'open'")), fmt.Sprint(c.late))
			d.VerifyLedger(t)
		})
	}
}
