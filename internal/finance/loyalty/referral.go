package loyalty

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"fairground/internal/finance/promo"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/rest"
)

// ReferralFigures count what a member's invitations led to.
type ReferralFigures struct {
	Registered int64       `json:"registered"`
	Deposited  int64       `json:"deposited" doc:"Registered in the time, with a credited deposit."`
	Rewarded   int64       `json:"rewarded" doc:"Rewards granted."`
	Earned     rest.Amount `json:"earned" doc:"Rewards claimed."`
	Waiting    rest.Amount `json:"waiting" doc:"Rewards that can be claimed in the reward centre."`
}

// ReferralTerms say when an invitation is rewarded.
type ReferralTerms struct {
	Reward   rest.Amount `json:"reward"`
	Deposit  rest.Amount `json:"deposit" doc:"Deposits of the invited member, in total. 0: none needed."`
	Turnover rest.Amount `json:"turnover" doc:"Stakes of the invited member. 0: none needed."`
	Days     int64       `json:"days" doc:"Days after registration to reach both."`
	Most     int64       `json:"most" doc:"Rewards in a month. 0: no limit."`
}

// A ReferralView has a member's invitation code and figures.
type ReferralView struct {
	Code     string          `json:"code" doc:"The caller's invitation code."`
	Currency string          `json:"currency"`
	Terms    *ReferralTerms  `json:"terms,omitempty" doc:"Missing while invitations are not rewarded."`
	Month    ReferralFigures `json:"month" doc:"Since the begin of the month in the site's time zone."`
	Total    ReferralFigures `json:"total"`
}

// Referrals returns the caller's invitation code and figures.
func (s *Service) Referrals(ctx context.Context, who Member) (ReferralView, error) {
	none := ReferralView{}
	on, err := s.o.Switches.Referral(ctx, who.MerchantID)
	if err == nil && !on {
		err = ErrOff
	}
	if err != nil {
		return none, err
	}
	rule, err := s.Rule(ctx, who.MerchantID, Referral)
	if err != nil {
		return none, err
	}
	c, err := money.Find(who.Currency)
	if err != nil {
		return none, rest.ErrSystem.Because(err)
	}
	v := ReferralView{Currency: who.Currency}
	if v.Code, err = s.o.Members.InvitationCode(ctx, who.ID); err != nil {
		return none, err
	}
	amount := func(n money.Minor) rest.Amount { return rest.AmountOf(c, n) }
	if f := rule.Referral; rule.Enabled && rule.Currency == who.Currency {
		v.Terms = &ReferralTerms{amount(f.Reward), amount(f.Deposit), amount(f.Turnover), f.Days, f.Most}
	}
	for _, each := range []struct {
		to    *ReferralFigures
		since int64
	}{{&v.Month, db.Millis(monthOf(s.o.Now(), who.Currency))}, {&v.Total, 0}} {
		q := s.o.Store.Q()
		counts, err := q.ReferralCounts(ctx, sql.NullInt64{Int64: who.ID, Valid: true}, each.since)
		if err != nil {
			return none, fmt.Errorf("count invited members: %w", err)
		}
		rewards, err := q.ReferralRewards(ctx, who.ID, rule.PromotionID, each.since)
		if err != nil {
			return none, fmt.Errorf("sum rewards: %w", err)
		}
		*each.to = ReferralFigures{counts.Registered, counts.Deposited, rewards.Rewarded, amount(money.Minor(rewards.Paid)), amount(money.Minor(rewards.Waiting))}
	}
	return v, nil
}

// evaluateReferrals grants the rewards of invited members who have reached the rule.
func (s *Service) evaluateReferrals(ctx context.Context, rule Rule) error {
	now := s.o.Now()
	in := query.PendingReferralsParams{
		MerchantID: rule.MerchantID, Currency: rule.Currency, PromotionID: rule.PromotionID, Deposit: int64(rule.Referral.Deposit),
		Since: max(rule.since, db.Millis(now.AddDate(0, 0, -int(rule.Referral.Days)))),
	}
	for {
		rows, err := s.o.Store.Q().PendingReferrals(ctx, in)
		if err != nil {
			return fmt.Errorf("read invited members: %w", err)
		}
		for _, r := range rows {
			in.After = r.ID
			if err := s.reward(ctx, rule, r.Inviter, r.ID); err != nil {
				return err
			}
		}
		if len(rows) == 0 {
			return nil
		}
	}
}

// reward grants the inviter's reward for an invited member if the stakes suffice. A reward that a rule refuses is stored, so that it is not
// decided again. An inviter on a break gets it later, if the invited member's days have not ended.
func (s *Service) reward(ctx context.Context, rule Rule, inviter, invited int64) error {
	sum, err := s.o.Store.Q().TurnoverSince(ctx, invited, 0)
	if err != nil {
		return fmt.Errorf("read stakes: %w", err)
	}
	if (money.SplitSum{High: sum.High, Low: sum.Low}).Minor() < rule.Referral.Turnover {
		return nil
	}
	if paused, err := s.onBreak(ctx, inviter); err != nil || paused {
		return err
	}
	persons, err := s.o.Persons.Same(ctx, rule.MerchantID, invited)
	if err != nil {
		return err
	}
	return s.o.Ledger.Write(ctx, func(tx *db.Tx) error {
		refusal, err := s.refusalIn(ctx, tx, rule, inviter, persons)
		if err != nil {
			return err
		}
		gift := promo.Gift{PromotionID: rule.PromotionID, Period: periodFor(invited), Amount: rule.Referral.Reward}
		return s.o.Rewards.GrantIn(ctx, tx, inviter, gift, refusal)
	})
}

// periodFor returns the period of the reward for an invited member.
func periodFor(invited int64) string { return "member/" + formatID(invited) }

// refusalIn refuses a reward for an account of the inviter or of a person who was invited before, and more rewards than allowed in a month.
func (s *Service) refusalIn(ctx context.Context, tx *db.Tx, rule Rule, inviter int64, persons []int64) (string, error) {
	if slices.Contains(persons, inviter) {
		return promo.RefusedPerson, nil
	}
	for _, id := range persons {
		n, err := tx.Q.CountRewardsForMember(ctx, rule.PromotionID, periodFor(id))
		if err != nil {
			return "", fmt.Errorf("count rewards of the person: %w", err)
		}
		if n > 0 {
			return promo.RefusedPerson, nil
		}
	}
	if rule.Referral.Most == 0 {
		return "", nil
	}
	n, err := tx.Q.CountReferralRewards(ctx, inviter, rule.PromotionID, db.Millis(monthOf(s.o.Now(), rule.Currency)))
	if err != nil {
		return "", fmt.Errorf("count rewards: %w", err)
	}
	if n >= rule.Referral.Most {
		return promo.RefusedUsedUp, nil
	}
	return "", nil
}

// Run applies the rules of levels and referrals. It may run again at any time.
func (s *Service) Run(ctx context.Context) error {
	rows, err := s.o.Store.Q().EnabledLoyaltyRules(ctx)
	if err != nil {
		return fmt.Errorf("read rules: %w", err)
	}
	var failed []error
	for _, row := range rows {
		rule, err := ruleOf(row)
		if err == nil && rule.Kind == VIP {
			err = s.evaluateLevels(ctx, rule)
		} else if err == nil {
			err = s.evaluateReferrals(ctx, rule)
		}
		if err != nil { // others still get theirs
			failed = append(failed, fmt.Errorf("apply the rule %s: %w", row.Kind, err))
		}
	}
	return errors.Join(failed...)
}
