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

// A payment with another amount is a task for those who confirm deposits. The decision closes the task.
func TestQueuedDepositsAreTasks(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.SQLite(t))
	lan, help := d.Operator(t, "lan", "finance"), d.Operator(t, "mai", "support")
	one := d.pay(t, "100000")
	want(t, "other amount", d.notice(t, one.Reference, "P1", "paid", "90000", "VND"), "200 AMOUNT_MISMATCH")
	type task struct{ Kind, Object, State string }
	type list struct{ List []task }
	tasks := func(state string) string {
		var out []string
		for _, each := range merchanttest.Value[list](t, lan(http.MethodGet, "/ops/v1/tasks?state="+state, nil)).List {
			out = append(out, each.Kind+" "+each.Object)
		}
		return strings.Join(out, ",")
	}
	want(t, "open tasks", tasks("open"), "deposit.mismatch deposits/"+one.ID)
	if others := merchanttest.Value[list](t, help(http.MethodGet, "/ops/v1/tasks", nil)).List; len(others) != 0 {
		t.Errorf("tasks without the permission: got %v, want none", others)
	}
	type row struct{ Version int }
	version := merchanttest.Value[row](t, lan(http.MethodGet, "/ops/v1/deposits/"+one.ID, nil)).Version
	r := lan(http.MethodPost, "/ops/v1/deposits/"+one.ID+"/confirm", map[string]any{"version": version, "amount": 90000})
	want(t, "confirm", fmt.Sprint(r.Status), "200")
	want(t, "status", d.status(t, one.ID), "CREDITED")
	want(t, "open tasks after the decision", tasks("open"), "")
	want(t, "done tasks", tasks("done"), "deposit.mismatch deposits/"+one.ID)
	d.VerifyLedger(t)
}

// After a rotation both keys are valid. Retire leaves the newest.
func TestRetireGatewayKeys(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.SQLite(t))
	owner := d.Operator(t, "lan", "owner")
	type row struct {
		ID            string
		Keys, Version int
	}
	type list struct{ List []row }
	read := func() row { return merchanttest.Value[list](t, owner(http.MethodGet, "/ops/v1/gateways", nil)).List[0] }
	act := func(action string, version int) merchanttest.Reply {
		return owner(http.MethodPost, "/ops/v1/gateways/"+read().ID+"/"+action, map[string]any{"version": version, "reason": "test"})
	}
	type rotated struct{ Key gateway.Key }
	old, next := d.key, merchanttest.Value[rotated](t, act("rotate", read().Version)).Key
	with := func(key gateway.Key) string {
		d.key = key
		return d.notice(t, "NOSUCH", "P1", "pending", "1000", "VND")
	}
	want(t, "old key after the rotation", strings.TrimSuffix(with(old), " again"), "200 UNKNOWN")
	want(t, "new key after the rotation", strings.TrimSuffix(with(next), " again"), "200 UNKNOWN")
	want(t, "stale", fmt.Sprint(act("retire", read().Version-1).Status), "409")
	want(t, "retire", fmt.Sprint(act("retire", read().Version).Status), "200")
	want(t, "keys", fmt.Sprint(read().Keys), "1")
	want(t, "old key", with(old), "401 INVALID_SIGNATURE")
	want(t, "new key", strings.TrimSuffix(with(next), " again"), "200 UNKNOWN")
}
