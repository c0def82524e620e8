package deposit

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"slices"

	"fairground/internal/finance/gateway"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/rest"
)

// ActionConfirm is the name of a confirmation among the changes that need two people.
const ActionConfirm = "deposit.confirm"

// A ConfirmApproval is a confirmation that waits for a second person.
type ConfirmApproval struct {
	ID    string `json:"id"`
	State string `json:"state" enum:"waiting,approved,refused,failed"`
}

// Approvals carries out a change, or stores it until a second person approves it. In the second case, Request returns the
// waiting approval.
type Approvals interface {
	Request(ctx context.Context, merchantID int64, action, object string, payload any) (*ConfirmApproval, error)
}

// A confirmChange is the change that waits for the approval of a second person.
type confirmChange struct {
	ID         int64       `json:"id,string"`
	MerchantID int64       `json:"merchantId,string"`
	Version    int64       `json:"version"`
	Reference  string      `json:"reference"`
	Status     string      `json:"status"`
	Amount     string      `json:"amount"`
	Currency   string      `json:"currency"`
	Received   money.Minor `json:"received"` // in minor units; 0: the requested amount
	Reason     string      `json:"reason,omitempty"`
}

// Propose requests the confirmation of a deposit, if it needs two people: an amount above the limit that neither the member
// requested nor the gateway reported as paid. needed is false if one person may confirm it. Version 0 accepts any.
func (s *Service) Propose(ctx context.Context, merchantID, id, version int64, received money.Minor, reason string) (waiting *ConfirmApproval, needed bool, err error) {
	d, err := s.o.Store.Q().DepositByID(ctx, id)
	switch {
	case errors.Is(err, sql.ErrNoRows) || err == nil && d.MerchantID != merchantID:
		return nil, false, ErrUnknown
	case err != nil:
		return nil, false, err
	}
	c, err := money.Find(d.Currency)
	if err != nil {
		return nil, false, rest.ErrSystem.Because(err)
	}
	amount := money.Minor(d.Amount)
	if received != 0 {
		amount = received
	}
	if d.Status == Credited || int64(amount) == d.Amount {
		return nil, false, nil
	}
	if reported, err := s.isReported(ctx, &d, c, amount); err != nil || reported {
		return nil, false, err
	}
	limit, err := s.o.TwoPersonAbove(ctx, merchantID, c)
	if err != nil || amount <= limit {
		return nil, false, err
	}
	if version != 0 && version != d.Version {
		return nil, true, ErrStale
	}
	in := confirmChange{id, merchantID, d.Version, d.Reference, d.Status, c.Format(amount), c.Code, received, reason}
	object := "deposits/" + formatID(id)
	stored, err := s.o.Store.Q().ApprovalOfObject(ctx, object, ActionConfirm, merchantID)
	if err != nil {
		return nil, true, err
	}
	if len(stored) > 0 && stored[0].State == "waiting" {
		var first confirmChange
		if err := json.Unmarshal([]byte(stored[0].Payload), &first); err != nil {
			return nil, true, err
		}
		if first == in {
			return &ConfirmApproval{formatID(stored[0].ID), stored[0].State}, true, nil
		}
	}
	waiting, err = s.o.Approvals.Request(ctx, merchantID, ActionConfirm, object, in)
	return waiting, true, err
}

// isReported reports whether the gateway has said that this amount was paid.
func (s *Service) isReported(ctx context.Context, d *query.Deposit, c money.Currency, amount money.Minor) (bool, error) {
	if !d.GatewayID.Valid {
		return false, nil
	}
	notices, err := s.o.Store.Q().NoticesOf(ctx, d.GatewayID.Int64, gateway.KindPayment, d.Reference)
	return slices.ContainsFunc(notices, func(n query.GatewayNotice) bool {
		paid, err := c.Parse(n.Amount)
		return err == nil && paid == amount && n.Status == gateway.Paid && n.Currency == c.Code
	}), err
}

// RunConfirm carries out an approved confirmation in the transaction of the decision.
func (s *Service) RunConfirm(ctx context.Context, tx *db.Tx, _ string, payload json.RawMessage) (before, after any, err error) {
	var in confirmChange
	if err := json.Unmarshal(payload, &in); err != nil {
		return nil, nil, err
	}
	old, confirmed, err := s.ConfirmIn(ctx, tx, in.MerchantID, in.ID, in.Version, in.Received)
	return auditFields(old), auditFields(confirmed), err
}

func auditFields(d query.Deposit) map[string]any {
	return map[string]any{"reference": d.Reference, "status": d.Status, "amount": d.Amount, "currency": d.Currency, "reason": d.Reason}
}
