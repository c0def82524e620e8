package loyalty_test

import (
	"testing"

	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant"
	"fairground/internal/site/merchant/merchanttest"
)

// An enabled rule that pays more than the limit at once needs two people. A smaller one and a disabled one need one.
func TestSE12PartTwoPeopleEnableLargeLoyaltyRules(t *testing.T) {
	t.Parallel()
	d := newFixture(t, dbtest.SQLite(t))
	d.Set(t, merchant.TwoPersonAbove, "100")
	mai, lan := d.Operator(t, "mai", "content"), d.Operator(t, "lan", "finance")
	type reply struct {
		Status   string
		Version  int64
		Approval *struct{ ID, State string }
	}
	save := func(what, kind string, rule fields) reply {
		t.Helper()
		r := mai("PUT", "/ops/v1/loyalty/"+kind, rule)
		if r.Status != 200 {
			t.Fatalf("%s: got %d %s, want 200", what, r.Status, r.Body)
		}
		return merchanttest.Value[reply](t, r)
	}
	checkIn := func(enabled bool, version int64, last int) fields {
		return fields{"enabled": enabled, "version": version, "reason": "summer", "checkIn": fields{"amounts": []int{10, 20, 30, 40, 50, 60, last}}}
	}
	small := save("at the limit", "check_in", checkIn(true, 0, 100))
	want(t, "version of a rule at the limit", small.Version, 1)
	disabled := save("a disabled rule", "check_in", checkIn(false, 1, 101))
	want(t, "version of a disabled rule", disabled.Version, 2)
	large := save("above the limit", "check_in", checkIn(true, 2, 101))
	if large.Approval == nil || large.Approval.State != "waiting" || large.Status != "off" {
		t.Fatalf("a rule above the limit: got %+v, want it to wait and stay off", large)
	}
	decide := "/ops/v1/approvals/" + large.Approval.ID
	want(t, "the same person", codeOf(t, mai("POST", decide, fields{"decision": "approve"})), "ops.same_person")
	want(t, "the second person", lan("POST", decide, fields{"decision": "approve"}).Status, 200)
	after := merchanttest.Value[reply](t, mai("GET", "/ops/v1/loyalty/check_in", nil))
	want(t, "status after two people", after.Status, "on")
	want(t, "version after two people", after.Version, 3)
	vip := fields{"enabled": true, "version": 0, "vip": fields{"days": 0, "levels": []fields{{"turnover": 1_000, "reward": 101, "percent": 0}}}}
	if r := save("a level above the limit", "vip", vip); r.Approval == nil {
		t.Errorf("a level above the limit: got %+v, want it to wait", r)
	}
	referral := fields{"enabled": true, "version": 0, "referral": fields{"reward": 101, "deposit": 0, "turnover": 500, "days": 30, "most": 1}}
	if r := save("a referral above the limit", "referral", referral); r.Approval == nil {
		t.Errorf("a referral above the limit: got %+v, want it to wait", r)
	}
	extra := fields{"enabled": true, "version": 0, "vip": fields{"days": 0, "levels": []fields{{"turnover": 1_000, "reward": 0, "percent": 0.5}}}}
	if r := save("a level that raises cash back", "vip", extra); r.Approval == nil {
		t.Errorf("a level that raises cash back: got %+v, want it to wait", r)
	}
	cashBack := func(version, most int) fields {
		return fields{"enabled": true, "version": version, "cashBack": fields{"every": "day", "rates": fields{"RNG": 1}, "min": 0, "max": most}}
	}
	if r := save("cash back at the limit", "cash_back", cashBack(0, 100)); r.Approval != nil || r.Version != 1 {
		t.Errorf("cash back at the limit: got %+v, want version 1", r)
	}
	if r := save("cash back above the limit", "cash_back", cashBack(1, 101)); r.Approval == nil {
		t.Errorf("cash back above the limit: got %+v, want it to wait", r)
	}
	if r := save("cash back without a maximum", "cash_back", cashBack(1, 0)); r.Approval == nil {
		t.Errorf("cash back without a maximum: got %+v, want it to wait", r)
	}
}
