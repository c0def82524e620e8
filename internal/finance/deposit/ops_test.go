package deposit_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"fairground/internal/finance/gateway"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
)

// A payment with another amount creates a task for operators who confirm deposits. The decision closes the task.
func TestQueuedDepositsAreTasks(t *testing.T) {
	t.Parallel()
	d := newFixture(t, dbtest.SQLite(t))
	lan, support := d.Operator(t, "lan", "finance"), d.Operator(t, "mai", "support")
	created := d.pay(t, "100000")
	want(t, "other amount", d.notice(t, created.Reference, "P1", "paid", "90000", "VND"), "200 AMOUNT_MISMATCH")
	type task struct{ Kind, Object, State string }
	type list struct{ List []task }
	tasks := func(state string) string {
		var out []string
		for _, item := range merchanttest.Value[list](t, lan(http.MethodGet, "/ops/v1/tasks?state="+state, nil)).List {
			out = append(out, item.Kind+" "+item.Object)
		}
		return strings.Join(out, ",")
	}
	want(t, "open tasks", tasks("open"), "deposit.mismatch deposits/"+created.ID)
	if others := merchanttest.Value[list](t, support(http.MethodGet, "/ops/v1/tasks", nil)).List; len(others) != 0 {
		t.Errorf("tasks without the permission: got %v, want none", others)
	}
	type row struct{ Version int }
	version := merchanttest.Value[row](t, lan(http.MethodGet, "/ops/v1/deposits/"+created.ID, nil)).Version
	r := lan(http.MethodPost, "/ops/v1/deposits/"+created.ID+"/confirm", map[string]any{"version": version, "amount": 90000})
	want(t, "confirm", fmt.Sprint(r.Status), "200")
	want(t, "status", d.status(t, created.ID), "CREDITED")
	want(t, "open tasks after the decision", tasks("open"), "")
	want(t, "done tasks", tasks("done"), "deposit.mismatch deposits/"+created.ID)
	d.VerifyLedger(t)
}

// After a rotation, both keys are valid. Retire keeps only the newest.
func TestRetireGatewayKeys(t *testing.T) {
	t.Parallel()
	d := newFixture(t, dbtest.SQLite(t))
	owner := d.Operator(t, "lan", "owner")
	type row struct {
		ID            string
		Keys, Version int
	}
	type list struct{ List []row }
	readGateway := func() row { return merchanttest.Value[list](t, owner(http.MethodGet, "/ops/v1/gateways", nil)).List[0] }
	changeGateway := func(action string, version int) merchanttest.Reply {
		return owner(http.MethodPost, "/ops/v1/gateways/"+readGateway().ID+"/"+action, map[string]any{"version": version, "reason": "test"})
	}
	type rotated struct{ Key gateway.Key }
	old, next := d.key, merchanttest.Value[rotated](t, changeGateway("rotate", readGateway().Version)).Key
	noticeWith := func(key gateway.Key) string {
		d.key = key
		return d.notice(t, "NOSUCH", "P1", "pending", "1000", "VND")
	}
	want(t, "old key after the rotation", strings.TrimSuffix(noticeWith(old), " again"), "200 UNKNOWN")
	want(t, "new key after the rotation", strings.TrimSuffix(noticeWith(next), " again"), "200 UNKNOWN")
	want(t, "stale", fmt.Sprint(changeGateway("retire", readGateway().Version-1).Status), "409")
	want(t, "retire", fmt.Sprint(changeGateway("retire", readGateway().Version).Status), "200")
	want(t, "keys", fmt.Sprint(readGateway().Keys), "1")
	want(t, "old key", noticeWith(old), "401 INVALID_SIGNATURE")
	want(t, "new key", strings.TrimSuffix(noticeWith(next), " again"), "200 UNKNOWN")
}
