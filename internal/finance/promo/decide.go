package promo

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/rest"
)

// maxReward is the maximum amount of a reward. It is small enough that the required stakes do not exceed ledger.MaxAmount.
const maxReward = ledger.MaxAmount / MaxWagering

// A Decision is an operator's decision on an application.
type Decision struct {
	MerchantID, ID, Version int64
	Approve                 bool
	Amount                  *rest.Amount // nil: the promotion's amount
	Reason                  string
	Operator                string
}

// DecideIn approves or refuses an application and writes the audit log.
func (s *Service) DecideIn(ctx context.Context, tx *db.Tx, d Decision) error {
	before, after, err := s.decideIn(ctx, tx, d)
	if err != nil {
		return err
	}
	action := map[bool]string{true: "approve", false: "refuse"}[d.Approve]
	return s.auditIn(ctx, tx, action, &before, &after, d.Reason)
}

// decideIn approves or refuses an application. Before an approval, it checks again that the member is not on a break and that no
// other account of the person has the reward.
func (s *Service) decideIn(ctx context.Context, tx *db.Tx, d Decision) (before, r query.Reward, err error) {
	r, err = tx.Q.LockReward(ctx, d.ID)
	switch {
	case errors.Is(err, sql.ErrNoRows) || err == nil && r.MerchantID != d.MerchantID:
		return before, r, ErrUnknownReward
	case err != nil:
		return before, r, fmt.Errorf("lock reward: %w", err)
	case r.Version != d.Version:
		return before, r, rest.ErrStale
	case r.Status != Applied:
		return before, r, ErrState
	}
	before = r
	row, err := tx.Q.PromotionByID(ctx, r.PromotionID)
	if err != nil {
		return before, r, fmt.Errorf("read promotion: %w", err)
	}
	p, err := promotionOf(row)
	if err != nil {
		return before, r, err
	}
	now := s.o.Now()
	r.DecidedBy = d.Operator
	if d.Approve {
		if err := s.approve(ctx, tx, &p, &r, d.Amount); err != nil {
			return before, r, err
		}
		r.Status, r.ExpiresAt = Unclaimed, db.Millis(now.AddDate(0, 0, int(p.ClaimDays)))
	} else {
		r.Status, r.Reason, r.EndedAt = Refused, d.Reason, notNull(db.Millis(now))
	}
	err = tx.Q.DecideReward(ctx, query.DecideRewardParams{
		ID: r.ID, Status: r.Status, Amount: r.Amount, Required: r.Required, Reason: r.Reason, DecidedBy: r.DecidedBy, ExpiresAt: r.ExpiresAt, EndedAt: r.EndedAt,
	})
	if err != nil {
		return before, r, fmt.Errorf("decide on application: %w", err)
	}
	if d.Approve {
		if err := s.notifyIn(ctx, tx, &r, Granted, r.Amount); err != nil {
			return before, r, err
		}
	}
	if err := s.o.Tasks.DoneIn(ctx, tx, taskKind, formatID(r.ID)); err != nil {
		return before, r, err
	}
	return before, r, s.announceIn(ctx, tx, &r)
}

// approve checks the member and sets the amount of the reward.
func (s *Service) approve(ctx context.Context, tx *db.Tx, p *Promotion, r *query.Reward, amount *rest.Amount) error {
	g := grant{promotion: p, memberID: r.MemberID}
	if err := s.prepare(ctx, &g); err != nil {
		return err
	}
	for _, other := range g.otherAccounts {
		n, err := tx.Q.CountRewardsOfMember(ctx, p.ID, other)
		if err != nil {
			return err
		}
		if n > 0 {
			return ErrPerson
		}
	}
	granted := money.Minor(r.Amount)
	if amount != nil {
		var err error
		if granted, err = parseAmount(r.Currency, *amount); err != nil {
			return err
		}
	}
	if granted <= 0 {
		return ErrAmount.On("amount")
	}
	r.Amount, r.Required = int64(granted), int64(granted)*p.Wagering
	return nil
}
