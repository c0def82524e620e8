package withdraw

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"fairground/internal/finance/gateway"
	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/permission"
	"fairground/internal/platform/tasks"
)

// Kinds of task.
const (
	taskReview   = "withdrawal"          // waits for a decision
	taskPay      = "withdrawal.pay"      // approved or sent without a gateway
	taskMismatch = "withdrawal.mismatch" // the gateway reports another amount or currency
	taskConflict = "withdrawal.conflict" // the gateway contradicts itself
)

func isEnded(status string) bool { return status == Paid || status == Refused || status == Failed }

// taskIn opens and closes the operators' tasks of a withdrawal.
func (s *Service) taskIn(ctx context.Context, tx *db.Tx, w *query.Withdrawal) error {
	set := func(kind string, needed permission.Name, open bool) error {
		if !open {
			return s.o.Tasks.DoneIn(ctx, tx, kind, w.Reference)
		}
		return s.o.Tasks.AddIn(ctx, tx, tasks.Task{
			MerchantID: w.MerchantID, Kind: kind, Reference: w.Reference, Object: "withdrawals/" + formatID(w.ID), Permission: needed,
		})
	}
	if err := set(taskReview, permission.WithdrawalReview, w.Status == Requested || w.Status == Review); err != nil {
		return err
	}
	return set(taskPay, permission.WithdrawalApprove, !w.GatewayID.Valid && (w.Status == Approved || w.Status == Sent))
}

func (s *Service) queueIn(ctx context.Context, tx *db.Tx, w *query.Withdrawal, kind string) error {
	return s.o.Tasks.AddIn(ctx, tx, tasks.Task{
		MerchantID: w.MerchantID, Kind: kind, Reference: w.Reference, Object: "withdrawals/" + formatID(w.ID), Permission: permission.WithdrawalApprove,
	})
}

func (s *Service) saveIn(ctx context.Context, tx *db.Tx, w *query.Withdrawal) error {
	err := tx.Q.SetWithdrawal(ctx, query.SetWithdrawalParams{
		ID: w.ID, Status: w.Status, GatewayID: w.GatewayID, PayoutID: w.PayoutID, BankReference: w.BankReference, Reason: w.Reason,
		NextCallAt: w.NextCallAt, TransferID: w.TransferID, EndedAt: w.EndedAt,
	})
	if err != nil {
		return fmt.Errorf("save withdrawal: %w", err)
	}
	w.Version++
	return s.stepIn(ctx, tx, w)
}

// endIn ends a withdrawal: PAID pays the hold out, REFUSED and FAILED return it.
func (s *Service) endIn(ctx context.Context, tx *db.Tx, w *query.Withdrawal, status, reason string) error {
	t := ledger.Transfer{
		Key: "withdraw/return/" + formatID(w.ID), Debit: w.HeldID, Credit: w.CashID, Amount: money.Minor(w.Amount), Kind: ledger.KindRelease, Origin: w.HoldID,
		RefType: kindWithdraw, RefID: w.Reference,
	}
	if status == Paid {
		house, err := s.o.Ledger.HouseIn(ctx, tx, w.MerchantID, ledger.Withdrawals, w.Currency)
		if err != nil {
			return err
		}
		t.Key, t.Credit, t.Kind = "withdraw/pay/"+formatID(w.ID), house.ID, ledger.KindPay
	}
	posted, err := s.o.Ledger.PostIn(ctx, tx, t)
	if err != nil {
		return fmt.Errorf("settle hold: %w", err)
	}
	w.Status, w.Reason, w.NextCallAt = status, reason, 0
	w.TransferID = sql.NullInt64{Int64: posted[0].ID, Valid: true}
	w.EndedAt = sql.NullInt64{Int64: db.Millis(s.o.Now()), Valid: true}
	if err := s.tellIn(ctx, tx, w); err != nil {
		return err
	}
	return s.saveIn(ctx, tx, w)
}

