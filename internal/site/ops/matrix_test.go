package ops_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/permission"
	"fairground/internal/platform/rest"
	"fairground/internal/site/merchant/merchanttest"
)

// Every endpoint under /ops names one permission. Each role is refused exactly the endpoints whose permission it lacks. No
// endpoint works without a session.
func TestSE03RolesAndCallsPart(t *testing.T) {
	t.Parallel()
	d := newOpsSite(t, dbtest.SQLite(t))
	var endpoints []rest.Op
	for _, op := range d.Routes() {
		if strings.HasPrefix(op.Path, "/ops/") {
			endpoints = append(endpoints, op)
		}
	}
	if len(endpoints) < 10 {
		t.Fatalf("%d endpoints under /ops, want at least 10", len(endpoints))
	}
	withoutSession := map[string]bool{"opsLogin": true, "opsEnterCode": true, "opsLogout": true}
	d.create("first", permission.Owner)
	visitor := &person{d: d}
	for _, op := range endpoints {
		if withoutSession[op.ID] {
			continue
		}
		if op.Access != rest.Operators || op.Permission != permission.OwnSession && !permission.Valid(op.Permission) {
			t.Errorf("%s: access %d, permission %q, want an operator's permission", op.ID, op.Access, op.Permission)
		}
		path := strings.NewReplacer("{id}", "1", "{action}", "disable", "{name}", "helper").Replace(op.Path)
		if r := visitor.call(op.Method, path, nil); r.Status != 401 {
			t.Errorf("%s without a session: %d, want 401", op.ID, r.Status)
		}
	}
	for role, permissions := range permission.Roles {
		p := d.create("r-"+role, role).logIn()
		for _, op := range endpoints {
			if withoutSession[op.ID] {
				continue
			}
			allowed := op.Permission == permission.OwnSession
			for _, has := range permissions {
				allowed = allowed || has == op.Permission
			}
			path := strings.NewReplacer("{id}", "1", "{action}", "disable", "{name}", "helper").Replace(op.Path)
			r := p.call(op.Method, path, nil)
			forbidden := r.Status == http.StatusForbidden && strings.Contains(string(r.Body), `"ops.forbidden"`) && strings.Contains(string(r.Body), fmt.Sprintf(`"permission":%q`, op.Permission))
			if forbidden == allowed {
				t.Errorf("%s as %s: %d %s, want allowed = %v", op.ID, role, r.Status, r.Body, allowed)
			}
		}
	}
}

// contractRoles is the table "Who may do what" of docs/operator-api.md.
var contractRoles = []struct {
	permissions []permission.Name
	roles       []string // besides owner
}{
	{[]permission.Name{permission.MemberRead, permission.ReportRead}, []string{"finance", "risk", "support", "auditor"}},
	{[]permission.Name{permission.MemberEdit}, []string{"risk", "support"}},
	{[]permission.Name{permission.DepositConfirm, permission.WithdrawalReview, permission.WithdrawalApprove, permission.LedgerAdjust}, []string{"finance"}},
	{[]permission.Name{permission.KYCReview}, []string{"risk"}},
	{[]permission.Name{permission.PromotionEdit}, []string{"finance", "content"}},
	{[]permission.Name{permission.ContentEdit, permission.MessageSend}, []string{"support", "content"}},
	{[]permission.Name{permission.ChatAnswer}, []string{"support"}},
	{[]permission.Name{permission.CatalogueEdit, permission.VendorEdit, permission.HouseRepair, permission.LotteryResult}, []string{"games"}},
	{[]permission.Name{permission.SettingEdit, permission.OperatorEdit}, nil},
	{[]permission.Name{permission.AuditRead}, []string{"auditor"}},
}

