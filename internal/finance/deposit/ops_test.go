package deposit_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"fairground/internal/finance/gateway"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant"
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

// A code must be confirmed before a deposit is credited, but not before it is refused.
func TestConfirmingADepositNeedsACode(t *testing.T) {
	t.Parallel()
	d := newFixture(t, dbtest.SQLite(t))
	lan := d.Operator(t, "lan", "finance")
	first, second := d.pay(t, "100000"), d.pay(t, "100000")
	d.Clock.Add(6 * time.Minute) // a confirmed code counts for five minutes
	for action, code := range map[string]string{"confirm": "ops.confirm", "refuse": "REFUSED"} {
		created := map[string]string{"confirm": first.ID, "refuse": second.ID}[action]
		type row struct{ Version int }
		version := merchanttest.Value[row](t, lan(http.MethodGet, "/ops/v1/deposits/"+created, nil)).Version
		r := lan(http.MethodPost, "/ops/v1/deposits/"+created+"/"+action, map[string]any{"version": version, "reason": "because"})
		if !strings.Contains(string(r.Body), code) {
			t.Errorf("%s without a code: got %d %s, want %s", action, r.Status, r.Body, code)
		}
	}
	want(t, "status without a code", d.status(t, first.ID), "WAITING")
}

// An amount above the limit that neither the member requested nor the gateway reported needs two people.
func TestTwoPeopleConfirmAnotherAmount(t *testing.T) {
	t.Parallel()
	d := newFixture(t, dbtest.SQLite(t))
	d.Set(t, merchant.TwoPersonAbove, "90000")
	lan, minh := d.Operator(t, "lan", "finance"), d.Operator(t, "minh", "finance")
	confirm := func(id string, amount int) merchanttest.Reply {
		type row struct{ Version int }
		version := merchanttest.Value[row](t, lan(http.MethodGet, "/ops/v1/deposits/"+id, nil)).Version
		body := map[string]any{"version": version}
		if amount != 0 {
			body["amount"] = amount
		}
		return lan(http.MethodPost, "/ops/v1/deposits/"+id+"/confirm", body)
	}
	type reply struct {
		Approval *struct{ ID, State string }
	}
	decision := map[string]any{"decision": "approve"}
	approve := func(what string, r merchanttest.Reply, id string) {
		t.Helper()
		first := merchanttest.Value[reply](t, r)
		if first.Approval == nil || first.Approval.State != "waiting" {
			t.Fatalf("%s by one person: got %s, want a waiting approval", what, r.Body)
		}
		if status := d.status(t, id); status == "CREDITED" {
			t.Errorf("%s by one person: got %s, want it not credited", what, status)
		}
		r = minh(http.MethodPost, "/ops/v1/approvals/"+first.Approval.ID, decision)
		want(t, what+" by two people", fmt.Sprint(r.Status), "200")
		want(t, what+" after the approval", d.status(t, id), "CREDITED")
	}
	other := d.pay(t, "100000")
	approve("another amount", confirm(other.ID, 90_001), other.ID)
	ended := d.pay(t, "100000")
	want(t, "failed", d.notice(t, ended.Reference, "P2", "failed", "100000", "VND"), "200 OK")
	want(t, "an ended deposit", fmt.Sprint(confirm(ended.ID, 0).Status), "200")
	want(t, "an ended deposit by one person", d.status(t, ended.ID), "CREDITED")
	mismatch := d.pay(t, "100000")
	want(t, "another amount", d.notice(t, mismatch.Reference, "P3", "paid", "95000", "VND"), "200 AMOUNT_MISMATCH")
	approve("an amount that nobody reported", confirm(mismatch.ID, 95_001), mismatch.ID)
	reported := d.pay(t, "100000")
	want(t, "another amount", d.notice(t, reported.Reference, "P4", "paid", "95000", "VND"), "200 AMOUNT_MISMATCH")
	want(t, "the reported amount", fmt.Sprint(confirm(reported.ID, 95_000).Status), "200")
	want(t, "the reported amount by one person", d.status(t, reported.ID), "CREDITED")
	for what, amount := range map[string]int{"the requested amount": 0, "an amount at the limit": 90_000} {
		open := d.pay(t, "100000")
		want(t, what, fmt.Sprint(confirm(open.ID, amount).Status), "200")
		want(t, what+" by one person", d.status(t, open.ID), "CREDITED")
	}
	d.VerifyLedger(t)
}