// tellIn writes to the member's inbox how a withdrawal ended.
func (s *Service) tellIn(ctx context.Context, tx *db.Tx, w *query.Withdrawal) error {
	if s.o.Inbox == nil {
		return nil
	}
	c, err := money.Find(w.Currency)
	if err != nil {
		return err
	}
	kind, amount := "withdrawal.refused", w.Amount
	if w.Status == Paid {
		kind, amount = "withdrawal.paid", w.Amount-w.Fee
	}
	return s.o.Inbox.SystemIn(ctx, tx, w.MemberID, kind, map[string]string{"amount": c.Format(money.Minor(amount)), "currency": c.Code, "reason": w.Reason})
}

// NoticeIn implements gateway.Receiver for payouts. It holds the withdrawal's lock, so notices of one withdrawal are decided one by one.
func (s *Service) NoticeIn(ctx context.Context, tx *db.Tx, n gateway.Notice) (gateway.Code, error) {
	w, err := tx.Q.LockWithdrawalByReference(ctx, n.Reference, sql.NullInt64{Int64: n.Gateway.ID, Valid: true})
	if errors.Is(err, sql.ErrNoRows) {
		return gateway.Unknown, nil
	}
	if err != nil {
		return "", fmt.Errorf("lock withdrawal: %w", err)
	}
	if n.Status == gateway.Pending {
		return gateway.OK, nil
	}
	earlier, err := tx.Q.NoticesOf(ctx, n.Gateway.ID, gateway.KindPayout, n.Reference)
	if err != nil {
		return "", fmt.Errorf("read notices: %w", err)
	}
	paidBefore := slices.ContainsFunc(earlier, func(e query.GatewayNotice) bool { return e.ID != n.ID && e.Status == gateway.Paid })
	return s.reportIn(ctx, tx, &w, gateway.State{GatewayID: n.PaymentID, Status: n.Status, Amount: n.Amount, Currency: n.Currency}, paidBefore)
}

// reportIn applies what the gateway says about a payout.
func (s *Service) reportIn(ctx context.Context, tx *db.Tx, w *query.Withdrawal, state gateway.State, paidBefore bool) (gateway.Code, error) {
	same := state.SameMoney(money.Minor(w.Amount-w.Fee), w.Currency)
	if state.Status == gateway.Paid {
		switch {
		case w.Status == Paid && same && (w.PayoutID == "" || w.PayoutID == state.GatewayID):
			return gateway.OK, tx.Q.SetWithdrawalPayoutID(ctx, w.ID, state.GatewayID)
		case isEnded(w.Status):
			return gateway.Conflict, s.queueIn(ctx, tx, w, taskConflict)
		case !same:
			return gateway.AmountMismatch, s.queueIn(ctx, tx, w, taskMismatch)
		}
		w.PayoutID = state.GatewayID
		return gateway.OK, s.endIn(ctx, tx, w, Paid, "")
	}
	switch { // failed or expired
	case w.Status == Paid || paidBefore:
		return gateway.Conflict, s.queueIn(ctx, tx, w, taskConflict)
	case isEnded(w.Status):
		return gateway.OK, nil
	}
	w.PayoutID = state.GatewayID
	return gateway.OK, s.endIn(ctx, tx, w, Failed, "")
}

// lockFor locks a merchant's withdrawal of a version.
func lockFor(ctx context.Context, tx *db.Tx, merchantID, id, version int64) (query.Withdrawal, error) {
	w, err := tx.Q.LockWithdrawal(ctx, id)
	switch {
	case errors.Is(err, sql.ErrNoRows) || err == nil && w.MerchantID != merchantID:
		return query.Withdrawal{}, ErrUnknown
	case err != nil:
		return query.Withdrawal{}, fmt.Errorf("lock withdrawal: %w", err)
	case w.Version != version:
		return query.Withdrawal{}, ErrStale
	}
	return w, nil
}

// gatewayFor returns the gateway of a payout: the named one, else the only one of the currency. It is nil if there is none.
func (s *Service) gatewayFor(ctx context.Context, merchantID int64, currency, code string) (*gateway.Gateway, error) {
	all, err := s.o.Gateways.List(ctx, merchantID)
	if err != nil {
		return nil, err
	}
	var fit []gateway.Gateway
	for _, g := range all {
		if g.Enabled && slices.Contains(g.Currencies, currency) && (code == "" || g.Code == code) {
			fit = append(fit, g)
		}
	}
	switch {
	case len(fit) == 1:
		return &fit[0], nil
	case len(fit) == 0 && code == "":
		return nil, nil //nolint:nilnil // an operator pays
	default:
		return nil, ErrGateway.On("gateway")
	}
}

