package loyalty

import (
	"context"
	"math/big"
	"net/http"
	"strings"

	"fairground/internal/fault"
	"fairground/internal/money"
	"fairground/internal/platform/oplist"
	paging "fairground/internal/platform/page"
	"fairground/internal/platform/permission"
	"fairground/internal/platform/rest"
)

const opsTag = "operators: promotions"

type opsCheckIn struct {
	Amounts []rest.Amount `json:"amounts" minItems:"7" maxItems:"7" doc:"What each day of a run pays. The last day is the weekly gift."`
}

type opsCashBack struct {
	Every string                 `json:"every" enum:"day,week"`
	Rates map[string]rest.Amount `json:"rates" doc:"Percent by category of games, at most 10 with two decimals. Categories without a rate pay nothing."`
	Min   rest.Amount            `json:"min" doc:"The least amount that can be claimed."`
	Max   rest.Amount            `json:"max" doc:"The most in each period; 0: no limit."`
}

type opsLevel struct {
	Turnover rest.Amount `json:"turnover"`
	Reward   rest.Amount `json:"reward" doc:"Paid once, when a member reaches the level first."`
	Percent  rest.Amount `json:"percent" doc:"Added to each rate of cash back."`
}

type opsVIP struct {
	Days   int64      `json:"days" minimum:"0" maximum:"366" doc:"Stakes of so many days count, and a level lasts so long. 0: all stakes count, and a level lasts for ever."`
	Levels []opsLevel `json:"levels" maxItems:"20" doc:"From level 1, with rising turnover."`
}

type opsReferral struct {
	Reward   rest.Amount `json:"reward"`
	Deposit  rest.Amount `json:"deposit" doc:"Deposits of the invited member, in total."`
	Turnover rest.Amount `json:"turnover" doc:"Stakes of the invited member."`
	Days     int64       `json:"days" minimum:"1" maximum:"366" doc:"Days after registration to reach both."`
	Most     int64       `json:"most" minimum:"0" doc:"Rewards of a member in a month; 0: no limit."`
}

// RuleFields are the fields that operators edit. The field of the rule's kind is required.
type RuleFields struct {
	Enabled  bool         `json:"enabled"`
	CheckIn  *opsCheckIn  `json:"checkIn,omitempty"`
	CashBack *opsCashBack `json:"cashBack,omitempty"`
	VIP      *opsVIP      `json:"vip,omitempty"`
	Referral *opsReferral `json:"referral,omitempty"`
}

type opsRule struct {
	RuleFields

	ID          string `json:"id" enum:"check_in,cash_back,vip,referral"`
	PromotionID string `json:"promotionId,omitempty" doc:"The promotion of its rewards."`
	Currency    string `json:"currency"`
	Status      string `json:"status" enum:"on,off"`
	Version     int64  `json:"version" doc:"0: nobody has set it yet."`

	Approval *RuleApproval `json:"approval,omitempty" doc:"The edit that waits for a second person."`

	index int
}

func opsRuleOf(r Rule, index int) (opsRule, error) {
	c, err := money.Find(r.Currency)
	if err != nil {
		return opsRule{}, rest.ErrSystem.Because(err)
	}
	amount := func(m money.Minor) rest.Amount { return rest.AmountOf(c, m) }
	out := opsRule{ID: r.Kind, Currency: r.Currency, Status: map[bool]string{true: "on", false: "off"}[r.Enabled], Version: r.Version, index: index}
	if r.PromotionID != 0 {
		out.PromotionID = formatID(r.PromotionID)
	}
	out.Enabled = r.Enabled
	switch r.Kind {
	case CheckIn:
		out.CheckIn = &opsCheckIn{}
		for _, m := range r.CheckIn.Amounts {
			out.CheckIn.Amounts = append(out.CheckIn.Amounts, amount(m))
		}
	case CashBack:
		out.CashBack = &opsCashBack{Every: r.CashBack.Every, Rates: map[string]rest.Amount{}, Min: amount(r.CashBack.Least), Max: amount(r.CashBack.Most)}
		for _, category := range Categories {
			out.CashBack.Rates[category] = percentText(r.CashBack.Rates[category])
		}
	case VIP:
		out.VIP = &opsVIP{Days: r.VIP.Days, Levels: []opsLevel{}}
		for _, l := range r.VIP.Levels {
			out.VIP.Levels = append(out.VIP.Levels, opsLevel{amount(l.Turnover), amount(l.Reward), percentText(l.Extra)})
		}
	case Referral:
		f := r.Referral
		out.Referral = &opsReferral{amount(f.Reward), amount(f.Deposit), amount(f.Turnover), f.Days, f.Most}
	}
	return out, nil
}

// A parser parses amounts and rates, and keeps the first error.
type parser struct {
	currency money.Currency
	err      error
}

func (p *parser) amount(field string, a rest.Amount) money.Minor {
	if a == "" {
		return 0
	}
	m, err := p.currency.Parse(string(a))
	if err != nil && p.err == nil {
		p.err = ErrMalformed.On(field)
	}
	return m
}

// rate returns a percentage in hundredths.
func (p *parser) rate(field string, percent rest.Amount) int64 {
	if percent == "" {
		return 0
	}
	n, ok := new(big.Rat).SetString(string(percent))
	if ok {
		n.Mul(n, big.NewRat(rateUnit/100, 1))
	}
	if !ok || !n.IsInt() || !n.Num().IsInt64() {
		if p.err == nil {
			p.err = ErrMalformed.On(field)
		}
		return 0
	}
	return n.Num().Int64()
}