// The built-in roles have exactly the permissions of the contract.
func TestSE12RolesMatchTheContractPart(t *testing.T) {
	t.Parallel()
	want := map[string][]permission.Name{}
	for _, row := range contractRoles {
		for _, role := range append([]string{permission.Owner}, row.roles...) {
			want[role] = append(want[role], row.permissions...)
		}
	}
	for role, permissions := range want {
		if got, expected := slices.Sorted(slices.Values(permission.Roles[role])), slices.Sorted(slices.Values(permissions)); !slices.Equal(got, expected) {
			t.Errorf("permissions of %s = %v, want %v", role, got, expected)
		}
	}
	for role := range permission.Roles {
		if want[role] == nil {
			t.Errorf("the role %s is not in the contract", role)
		}
	}
	if got, expected := slices.Sorted(slices.Values(permission.All)), slices.Sorted(slices.Values(want[permission.Owner])); !slices.Equal(got, expected) {
		t.Errorf("all permissions = %v, want those of the contract: %v", got, expected)
	}
}

// A role that an owner defined allows only its permissions. The refusal names the missing one, also if only owners have it.
func TestSE12CustomRolePart(t *testing.T) {
	t.Parallel()
	d := newOpsSite(t, dbtest.SQLite(t))
	lan := d.create("lan", permission.Owner).logIn().confirm()
	lan.wantStatus(lan.call(http.MethodPut, "/ops/v1/roles/helper", map[string]any{"permissions": []string{"member.read"}}), 200, "")
	helper := d.create("minh", "helper").logIn()
	helper.wantStatus(helper.call(http.MethodGet, "/ops/v1/members", nil), 200, "")
	for path, missing := range map[string]permission.Name{
		"/ops/v1/settings": permission.SettingEdit, "/ops/v1/operators": permission.OperatorEdit, "/ops/v1/audit": permission.AuditRead,
	} {
		r := helper.call(http.MethodGet, path, nil)
		helper.wantStatus(r, 403, "ops.forbidden")
		if want := fmt.Sprintf(`"permission":%q`, missing); !strings.Contains(string(r.Body), want) {
			t.Errorf("%s: %s, want %s", path, r.Body, want)
		}
	}
	for role, permissions := range permission.Roles {
		if role != permission.Owner && (slices.Contains(permissions, permission.SettingEdit) || slices.Contains(permissions, permission.OperatorEdit)) {
			t.Errorf("the role %s has a permission of owners", role)
		}
	}
}

// An operator of one merchant sees and changes nothing of another merchant or of the installation.
func TestSE03OperatorOfOneMerchantPart(t *testing.T) {
	t.Parallel()
	d := newOpsSite(t, dbtest.SQLite(t))
	d.create("lan", permission.Owner)
	second, err := d.Merchants.Ensure(t.Context(), "second", "Second", "VND")
	if err != nil {
		t.Fatal(err)
	}
	p := d.createForMerchant("minh", second, permission.Owner).logIn().confirm()
	type list struct{ List []struct{ ID, Name string } }
	if got := merchanttest.Value[list](t, p.call(http.MethodGet, "/ops/v1/operators", nil)).List; len(got) != 1 || got[0].Name != "minh" {
		t.Errorf("operators = %+v, want only those of the merchant", got)
	}
	lan, err := d.ops.Find(t.Context(), "lan")
	if err != nil {
		t.Fatal(err)
	}
	p.wantStatus(p.call(http.MethodPost, fmt.Sprintf("/ops/v1/operators/%d/disable", lan.ID), map[string]any{"version": lan.Version}), 404, "operator.unknown")
	p.wantStatus(p.call(http.MethodPut, "/ops/v1/roles/helper", map[string]any{"permissions": []string{"member.read"}}), 403, "ops.forbidden")
	p.wantStatus(d.Call(t, http.MethodGet, "/ops/v1/operators", nil, "Cookie", "fairground_operator="+p.cookie, "Merchant", merchanttest.Code), 403, "merchant.unknown")
	for _, row := range merchanttest.Value[struct{ List []struct{ MerchantID string } }](t, p.call(http.MethodGet, "/ops/v1/audit", nil)).List {
		if row.MerchantID != fmt.Sprint(second) {
			t.Errorf("audit row of merchant %s, want only %d", row.MerchantID, second)
		}
	}
}
