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

// NoticesIn implements gateway.Receiver for payments. It locks the deposits, so notices about one deposit are decided one after
// another. It credits the deposits that were paid as requested together, and decides about the other notices one by one.
func (s *Service) NoticesIn(ctx context.Context, tx *db.Tx, notices []gateway.Notice) ([]gateway.Code, error) {
	locked, err := lockReferences(ctx, tx, notices)
	if err != nil {
		return nil, fmt.Errorf("lock deposits: %w", err)
	}
	codes := make([]gateway.Code, len(notices))
	var credits []credit
	var others []int
	credited := map[int64]bool{}
	for i, n := range notices {
		d := locked[referenceKey{n.Gateway.ID, n.Reference}]
		switch {
		case d == nil:
			codes[i] = gateway.Unknown
		case n.Status == gateway.Paid && n.Gateway.Enabled && isOpen(d.Status) && !credited[d.ID] && n.SameMoney(money.Minor(d.Amount), d.Currency):
			codes[i], credited[d.ID] = gateway.OK, true
			credits = append(credits, credit{d, money.Minor(d.Amount), money.Minor(d.Fee), n.PaymentID})
		default:
			others = append(others, i)
		}
	}
	if err := s.creditIn(ctx, tx, credits...); err != nil {
		return nil, err
	}
	for _, i := range others {
		if codes[i], err = s.noticeIn(ctx, tx, notices[i]); err != nil {
			return nil, err
		}
	}
	return codes, nil
}

// noticeIn decides about a notice of a locked deposit.
func (s *Service) noticeIn(ctx context.Context, tx *db.Tx, n gateway.Notice) (gateway.Code, error) {
	d, err := tx.Q.LockDepositByReference(ctx, n.Reference, sql.NullInt64{Int64: n.Gateway.ID, Valid: true})
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

// paidIn decides about a payment that does not credit its deposit now.
func (s *Service) paidIn(ctx context.Context, tx *db.Tx, d *query.Deposit, n gateway.Notice) (gateway.Code, error) {
	sameMoney := n.SameMoney(money.Minor(d.Amount), d.Currency)
	switch {
	case isOpen(d.Status) && !n.Gateway.Enabled: // it may have been disabled because others control it
		return gateway.Late, s.queueIn(ctx, tx, d, QueueLate, n.ID)
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

// A credit is a deposit whose money has arrived.
type credit struct {
	d           *query.Deposit // the fields that lockReferences sets are enough
	amount, fee money.Minor
	paidID      string
}

// creditIn credits deposits to their members, once. The transfers are not guarded, because money that has arrived is never refused.
// If a deposit has ended unpaid, or if another amount arrived, the received amount counts against the limits now.
func (s *Service) creditIn(ctx context.Context, tx *db.Tx, credits ...credit) error {
	if len(credits) == 0 {
		return nil
	}
	transfers := make([]ledger.Transfer, len(credits))
	for i, c := range credits {
		d := c.d
		transfers[i] = ledger.Transfer{
			Key: "deposit/credit/" + formatID(d.ID), Debit: d.SourceID, Credit: d.CashID, Amount: c.amount - c.fee, Kind: kindDeposit,
			RefType: "deposit", RefID: d.Reference,
		}
		if isOpen(d.Status) && int64(c.amount) != d.Amount {
			if err := s.returnReservedIn(ctx, tx, d); err != nil {
				return err
			}
		}
		if !isOpen(d.Status) || int64(c.amount) != d.Amount {
			transfers[i].Rows = []ledger.Row{s.o.Limits.Deposit(d.MemberID, d.Currency, c.amount)}
		}
		d.Status, d.Amount, d.Fee, d.PaidID, d.Reason = Credited, int64(c.amount), int64(c.fee), c.paidID, ""
		d.EndedAt = sql.NullInt64{Int64: db.Millis(s.o.Now()), Valid: true}
	}
	if err := s.notifyIn(ctx, tx, credits); err != nil {
		return err
	}
	changed := make([]*query.Deposit, len(credits))
	for i, c := range credits {
		changed[i] = c.d
	}
	if err := s.announceIn(ctx, tx, changed...); err != nil {
		return err
	}
	posted, err := s.o.Ledger.PostIn(ctx, tx, transfers...) // last, because it locks the members' accounts until the commit
	if err != nil {
		return fmt.Errorf("credit deposit: %w", err)
	}
	for i, d := range changed {
		d.TransferID = sql.NullInt64{Int64: posted[i].ID, Valid: true}
	}
	if err := storeCredits(ctx, tx, changed); err != nil {
		return fmt.Errorf("mark deposit as credited: %w", err)
	}
	return nil
}

// notifyIn sends the members a message that their deposits were credited.
func (s *Service) notifyIn(ctx context.Context, tx *db.Tx, credits []credit) error {
	if s.o.Inbox == nil {
		return nil
	}
	members, args := make([]int64, len(credits)), make([]map[string]string, len(credits))
	for i, c := range credits {
		currency, err := money.Find(c.d.Currency)
		if err != nil {
			return err
		}
		members[i], args[i] = c.d.MemberID, map[string]string{"amount": currency.Format(c.amount - c.fee), "currency": currency.Code}
	}
	return s.o.Inbox.SystemManyIn(ctx, tx, "deposit.credited", members, args)
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

// announceIn informs the members' pages about changed deposits.
func (s *Service) announceIn(ctx context.Context, tx *db.Tx, deposits ...*query.Deposit) error {
	messages := make([]events.Message, len(deposits))
	for i, d := range deposits {
		data, err := json.Marshal(map[string]string{"id": formatID(d.ID), "status": d.Status})
		if err != nil {
			return err
		}
		messages[i] = events.Message{Member: formatID(d.MemberID), Event: Event, Data: data}
	}
	return s.o.Outbox.Add(ctx, tx, s.o.Now(), messages...)
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
	if err := s.creditIn(ctx, tx, credit{&d, amount, fee, paidID}); err != nil {
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
