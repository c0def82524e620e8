package promo_test

import (
	"fmt"
	"testing"
	"time"

	"fairground/internal/finance/promo"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant"
	"fairground/internal/site/merchant/merchanttest"
)

type waitingReward struct {
	ID, Status string
	Amount     rawAmount
	Version    int64
	Approval   *struct{ ID, State string }
}

// An approved application above the limit needs a code and two people. Below the limit one person is enough.
func TestSE12PartTwoPeopleApproveLargeApplications(t *testing.T) {
	t.Parallel()
	d := newFixture(t, dbtest.SQLite(t))
	d.Set(t, merchant.TwoPersonAbove, "6000")
	mai, lan := d.Operator(t, "mai", "content"), d.Operator(t, "lan", "finance")
	story := d.promotion(t, promo.Promotion{Code: "story", Kind: promo.Application, Amount: 5_000})
	apply := func(who string) waitingReward {
		t.Helper()
		body, contentType := form(t, "my story")
		r := d.Call(t, "POST", fmt.Sprintf("/wps/promotion/%d/apply", story.ID), body, "Authorization", who, "Content-Type", contentType)
		v := ok[promo.RewardView](t, "apply", r)
		return ok[waitingReward](t, "read", mai("GET", "/ops/v1/rewards/"+v.ID, nil))
	}
	approve := func(r waitingReward, amount int) merchanttest.Reply {
		return mai("POST", "/ops/v1/rewards/"+r.ID+"/approve", fields{"version": r.Version, "amount": amount})
	}
	small, large := apply("stranger"), apply("player")
	want(t, "status at the limit", ok[waitingReward](t, "approve", approve(small, 6_000)).Status, promo.Unclaimed)
	first := ok[waitingReward](t, "approve", approve(large, 6_001))
	if first.Approval == nil || first.Approval.State != "waiting" {
		t.Fatalf("approval above the limit: got %+v, want it to wait", first)
	}
	want(t, "status after one person", first.Status, promo.Applied)
	again := ok[waitingReward](t, "approve again", approve(large, 6_001))
	want(t, "approval of the repeated request", again.Approval.ID, first.Approval.ID)
	decide := "/ops/v1/approvals/" + first.Approval.ID
	want(t, "the same person", d.code(t, mai("POST", decide, fields{"decision": "approve"})), "ops.same_person")
	want(t, "the second person", lan("POST", decide, fields{"decision": "approve"}).Status, 200)
	after := ok[waitingReward](t, "read", mai("GET", "/ops/v1/rewards/"+large.ID, nil))
	want(t, "status after two people", after.Status, promo.Unclaimed)
	want(t, "amount after two people", after.Amount, "6001")

	d.Clock.Add(24 * time.Hour) // the operators' codes are no longer confirmed
	weekly := d.promotion(t, promo.Promotion{Code: "weekly", Kind: promo.Application, Amount: 5_000})
	story = weekly
	hoa := d.Operator(t, "hoa", "content")
	mai = hoa
	large, small = apply("player"), apply("stranger")
	d.Clock.Add(6 * time.Minute)
	want(t, "above the limit without a code", d.code(t, approve(large, 6_001)), "ops.confirm")
	want(t, "at the limit without a code", approve(small, 6_000).Status, 200)
	d.VerifyLedger(t)
}
