package deposit

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"fairground/internal/finance/gateway"
	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/audit"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/events"
)

func isOpen(status string) bool { return status == Waiting || status == Claimed }

// NoticeIn implements gateway.Receiver for payments. It locks the deposit, so notices about one deposit are
// decided one after another.
func (s *Service) NoticeIn(ctx context.Context, tx *db.Tx, n gateway.Notice) (gateway.Code, error) {
	d, err := tx.Q.LockDepositByReference(ctx, n.Reference, sql.NullInt64{Int64: n.Gateway.ID, Valid: true})
	if errors.Is(err, sql.ErrNoRows) {
		return gateway.Unknown, nil
	}
	if err != nil {
		return "", fmt.Errorf("lock deposit: %w", err)
	}
	switch n.Status {
	case gateway.Paid:
		return s.paidIn(ctx, tx, &d, n)
	case gateway.Failed, gateway.Expired:
		return s.unpaidIn(ctx, tx, &d, n)
	default:
		return gateway.OK, nil
	}
}

func (s *Service) paidIn(ctx context.Context, tx *db.Tx, d *query.Deposit, n gateway.Notice) (gateway.Code, error) {
	sameMoney := n.SameMoney(money.Minor(d.Amount), d.Currency)
	switch {
	case isOpen(d.Status) && !n.Gateway.Enabled: // it may have been disabled because others control it
		return gateway.Late, s.queueIn(ctx, tx, d, QueueLate, n.ID)
	case isOpen(d.Status) && sameMoney:
		return gateway.OK, s.creditIn(ctx, tx, d, money.Minor(d.Amount), money.Minor(d.Fee), n.PaymentID)
	case isOpen(d.Status):
		return gateway.AmountMismatch, s.queueIn(ctx, tx, d, QueueMismatch, n.ID)
	case d.Status != Credited:
		return gateway.Late, s.queueIn(ctx, tx, d, QueueLate, n.ID)
	case sameMoney && d.PaidID == "": // an operator credited it before the gateway reported it
		return gateway.OK, tx.Q.SetDepositPaidID(ctx, d.ID, n.PaymentID)
	case sameMoney && d.PaidID == n.PaymentID: // credited by Expire, before the notice arrived
		return gateway.OK, nil
	default:
		return gateway.Conflict, s.queueIn(ctx, tx, d, QueueConflict, n.ID)
	}
}

func (s *Service) unpaidIn(ctx context.Context, tx *db.Tx, d *query.Deposit, n gateway.Notice) (gateway.Code, error) {
	paidID, err := s.lastPaidID(ctx, tx, d, n.ID)
	if err != nil {
		return "", err
	}
	switch {
	case paidID != "" || d.Status == Credited:
		return gateway.Conflict, s.queueIn(ctx, tx, d, QueueConflict, n.ID)
	case !isOpen(d.Status):
		return gateway.OK, nil
	case n.Status == gateway.Failed:
		return gateway.OK, s.endIn(ctx, tx, d, Refused, "")
	default:
		return gateway.OK, s.endIn(ctx, tx, d, Expired, "")
	}
}

// lastPaidID returns the payment id of the last notice with the status paid, or "". It ignores one notice.
func (s *Service) lastPaidID(ctx context.Context, tx *db.Tx, d *query.Deposit, ignoredNotice int64) (paymentID string, err error) {
	if !d.GatewayID.Valid {
		return "", nil
	}
	notices, err := tx.Q.NoticesOf(ctx, d.GatewayID.Int64, gateway.KindPayment, d.Reference)
	if err != nil {
		return "", fmt.Errorf("read notices: %w", err)
	}
	for _, notice := range notices {
		if notice.ID != ignoredNotice && notice.Status == gateway.Paid {
			paymentID = notice.PaymentID
		}
	}
	return paymentID, nil
}

