-- name: AddAccount :execrows
INSERT INTO account (id, member_id, merchant_id, kind, currency, floor, derived)
VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT DO NOTHING;

-- name: AccountByID :one
SELECT id, member_id, merchant_id, kind, currency, balance, floor, derived, seq FROM account WHERE id = $1;

-- name: AccountsOfMember :many
SELECT id, member_id, merchant_id, kind, currency, balance, floor, derived, seq
FROM account WHERE member_id = $1 ORDER BY id;

-- name: AccountOfMember :one
SELECT id, member_id, merchant_id, kind, currency, balance, floor, derived, seq
FROM account WHERE member_id = $1 AND kind = $2 AND currency = $3;

-- name: AccountOfHouse :one
SELECT id, member_id, merchant_id, kind, currency, balance, floor, derived, seq
FROM account WHERE merchant_id = $1 AND kind = $2 AND currency = $3 AND member_id IS NULL;

-- name: BalanceOfAccount :one
SELECT CAST(a.balance + COALESCE((SELECT SUM(d.amount) FROM account_delta d WHERE d.account_id = a.id), 0) AS BIGINT) AS balance
FROM account a WHERE a.id = $1;

-- name: SetAccount :exec
UPDATE account SET balance = $1, seq = $2 WHERE id = $3;

-- name: LastTransferID :one
SELECT CAST(COALESCE(MAX(id), 0) AS BIGINT) AS id FROM transfer;

-- name: AddTransfer :execrows
INSERT INTO transfer (id, idem_key, payload_hash, debit_id, credit_id, amount, kind, origin_id, refusal,
  debit_seq, credit_seq, ref_type, ref_id, note, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
ON CONFLICT (idem_key) DO NOTHING;

-- name: TransferByKey :one
SELECT t.id, t.payload_hash, t.kind, t.refusal, t.created_at, d.balance_after AS debit_after, c.balance_after AS credit_after
FROM transfer t
LEFT JOIN entry d ON d.account_id = t.debit_id AND d.seq = t.debit_seq
LEFT JOIN entry c ON c.account_id = t.credit_id AND c.seq = t.credit_seq
WHERE t.idem_key = $1;

-- name: BindTombstone :execrows
UPDATE transfer SET payload_hash = $1, debit_id = $2, credit_id = $3, amount = $4, kind = $5, origin_id = $6,
  debit_seq = $7, credit_seq = $8, ref_type = $9, ref_id = $10, note = $11
WHERE id = $12 AND kind = 'tombstone';

-- name: TransferByID :one
SELECT id, idem_key, payload_hash, debit_id, credit_id, amount, kind, origin_id, refusal, debit_seq, credit_seq,
  ref_type, ref_id, note, created_at
FROM transfer WHERE id = $1;

-- name: SettlementOf :one
SELECT id FROM transfer WHERE origin_id = $1 AND refusal IS NULL;

-- name: AddEntries :exec
INSERT INTO entry (account_id, seq, transfer_id, amount, balance_after)
VALUES ($1, $2, $3, $4, $5), ($6, $7, $3, $8, $9);

-- name: AddDelta :exec
INSERT INTO account_delta (account_id, amount) VALUES ($1, $2);

-- name: TakeDeltas :many
DELETE FROM account_delta WHERE id IN (SELECT d.id FROM account_delta d ORDER BY d.id LIMIT $1)
RETURNING account_id, amount;

-- name: FoldDelta :execrows
UPDATE account SET balance = balance + sqlc.arg(amount) WHERE id = sqlc.arg(id) AND derived AND balance BETWEEN sqlc.arg(least) AND sqlc.arg(most);

-- name: AddOutbox :exec
INSERT INTO outbox (payload, created_at) VALUES ($1, $2);

-- name: StatementOfAccount :many
SELECT e.seq, e.amount, e.balance_after, t.id AS transfer_id, t.kind, t.origin_id, t.ref_type, t.ref_id, t.note, t.created_at
FROM entry e JOIN transfer t ON t.id = e.transfer_id
WHERE e.account_id = $1 AND e.seq < $2
ORDER BY e.seq DESC LIMIT $3;
