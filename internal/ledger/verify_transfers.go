package ledger

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"

	"fairground/internal/money"
	"fairground/internal/platform/db/query"
)

// A storedTransfer is a transfer row joined with its entries, accounts and origin, where they exist.
type storedTransfer struct {
	query.Transfer
	debitTransfer, debitAmount    sql.NullInt64
	creditTransfer, creditAmount  sql.NullInt64
	debitCurrency, creditCurrency sql.NullString
	debitMerchant, creditMerchant sql.NullInt64
	debitMember, creditMember     sql.NullInt64
	debitKind, creditKind         sql.NullString
	creditDerived                 sql.NullBool
	originDebit, originCredit     sql.NullInt64
	originAmount, originOrigin    sql.NullInt64
	originKind, originRefusal     sql.NullString
}

func (v *verifier) checkTransfers(ctx context.Context) error {
	const q = `SELECT t.id, t.payload_hash, t.debit_id, t.credit_id, t.amount, t.kind, t.origin_id, t.refusal, t.debit_seq, t.credit_seq,
  t.ref_type, t.ref_id, t.note, d.transfer_id, d.amount, c.transfer_id, c.amount,
  da.currency, ca.currency, da.merchant_id, ca.merchant_id,
  da.member_id, ca.member_id, da.kind, ca.kind, ca.derived, o.debit_id, o.credit_id, o.amount, o.origin_id, o.kind, o.refusal
FROM transfer t
LEFT JOIN entry d ON d.account_id = t.debit_id AND d.seq = t.debit_seq
LEFT JOIN entry c ON c.account_id = t.credit_id AND c.seq = t.credit_seq
LEFT JOIN account da ON da.id = t.debit_id
LEFT JOIN account ca ON ca.id = t.credit_id
LEFT JOIN transfer o ON o.id = t.origin_id
ORDER BY t.id`
	err := v.each(ctx, q, func(rows *sql.Rows) error {
		var s storedTransfer
		err := rows.Scan(&s.ID, &s.PayloadHash, &s.DebitID, &s.CreditID, &s.Amount, &s.Kind, &s.OriginID, &s.Refusal, &s.DebitSeq, &s.CreditSeq,
			&s.RefType, &s.RefID, &s.Note, &s.debitTransfer, &s.debitAmount, &s.creditTransfer, &s.creditAmount,
			&s.debitCurrency, &s.creditCurrency, &s.debitMerchant, &s.creditMerchant,
			&s.debitMember, &s.creditMember, &s.debitKind, &s.creditKind, &s.creditDerived,
			&s.originDebit, &s.originCredit, &s.originAmount, &s.originOrigin, &s.originKind, &s.originRefusal)
		if err != nil {
			return err
		}
		v.checkTransfer(&s)
		return nil
	})
	if err != nil {
		return fmt.Errorf("read transfers: %w", err)
	}
	return nil
}

func (v *verifier) checkTransfer(s *storedTransfer) {
	v.report.Transfers++
	if s.Kind == kindTombstone {
		v.checkTombstone(s)
		return
	}
	t := Transfer{Debit: s.DebitID, Credit: s.CreditID, Amount: money.Minor(s.Amount), Kind: s.Kind, Origin: s.OriginID.Int64,
		RefType: s.RefType, RefID: s.RefID, Note: s.Note}
	if digest := t.hash(); !bytes.Equal(digest[:], s.PayloadHash) {
		v.addBroken(InvariantHash, "transfer %d", s.ID)
	}
	if !s.debitCurrency.Valid || s.debitCurrency != s.creditCurrency || s.debitMerchant != s.creditMerchant {
		v.addBroken(InvariantAccounts, "transfer %d from account %d to %d", s.ID, s.DebitID, s.CreditID)
	}
	id := sql.NullInt64{Int64: s.ID, Valid: true}
	if s.Refusal.Valid || s.Amount == 0 {
		if s.Refusal.Valid {
			v.report.Refused++
		} else {
			v.report.Empty++
		}
		if !isEarlierEntry(s.DebitSeq, s.debitTransfer, id) || !isEarlierEntry(s.CreditSeq, s.creditTransfer, id) {
			v.addBroken(InvariantEntries, "transfer %d moved nothing and names its own entries or missing ones", s.ID)
		}
		return
	}
	if s.debitTransfer != id || s.debitAmount.Int64 != -s.Amount || s.creditTransfer != id || s.creditAmount.Int64 != s.Amount {
		v.addBroken(InvariantEntries, "transfer %d", s.ID)
	}
	if !s.OriginID.Valid && !t.settles() {
		return
	}
	var o *origin
	if s.originDebit.Valid {
		o = &origin{Transfer: query.Transfer{DebitID: s.originDebit.Int64, CreditID: s.originCredit.Int64, Amount: s.originAmount.Int64,
			Kind: s.originKind.String, OriginID: s.originOrigin, Refusal: s.originRefusal}}
	}
	err := checkOrigin(&t, o)
	if err == nil {
		err = checkHeld(t.Kind, &query.Account{MemberID: s.debitMember, Kind: s.debitKind.String},
			&query.Account{MemberID: s.creditMember, Kind: s.creditKind.String, Derived: s.creditDerived.Bool})
	}
	if err != nil {
		v.addBroken(InvariantOrigins, "transfer %d of origin %d: %v", s.ID, s.OriginID.Int64, err)
	}
}

// isEarlierEntry checks the entry that a transfer without movement refers to. There must be no such entry, or it must
// belong to an earlier transfer.
func isEarlierEntry(seq, transfer, id sql.NullInt64) bool {
	if seq.Int64 == 0 {
		return !transfer.Valid
	}
	return transfer.Valid && transfer != id
}

func (v *verifier) checkTombstone(s *storedTransfer) {
	v.report.Refused++
	v.report.Tombstones++
	content := s.DebitID != 0 || s.CreditID != 0 || s.Amount != 0 || s.OriginID.Valid || s.RefType+s.RefID+s.Note != "" || len(s.PayloadHash) > 0
	if content || s.Refusal.String != ErrTombstone.Code || s.DebitSeq.Valid || s.CreditSeq.Valid {
		v.addBroken(InvariantTombstones, "transfer %d", s.ID)
	}
}

func (v *verifier) checkEntryCounts(ctx context.Context) error {
	var entries int64
	if err := v.tx.QueryRowContext(ctx, `SELECT count(*) FROM entry`).Scan(&entries); err != nil {
		return fmt.Errorf("count entries: %w", err)
	}
	if entries != v.report.Entries {
		v.addBroken(InvariantEntries, "%d entries belong to missing accounts", entries-v.report.Entries)
	}
	if expected := 2 * (v.report.Transfers - v.report.Refused - v.report.Empty); entries != expected {
		v.addBroken(InvariantEntries, "%d entries, but posted transfers name %d", entries, expected)
	}
	return nil
}

func (v *verifier) checkSettlements(ctx context.Context) error {
	err := v.each(ctx, `SELECT origin_id, count(*) FROM transfer WHERE origin_id IS NOT NULL AND refusal IS NULL
GROUP BY origin_id HAVING count(*) > 1`, func(rows *sql.Rows) error {
		var id, n int64
		if err := rows.Scan(&id, &n); err != nil {
			return err
		}
		v.addBroken(InvariantOrigins, "origin %d was settled or reversed %d times", id, n)
		return nil
	})
	if err != nil {
		return fmt.Errorf("read settlements: %w", err)
	}
	return nil
}
