package promo_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"fairground/internal/finance/promo"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/server/servertest"
	"fairground/internal/site/merchant"
	"fairground/internal/site/merchant/merchanttest"
)

type fields = map[string]any

type opsPromotion struct {
	ID, Code, Status string
	Version          int64
}

type opsReward struct {
	ID, Status, Member, DecidedBy, Reason string
	Amount                                rawAmount
	Images                                int
	Version                               int64
}

// A rawAmount is an amount as the API sends it.
type rawAmount string

func (a *rawAmount) UnmarshalJSON(text []byte) error { *a = rawAmount(text); return nil }

// ok returns the value of a call that must succeed.
func ok[T any](t *testing.T, what string, r merchanttest.Reply) T {
	t.Helper()
	if r.Status != http.StatusOK {
		t.Fatalf("%s: got %d %s, want 200", what, r.Status, r.Body)
	}
	return merchanttest.Value[T](t, r)
}

// audited returns how many entries of an action the operator has in the audit log.
func (d *fixture) audited(t *testing.T, action, operator string) int64 {
	t.Helper()
	return d.Number(t, "SELECT COUNT(*) FROM audit WHERE action = $1 AND operator = $2", action, operator)
}

// refused checks that an operator without the permission can do nothing.
func refused(t *testing.T, d *fixture, support servertest.Operator, calls map[string]any) {
	t.Helper()
	for call, body := range calls {
		method, path, _ := strings.Cut(call, " ")
		want(t, call+" without the permission", d.code(t, support(method, path, body)), "ops.forbidden")
	}
}

func TestSE03OperatorsEditPromotionsPart(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		d := newFixture(t, store)
		mai := d.Operator(t, "mai", "content")
		const path = "/ops/v1/promotions"
		draft := func() fields {
			return fields{
				"code": "hello", "kind": "promo_code", "category": "event", "texts": fields{"vi": fields{"title": "Xin chào", "terms": "Một lần."}, "en": fields{"title": "Hello", "terms": "Once."}},
				"payout": "cash", "amount": 5_000, "wagering": 0, "promoCode": "HELLO5", "claimDays": 7, "days": 7,
			}
		}
		with := func(name string, value any) fields {
			f := draft()
			f[name] = value
			return f
		}
		for what, body := range map[string]fields{
			"no Vietnamese or English text":         with("texts", fields{"pt": fields{"title": "Olá", "terms": "Uma vez."}}),
			"no reward":                             with("amount", 0),
			"cash with wagering":                    with("wagering", 3),
			"an amount with decimals of no meaning": with("amount", 5_000.5),
			"an end before the start":               with("endsAt", 1),
		} {
			want(t, what, d.code(t, mai("POST", path, body)), "promotion.malformed")
		}
		made := ok[opsPromotion](t, "create", mai("POST", path, draft()))
		want(t, "status of a new promotion", made.Status, "draft")
		want(t, "a code that exists", d.code(t, mai("POST", path, draft())), "promotion.taken")
		one := path + "/" + made.ID
		published := ok[opsPromotion](t, "publish", mai("POST", one+"/publish", fields{"version": made.Version, "reason": "summer"}))
		want(t, "status after publishing", published.Status, "published")
		want(t, "an outdated version", d.code(t, mai("POST", one+"/unpublish", fields{"version": made.Version})), "ops.stale")
		edit := draft()
		delete(edit, "code")
		delete(edit, "kind")
		edit["amount"], edit["version"], edit["published"] = 8_000, published.Version, true
		edited := ok[opsPromotion](t, "edit", mai("PUT", one, edit))
		want(t, "version after an edit", edited.Version, published.Version+1)
		want(t, "an outdated edit", d.code(t, mai("PUT", one, edit)), "ops.stale")
		want(t, "an unknown promotion", d.code(t, mai("GET", path+"/7", nil)), "promotion.unknown")
		list := ok[struct{ List []opsPromotion }](t, "list", mai("GET", path+"?state=published&q=XIN", nil)).List
		if len(list) != 1 || list[0].Code != "hello" {
			t.Errorf("published promotions: got %+v, want hello", list)
		}
		if file := mai("GET", path+"?format=csv", nil); !strings.Contains(string(file.Body), "hello,promo_code,Xin chào,published") {
			t.Errorf("CSV: got %s, want the promotion", file.Body)
		}
		for _, action := range []string{"promotion.create", "promotion.publish", "promotion.edit"} {
			want(t, action+" in the audit log", d.audited(t, action, "mai"), 1)
		}
		want(t, "reasons in the audit log", d.Number(t, "SELECT COUNT(*) FROM audit WHERE action = 'promotion.publish' AND after LIKE '%summer%'"), 1)
		// The change holds for members.
		claimed := ok[promo.RewardView](t, "claim", d.Call(t, "POST", "/wps/promotion/code", fields{"code": "hello5"}, "Authorization", "player"))
		want(t, "amount of the edited promotion", string(claimed.Amount), "8000")
		refused(t, d, d.Operator(t, "sam", "support"), map[string]any{
			"GET " + path: nil, "GET " + one: nil, "POST " + path: draft(), "PUT " + one: edit, "POST " + one + "/publish": fields{"version": 1},
		})
	})
}