// creditIn credits a deposit to the member, once. The transfer is not guarded, because money that has arrived is never refused. If
// the deposit has ended unpaid, or if another amount arrived, the received amount counts against the limits now.
func (s *Service) creditIn(ctx context.Context, tx *db.Tx, d *query.Deposit, amount, fee money.Minor, paidID string) error {
	t := ledger.Transfer{
		Key: "deposit/credit/" + formatID(d.ID), Debit: d.SourceID, Credit: d.CashID, Amount: amount - fee, Kind: kindDeposit,
		RefType: "deposit", RefID: d.Reference,
	}
	if isOpen(d.Status) && int64(amount) != d.Amount {
		if err := s.returnReservedIn(ctx, tx, d); err != nil {
			return err
		}
	}
	if !isOpen(d.Status) || int64(amount) != d.Amount {
		t.Rows = []ledger.Row{s.o.Limits.Deposit(d.MemberID, d.Currency, amount)}
	}
	d.Status, d.Amount, d.Fee, d.PaidID, d.Reason = Credited, int64(amount), int64(fee), paidID, ""
	d.EndedAt = sql.NullInt64{Int64: db.Millis(s.o.Now()), Valid: true}
	if err := s.notifyIn(ctx, tx, d, amount-fee); err != nil {
		return err
	}
	if err := s.announceIn(ctx, tx, d); err != nil {
		return err
	}
	posted, err := s.o.Ledger.PostIn(ctx, tx, t) // last, because it locks the member's account until the commit
	if err != nil {
		return fmt.Errorf("credit deposit: %w", err)
	}
	d.TransferID = sql.NullInt64{Int64: posted[0].ID, Valid: true}
	err = tx.Q.CreditDeposit(ctx, query.CreditDepositParams{ID: d.ID, Amount: d.Amount, Fee: d.Fee, TransferID: d.TransferID, PaidID: paidID, EndedAt: d.EndedAt})
	if err != nil {
		return fmt.Errorf("mark deposit as credited: %w", err)
	}
	return nil
}

// notifyIn sends the member a message that a deposit was credited.
func (s *Service) notifyIn(ctx context.Context, tx *db.Tx, d *query.Deposit, amount money.Minor) error {
	if s.o.Inbox == nil {
		return nil
	}
	c, err := money.Find(d.Currency)
	if err != nil {
		return err
	}
	return s.o.Inbox.SystemIn(ctx, tx, d.MemberID, "deposit.credited", map[string]string{"amount": c.Format(amount), "currency": c.Code})
}

// endIn ends an open deposit without a credit, and returns its amount to the member's limits.
func (s *Service) endIn(ctx context.Context, tx *db.Tx, d *query.Deposit, status, reason string) error {
	if err := s.returnReservedIn(ctx, tx, d); err != nil {
		return err
	}
	d.Status, d.Reason, d.EndedAt = status, reason, sql.NullInt64{Int64: db.Millis(s.o.Now()), Valid: true}
	if err := tx.Q.EndDeposit(ctx, query.EndDepositParams{ID: d.ID, Status: status, Reason: reason, EndedAt: d.EndedAt}); err != nil {
		return fmt.Errorf("end deposit: %w", err)
	}
	return s.announceIn(ctx, tx, d)
}

// returnReservedIn returns the reserved amount to the member's limits.
func (s *Service) returnReservedIn(ctx context.Context, tx *db.Tx, d *query.Deposit) error {
	rows, err := s.o.Limits.DepositReturned(ctx, tx, d.ReserveID, d.MemberID, d.Currency, money.Minor(d.Amount))
	if err != nil {
		return err
	}
	_, err = s.o.Ledger.PostIn(ctx, tx, ledger.Transfer{
		Key: "deposit/return/" + formatID(d.ID), Debit: d.SourceID, Credit: d.CashID, Kind: kindReturn, RefType: "deposit", RefID: d.Reference,
		Empty: true, Rows: rows,
	})
	if err != nil {
		return fmt.Errorf("return reserved amount: %w", err)
	}
	return nil
}

// announceIn informs the member's pages about a change.
func (s *Service) announceIn(ctx context.Context, tx *db.Tx, d *query.Deposit) error {
	data, err := json.Marshal(map[string]string{"id": formatID(d.ID), "status": d.Status})
	if err != nil {
		return err
	}
	return s.o.Outbox.Add(ctx, tx, s.o.Now(), events.Message{Member: formatID(d.MemberID), Event: Event, Data: data})
}

