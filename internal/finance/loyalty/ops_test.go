package loyalty_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"fairground/internal/finance/loyalty"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
)

type fields = map[string]any

type opsRule struct {
	ID, Status string
	Version    int64
	CheckIn    *struct{ Amounts []json.Number }
}

func codeOf(t *testing.T, r merchanttest.Reply) string {
	t.Helper()
	var reply struct{ ErrorCode string }
	if err := json.Unmarshal(r.Body, &reply); err != nil {
		t.Fatalf("%d %s: %v", r.Status, r.Body, err)
	}
	return reply.ErrorCode
}

func TestSE03OperatorsEditLoyaltyRulesPart(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		d := newFixture(t, store)
		mai, sam := d.Operator(t, "mai", "content"), d.Operator(t, "sam", "support")
		const path = "/ops/v1/loyalty"
		read := func(r merchanttest.Reply) opsRule {
			t.Helper()
			if r.Status != http.StatusOK {
				t.Fatalf("got %d %s, want 200", r.Status, r.Body)
			}
			return merchanttest.Value[opsRule](t, r)
		}
		list := merchanttest.Value[struct{ List []opsRule }](t, mai("GET", path, nil)).List
		if len(list) != 4 || list[0].Status != "off" || list[0].Version != 0 {
			t.Errorf("rules of a new site: got %+v, want four that are off", list)
		}
		rule := func(version int64, amounts ...any) fields {
			return fields{"enabled": true, "version": version, "checkIn": fields{"amounts": amounts}, "reason": "summer"}
		}
		const checkIn = path + "/check_in"
		want(t, "a negative day", codeOf(t, mai("PUT", checkIn, rule(0, -1, 0, 0, 0, 0, 0, 0))), "loyalty.malformed")
		want(t, "the fields of another kind", codeOf(t, mai("PUT", path+"/vip", rule(0, 1, 1, 1, 1, 1, 1, 1))), "loyalty.malformed")
		want(t, "an unknown rule", codeOf(t, mai("GET", path+"/lottery", nil)), "loyalty.unknown")
		saved := read(mai("PUT", checkIn, rule(0, 10, 20, 30, 40, 50, 60, 100)))
		want(t, "version", saved.Version, 1)
		want(t, "an outdated version", codeOf(t, mai("PUT", checkIn, rule(0, 10, 20, 30, 40, 50, 60, 100))), "ops.stale")
		want(t, "what the first day pays", d.checkIn(t).Amount, "10")
		saved = read(mai("PUT", checkIn, rule(1, 15, 20, 30, 40, 50, 60, 100)))
		want(t, "stored amount", saved.CheckIn.Amounts[0], "15")
		want(t, "what the first day pays after the edit", d.checkIn(t).Amount, "15")
		on := merchanttest.Value[struct{ List []opsRule }](t, mai("GET", path+"?state=on", nil)).List
		if len(on) != 1 || on[0].ID != loyalty.CheckIn {
			t.Errorf("rules that are on: got %+v, want the check-in", on)
		}
		if file := mai("GET", path+"?format=csv", nil); !strings.Contains(string(file.Body), "check_in,on,VND") {
			t.Errorf("CSV: got %s, want the check-in", file.Body)
		}
		want(t, "edits in the audit log", d.Number(t, "SELECT COUNT(*) FROM audit WHERE action LIKE 'loyalty.%' AND operator = 'mai' AND after LIKE '%summer%'"), 2)
		off := rule(2, 15, 20, 30, 40, 50, 60, 100)
		off["enabled"] = false
		read(mai("PUT", checkIn, off))
		want(t, "check-in after the rule was switched off", d.code(t, "POST", "/wps/checkIn", "player"), "loyalty.off")
		for call, body := range map[string]any{"GET " + path: nil, "GET " + checkIn: nil, "PUT " + checkIn: rule(3, 1, 1, 1, 1, 1, 1, 1)} {
			method, to, _ := strings.Cut(call, " ")
			want(t, call+" without the permission", codeOf(t, sam(method, to, body)), "ops.forbidden")
		}
	})
}
