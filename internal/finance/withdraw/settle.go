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

// Kinds of tasks.
const (
	taskReview     = "withdrawal"            // waits for a decision
	taskPay        = "withdrawal.pay"        // approved or sent without a gateway
	taskMismatch   = "withdrawal.mismatch"   // the gateway reports another amount or currency
	taskConflict   = "withdrawal.conflict"   // the gateway contradicts itself
	taskDisabled   = "withdrawal.disabled"   // the gateway was disabled, so nothing is sent to it
	taskUnanswered = "withdrawal.unanswered" // the gateway does not answer
)

func isEnded(status string) bool { return status == Paid || status == Refused || status == Failed }

// updateTasksIn opens and closes the operators' tasks for a withdrawal, by its status.
func (s *Service) updateTasksIn(ctx context.Context, tx *db.Tx, w *query.Withdrawal) error {
	set := func(kind string, needed permission.Name, open bool) error {
		if !open {
			return s.o.Tasks.DoneIn(ctx, tx, kind, w.Reference)
		}
		return s.o.Tasks.AddIn(ctx, tx, tasks.Task{
			MerchantID: w.MerchantID, Kind: kind, Reference: w.Reference, Object: "withdrawals/" + formatID(w.ID), Permission: needed,
		})
	}
	var done []string
	switch {
	case isEnded(w.Status):
		done = []string{taskMismatch, taskConflict, taskDisabled, taskUnanswered}
	case w.Status == Sent:
		done = []string{taskDisabled, taskUnanswered}
	}
	for _, kind := range done {
		if err := s.o.Tasks.DoneIn(ctx, tx, kind, w.Reference); err != nil {
			return err
		}
	}
	if err := set(taskReview, permission.WithdrawalReview, w.Status == Requested || w.Status == Review); err != nil {
		return err
	}
	return set(taskPay, permission.WithdrawalApprove, !w.GatewayID.Valid && (w.Status == Approved || w.Status == Sent))
}

// addTaskIn opens a task for operators who approve withdrawals.
func (s *Service) addTaskIn(ctx context.Context, tx *db.Tx, w *query.Withdrawal, kind string) error {
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
	return s.recordStepIn(ctx, tx, w)
}

// endIn ends a withdrawal. PAID pays out the held amount. REFUSED and FAILED return it.
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
	if err := s.notifyIn(ctx, tx, w); err != nil {
		return err
	}
	return s.saveIn(ctx, tx, w)
}