// queueIn adds a deposit to the operators' queue.
func (s *Service) queueIn(ctx context.Context, tx *db.Tx, d *query.Deposit, kind string, noticeID int64) error {
	err := tx.Q.AddDepositQueue(ctx, query.AddDepositQueueParams{
		ID: s.o.IDs(), DepositID: d.ID, Kind: kind, NoticeID: sql.NullInt64{Int64: noticeID, Valid: noticeID != 0}, CreatedAt: db.Millis(s.o.Now()),
	})
	if err != nil {
		return fmt.Errorf("queue deposit: %w", err)
	}
	if err := tx.Q.BumpDeposit(ctx, d.ID); err != nil {
		return fmt.Errorf("queue deposit: %w", err)
	}
	if kind != QueueClaimed { // the member's page shows that the payment is checked
		if err := s.announceIn(ctx, tx, d); err != nil {
			return err
		}
	}
	return s.o.Tasks.AddIn(ctx, tx, d.MerchantID, "deposit."+kind, d.Reference, "deposits/"+formatID(d.ID))
}

// settleQueueIn removes a deposit from the operators' queue and returns the number of removed entries.
func (s *Service) settleQueueIn(ctx context.Context, tx *db.Tx, d *query.Deposit) (entries int, err error) {
	all, err := tx.Q.DepositQueue(ctx, d.ID)
	if err != nil {
		return 0, fmt.Errorf("read queue: %w", err)
	}
	for _, q := range all {
		if q.DoneAt.Valid {
			continue
		}
		entries++
		if err := s.o.Tasks.DoneIn(ctx, tx, d.MerchantID, "deposit."+q.Kind, d.Reference, "deposits/"+formatID(d.ID)); err != nil {
			return 0, err
		}
	}
	if entries == 0 {
		return 0, nil
	}
	_, err = tx.Q.EndDepositQueue(ctx, d.ID, sql.NullInt64{Int64: db.Millis(s.o.Now()), Valid: true}, audit.Actor(ctx))
	return entries, err
}

// ConfirmIn credits a deposit that an operator confirmed. A deposit that has ended unpaid can be confirmed too, because its money may
// arrive late. If received is not 0, it replaces the amount.
func (s *Service) ConfirmIn(ctx context.Context, tx *db.Tx, merchantID, id, version int64, received money.Minor) (before, after query.Deposit, err error) {
	d, err := lockVersion(ctx, tx, merchantID, id, version)
	if err != nil {
		return d, d, err
	}
	before = d
	if d.Status == Credited {
		return d, d, ErrState
	}
	amount, fee := money.Minor(d.Amount), money.Minor(d.Fee)
	if received != 0 && received != amount {
		row, err := tx.Q.DepositMethodByID(ctx, d.MethodID)
		if err != nil {
			return d, d, fmt.Errorf("read method: %w", err)
		}
		m, err := methodOf(row)
		if err != nil {
			return d, d, err
		}
		if amount, fee = received, m.FeeOf(received); amount <= 0 || amount > ledger.MaxAmount || fee >= amount {
			return d, d, ErrAmount.On("amount")
		}
	}
	paidID, err := s.lastPaidID(ctx, tx, &d, 0)
	if err != nil {
		return d, d, err
	}
	if err := s.creditIn(ctx, tx, &d, amount, fee, paidID); err != nil {
		return d, d, err
	}
	_, err = s.settleQueueIn(ctx, tx, &d)
	return before, d, err
}

// RefuseIn ends an open deposit that an operator refused. A deposit that has already ended is only removed from the queue.
func (s *Service) RefuseIn(ctx context.Context, tx *db.Tx, merchantID, id, version int64, reason string) (before, after query.Deposit, err error) {
	d, err := lockVersion(ctx, tx, merchantID, id, version)
	if err != nil {
		return d, d, err
	}
	before = d
	entries, err := s.settleQueueIn(ctx, tx, &d)
	switch {
	case err != nil:
		return d, d, err
	case isOpen(d.Status):
		err = s.endIn(ctx, tx, &d, Refused, reason)
	case entries == 0:
		err = ErrState
	default:
		err = tx.Q.BumpDeposit(ctx, d.ID)
	}
	return before, d, err
}

// lockVersion locks a merchant's deposit. It fails with ErrStale if version is not the current version. Version 0 accepts any.
func lockVersion(ctx context.Context, tx *db.Tx, merchantID, id, version int64) (query.Deposit, error) {
	d, err := tx.Q.LockDeposit(ctx, id)
	switch {
	case errors.Is(err, sql.ErrNoRows) || err == nil && d.MerchantID != merchantID:
		return query.Deposit{}, ErrUnknown
	case err != nil:
		return query.Deposit{}, fmt.Errorf("lock deposit: %w", err)
	case version != 0 && version != d.Version:
		return query.Deposit{}, ErrStale
	}
	return d, nil
}
