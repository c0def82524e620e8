-- name: AddGateway :exec
INSERT INTO gateway (id, merchant_id, code, name, base_url, currency, min_amount, max_amount, enabled, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, TRUE, $9);

-- name: GatewayByID :one
SELECT * FROM gateway WHERE id = $1;

-- name: GatewayByCode :one
SELECT * FROM gateway WHERE merchant_id = $1 AND code = $2;

-- name: GatewaysOfMerchant :many
SELECT g.id, g.code, g.name, g.base_url, g.currency, g.min_amount, g.max_amount, g.enabled, g.version, g.created_at,
  (SELECT COUNT(*) FROM gateway_key k WHERE k.gateway_id = g.id AND k.retired_at IS NULL) AS keys
FROM gateway g WHERE g.merchant_id = $1 ORDER BY g.code;

-- name: EnabledGateways :many
SELECT * FROM gateway WHERE enabled ORDER BY id;

-- Locks the row.
-- name: LockGateway :one
UPDATE gateway SET version = version + 1 WHERE id = $1 RETURNING version;

-- name: SetGateway :exec
UPDATE gateway SET name = $2, base_url = $3, min_amount = $4, max_amount = $5, enabled = $6 WHERE id = $1;

-- name: AddGatewayKey :exec
INSERT INTO gateway_key (key_id, gateway_id, wrapped, created_at) VALUES ($1, $2, $3, $4);

-- The gateway and the active key with an id.
-- name: GatewayOfKey :one
SELECT g.id, g.merchant_id, g.code, k.wrapped FROM gateway_key k JOIN gateway g ON g.id = k.gateway_id
WHERE k.key_id = $1 AND k.retired_at IS NULL;

-- name: ActiveGatewayKeys :many
SELECT key_id, gateway_id, wrapped, created_at FROM gateway_key WHERE gateway_id = $1 AND retired_at IS NULL ORDER BY created_at DESC;

-- name: AllGatewayKeys :many
SELECT key_id, wrapped FROM gateway_key WHERE retired_at IS NULL;

-- name: SetGatewayKey :exec
UPDATE gateway_key SET wrapped = $1 WHERE key_id = $2;

-- name: DropRetiredGatewayKeys :exec
DELETE FROM gateway_key WHERE retired_at IS NOT NULL;

-- name: RetireGatewayKey :exec
UPDATE gateway_key SET retired_at = $2 WHERE key_id = $1 AND retired_at IS NULL;

-- name: NoticeCode :one
SELECT code FROM gateway_notice
WHERE gateway_id = $1 AND kind = $2 AND reference = $3 AND payment_id = $4 AND status = $5 AND amount = $6 AND currency = $7;

-- name: SetNoticeCode :exec
UPDATE gateway_notice SET code = $2 WHERE id = $1;

-- name: NoticesOf :many
SELECT * FROM gateway_notice WHERE gateway_id = $1 AND kind = $2 AND reference = $3 ORDER BY id;

-- name: UnknownNotices :many
SELECT * FROM gateway_notice WHERE gateway_id = $1 AND code = 'UNKNOWN' AND received_at >= $2 ORDER BY id LIMIT 1000;

-- name: AddReconciliation :exec
INSERT INTO gateway_reconciliation (id, gateway_id, at, since, checked, differences) VALUES ($1, $2, $3, $4, $5, $6);

-- name: LastReconciliation :many
SELECT * FROM gateway_reconciliation WHERE gateway_id = $1 ORDER BY id DESC LIMIT 1;

-- name: AddDepositMethod :exec
INSERT INTO deposit_method (id, merchant_id, code, kind, scheme, name, currency, min_amount, max_amount, fee, fee_rate, opens_at, closes_at,
  minutes, accounts, gateway_id, sorting, enabled, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19);

-- name: DepositMethodByCode :one
SELECT * FROM deposit_method WHERE merchant_id = $1 AND code = $2;

-- name: DepositMethodByID :one
SELECT * FROM deposit_method WHERE id = $1;

-- name: DepositMethods :many
SELECT * FROM deposit_method WHERE merchant_id = $1 ORDER BY sorting, id;

-- name: SetDepositMethod :execrows
UPDATE deposit_method SET scheme = $3, name = $4, min_amount = $5, max_amount = $6, fee = $7, fee_rate = $8, opens_at = $9, closes_at = $10,
  minutes = $11, accounts = $12, sorting = $13, enabled = $14, version = version + 1
WHERE id = $1 AND version = $2;

-- name: AddDeposit :exec
INSERT INTO deposit (id, merchant_id, member_id, method_id, gateway_id, kind, reference, status, currency, amount, fee, payer_name, qr, bank,
  next_call_at, source_id, cash_id, reserve_id, created_at, expires_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, 'WAITING', $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19);

-- name: DepositByID :one
SELECT * FROM deposit WHERE id = $1;

-- Locks the row.
-- name: LockDeposit :one
UPDATE deposit SET version = version WHERE id = $1 RETURNING *;

-- Locks the row.
-- name: LockDepositByReference :one
UPDATE deposit SET version = version WHERE reference = $1 AND gateway_id = $2 RETURNING *;

-- name: EndDeposit :exec
UPDATE deposit SET status = $2, reason = $3, ended_at = $4, next_call_at = 0, version = version + 1 WHERE id = $1;