func TestSE03OperatorsDecideOnRewardsPart(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		d := newFixture(t, store)
		mai := d.Operator(t, "mai", "content")
		const path = "/ops/v1/rewards"
		gift := d.promotion(t, promo.Promotion{Code: "gift", Kind: promo.Grant})
		story := d.promotion(t, promo.Promotion{Code: "story", Kind: promo.Application, Amount: 5_000})

		grant := func(member string, amount any) fields {
			return fields{"promotionId": fmt.Sprint(gift.ID), "member": member, "amount": amount, "reason": "sorry for the wait"}
		}
		want(t, "an unknown member", d.code(t, mai("POST", path, grant("nobody", 700))), "promotion.member")
		want(t, "no amount", d.code(t, mai("POST", path, grant("player", 0))), "promotion.amount")
		given := ok[opsReward](t, "grant", mai("POST", path, grant("player", 700)))
		want(t, "granted amount", given.Amount, "700")
		ok[promo.RewardView](t, "claim", d.Call(t, "POST", "/wps/reward/"+given.ID+"/claim", nil, "Authorization", "player"))
		want(t, "balance", d.Balance(t, d.cash.ID), money.Minor(1_700))

		apply := func(who string) opsReward {
			body, contentType := form(t, "my story")
			r := d.Call(t, "POST", fmt.Sprintf("/wps/promotion/%d/apply", story.ID), body, "Authorization", who, "Content-Type", contentType)
			v := ok[promo.RewardView](t, "apply", r)
			return ok[opsReward](t, "read", mai("GET", path+"/"+v.ID, nil))
		}
		first, second := apply("player"), apply("stranger")
		want(t, "open tasks", d.Number(t, "SELECT COUNT(*) FROM task WHERE state <> 'done'"), 2)
		decide := func(r opsReward, action string, body fields) merchanttest.Reply {
			return mai("POST", path+"/"+r.ID+"/"+action, body)
		}
		want(t, "refusal without a reason", d.code(t, decide(first, "refuse", fields{"version": first.Version})), "request_param_err")
		want(t, "an outdated version", d.code(t, decide(first, "approve", fields{"version": first.Version + 1})), "ops.stale")
		want(t, "a negative amount", d.code(t, decide(first, "approve", fields{"version": first.Version, "amount": -1})), "promotion.amount")
		approved := ok[opsReward](t, "approve", decide(first, "approve", fields{"version": first.Version, "amount": 6_000}))
		if approved.Status != promo.Unclaimed || approved.Amount != "6000" || approved.DecidedBy != "mai" {
			t.Errorf("approved: got %+v, want 6000 to claim", approved)
		}
		want(t, "a second decision", d.code(t, decide(first, "refuse", fields{"version": approved.Version, "reason": "no"})), "reward.state")
		declined := ok[opsReward](t, "refuse", decide(second, "refuse", fields{"version": second.Version, "reason": "No story"}))
		want(t, "reason of the refusal", declined.Reason, "No story")
		want(t, "open tasks after the decisions", d.Number(t, "SELECT COUNT(*) FROM task WHERE state <> 'done'"), 0)
		for _, action := range []string{"reward.grant", "reward.approve", "reward.refuse"} {
			want(t, action+" in the audit log", d.audited(t, action, "mai"), 1)
		}
		list := ok[struct{ List []opsReward }](t, "list", mai("GET", path+"?state=REFUSED&q=stranger", nil)).List
		if len(list) != 1 || list[0].ID != second.ID {
			t.Errorf("refused rewards: got %+v, want %s", list, second.ID)
		}
		want(t, "an unknown reward", d.code(t, mai("GET", path+"/7", nil)), "reward.unknown")
		refused(t, d, d.Operator(t, "sam", "support"), map[string]any{
			"GET " + path: nil, "GET " + path + "/" + first.ID: nil, "POST " + path: grant("player", 1), "POST " + path + "/" + first.ID + "/approve": fields{"version": 1},
		})
		d.VerifyLedger(t)
	})
}