// ActionApprove is the name of an approval among the changes that need two people.
const ActionApprove = "withdrawal.approve"

// An approvalChange is the change that a second person approves.
type approvalChange struct {
	ID         int64  `json:"id,string"`
	MerchantID int64  `json:"merchantId,string"`
	Version    int64  `json:"version"`
	Reference  string `json:"reference"`
	Amount     string `json:"amount"`
	Currency   string `json:"currency"`
	GatewayID  int64  `json:"gatewayId,string"` // 0: an operator pays
	Gateway    string `json:"gateway,omitempty"`
	Reason     string `json:"reason,omitempty"`
}

// RunApprove carries an approval out in the transaction of the decision.
func (s *Service) RunApprove(ctx context.Context, tx *db.Tx, _ string, payload json.RawMessage) (before, after any, err error) {
	var in approvalChange
	if err := json.Unmarshal(payload, &in); err != nil {
		return nil, nil, err
	}
	return s.approveIn(ctx, tx, in)
}

func (s *Service) approveIn(ctx context.Context, tx *db.Tx, in approvalChange) (before, after any, err error) {
	w, err := lockFor(ctx, tx, in.MerchantID, in.ID, in.Version)
	if err != nil {
		return nil, nil, err
	}
	if w.Status != Requested && w.Status != Review {
		return nil, nil, ErrState
	}
	old := auditOf(w, "")
	if w.Status == Requested {
		w.Status = Review
		if err := s.stepIn(ctx, tx, &w); err != nil {
			return nil, nil, err
		}
	}
	w.Status = Approved
	if in.GatewayID != 0 {
		w.GatewayID = sql.NullInt64{Int64: in.GatewayID, Valid: true}
		w.NextCallAt = db.Millis(s.o.Now())
	}
	return old, auditOf(w, in.Reason), s.saveIn(ctx, tx, &w)
}

func auditOf(w query.Withdrawal, reason string) map[string]any {
	out := map[string]any{"reference": w.Reference, "status": w.Status, "amount": w.Amount, "currency": w.Currency}
	if reason = strings.TrimSpace(reason); reason != "" {
		out["reason"] = reason
	}
	if w.BankReference != "" {
		out["bankReference"] = w.BankReference
	}
	return out
}

// A Decision is an operator's step.
type Decision struct {
	Version       int64
	Reason        string
	BankReference string
}

// The operators' steps besides approve.
const (
	actionReview = "review"
	actionRefuse = "refuse"
	actionSent   = "sent"
	actionPaid   = "paid"
)

// decideIn moves a withdrawal in an operator's name.
func (s *Service) decideIn(ctx context.Context, tx *db.Tx, merchantID, id int64, action string, in Decision) (before, after map[string]any, err error) {
	w, err := lockFor(ctx, tx, merchantID, id, in.Version)
	if err != nil {
		return nil, nil, err
	}
	before = auditOf(w, "")
	byHand := !w.GatewayID.Valid
	switch {
	case action == actionReview && w.Status == Requested:
		w.Status = Review
		err = s.saveIn(ctx, tx, &w)
	case action == actionRefuse && (w.Status == Requested || w.Status == Review || w.Status == Approved && byHand):
		err = s.endIn(ctx, tx, &w, Refused, in.Reason)
	case action == actionRefuse && w.Status == Sent && byHand: // the bank returned the money
		err = s.endIn(ctx, tx, &w, Failed, in.Reason)
	case action == actionSent && w.Status == Approved && byHand:
		w.Status = Sent
		err = s.saveIn(ctx, tx, &w)
	case action == actionPaid && w.Status == Sent:
		w.BankReference = in.BankReference
		err = s.endIn(ctx, tx, &w, Paid, "")
	default:
		err = ErrState
	}
	return before, auditOf(w, in.Reason), err
}
