package deposit

import (
	"context"
	"errors"

	"fairground/internal/finance/gateway"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// A referenceKey identifies a deposit by its reference at a gateway.
type referenceKey struct {
	gatewayID int64
	reference string
}

// lockReferences locks the deposits of notices, in the order of their ids, and returns the fields that a credit needs.
func lockReferences(ctx context.Context, tx *db.Tx, notices []gateway.Notice) (locked map[referenceKey]*query.Deposit, err error) {
	type reference struct {
		GatewayID int64  `json:"gateway_id"`
		Reference string `json:"reference"`
	}
	references := make([]reference, len(notices))
	for i, n := range notices {
		references[i] = reference{n.Gateway.ID, n.Reference}
	}
	list, err := db.JSONOf(references)
	if err != nil {
		return nil, err
	}
	statement := `SELECT d.id, d.gateway_id, d.reference, d.merchant_id, d.member_id, d.status, d.currency, d.amount, d.fee, d.source_id, d.cash_id
FROM ` + db.FromJSON(tx.Engine, "gateway_id bigint", "reference text") + ` JOIN deposit d ON d.reference = x.reference AND d.gateway_id = x.gateway_id ORDER BY d.id`
	if tx.Engine == db.Postgres {
		statement += " FOR NO KEY UPDATE OF d"
	}
	rows, err := db.Bind(tx.Engine, tx.Tx).QueryContext(ctx, statement, list)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	locked = make(map[referenceKey]*query.Deposit, len(notices))
	for rows.Next() {
		d := &query.Deposit{}
		err := rows.Scan(&d.ID, &d.GatewayID, &d.Reference, &d.MerchantID, &d.MemberID, &d.Status, &d.Currency, &d.Amount, &d.Fee, &d.SourceID, &d.CashID)
		if err != nil {
			return nil, err
		}
		locked[referenceKey{d.GatewayID.Int64, d.Reference}] = d
	}
	return locked, rows.Err()
}

// storeCredits stores that deposits were credited.
func storeCredits(ctx context.Context, tx *db.Tx, deposits []*query.Deposit) error {
	type row struct {
		ID         int64  `json:"id"`
		Amount     int64  `json:"amount"`
		Fee        int64  `json:"fee"`
		TransferID int64  `json:"transfer_id"`
		PaidID     string `json:"paid_id"`
		EndedAt    int64  `json:"ended_at"`
	}
	rows := make([]row, len(deposits))
	for i, d := range deposits {
		rows[i] = row{d.ID, d.Amount, d.Fee, d.TransferID.Int64, d.PaidID, d.EndedAt.Int64}
	}
	list, err := db.JSONOf(rows)
	if err != nil {
		return err
	}
	_, err = db.Bind(tx.Engine, tx.Tx).ExecContext(ctx, `UPDATE deposit SET status = 'CREDITED', amount = x.amount, fee = x.fee, transfer_id = x.transfer_id, paid_id = x.paid_id,
  ended_at = x.ended_at, next_call_at = 0, version = version + 1
FROM `+db.FromJSON(tx.Engine, "id bigint", "amount bigint", "fee bigint", "transfer_id bigint", "paid_id text", "ended_at bigint")+" WHERE deposit.id = x.id", list)
	return err
}