func TestListsOfMethodsAndGateways(t *testing.T) {
	t.Parallel()
	d := newFixture(t, dbtest.SQLite(t))
	owner := d.Operator(t, "lan", "owner")
	type page struct {
		List []struct{ ID, Code, Name, Kind, Status string }
		Next string
	}
	read := func(query string) page {
		t.Helper()
		return merchanttest.Value[page](t, owner(http.MethodGet, "/ops/v1/"+query, nil))
	}
	all := read("methods?pageSize=100").List
	if len(all) < 2 {
		t.Fatalf("%d methods, want several", len(all))
	}
	var paged []string
	for cursor, more := "", true; more; more = cursor != "" {
		p := read("methods?pageSize=1&cursor=" + cursor)
		cursor = p.Next
		for _, m := range p.List {
			paged = append(paged, m.ID)
		}
	}
	for i, m := range all {
		if i >= len(paged) || paged[i] != m.ID {
			t.Fatalf("the pages have the methods %v, want those of %+v", paged, all)
		}
	}
	names := read("methods?pageSize=100&sort=name").List
	if !slices.IsSortedFunc(names, func(a, b struct{ ID, Code, Name, Kind, Status string }) int { return strings.Compare(a.Name, b.Name) }) {
		t.Errorf("methods = %+v, want them sorted by name", names)
	}
	one := all[1]
	want(t, "by id", read("methods?q=" + one.ID).List[0].Code, one.Code)
	want(t, "by code", fmt.Sprint(len(read("methods?q="+strings.ToLower(one.Code)).List) > 0), "true")
	for _, m := range read("methods?kind=" + one.Kind).List {
		want(t, "kind of "+m.Code, m.Kind, one.Kind)
	}
	want(t, "disabled methods", fmt.Sprint(len(read("methods?state=disabled").List)), "0")
	d.Exec(t, "UPDATE deposit_method SET enabled = FALSE WHERE code = ?", one.Code)
	want(t, "disabled method", read("methods?state=disabled").List[0].Code, one.Code)
	want(t, "gateways", fmt.Sprint(len(read("gateways?state=active").List)), "1")
	want(t, "gateways with another name", fmt.Sprint(len(read("gateways?q=nosuch").List)), "0")
	for _, list := range []string{"methods", "gateways"} {
		file := owner(http.MethodGet, "/ops/v1/"+list+"?format=csv", nil)
		want(t, list+" as a file", fmt.Sprint(strings.HasPrefix(string(file.Body), "\ufeffid,code,name,")), "true")
	}
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

// A paid notice of a disabled gateway credits nothing: an operator decides.
func TestNoticesOfADisabledGatewayAreQueued(t *testing.T) {
	t.Parallel()
	d := newFixture(t, dbtest.SQLite(t))
	created := d.pay(t, "100000")
	d.Exec(t, "UPDATE gateway SET enabled = FALSE")
	want(t, "paid", d.notice(t, created.Reference, "P1", "paid", "100000", "VND"), "200 LATE")
	want(t, "status", d.status(t, created.ID), "WAITING")
	want(t, "open tasks", fmt.Sprint(d.Number(t, "SELECT COUNT(*) FROM task WHERE kind = 'deposit.late' AND state = 'open'")), "1")
	want(t, "balance", fmt.Sprint(d.Balance(t, d.cash.ID)), "0")
}

// The signature must be of the named gateway, not of another one.
func TestForgedHeadersOfNotices(t *testing.T) {
	t.Parallel()
	d := newFixture(t, dbtest.SQLite(t))
	other, err := d.Server.Gateways.Create(t.Context(), d.ID, gateway.Draft{Code: "G2", Name: "Other", URL: "https://pay.example", Currencies: []string{"VND"}})
	if err != nil {
		t.Fatal(err)
	}
	created := d.pay(t, "100000")
	const path = "/pay/v1/G1/payment"
	body := fmt.Sprintf(`{"reference":%q,"gatewayId":"P1","status":"paid","amount":"100000","currency":"VND","at":1}`, created.Reference)
	timestamp := fmt.Sprint(d.Clock.Now().UnixMilli())
	send := func(code, keyID, key string) string {
		headers := []string{"X-Gateway", code, "X-Key", keyID, "X-Timestamp", timestamp, "X-Signature", gateway.Sign(key, timestamp, path, []byte(body))}
		return fmt.Sprint(d.Call(t, "POST", path, body, headers...).Status)
	}
	want(t, "the key of another gateway", send("G1", other.KeyID, other.Key), "401")
	want(t, "another gateway in the path", send("G2", other.KeyID, other.Key), "401")
	want(t, "an unknown key", send("G1", "nosuch", d.key.Key), "401")
	want(t, "status", d.status(t, created.ID), "WAITING")
	want(t, "the gateway itself", send("G1", d.key.KeyID, d.key.Key), "200")
	want(t, "status after the notice", d.status(t, created.ID), "CREDITED")
}