// notifyIn sends the member a message about the end of a withdrawal.
func (s *Service) notifyIn(ctx context.Context, tx *db.Tx, w *query.Withdrawal) error {
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

// NoticesIn implements gateway.Receiver for payouts.
func (s *Service) NoticesIn(ctx context.Context, tx *db.Tx, notices []gateway.Notice) ([]gateway.Code, error) {
	codes := make([]gateway.Code, len(notices))
	for i, n := range notices {
		var err error
		if codes[i], err = s.noticeIn(ctx, tx, n); err != nil {
			return nil, err
		}
	}
	return codes, nil
}

// noticeIn decides about a notice. It locks the withdrawal, so notices about one
// withdrawal are decided one after another.
func (s *Service) noticeIn(ctx context.Context, tx *db.Tx, n gateway.Notice) (gateway.Code, error) {
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
	if !n.Gateway.Enabled { // it may have been disabled because others control it
		return gateway.Conflict, s.addTaskIn(ctx, tx, &w, taskConflict)
	}
	paidBefore, err := wasPaid(ctx, tx, &w, n.ID)
	if err != nil {
		return "", err
	}
	return s.reportIn(ctx, tx, &w, gateway.State{GatewayID: n.PaymentID, Status: n.Status, Amount: n.Amount, Currency: n.Currency}, paidBefore)
}

// wasPaid reports whether a notice said that a payout was paid. It ignores one notice.
func wasPaid(ctx context.Context, tx *db.Tx, w *query.Withdrawal, ignoredNotice int64) (bool, error) {
	notices, err := tx.Q.NoticesOf(ctx, w.GatewayID.Int64, gateway.KindPayout, w.Reference)
	if err != nil {
		return false, fmt.Errorf("read notices: %w", err)
	}
	return slices.ContainsFunc(notices, func(n query.GatewayNotice) bool { return n.ID != ignoredNotice && n.Status == gateway.Paid }), nil
}

// reportIn applies the state of a payout at the gateway.
func (s *Service) reportIn(ctx context.Context, tx *db.Tx, w *query.Withdrawal, state gateway.State, paidBefore bool) (gateway.Code, error) {
	sameMoney := state.SameMoney(money.Minor(w.Amount-w.Fee), w.Currency)
	if state.Status == gateway.Paid {
		switch {
		case w.Status == Paid && sameMoney && (w.PayoutID == "" || w.PayoutID == state.GatewayID):
			return gateway.OK, tx.Q.SetWithdrawalPayoutID(ctx, w.ID, state.GatewayID)
		case isEnded(w.Status):
			return gateway.Conflict, s.addTaskIn(ctx, tx, w, taskConflict)
		case !sameMoney:
			return gateway.AmountMismatch, s.addTaskIn(ctx, tx, w, taskMismatch)
		}
		w.PayoutID = state.GatewayID
		return gateway.OK, s.endIn(ctx, tx, w, Paid, "")
	}
	switch { // failed or expired
	case w.Status == Paid || paidBefore:
		return gateway.Conflict, s.addTaskIn(ctx, tx, w, taskConflict)
	case isEnded(w.Status):
		return gateway.OK, nil
	}
	w.PayoutID = state.GatewayID
	return gateway.OK, s.endIn(ctx, tx, w, Failed, "")
}

// lockVersion locks a merchant's withdrawal. It fails with ErrStale if version is not the current version.
func lockVersion(ctx context.Context, tx *db.Tx, merchantID, id, version int64) (query.Withdrawal, error) {
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

// gatewayFor returns the gateway for a payout: the one with the code, or without a code the only one for the currency. It returns
// nil if there is none.
func (s *Service) gatewayFor(ctx context.Context, merchantID int64, currency, code string) (*gateway.Gateway, error) {
	all, err := s.o.Gateways.List(ctx, merchantID)
	if err != nil {
		return nil, err
	}
	var matching []gateway.Gateway
	for _, g := range all {
		if g.Enabled && slices.Contains(g.Currencies, currency) && (code == "" || g.Code == code) {
			matching = append(matching, g)
		}
	}
	switch {
	case len(matching) == 1:
		return &matching[0], nil
	case len(matching) == 0 && code == "":
		return nil, nil //nolint:nilnil // an operator pays
	default:
		return nil, ErrGateway.On("gateway")
	}
}

// ActionApprove is the name of an approval among the changes that need two people.
const ActionApprove = "withdrawal.approve"

// An approvalChange is the change that waits for the approval of a second person.
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

// RunApprove carries out an approved change in the transaction of the decision.
func (s *Service) RunApprove(ctx context.Context, tx *db.Tx, _ string, payload json.RawMessage) (before, after any, err error) {
	var in approvalChange
	if err := json.Unmarshal(payload, &in); err != nil {
		return nil, nil, err
	}
	return s.approveIn(ctx, tx, in)
}

func (s *Service) approveIn(ctx context.Context, tx *db.Tx, in approvalChange) (before, after any, err error) {
	w, err := lockVersion(ctx, tx, in.MerchantID, in.ID, in.Version)
	if err != nil {
		return nil, nil, err
	}
	if w.Status != Requested && w.Status != Review {
		return nil, nil, ErrState
	}
	old := auditFields(w, "")
	if w.Status == Requested {
		w.Status = Review
		if err := s.recordStepIn(ctx, tx, &w); err != nil {
			return nil, nil, err
		}
	}
	w.Status = Approved
	if in.GatewayID != 0 {
		g, err := tx.Q.GatewayByID(ctx, in.GatewayID)
		if err != nil {
			return nil, nil, fmt.Errorf("read gateway: %w", err)
		}
		if !g.Enabled {
			return nil, nil, ErrStale
		}
		w.GatewayID = sql.NullInt64{Int64: in.GatewayID, Valid: true}
		w.NextCallAt = db.Millis(s.o.Now())
	}
	return old, auditFields(w, in.Reason), s.saveIn(ctx, tx, &w)
}

func auditFields(w query.Withdrawal, reason string) map[string]any {
	out := map[string]any{"reference": w.Reference, "status": w.Status, "amount": w.Amount, "currency": w.Currency}
	if reason = strings.TrimSpace(reason); reason != "" {
		out["reason"] = reason
	}
	if w.BankReference != "" {
		out["bankReference"] = w.BankReference
	}
	return out
}

// A Decision has the details of an operator's step.
type Decision struct {
	Version       int64
	Reason        string
	BankReference string
}

// The operators' steps, except approve.
const (
	actionReview = "review"
	actionRefuse = "refuse"
	actionSent   = "sent"
	actionPaid   = "paid"
)

// decideIn applies an operator's step to a withdrawal.
func (s *Service) decideIn(ctx context.Context, tx *db.Tx, merchantID, id int64, action string, in Decision) (before, after map[string]any, err error) {
	w, err := lockVersion(ctx, tx, merchantID, id, in.Version)
	if err != nil {
		return nil, nil, err
	}
	before = auditFields(w, "")
	isManual := !w.GatewayID.Valid
	switch {
	case action == actionReview && w.Status == Requested:
		w.Status = Review
		err = s.saveIn(ctx, tx, &w)
	case action == actionRefuse && (w.Status == Requested || w.Status == Review || w.Status == Approved && isManual):
		err = s.endIn(ctx, tx, &w, Refused, in.Reason)
	case action == actionSent && w.Status == Approved:
		w.Status = Sent
		if !isManual { // the gateway has the payout, but did not answer
			w.NextCallAt = db.Millis(s.o.Now().Add(stateInterval))
		}
		err = s.saveIn(ctx, tx, &w)
	case action == actionPaid && w.Status == Sent:
		w.BankReference = in.BankReference
		err = s.endIn(ctx, tx, &w, Paid, "")
	default:
		err = ErrState
	}
	return before, auditFields(w, in.Reason), err
}
