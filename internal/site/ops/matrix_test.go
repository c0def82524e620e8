package ops_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/permission"
	"fairground/internal/platform/rest"
)

// Every call under /ops names one permission. Each role is refused exactly the calls whose permission it lacks, and nobody
// gets in without a session.
func TestSE03RolesAndCallsPart(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.SQLite(t))
	var calls []rest.Op
	for _, op := range d.Routes() {
		if strings.HasPrefix(op.Path, "/ops/") {
			calls = append(calls, op)
		}
	}
	if len(calls) < 10 {
		t.Fatalf("%d calls under /ops, want all of them", len(calls))
	}
	open := map[string]bool{"opsLogin": true, "opsEnterCode": true, "opsLogout": true}
	d.create("first", permission.Owner)
	visitor := &person{d: d}
	for _, op := range calls {
		if open[op.ID] {
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
		for _, op := range calls {
			if open[op.ID] {
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
