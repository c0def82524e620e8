package deposit_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"fairground/internal/finance/gateway"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/server/servertest"
	"fairground/internal/site/merchant/merchanttest"
)

type gatewayRow struct {
	ID, Code, Name, URL, Status string
	Currencies                  []string
	Min, Max                    json.Number
	Keys, Version               int64
	Reconciliation              *struct {
		Checked     int64
		Differences []struct{ Reference, Text string }
	}
}

// text returns the fields that the tests compare.
func (g gatewayRow) text() string {
	return fmt.Sprintf("%s %q %s %v %s-%s %d keys %s v%d", g.Code, g.Name, g.URL, g.Currencies, g.Min, g.Max, g.Keys, g.Status, g.Version)
}

// findGateway reads a gateway by its code.
func findGateway(t *testing.T, operator servertest.Operator, code string) gatewayRow {
	t.Helper()
	list := merchanttest.Value[struct{ List []gatewayRow }](t, operator(http.MethodGet, "/ops/v1/gateways", nil)).List
	i := slices.IndexFunc(list, func(g gatewayRow) bool { return g.Code == code })
	if i < 0 {
		t.Fatalf("the list has no gateway %s", code)
	}
	return list[i]
}

// changeGateway sends a change of the gateway's current version.
func changeGateway(t *testing.T, operator servertest.Operator, code, action string, change fields) merchanttest.Reply {
	t.Helper()
	g := findGateway(t, operator, code)
	body := fields{"version": g.Version, "reason": "test"}
	if change != nil {
		body["change"] = change
	}
	return operator(http.MethodPost, "/ops/v1/gateways/"+g.ID+"/"+action, body)
}

