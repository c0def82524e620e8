-- name: StatementBetween :many
SELECT e.seq, e.amount, e.balance_after, t.id AS transfer_id, t.kind, t.origin_id, t.ref_type, t.ref_id, t.note, t.created_at
FROM entry e JOIN transfer t ON t.id = e.transfer_id
WHERE e.account_id = sqlc.arg(account_id) AND e.seq < sqlc.arg(below) AND t.created_at >= sqlc.arg(since) AND t.created_at < sqlc.arg(until)
  AND (CAST(sqlc.arg(kinds) AS TEXT) = '' OR CAST(sqlc.arg(kinds) AS TEXT) LIKE '%,' || t.kind || ',%')
ORDER BY e.seq DESC LIMIT sqlc.arg(most);

-- name: SumsOfAccount :many
SELECT t.kind, CAST(COUNT(*) AS BIGINT) AS movements,
  CAST(SUM(CASE WHEN e.amount > 0 THEN e.amount ELSE 0 END) AS BIGINT) AS credited,
  CAST(SUM(CASE WHEN e.amount < 0 THEN -e.amount ELSE 0 END) AS BIGINT) AS debited
FROM entry e JOIN transfer t ON t.id = e.transfer_id
WHERE e.account_id = sqlc.arg(account_id) AND t.created_at >= sqlc.arg(since) AND t.created_at < sqlc.arg(until)
GROUP BY t.kind ORDER BY t.kind;

-- name: OwnWalletVendors :many
SELECT code, display_name FROM vendor WHERE merchant_id = $1 AND own_wallet AND enabled ORDER BY sorting, code;
