package gateway

import (
	"context"
	"errors"
	"fmt"
	"time"

	"fairground/internal/platform/batch"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

const (
	maxNotices     = 64 // in one transaction
	maxQueued      = 1024
	receiveTimeout = 20 * time.Second
	maxWait        = 2 * time.Millisecond // for more notices of a gateway
)

// A delivery is a notice that waits for its code.
type delivery struct {
	notice   Notice
	code     Code
	replayed bool
}

// Receive stores a notice, and its receiver decides once. A repeated notice gets the first code, even if both arrive at the same
// time. Notices that arrive at the same time share a transaction.
func (s *Service) Receive(ctx context.Context, n Notice) (code Code, replayed bool, err error) {
	n.ID = s.o.IDs()
	d := &delivery{notice: n}
	err = s.deliveries.Do(ctx, 0, d)
	return d.code, d.replayed, err
}

// startReceiving starts the worker that receives notices. There is one, because its transactions would wait for each other's members.
func (s *Service) startReceiving() {
	split := func(err error) bool { return !errors.Is(err, context.DeadlineExceeded) }
	s.deliveries = batch.New(batch.Options{Max: maxNotices, Queue: maxQueued, Timeout: receiveTimeout, Split: split, Gather: maxWait}, s.receive)
}

// Close waits for the notices that are being received.
func (s *Service) Close() { s.deliveries.Close() }

func (s *Service) receive(ctx context.Context, all []*delivery) error {
	return s.o.Writer.Write(ctx, func(tx *db.Tx) error { return s.receiveIn(ctx, tx, all) })
}

func (s *Service) receiveIn(ctx context.Context, tx *db.Tx, all []*delivery) error {
	added, err := addNotices(ctx, tx, all, db.Millis(s.o.Now()))
	if err != nil {
		return fmt.Errorf("store notices: %w", err)
	}
	var repeated []*delivery
	fresh := map[string][]*delivery{} // by kind
	for _, d := range all {
		enabled, isNew := added[d.notice.ID]
		if d.code, d.replayed = Unknown, !isNew; d.replayed {
			repeated = append(repeated, d)
			continue
		}
		d.notice.Gateway.Enabled = enabled
		fresh[d.notice.Kind] = append(fresh[d.notice.Kind], d)
	}
	if err := decide(ctx, tx, s.payments, fresh[KindPayment]); err != nil {
		return err
	}
	if err := decide(ctx, tx, s.payouts, fresh[KindPayout]); err != nil {
		return err
	}
	for _, d := range repeated { // after the codes of this transaction's notices are stored
		if d.code, err = firstCode(ctx, tx, d.notice); err != nil {
			return fmt.Errorf("read the first code: %w", err)
		}
	}
	return nil
}

// decide asks the receiver for the codes of new notices and stores them.
func decide(ctx context.Context, tx *db.Tx, receiver Receiver, fresh []*delivery) error {
	if len(fresh) == 0 {
		return nil
	}
	if receiver != nil {
		notices := make([]Notice, len(fresh))
		for i, d := range fresh {
			notices[i] = d.notice
		}
		codes, err := receiver.NoticesIn(ctx, tx, notices)
		if err != nil {
			return err
		}
		for i, code := range codes {
			fresh[i].code = code
		}
	}
	if err := setCodes(ctx, tx, fresh); err != nil {
		return fmt.Errorf("store codes: %w", err)
	}
	return nil
}

func firstCode(ctx context.Context, tx *db.Tx, n Notice) (Code, error) {
	code, err := tx.Q.NoticeCode(ctx, query.NoticeCodeParams{
		GatewayID: n.Gateway.ID, Kind: n.Kind, Reference: n.Reference, PaymentID: n.PaymentID, Status: n.Status, Amount: n.Amount, Currency: n.Currency,
	})
	return Code(code), err
}

// A noticeRow is a row of gateway_notice.
type noticeRow struct {
	ID        int64  `json:"id"`
	GatewayID int64  `json:"gateway_id"`
	Kind      string `json:"kind"`
	Reference string `json:"reference"`
	PaymentID string `json:"payment_id"`
	Status    string `json:"status"`
	Amount    string `json:"amount"`
	Currency  string `json:"currency"`
	SentAt    int64  `json:"sent_at"`
}

// addNotices stores notices with the code OK. It returns the ids of those that are new, and whether their gateways are enabled. It waits
// for another transaction that stores the same notice.
func addNotices(ctx context.Context, tx *db.Tx, all []*delivery, receivedAt int64) (added map[int64]bool, err error) {
	stored := make([]noticeRow, len(all))
	for i, d := range all {
		n := d.notice
		stored[i] = noticeRow{n.ID, n.Gateway.ID, n.Kind, n.Reference, n.PaymentID, n.Status, n.Amount, n.Currency, n.At}
	}
	list, err := db.JSONOf(stored)
	if err != nil {
		return nil, err
	}
	rows, err := db.Bind(tx.Engine, tx.Tx).QueryContext(ctx, `INSERT INTO gateway_notice (id, gateway_id, kind, reference, payment_id, status, amount, currency, code, sent_at, received_at)
SELECT x.id, x.gateway_id, x.kind, x.reference, x.payment_id, x.status, x.amount, x.currency, 'OK', x.sent_at, CAST($2 AS BIGINT) FROM `+
		db.FromJSON(tx.Engine, "id bigint", "gateway_id bigint", "kind text", "reference text", "payment_id text", "status text", "amount text", "currency text", "sent_at bigint")+
		` WHERE TRUE ORDER BY x.gateway_id, x.reference, x.id
ON CONFLICT (gateway_id, kind, reference, payment_id, status, amount, currency) DO NOTHING RETURNING id, (SELECT g.enabled FROM gateway g WHERE g.id = gateway_id)`, list, receivedAt)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	added = make(map[int64]bool, len(all))
	for rows.Next() {
		var id int64
		var enabled bool
		if err := rows.Scan(&id, &enabled); err != nil {
			return nil, err
		}
		added[id] = enabled
	}
	return added, rows.Err()
}

// setCodes stores the codes that are not OK.
func setCodes(ctx context.Context, tx *db.Tx, fresh []*delivery) error {
	for _, d := range fresh {
		if d.code == OK {
			continue
		}
		if err := tx.Q.SetNoticeCode(ctx, d.notice.ID, string(d.code)); err != nil {
			return err
		}
	}
	return nil
}
