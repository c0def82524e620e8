package ops_test

import (
	"fmt"
	"net/http"
	"testing"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant"
	"fairground/internal/site/merchant/merchanttest"
)

// Outside the allowed networks, operators can neither log in nor use a session, whichever merchant the request names.
func TestAllowedNetworks(t *testing.T) {
	t.Parallel()
	d := newOpsSite(t, dbtest.SQLite(t))
	lan := d.create("lan", "owner").logIn()
	lan.wantStatus(lan.call(http.MethodGet, "/ops/v1/operators", nil), 200, "")
	if !d.ops.AllowsConsole(t.Context()) {
		t.Error("without a list of networks, the console is closed; want it open")
	}
	d.Set(t, merchant.OpsAllowedNetworks, `["198.51.100.0/24"]`)
	var changes, ofMerchant int
	const counts = `SELECT COUNT(*), COALESCE(SUM(CASE WHEN payload LIKE '%"merchant":"%' THEN 1 ELSE 0 END), 0) FROM outbox WHERE payload LIKE '%"settings"%'`
	if err := d.Store.Reader.QueryRowContext(t.Context(), counts).Scan(&changes, &ofMerchant); err != nil || changes == 0 || ofMerchant != changes {
		t.Errorf("%d of %d changes of settings name the merchant, %v; want all", ofMerchant, changes, err)
	}
	if d.ops.AllowsConsole(t.Context()) {
		t.Error("outside the allowed networks, the console is open; want it closed")
	}
	if _, err := d.Merchants.Ensure(t.Context(), "second", "Second", "VND"); err != nil {
		t.Fatal(err)
	}
	lan.wantStatus(lan.call(http.MethodGet, "/ops/v1/operators", nil), 403, "ops.forbidden")
	lan.wantStatus(d.Call(t, http.MethodGet, "/ops/v1/operators", nil, "Cookie", "fairground_operator="+lan.cookie, "Merchant", "second"), 403, "ops.forbidden")
	login := map[string]any{"name": "lan", "password": lan.password}
	lan.wantStatus(d.Call(t, http.MethodPost, "/ops/v1/session", login), 403, "ops.forbidden")
	lan.wantStatus(d.Call(t, http.MethodPost, "/ops/v1/session", login, "Merchant", "second"), 403, "ops.forbidden")
}

// Settings of the operators' own rules need a code and two people. No operator can lock themselves out.
func TestOperatorSettingsNeedTwoPeople(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		d := newOpsSite(t, store)
		lan := d.create("lan", "owner").logIn()
		const above = "/ops/v1/settings/ops.two_person_above"
		body := map[string]any{"version": 0, "value": 1_000_000}
		lan.wantStatus(lan.call(http.MethodPost, above+"/set", body), 403, "ops.confirm")
		lan.confirm()
		lan.wantBody(lan.call(http.MethodPost, above+"/set", body), `"value":1000000`) // the only owner
		minh := d.create("minh", "owner").logIn()
		lan.confirm()
		type reply struct {
			Value    float64
			Approval *struct{ ID, State string }
		}
		waiting := merchanttest.Value[reply](t, lan.call(http.MethodPost, above+"/set", map[string]any{"version": 1, "value": 5}))
		if waiting.Approval == nil || waiting.Approval.State != "waiting" || waiting.Value != 1_000_000 {
			t.Fatalf("with two owners = %+v, want an approval that waits and the old value", waiting)
		}
		lan.wantStatus(lan.call(http.MethodPost, above+"/set", map[string]any{"version": 0, "value": 5}), 409, "ops.stale")
		lan.wantStatus(lan.call(http.MethodPost, above+"/set", map[string]any{"version": 1, "value": "x"}), 400, "setting.bad_value")
		minh.confirm()
		minh.wantStatus(minh.call(http.MethodPost, "/ops/v1/approvals/"+waiting.Approval.ID, map[string]any{"decision": "approve"}), 200, "")
		lan.wantBody(lan.call(http.MethodGet, above, nil), `"value":5`)
		const networks = "/ops/v1/settings/ops.allowed_networks/set"
		lan.wantStatus(lan.call(http.MethodPost, networks, map[string]any{"version": 0, "value": []string{"198.51.100.0/24"}}), 422, "setting.excludes_caller")
		lan.wantBody(lan.call(http.MethodPost, networks, map[string]any{"version": 0, "value": []string{"0.0.0.0/0", "::/0"}}), `"waiting"`)
	})
}

// An operator of one merchant can be created by an installation's owner. An owner of one merchant can create only operators of
// the same merchant.
func TestOperatorsOfOneMerchantAreCreated(t *testing.T) {
	t.Parallel()
	d := newOpsSite(t, dbtest.SQLite(t))
	second, err := d.Merchants.Ensure(t.Context(), "second", "Second", "VND")
	if err != nil {
		t.Fatal(err)
	}
	lan := d.create("lan", "owner").logIn().confirm()
	lan.wantStatus(lan.call(http.MethodPost, "/ops/v1/operators", map[string]any{"name": "hoa", "roles": []string{"owner"}, "merchant": "none"}), 403, "merchant.unknown")
	created := merchanttest.Value[changeReply](t, lan.call(http.MethodPost, "/ops/v1/operators", map[string]any{"name": "hoa", "roles": []string{"owner"}, "merchant": "second"}))
	lan.wantBody(d.Call(t, http.MethodGet, "/ops/v1/audit?object=operator/hoa", nil, "Cookie", "fairground_operator="+lan.cookie, "Merchant", "second"), fmt.Sprintf(`"merchantId":"%d"`, second))
	hoa := (&person{d: d, name: "hoa", password: created.Password}).logIn().changePassword().confirm()
	hoa.wantStatus(d.Call(t, http.MethodGet, "/ops/v1/members", nil, "Cookie", "fairground_operator="+hoa.cookie, "Merchant", merchanttest.Code), 403, "merchant.unknown")
	hoa.wantStatus(hoa.call(http.MethodPost, "/ops/v1/operators", map[string]any{"name": "minh", "roles": []string{"support"}, "merchant": merchanttest.Code}), 403, "merchant.unknown")
	waiting := merchanttest.Value[changeReply](t, hoa.call(http.MethodPost, "/ops/v1/operators", map[string]any{"name": "minh", "roles": []string{"support"}}))
	if waiting.Approval == nil { // lan holds the permission too
		t.Fatal("the new operator of one merchant did not wait for a second person")
	}
	lan.confirm()
	lan.wantBody(lan.call(http.MethodGet, "/ops/v1/approvals/"+waiting.Approval.ID, nil), fmt.Sprintf(`"merchantId":"%d"`, second))
	type merchants struct {
		List []struct {
			Code      string
			IsDefault bool
		}
	}
	if got := merchanttest.Value[merchants](t, lan.call(http.MethodGet, "/ops/v1/merchants", nil)).List; len(got) != 2 || !got[0].IsDefault || got[1].Code != "second" {
		t.Errorf("merchants of an operator of the installation = %+v, want both", got)
	}
	if got := merchanttest.Value[merchants](t, hoa.call(http.MethodGet, "/ops/v1/merchants", nil)).List; len(got) != 1 || got[0].Code != "second" {
		t.Errorf("merchants of an operator of one merchant = %+v, want only second", got)
	}
}