// rule returns a rule with the values of the fields.
func (f RuleFields) rule(kind string, c money.Currency) (Rule, error) {
	p, r := &parser{currency: c}, Rule{Kind: kind, Currency: c.Code, Enabled: f.Enabled}
	switch {
	case kind == CheckIn && f.CheckIn != nil:
		r.CheckIn = &CheckInRule{}
		for _, a := range f.CheckIn.Amounts {
			r.CheckIn.Amounts = append(r.CheckIn.Amounts, p.amount("checkIn", a))
		}
	case kind == CashBack && f.CashBack != nil:
		r.CashBack = &CashBackRule{Every: f.CashBack.Every, Rates: map[string]int64{}, Least: p.amount("cashBack.min", f.CashBack.Min), Most: p.amount("cashBack.max", f.CashBack.Max)}
		for category, percent := range f.CashBack.Rates {
			r.CashBack.Rates[category] = p.rate("cashBack.rates", percent)
		}
	case kind == VIP && f.VIP != nil:
		r.VIP = &VIPRule{Days: f.VIP.Days, Levels: []Level{}}
		for _, l := range f.VIP.Levels {
			r.VIP.Levels = append(r.VIP.Levels, Level{p.amount("vip.levels", l.Turnover), p.amount("vip.levels", l.Reward), p.rate("vip.levels", l.Percent)})
		}
	case kind == Referral && f.Referral != nil:
		in := f.Referral
		r.Referral = &ReferralRule{p.amount("referral.reward", in.Reward), p.amount("referral.deposit", in.Deposit), p.amount("referral.turnover", in.Turnover), in.Days, in.Most}
	}
	return r, p.err
}

// allowed checks nothing, because package rest checks the permission of the Op.
func allowed(context.Context, string) error { return nil }

func opsOp(method, path, id, summary string, faults ...*fault.Fault) rest.Op {
	return rest.Op{Method: method, Path: path, ID: id, Tag: opsTag, Access: rest.Operators, Permission: permission.PromotionEdit, Summary: summary, Faults: faults}
}

type ruleListInput struct{ oplist.Params }

type ruleInput struct {
	ID string `path:"id" maxLength:"32" doc:"check_in, cash_back, vip or referral."`
}

type editRuleInput struct {
	ID   string `path:"id" maxLength:"32" doc:"check_in, cash_back, vip or referral."`
	Body struct {
		RuleFields

		Version int64  `json:"version" minimum:"0"`
		Reason  string `json:"reason,omitempty" maxLength:"500"`
	}
}

// OpsRoutes declares the operators' calls.
func OpsRoutes(a *rest.API, s *Service) {
	const path = "/ops/v1/loyalty"
	oplist.Register(a, allowed, oplist.List[ruleListInput, opsRule]{
		Op: opsOp(http.MethodGet, path, "opsLoyaltyRules", "Rules of check-in, cash back, VIP levels and referrals"), Permission: string(permission.PromotionEdit),
		Sorts: []string{"order"}, States: []string{"on", "off"}, File: "loyalty.csv",
		Columns: []oplist.Column[opsRule]{
			{Name: "id", Text: func(r opsRule) string { return r.ID }}, {Name: "status", Text: func(r opsRule) string { return r.Status }},
			{Name: "currency", Text: func(r opsRule) string { return r.Currency }},
		},
		Select: func(ctx context.Context, in *ruleListInput, after paging.Key, limit int) ([]opsRule, error) {
			return s.opsList(ctx, rest.MerchantOf(ctx).ID, in.Q, in.State, after, limit)
		},
		Key: func(r opsRule, _ string) paging.Key { return oplist.IndexKey(r.index) },
	})
	rest.Typed(a, opsOp(http.MethodGet, path+"/{id}", "opsLoyaltyRule", "A rule", ErrUnknownRule), func(ctx context.Context, in *ruleInput) (opsRule, error) {
		r, err := s.Rule(ctx, rest.MerchantOf(ctx).ID, in.ID)
		if err != nil {
			return opsRule{}, err
		}
		return opsRuleOf(r, 0)
	})
	editOp := opsOp(http.MethodPut, path+"/{id}", "opsEditLoyaltyRule", "Edit a rule", ErrUnknownRule, ErrMalformed, rest.ErrStale)
	editOp.Dangerous, editOp.Description = true, "An enabled rule that pays more than ops.two_person_above at once waits for a second person."
	rest.Typed(a, editOp,
		func(ctx context.Context, in *editRuleInput) (opsRule, error) {
			merchant := rest.MerchantOf(ctx).ID
			before, err := s.Rule(ctx, merchant, in.ID)
			if err != nil {
				return opsRule{}, err
			}
			c, err := money.Find(before.Currency)
			if err != nil {
				return opsRule{}, rest.ErrSystem.Because(err)
			}
			r, err := in.Body.rule(in.ID, c)
			if err != nil {
				return opsRule{}, err
			}
			r.MerchantID, r.Version = merchant, in.Body.Version
			waiting, err := s.edit(ctx, r, c, in.Body.Reason)
			if err != nil {
				return opsRule{}, err
			}
			if r, err = s.Rule(ctx, merchant, in.ID); err != nil {
				return opsRule{}, err
			}
			out, err := opsRuleOf(r, 0)
			out.Approval = waiting
			return out, err
		})
}

func (s *Service) opsList(ctx context.Context, merchantID int64, text, state string, after paging.Key, limit int) ([]opsRule, error) {
	all, err := s.Rules(ctx, merchantID)
	if err != nil {
		return nil, err
	}
	matching := []opsRule{}
	for _, r := range all {
		row, err := opsRuleOf(r, len(matching))
		if err != nil {
			return nil, err
		}
		if strings.Contains(r.Kind, strings.ToLower(text)) && (state == "" || state == row.Status) {
			matching = append(matching, row)
		}
	}
	return oplist.Slice(matching, after, limit), nil
}
