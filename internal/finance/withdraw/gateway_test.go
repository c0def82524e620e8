package withdraw_test

import (
	"net/http"
	"testing"
	"time"

	"fairground/internal/money"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
)

// countCalls makes the gateway accept each payout, and counts all calls to it.
func (d *fixture) countCalls() (calls *int) {
	calls = new(int)
	accept := d.gatewayHandler
	d.mu.Lock()
	defer d.mu.Unlock()
	d.gatewayHandler = func(w http.ResponseWriter, r *http.Request) {
		*calls++
		if r.Method == http.MethodGet {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		accept(w, r)
	}
	return calls
}

func (d *fixture) setGateway(t *testing.T, enabled bool) {
	t.Helper()
	d.Exec(t, "UPDATE gateway SET enabled = $1", enabled)
}

// Nothing is sent to a disabled gateway. A task is open until the gateway is enabled again and has accepted the payout.
func TestNoPayoutGoesToADisabledGateway(t *testing.T) {
	t.Parallel()
	d := newFixture(t, dbtest.SQLite(t))
	calls := d.countCalls()
	withdrawal := d.newApproved(t, "100000")
	d.setGateway(t, false)
	for range 2 {
		d.callDue(t)
		d.Clock.Add(6 * time.Minute)
	}
	want(t, "calls while the gateway is disabled", *calls, 0)
	want(t, "status while the gateway is disabled", d.find(t, withdrawal.ID).Status, "APPROVED")
	want(t, "tasks while the gateway is disabled", d.openTasks(t, "withdrawal.disabled", withdrawal.Reference), 1)
	d.setGateway(t, true)
	d.callDue(t)
	want(t, "calls after the gateway was enabled", *calls, 1)
	want(t, "status after the gateway was enabled", d.find(t, withdrawal.ID).Status, "SENT")
	want(t, "tasks after the gateway was enabled", d.openTasks(t, "withdrawal.disabled", withdrawal.Reference), 0)

	d.setGateway(t, false)
	d.Clock.Add(6 * time.Minute)
	d.callDue(t)
	want(t, "calls for the state of a sent payout", *calls, 1)
	want(t, "tasks of a sent payout", d.openTasks(t, "withdrawal.disabled", withdrawal.Reference), 1)
	want(t, "paid", d.notice(t, withdrawal.Reference, "P1", "paid", "100000", d.key.Key), "CONFLICT")
	want(t, "status after a notice of the disabled gateway", d.find(t, withdrawal.ID).Status, "SENT")
	lan := d.Operator(t, "lan", "finance")
	version := d.Number(t, "SELECT version FROM withdrawal WHERE reference = $1", withdrawal.Reference)
	wantReply(t, "an operator marks it as paid", lan(http.MethodPost, opsPath+withdrawal.ID+"/paid", map[string]any{"version": version, "bankReference": "B1"}), 200, "PAID")
	want(t, "tasks after the end", d.openTasks(t, "withdrawal.disabled", withdrawal.Reference), 0)
	d.VerifyLedger(t)
}

// A gateway may be disabled between the two approvals of a payout.
func TestSecondApprovalChecksTheGateway(t *testing.T) {
	t.Parallel()
	d := newFixture(t, dbtest.SQLite(t))
	lan, minh := d.Operator(t, "lan", "finance"), d.Operator(t, "minh", "finance")
	withdrawal := d.newWithdrawal(t, "600000")
	type reply struct{ Approval struct{ ID string } }
	waiting := merchanttest.Value[reply](t, lan(http.MethodPost, opsPath+withdrawal.ID+"/approve", versionBody(1)))
	d.setGateway(t, false)
	decision := map[string]any{"decision": "approve"}
	wantReply(t, "second approval", minh(http.MethodPost, "/ops/v1/approvals/"+waiting.Approval.ID, decision), 409, "ops.stale")
	want(t, "status", d.find(t, withdrawal.ID).Status, "REQUESTED")
	want(t, "balance", d.Balance(t, d.cash.ID), money.Minor(400_000))
	d.VerifyLedger(t)
}

// A gateway that never answers does not hold a payout for ever without anyone knowing: an operator gets a task after 30 minutes.
func TestUnansweredPayoutBecomesATask(t *testing.T) {
	t.Parallel()
	d := newFixture(t, dbtest.SQLite(t))
	status := http.StatusBadGateway
	d.rejectPayouts(&status)
	withdrawal := d.newApproved(t, "100000")
	tasks := func() int64 { return d.openTasks(t, "withdrawal.unanswered", withdrawal.Reference) }
	d.callDue(t)
	d.Clock.Add(29 * time.Minute)
	d.callDue(t)
	want(t, "tasks before 30 minutes", tasks(), 0)
	d.Clock.Add(2 * time.Minute)
	d.callDue(t)
	want(t, "tasks after 30 minutes", tasks(), 1)
	want(t, "status after 30 minutes", d.find(t, withdrawal.ID).Status, "APPROVED")
	d.mu.Lock()
	d.gatewayHandler = func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"gatewayId":"P1","status":"pending"}`))
	}
	d.mu.Unlock()
	d.Clock.Add(2 * time.Minute)
	d.callDue(t)
	want(t, "status after the answer", d.find(t, withdrawal.ID).Status, "SENT")
	want(t, "tasks after the answer", tasks(), 0)
	d.VerifyLedger(t)
}
