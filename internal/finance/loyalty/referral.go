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

// ReferralFigures count a member's invited members and rewards.
type ReferralFigures struct {
	Registered int64       `json:"registered"`
	Deposited  int64       `json:"deposited" doc:"Registered in the time, with a credited deposit."`
	Rewarded   int64       `json:"rewarded" doc:"Rewards granted."`
	Earned     rest.Amount `json:"earned" doc:"Rewards claimed."`
	Waiting    rest.Amount `json:"waiting" doc:"Rewards that can be claimed in the reward centre."`
}

// ReferralTerms are the conditions of the reward for an invited member.
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
	enabled, err := s.o.Switches.Referral(ctx, who.MerchantID)
	if err == nil && !enabled {
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
	for _, period := range []struct {
		figures *ReferralFigures
		since   int64
	}{{&v.Month, db.Millis(startOfMonth(s.o.Now(), who.Currency))}, {&v.Total, 0}} {
		q := s.o.Store.Q()
		counts, err := q.ReferralCounts(ctx, sql.NullInt64{Int64: who.ID, Valid: true}, period.since)
		if err != nil {
			return none, fmt.Errorf("count invited members: %w", err)
		}
		rewards, err := q.ReferralRewards(ctx, who.ID, rule.PromotionID, period.since)
		if err != nil {
			return none, fmt.Errorf("sum rewards: %w", err)
		}
		*period.figures = ReferralFigures{counts.Registered, counts.Deposited, rewards.Rewarded, amount(money.Minor(rewards.Paid)), amount(money.Minor(rewards.Waiting))}
	}
	return v, nil
}

// evaluateReferrals grants the rewards for invited members who meet the rule's conditions.
func (s *Service) evaluateReferrals(ctx context.Context, rule Rule) error {
	now := s.o.Now()
	params := query.PendingReferralsParams{
		MerchantID: rule.MerchantID, Currency: rule.Currency, PromotionID: rule.PromotionID, Deposit: int64(rule.Referral.Deposit),
		Since: max(rule.since, db.Millis(now.AddDate(0, 0, -int(rule.Referral.Days)))),
	}
	for {
		rows, err := s.o.Store.Q().PendingReferrals(ctx, params)
		if err != nil {
			return fmt.Errorf("read invited members: %w", err)
		}
		for _, r := range rows {
			params.After = r.ID
			if err := s.grantReferral(ctx, rule, r.Inviter, r.ID); err != nil {
				return err
			}
		}
		if len(rows) == 0 {
			return nil
		}
	}
}

// grantReferral grants the inviter's reward for an invited member who has staked enough. It also stores a refused reward, so that
// it does not decide again. An inviter on a break gets the reward after the break, if the invited member's days have not ended.
func (s *Service) grantReferral(ctx context.Context, rule Rule, inviter, invited int64) error {
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
	otherAccounts, err := s.o.Persons.Same(ctx, rule.MerchantID, invited)
	if err != nil {
		return err
	}
	return s.o.Ledger.Write(ctx, func(tx *db.Tx) error {
		refusal, err := s.refusalIn(ctx, tx, rule, inviter, otherAccounts)
		if err != nil {
			return err
		}
		gift := promo.Gift{PromotionID: rule.PromotionID, Period: referralPeriod(invited), Amount: rule.Referral.Reward}
		return s.o.Rewards.GrantIn(ctx, tx, inviter, gift, refusal)
	})
}

// referralPeriod returns the period of the reward for an invited member.
func referralPeriod(invited int64) string { return "member/" + formatID(invited) }

// refusalIn returns the reason to refuse a reward, or "". It refuses the inviter's own accounts, persons who were invited before,
// and rewards above the monthly maximum. otherAccounts are the invited person's other accounts.
func (s *Service) refusalIn(ctx context.Context, tx *db.Tx, rule Rule, inviter int64, otherAccounts []int64) (string, error) {
	if slices.Contains(otherAccounts, inviter) {
		return promo.RefusedPerson, nil
	}
	for _, id := range otherAccounts {
		n, err := tx.Q.CountRewardsForMember(ctx, rule.PromotionID, referralPeriod(id))
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
	n, err := tx.Q.CountReferralRewards(ctx, inviter, rule.PromotionID, db.Millis(startOfMonth(s.o.Now(), rule.Currency)))
	if err != nil {
		return "", fmt.Errorf("count rewards: %w", err)
	}
	if n >= rule.Referral.Most {
		return promo.RefusedUsedUp, nil
	}
	return "", nil
}

// Run applies the rules for levels and referrals. It can be repeated at any time.
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
		if err != nil { // continue with the other rules
			failed = append(failed, fmt.Errorf("apply the rule %s: %w", row.Kind, err))
		}
	}
	return errors.Join(failed...)
}