-- name: SetDepositPaidID :exec
UPDATE deposit SET paid_id = $2 WHERE id = $1;

-- name: ClaimDeposit :exec
UPDATE deposit SET status = 'CLAIMED', proof = $2, version = version + 1 WHERE id = $1;

-- name: SetDepositPayment :exec
UPDATE deposit SET pay_url = $2, payment_id = $3, qr = $4, next_call_at = 0, calls = calls + 1 WHERE id = $1;

-- name: RepeatDeposit :exec
UPDATE deposit SET next_call_at = $2, calls = calls + 1 WHERE id = $1 AND next_call_at > 0;

-- name: DueDepositCalls :many
SELECT id FROM deposit WHERE next_call_at > 0 AND next_call_at <= $1 ORDER BY next_call_at LIMIT 32;

-- Takes a due call, so that only one replica makes it.
-- name: TakeDepositCall :execrows
UPDATE deposit SET next_call_at = $2 WHERE id = $1 AND next_call_at > 0 AND next_call_at <= $3;

-- name: ExpiredDeposits :many
SELECT id, kind FROM deposit WHERE status = 'WAITING' AND expires_at <= $1 ORDER BY expires_at LIMIT 200;

-- name: MemberDeposits :many
SELECT d.*, m.code AS method FROM deposit d JOIN deposit_method m ON m.id = d.method_id
WHERE d.member_id = sqlc.arg(member_id) AND d.created_at >= sqlc.arg(since) AND d.created_at < sqlc.arg(until)
  AND (CAST(sqlc.arg(status) AS TEXT) = '' OR d.status = CAST(sqlc.arg(status) AS TEXT))
  AND (d.created_at < sqlc.arg(before_at) OR d.created_at = sqlc.arg(before_at) AND d.id < sqlc.arg(before_id))
ORDER BY d.created_at DESC, d.id DESC LIMIT sqlc.arg(most);

-- name: MemberDepositSums :one
SELECT COUNT(*) AS deposits, CAST(COALESCE(SUM(d.amount), 0) AS BIGINT) AS amount, CAST(COALESCE(SUM(d.fee), 0) AS BIGINT) AS fee FROM deposit d
WHERE d.member_id = sqlc.arg(member_id) AND d.created_at >= sqlc.arg(since) AND d.created_at < sqlc.arg(until) AND d.status = 'CREDITED'
  AND (CAST(sqlc.arg(status) AS TEXT) = '' OR d.status = CAST(sqlc.arg(status) AS TEXT));

-- name: MerchantDeposits :many
SELECT d.*, m.code AS method, w.account AS member,
  CAST(COALESCE((SELECT MIN(q.kind) FROM deposit_queue q WHERE q.deposit_id = d.id AND q.done_at IS NULL), '') AS TEXT) AS queue
FROM deposit d JOIN deposit_method m ON m.id = d.method_id JOIN member w ON w.id = d.member_id
WHERE d.merchant_id = sqlc.arg(merchant_id) AND d.created_at >= sqlc.arg(since) AND d.created_at < sqlc.arg(until)
  AND (CAST(sqlc.arg(status) AS TEXT) = '' OR d.status = CAST(sqlc.arg(status) AS TEXT))
  AND (CAST(sqlc.arg(kind) AS TEXT) = '' OR d.kind = CAST(sqlc.arg(kind) AS TEXT))
  AND (CAST(sqlc.arg(text) AS TEXT) = '' OR d.reference = upper(CAST(sqlc.arg(text) AS TEXT)) OR lower(w.account) = lower(CAST(sqlc.arg(text) AS TEXT)) OR CAST(d.id AS TEXT) = CAST(sqlc.arg(text) AS TEXT))
  AND (CAST(sqlc.arg(queue) AS TEXT) = '' OR EXISTS (
    SELECT 1 FROM deposit_queue q WHERE q.deposit_id = d.id AND q.done_at IS NULL AND (CAST(sqlc.arg(queue) AS TEXT) = 'any' OR q.kind = CAST(sqlc.arg(queue) AS TEXT))))
  AND (d.created_at < sqlc.arg(before_at) OR d.created_at = sqlc.arg(before_at) AND d.id < sqlc.arg(before_id))
ORDER BY d.created_at DESC, d.id DESC LIMIT sqlc.arg(most);

-- name: GatewayDeposits :many
SELECT * FROM deposit WHERE gateway_id = $1 AND created_at >= $2 ORDER BY created_at, id LIMIT 100000;

-- name: AddDepositQueue :exec
INSERT INTO deposit_queue (id, deposit_id, kind, notice_id, created_at) VALUES ($1, $2, $3, $4, $5);

-- name: CountDepositQueue :one
SELECT COUNT(*) FROM deposit_queue WHERE deposit_id = $1 AND kind = $2 AND done_at IS NULL;

-- name: DepositQueue :many
SELECT * FROM deposit_queue WHERE deposit_id = $1 ORDER BY id;

-- name: EndDepositQueue :execrows
UPDATE deposit_queue SET done_at = $2, done_by = $3 WHERE deposit_id = $1 AND done_at IS NULL;

-- name: BumpDeposit :exec
UPDATE deposit SET version = version + 1 WHERE id = $1;