// The answer to the creation shows the first key, and nothing shows it again. The gateway's method has its code.
func TestOperatorsCreateGateways(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		d := newFixture(t, store)
		lan, support := d.Operator(t, "lan", "owner"), d.Operator(t, "mai", "support")
		form := func(changed fields) fields {
			out := fields{"code": "G2", "name": "Second", "url": "https://pay.example/base/", "currencies": []string{"VND"}, "min": 20_000, "max": 90_000}
			for name, value := range changed {
				if out[name] = value; value == nil {
					delete(out, name)
				}
			}
			return out
		}
		const path = "/ops/v1/gateways"
		key := merchanttest.Value[gateway.Key](t, lan(http.MethodPost, path, form(nil)))
		if key.Code != "G2" || key.KeyID == "" || len(key.Key) != 64 {
			t.Errorf("key of the new gateway: got %+v, want one of 64 characters with an id", key)
		}
		want(t, "listed", findGateway(t, lan, "G2").text(), `G2 "Second" https://pay.example/base [VND] 20000-90000 1 keys active v2`)
		for what, r := range map[string]merchanttest.Reply{
			"list": lan(http.MethodGet, path, nil), "file": lan(http.MethodGet, path+"?format=csv", nil), "audit log": lan(http.MethodGet, "/ops/v1/audit", nil),
		} {
			if r.Status != http.StatusOK || strings.Contains(string(r.Body), key.Key) || !strings.Contains(string(r.Body), "G2") {
				t.Errorf("%s: got %d %s, want the gateway without its key", what, r.Status, r.Body)
			}
		}
		method := findMethod(t, lan, "G2")
		want(t, "method of the gateway", method.text(), `G2 pg VND  "Second" 20000-90000 fee 0+0 00:00-00:00 30 min #100 active v1`)
		want(t, "offered", d.offered(t, "G2"), "open")
		want(t, "notice with the key", d.noticeOf(t, key), "200 UNKNOWN")

		want(t, "the same code", outcome(t, lan(http.MethodPost, path, form(nil))), "409 gateway.exists")
		want(t, "the code of a method", outcome(t, lan(http.MethodPost, path, form(fields{"code": "BANK-mt"}))), "409 deposit.method_exists")
		for what, c := range map[string]struct {
			changed fields
			field   string
		}{
			"a code with a space":      {fields{"code": "G 3"}, "code"},
			"a line break in the name": {fields{"code": "G3", "name": "a\nb"}, "name"},
			"no scheme":                {fields{"code": "G3", "url": "pay.example"}, "url"},
			"a password in the URL":    {fields{"code": "G3", "url": "https://a:b@pay.example"}, "url"},
			"a query in the URL":       {fields{"code": "G3", "url": "https://pay.example/?a=b"}, "url"},
			"an unknown currency":      {fields{"code": "G3", "currencies": []string{"XXX"}}, "currencies"},
			"play money":               {fields{"code": "G3", "currencies": []string{"FUN"}}, "currencies"},
			"a second currency":        {fields{"code": "G3", "currencies": []string{"VND", "XXX"}}, "currencies"},
			"a maximum below":          {fields{"code": "G3", "max": 19_999}, "max"},
			"a negative minimum":       {fields{"code": "G3", "min": -1}, "min"},
			"decimals":                 {fields{"code": "G3", "max": json.Number("90000.5")}, "max"},
			"a maximum of 2^63":        {fields{"code": "G3", "max": json.Number("9223372036854775808")}, "max"},
			"a maximum above all":      {fields{"code": "G3", "max": json.Number("1000000000000001")}, "max"},
			"a minimum above all":      {fields{"code": "G3", "min": json.Number("1000000000000001"), "max": 0}, "min"},
		} {
			want(t, what, outcome(t, lan(http.MethodPost, path, form(c.changed))), "400 gateway.malformed "+c.field)
		}
		want(t, "without the permission", outcome(t, support(http.MethodPost, path, form(fields{"code": "G3"}))), "403 ops.forbidden")
		want(t, "gateways, methods and keys", fmt.Sprint(d.Count(t, "gateway"), d.Count(t, "deposit_method"), d.Count(t, "gateway_key")), "2 4 2")

		merchanttest.Value[gateway.Key](t, lan(http.MethodPost, path, form(fields{"code": "G3", "currencies": []string{"VND", "BRL"}, "min": nil, "max": nil})))
		want(t, "a gateway with two currencies", findGateway(t, lan, "G3").text(), `G3 "Second" https://pay.example/base [BRL VND] 0.00-0.00 1 keys active v2`)
		want(t, "its first method", findMethod(t, lan, "G3").Currency, "BRL")
		want(t, "its second method", findMethod(t, lan, "G3-VND").Currency, "VND")
		d.wantAudited(t, "lan", "gateway.create", "gateway/G2", 1)
		d.wantAudited(t, "lan", "gateway.create", "gateway/G3", 1)
		want(t, "all creations in the audit log", fmt.Sprint(d.Count(t, "audit WHERE action = 'gateway.create'")), "2")
		d.VerifyLedger(t)
	})
}

// noticeOf sends a notice about an unknown payment, signed with a key.
func (d *fixture) noticeOf(t *testing.T, key gateway.Key) string {
	t.Helper()
	path := "/pay/v1/" + key.Code + "/payment"
	const body = `{"reference":"NOSUCH","gatewayId":"P1","status":"pending","amount":"1000","currency":"VND","at":1}`
	timestamp := fmt.Sprint(d.Clock.Now().UnixMilli())
	r := d.Call(t, "POST", path, body, "X-Gateway", key.Code, "X-Key", key.KeyID, "X-Timestamp", timestamp, "X-Signature", gateway.Sign(key.Key, timestamp, path, []byte(body)))
	var reply struct{ Code string }
	if err := json.Unmarshal(r.Body, &reply); err != nil {
		t.Fatalf("%d %s: %v", r.Status, r.Body, err)
	}
	return fmt.Sprint(r.Status, " ", reply.Code)
}