// A grant and a published promotion above the limit need two people. Below it, and for a draft, one is enough.
func TestTwoPeopleGrantAndPublish(t *testing.T) {
	t.Parallel()
	d := newFixture(t, dbtest.SQLite(t))
	d.Set(t, merchant.TwoPersonAbove, "1000")
	mai, lan := d.Operator(t, "mai", "content"), d.Operator(t, "lan", "finance")
	type waiting struct {
		ID, Status string
		Version    int64
		Approval   *struct{ ID, State string }
	}
	approve := func(what string, r merchanttest.Reply) waiting {
		t.Helper()
		w := ok[waiting](t, what, r)
		if w.Approval == nil || w.Approval.State != "waiting" {
			t.Fatalf("%s by one person: got %s, want a waiting approval", what, r.Body)
		}
		want(t, what+" by the same person", d.code(t, mai("POST", "/ops/v1/approvals/"+w.Approval.ID, fields{"decision": "approve"})), "ops.same_person")
		want(t, what+" by two people", lan("POST", "/ops/v1/approvals/"+w.Approval.ID, fields{"decision": "approve"}).Status, 200)
		return w
	}
	gift := d.promotion(t, promo.Promotion{Code: "gift", Kind: promo.Grant})
	grant := func(amount int) merchanttest.Reply {
		return mai("POST", "/ops/v1/rewards", fields{"promotionId": fmt.Sprint(gift.ID), "member": "player", "amount": amount, "reason": "sorry"})
	}
	rewards := func() int64 { return d.Number(t, "SELECT COUNT(*) FROM reward") }
	one := ok[waiting](t, "grant at the limit", grant(1000))
	want(t, "status of a grant at the limit", one.Status, promo.Unclaimed)
	request := grant(1001)
	want(t, "rewards before the approval", rewards(), 1)
	approve("a grant", request)
	want(t, "rewards after the approval", rewards(), 2)

	const path = "/ops/v1/promotions"
	draft := fields{
		"code": "hello", "kind": "promo_code", "category": "event", "texts": fields{"en": fields{"title": "Hello", "terms": "Once."}},
		"payout": "cash", "amount": 5_000, "wagering": 0, "promoCode": "HELLO5", "claimDays": 7, "days": 7, "published": true,
	}
	created := mai("POST", path, draft)
	want(t, "status before the approval", ok[waiting](t, "create", created).Status, "draft")
	id := approve("a published promotion", created).ID
	published := ok[waiting](t, "read", mai("GET", path+"/"+id, nil))
	want(t, "status after the approval", published.Status, "published")
	delete(draft, "code")
	delete(draft, "kind")
	draft["amount"], draft["version"] = 9_000, published.Version
	approve("an edit", mai("PUT", path+"/"+id, draft))
	want(t, "amount after the approval", d.Number(t, "SELECT amount FROM promotion WHERE code = 'hello'"), 9_000)
	hidden := ok[waiting](t, "unpublish", mai("POST", path+"/"+id+"/unpublish", fields{"version": published.Version + 1}))
	want(t, "status after unpublishing", hidden.Status, "draft")
	approve("publish", mai("POST", path+"/"+id+"/publish", fields{"version": hidden.Version}))
}
