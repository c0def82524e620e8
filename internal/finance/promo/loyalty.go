package promo

import (
	"context"
	"fmt"

	"fairground/internal/money"
	"fairground/internal/platform/db"
)

// A Gift is a reward of a loyalty rule. A member gets one gift per promotion and period.
type Gift struct {
	PromotionID int64
	Period      string
	Amount      money.Minor
}

// PayIn grants a reward and credits it in the same transaction. A second reward in the same period is
// refused with ErrApplied.
func (s *Service) PayIn(ctx context.Context, tx *db.Tx, who Member, g Gift) (rewardID int64, err error) {
	if err := s.o.Ledger.EnsureMemberIn(ctx, tx, who.MerchantID, who.ID, who.Currency); err != nil {
		return 0, err
	}
	row, err := tx.Q.PromotionByID(ctx, g.PromotionID)
	if err != nil {
		return 0, fmt.Errorf("read promotion: %w", err)
	}
	p, err := promotionOf(row)
	if err != nil {
		return 0, err
	}
	r, refused, err := s.storeIn(ctx, tx, grant{promotion: &p, memberID: who.ID, period: g.Period, amount: g.Amount, status: Unclaimed, quiet: true}, "")
	if err != nil {
		return 0, err
	}
	if refused != "" {
		return 0, ErrApplied
	}
	_, err = s.claimIn(ctx, tx, who, r)
	return r.ID, err
}

// GrantIn grants a reward that the member claims later. It does nothing if the member already has the period's reward. If refusal
// is not empty, such as RefusedPerson, it stores a refused reward.
func (s *Service) GrantIn(ctx context.Context, tx *db.Tx, memberID int64, g Gift, refusal string) error {
	row, err := tx.Q.PromotionByID(ctx, g.PromotionID)
	if err != nil {
		return fmt.Errorf("read promotion: %w", err)
	}
	p, err := promotionOf(row)
	if err != nil {
		return err
	}
	_, _, err = s.storeIn(ctx, tx, grant{promotion: &p, memberID: memberID, period: g.Period, amount: g.Amount, status: Unclaimed}, refusal)
	return err
}

// Reasons with which GrantIn refuses a reward.
const (
	RefusedPerson = reasonPerson
	RefusedUsedUp = reasonUsedUp
)