// An edit changes the limits of the gateway's payments at once. A disabled gateway is not offered until it is enabled again.
func TestOperatorsChangeGateways(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		d := newFixture(t, store)
		d.reportStates()
		lan, support := d.Operator(t, "lan", "owner"), d.Operator(t, "mai", "support")
		url := findGateway(t, lan, "G1").URL // its first version is 2, because its first key changed it
		change := func(action string, fields fields) string {
			t.Helper()
			return outcome(t, changeGateway(t, lan, "G1", action, fields))
		}
		want(t, "edit", change("edit", fields{"name": "Other", "url": url + "/", "min": 20_000, "max": 90_000}), "200")
		want(t, "edited", findGateway(t, lan, "G1").text(), fmt.Sprintf(`G1 "Other" %s [VND] 20000-90000 1 keys active v3`, url))
		want(t, "below the new minimum", outcome(t, d.create(t, "pg", "G1", "19999")), "400 deposit.amount amount")
		want(t, "above the new maximum", outcome(t, d.create(t, "pg", "G1", "90001")), "400 deposit.amount amount")
		want(t, "the new maximum", outcome(t, d.create(t, "pg", "G1", "90000")), "200")
		for what, c := range map[string]struct {
			fields  fields
			refusal string
		}{
			"without a change":    {nil, "400 request_param_err change"},
			"no name":             {fields{"name": "", "url": url}, "400 request_param_err change.name"},
			"a relative URL":      {fields{"name": "Other", "url": "/base"}, "400 gateway.malformed url"},
			"a maximum below":     {fields{"name": "Other", "url": url, "min": 2, "max": 1}, "400 gateway.malformed max"},
			"a negative minimum":  {fields{"name": "Other", "url": url, "min": -2}, "400 gateway.malformed min"},
			"a grouped maximum":   {fields{"name": "Other", "url": url, "max": "90,000"}, "400 request_param_err change.max"},
			"a maximum above all": {fields{"name": "Other", "url": url, "max": json.Number("1000000000000001")}, "400 gateway.malformed max"},
		} {
			want(t, "edit: "+what, change("edit", c.fields), c.refusal)
		}

		want(t, "disable", change("disable", nil), "200")
		want(t, "disabled", findGateway(t, lan, "G1").text(), fmt.Sprintf(`G1 "Other" %s [VND] 20000-90000 1 keys disabled v4`, url))
		want(t, "offered while disabled", d.offered(t, "G1"), "hidden")
		want(t, "deposit while disabled", outcome(t, d.create(t, "pg", "G1", "50000")), "422 deposit.method method")
		want(t, "edit while disabled", change("edit", fields{"name": "Quiet", "url": url}), "200")
		want(t, "an edit keeps it disabled", findGateway(t, lan, "G1").text(), fmt.Sprintf(`G1 "Quiet" %s [VND] 0-0 1 keys disabled v5`, url))
		want(t, "enable", change("enable", nil), "200")
		want(t, "enabled", findGateway(t, lan, "G1").text(), fmt.Sprintf(`G1 "Quiet" %s [VND] 0-0 1 keys active v6`, url))
		want(t, "offered again", d.offered(t, "G1"), "open")
		want(t, "deposit after it was enabled", outcome(t, d.create(t, "pg", "G1", "100000")), "200")

		g := findGateway(t, lan, "G1")
		for _, action := range []string{"edit", "disable", "enable", "reconcile"} {
			path := "/ops/v1/gateways/" + g.ID + "/" + action
			stale := fields{"version": g.Version - 1, "change": fields{"name": "Late", "url": url}}
			want(t, "outdated: "+action, outcome(t, lan(http.MethodPost, path, stale)), "409 ops.stale")
			want(t, "unknown: "+action, outcome(t, lan(http.MethodPost, "/ops/v1/gateways/1/"+action, stale)), "404 gateway.unknown")
			want(t, "without the permission: "+action, outcome(t, support(http.MethodPost, path, stale)), "403 ops.forbidden")
			rows := map[string]int64{"edit": 2, "reconcile": 0, "disable": 1, "enable": 1}
			d.wantAudited(t, "lan", "gateway."+action, "gateway/G1", rows[action])
		}
		want(t, "an unknown action", outcome(t, lan(http.MethodPost, "/ops/v1/gateways/"+g.ID+"/delete", fields{"version": g.Version})), "400 request_param_err action")
		want(t, "after the refusals", findGateway(t, lan, "G1").text(), g.text())
		d.VerifyLedger(t)
	})
}

