package withdraw

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"fairground/internal/fault"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/permission"
	"fairground/internal/platform/rest"
)

// ActionFail is the name of the end of a payout as failed, among the changes that need two people.
const ActionFail = "withdrawal.fail"

// canFail reports whether operators can end a withdrawal as failed: the money may have left, so only people who asked the gateway or the
// bank know that it did not. Before that, operators refuse it.
func canFail(status string, hasGateway bool) bool {
	return status == Sent || hasGateway && status == Approved
}

func (s *Service) failRoute(a *rest.API) {
	op := rest.Op{
		Tag: opsTag, Access: rest.Operators, Permission: permission.WithdrawalApprove, Dangerous: true, Method: http.MethodPost,
		Path: "/ops/v1/withdrawals/{id}/fail", ID: "opsWithdrawalFail", Summary: "End a payout as failed: the member gets the money back",
		Description: "For a sent withdrawal that was not paid and will not be paid, and for an approved one that a gateway pays. It waits for a second person.",
		Faults:      []*fault.Fault{ErrUnknown, ErrStale, ErrState, ErrReason},
	}
	rest.Typed(a, op, func(ctx context.Context, in *approveInput) (out approveReply, err error) {
		merchant := rest.MerchantOf(ctx).ID
		if out.Approval, err = s.Fail(ctx, merchant, in.ID, in.Body.Version, strings.TrimSpace(in.Body.Reason)); err != nil {
			return out, err
		}
		detail, err := s.detail(ctx, merchant, in.ID)
		out.Withdrawal = &detail
		return out, err
	})
}

// Fail requests the end of a payout as failed, and returns the request if it waits for a second person.
func (s *Service) Fail(ctx context.Context, merchantID, id, version int64, reason string) (*PayoutApproval, error) {
	if reason == "" {
		return nil, ErrReason.On("reason")
	}
	w, err := s.find(ctx, merchantID, id)
	switch {
	case err != nil:
		return nil, err
	case w.Version != version:
		return nil, ErrStale
	case !canFail(w.Status, w.GatewayID.Valid):
		return nil, ErrState
	}
	c, err := money.Find(w.Currency)
	if err != nil {
		return nil, rest.ErrSystem.Because(err)
	}
	object := "withdrawals/" + formatID(id)
	waiting, err := s.lastApproval(ctx, merchantID, ActionFail, object)
	if err != nil || waiting != nil && waiting.State == "waiting" {
		return waiting, err
	}
	return s.o.Approvals.Request(ctx, merchantID, ActionFail, object, approvalChange{
		ID: id, MerchantID: merchantID, Version: version, Reference: w.Reference, Amount: c.Format(money.Minor(w.Amount)), Currency: w.Currency,
		GatewayID: w.GatewayID.Int64, Reason: reason,
	})
}

// RunFail carries out an approved change in the transaction of the decision.
func (s *Service) RunFail(ctx context.Context, tx *db.Tx, _ string, payload json.RawMessage) (before, after any, err error) {
	var in approvalChange
	if err := json.Unmarshal(payload, &in); err != nil {
		return nil, nil, err
	}
	w, err := lockVersion(ctx, tx, in.MerchantID, in.ID, in.Version)
	if err != nil {
		return nil, nil, err
	}
	if !canFail(w.Status, w.GatewayID.Valid) {
		return nil, nil, ErrState
	}
	old := auditFields(w, "")
	err = s.endIn(ctx, tx, &w, Failed, in.Reason)
	return old, auditFields(w, in.Reason), err
}
