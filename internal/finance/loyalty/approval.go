package loyalty

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/rest"
)

// ActionEdit is the name of an edit among the changes that may need two people.
const ActionEdit = "loyalty.edit"

// A RuleApproval is an edited rule that waits for a second person.
type RuleApproval struct {
	ID    string `json:"id"`
	State string `json:"state" enum:"waiting,approved,refused,failed"`
}

// Approvals carries out a change, or stores it until a second person approves it. In the second case, Request returns the
// waiting approval.
type Approvals interface {
	Request(ctx context.Context, merchantID int64, action, object string, payload any) (*RuleApproval, error)
}

// highestReward returns the highest amount that a rule can pay at once. Cash back without a maximum and VIP levels that raise it count as
// the maximum amount.
func (r *Rule) highestReward() (highest money.Minor) {
	switch {
	case r.CheckIn != nil:
		highest = slices.Max(append(r.CheckIn.Amounts, 0))
	case r.CashBack != nil:
		if highest = r.CashBack.Most; highest == 0 {
			highest = ledger.MaxAmount
		}
	case r.VIP != nil:
		for _, l := range r.VIP.Levels {
			if highest = max(highest, l.Reward); l.Extra > 0 {
				highest = ledger.MaxAmount
			}
		}
	case r.Referral != nil:
		highest = r.Referral.Reward
	}
	return highest
}

// An editChange is an edited rule that waits for the approval of a second person.
type editChange struct {
	MerchantID int64  `json:"merchantId,string"`
	Rule       Rule   `json:"rule"`
	Reason     string `json:"reason,omitempty"`
}

// edit stores a rule, or requests the approval of a second person if the enabled rule pays more than the limit.
func (s *Service) edit(ctx context.Context, r Rule, c money.Currency, reason string) (*RuleApproval, error) {
	limit, err := s.o.TwoPersonAbove(ctx, r.MerchantID, c)
	if err != nil {
		return nil, err
	}
	if !r.Enabled || r.highestReward() <= limit {
		return nil, s.save(ctx, r, reason)
	}
	before, err := s.Rule(ctx, r.MerchantID, r.Kind)
	if err != nil {
		return nil, err
	}
	if before.Version != r.Version {
		return nil, rest.ErrStale
	}
	if err := r.check(); err != nil {
		return nil, err
	}
	return s.o.Approvals.Request(ctx, r.MerchantID, ActionEdit, "loyalty/"+r.Kind, editChange{r.MerchantID, r, reason})
}

// RunEdit stores an approved rule in the transaction of the decision.
func (s *Service) RunEdit(ctx context.Context, tx *db.Tx, _ string, payload json.RawMessage) (before, after any, err error) {
	var in editChange
	if err := json.Unmarshal(payload, &in); err != nil {
		return nil, nil, fmt.Errorf("read rule: %w", err)
	}
	in.Rule.MerchantID = in.MerchantID
	old, saved, err := s.SaveIn(ctx, tx, in.Rule)
	if err != nil {
		return nil, nil, err
	}
	if old != nil {
		before = old
	}
	return before, auditedRule{saved, in.Reason}, s.o.Screens.ChangedOf(ctx, tx, saved.MerchantID, "loyalty", saved.Kind)
}