// An operator compares a gateway's payments with the deposits. The list then shows the result, and nothing moves.
func TestOperatorsReconcileGateways(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		d := newFixture(t, store)
		states := d.reportStates()
		lan := d.Operator(t, "lan", "owner")
		created := d.pay(t, "100000")
		if g := findGateway(t, lan, "G1"); g.Reconciliation != nil {
			t.Errorf("before the first one: got %+v, want none", g.Reconciliation)
		}
		reconcile := func(want1 string) {
			t.Helper()
			reply := merchanttest.Value[struct{ Reconciliation json.RawMessage }](t, changeGateway(t, lan, "G1", "reconcile", nil))
			var got gatewayRow
			if err := json.Unmarshal(reply.Reconciliation, &got.Reconciliation); err != nil {
				t.Fatal(err)
			}
			for what, r := range map[string]gatewayRow{"answer": got, "list": findGateway(t, lan, "G1")} {
				text := fmt.Sprintf("%d checked:", r.Reconciliation.Checked)
				for _, difference := range r.Reconciliation.Differences {
					text += " " + difference.Reference + " " + difference.Text
				}
				want(t, what, text, want1)
			}
			want(t, "status", d.status(t, created.ID), "WAITING")
			want(t, "balance", fmt.Sprint(d.Balance(t, d.cash.ID)), "0")
			want(t, "version of the gateway", fmt.Sprint(findGateway(t, lan, "G1").Version), "2")
		}
		states.set(created.Reference, "pending 100000")
		reconcile("1 checked:")
		states.set(created.Reference, "paid 100000")
		reconcile("1 checked: " + created.Reference + " paid, but not credited")
		d.wantAudited(t, "lan", "gateway.reconcile", "gateway/G1", 2)
		want(t, "differences in the audit log", fmt.Sprint(d.Count(t, `audit WHERE action = 'gateway.reconcile' AND after LIKE '%"differences":1%'`)), "1")
		d.VerifyLedger(t)
	})
}

// A gateway and its method belong to one merchant. The site of another merchant neither shows nor changes them.
func TestGatewaysAndMethodsAreOfOneMerchant(t *testing.T) {
	t.Parallel()
	d := newFixture(t, dbtest.SQLite(t))
	lan := d.Operator(t, "lan", "owner")
	other, err := d.Server.Merchants.Ensure(t.Context(), "second", "Second", "VND")
	if err != nil {
		t.Fatal(err)
	}
	foreign, err := d.Server.Gateways.Create(t.Context(), other, gateway.Draft{Code: "FOREIGN", Name: "Foreign", URL: "https://pay.example", Currencies: []string{"VND"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, list := range []string{"gateways", "methods"} {
		if r := lan(http.MethodGet, "/ops/v1/"+list, nil); r.Status != http.StatusOK || strings.Contains(string(r.Body), foreign.Code) {
			t.Errorf("%s: got %d %s, want no %s", list, r.Status, r.Body, foreign.Code)
		}
	}
	gatewayID := d.Number(t, "SELECT id FROM gateway WHERE code = 'FOREIGN'")
	for _, action := range []string{"rotate", "retire", "edit", "disable", "enable", "reconcile"} {
		body := fields{"version": 1, "change": fields{"name": "Stolen", "url": "https://pay.example"}}
		want(t, action, outcome(t, lan(http.MethodPost, fmt.Sprintf("/ops/v1/gateways/%d/%s", gatewayID, action), body)), "404 gateway.unknown")
	}
	methodID := d.Number(t, "SELECT id FROM deposit_method WHERE code = 'FOREIGN'")
	want(t, "edit of the method", outcome(t, lan(http.MethodPut, fmt.Sprint("/ops/v1/methods/", methodID), editForm(1, nil))), "404 deposit.method_unknown")
	want(t, "offered to members", d.offered(t, "FOREIGN"), "hidden")
	want(t, "its keys and versions", fmt.Sprint(d.Count(t, "gateway_key k JOIN gateway g ON g.id = k.gateway_id WHERE g.code = 'FOREIGN' AND g.version = 2")), "1")
	merchanttest.Value[gateway.Key](t, lan(http.MethodPost, "/ops/v1/gateways", fields{"code": "FOREIGN", "name": "Own", "url": "https://pay.example", "currencies": []string{"VND"}}))
	want(t, "the same code on this site", findGateway(t, lan, "FOREIGN").Name, "Own")
}
