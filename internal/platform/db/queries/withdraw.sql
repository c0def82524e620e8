-- name: AddBankCard :exec
INSERT INTO bank_card (id, merchant_id, member_id, bank, sealed, last_four, digest, is_default, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9);

-- name: BankCard :one
SELECT * FROM bank_card WHERE id = $1;

-- name: BankCards :many
SELECT * FROM bank_card WHERE member_id = $1 AND removed_at IS NULL ORDER BY is_default DESC, id;

-- name: AllBankCards :many
SELECT id, bank, sealed FROM bank_card ORDER BY id;

-- name: SetBankCardSealed :exec
UPDATE bank_card SET sealed = $2, digest = $3 WHERE id = $1;

-- name: SetDefaultBankCard :exec
UPDATE bank_card SET is_default = (id = sqlc.arg(id)), version = version + 1 WHERE member_id = sqlc.arg(member_id) AND removed_at IS NULL;

-- name: RemoveBankCard :execrows
UPDATE bank_card SET removed_at = $2, is_default = FALSE, version = version + 1 WHERE id = $1 AND removed_at IS NULL;

-- Other members with the same bank account.
-- name: CountSameBankCard :one
SELECT COUNT(DISTINCT member_id) FROM bank_card WHERE merchant_id = $1 AND digest = $2 AND member_id <> $3;

-- name: AddWithdrawal :exec
INSERT INTO withdrawal (id, merchant_id, member_id, card_id, reference, status, currency, amount, fee, cash_id, held_id, hold_id, created_at, turnover_required, turnover_done)
VALUES ($1, $2, $3, $4, $5, 'REQUESTED', $6, $7, $8, $9, $10, $11, $12, $13, $14);

-- name: AddWithdrawalStep :exec
INSERT INTO withdrawal_step (withdrawal_id, seq, status, at, actor)
SELECT sqlc.arg(withdrawal_id), COALESCE(MAX(seq), 0) + 1, CAST(sqlc.arg(status) AS TEXT), CAST(sqlc.arg(at) AS BIGINT), CAST(sqlc.arg(actor) AS TEXT)
FROM withdrawal_step WHERE withdrawal_id = sqlc.arg(withdrawal_id);

-- name: WithdrawalSteps :many
SELECT * FROM withdrawal_step WHERE withdrawal_id = $1 ORDER BY seq;

-- name: WithdrawalApprovedAt :one
SELECT CAST(COALESCE(MAX(at), 0) AS BIGINT) FROM withdrawal_step WHERE withdrawal_id = $1 AND status = 'APPROVED';

-- name: WithdrawalByID :one
SELECT * FROM withdrawal WHERE id = $1;

-- Locks the row.
-- name: LockWithdrawal :one
UPDATE withdrawal SET version = version WHERE id = $1 RETURNING *;

-- Locks the row.
-- name: LockWithdrawalByReference :one
UPDATE withdrawal SET version = version WHERE reference = $1 AND gateway_id = $2 RETURNING *;

-- name: SetWithdrawal :exec
UPDATE withdrawal SET status = $2, gateway_id = $3, payout_id = $4, bank_reference = $5, reason = $6, next_call_at = $7, transfer_id = $8,
  ended_at = $9, version = version + 1
WHERE id = $1;

-- name: SetWithdrawalPayoutID :exec
UPDATE withdrawal SET payout_id = $2 WHERE id = $1;

-- name: RepeatWithdrawal :exec
UPDATE withdrawal SET next_call_at = $2 WHERE id = $1 AND next_call_at > 0;

-- name: DueWithdrawalCalls :many
SELECT id FROM withdrawal WHERE next_call_at > 0 AND next_call_at <= $1 ORDER BY next_call_at LIMIT 32;

-- Takes and counts a due call, so that only one replica makes it.
-- name: TakeWithdrawalCall :execrows
UPDATE withdrawal SET next_call_at = $2, calls = calls + 1 WHERE id = $1 AND next_call_at > 0 AND next_call_at <= $3;

-- name: CountWithdrawals :one
SELECT COUNT(*) FROM withdrawal WHERE member_id = $1 AND created_at >= $2 AND status NOT IN ('REFUSED', 'FAILED');

-- name: CountPaidWithdrawals :one
SELECT COUNT(*) FROM withdrawal WHERE member_id = $1 AND status = 'PAID' AND id <> $2;

-- Resets of a member's passwords by operators since a time.
-- name: CountPasswordResets :one
SELECT COUNT(*) FROM audit WHERE object = sqlc.arg(object) AND at >= sqlc.arg(since) AND action IN ('member.reset-password', 'member.reset-payment-password');

-- name: LastWithdrawalAt :one
SELECT CAST(COALESCE(MAX(created_at), 0) AS BIGINT) FROM withdrawal WHERE member_id = $1;

-- The last withdrawal for which the turnover was met.
-- name: LastWithdrawalWithTurnoverAt :one
SELECT CAST(COALESCE(MAX(created_at), 0) AS BIGINT) FROM withdrawal WHERE member_id = $1 AND turnover_done >= turnover_required;

-- Deposits that were credited after a time.
-- name: DepositsSince :many
SELECT amount, fee, payer_name, CAST(COALESCE(ended_at, 0) AS BIGINT) AS credited_at FROM deposit
WHERE member_id = $1 AND status = 'CREDITED' AND ended_at > $2 ORDER BY ended_at LIMIT 10000;

-- Stakes of settled rounds without refunds. High and low bits are summed separately, because a sum may exceed 64 bits.
-- name: SettledStakes :one
SELECT CAST(COALESCE(SUM((staked - refunded) >> 32), 0) AS BIGINT) AS high, CAST(COALESCE(SUM((staked - refunded) & 4294967295), 0) AS BIGINT) AS low
FROM vendor_round WHERE member_id = $1 AND started >= $2 AND started < $3 AND status IN ('won', 'lost');

-- What promotions, including bonuses that became cash, and deposits paid to an account. The sums are rounded down to 1024 minor units, because they may exceed 64 bits.
-- name: CreditsOfAccount :one
SELECT CAST(COALESCE(SUM(CASE WHEN d.kind IN ('promotion', 'bonus') THEN t.amount / 1024 ELSE 0 END), 0) AS BIGINT) AS promotions,
  CAST(COALESCE(SUM(CASE WHEN d.kind = 'deposit' THEN t.amount / 1024 ELSE 0 END), 0) AS BIGINT) AS deposits
FROM entry e JOIN transfer t ON t.id = e.transfer_id JOIN account d ON d.id = t.debit_id
WHERE e.account_id = $1 AND t.credit_id = $1;

-- name: MemberWithdrawals :many
SELECT w.*, c.bank, c.last_four FROM withdrawal w JOIN bank_card c ON c.id = w.card_id
WHERE w.member_id = sqlc.arg(member_id) AND w.created_at >= sqlc.arg(since) AND w.created_at < sqlc.arg(until)
  AND (CAST(sqlc.arg(status) AS TEXT) = '' OR w.status = CAST(sqlc.arg(status) AS TEXT))
  AND (w.created_at < sqlc.arg(before_at) OR w.created_at = sqlc.arg(before_at) AND w.id < sqlc.arg(before_id))
ORDER BY w.created_at DESC, w.id DESC LIMIT sqlc.arg(most);

-- name: MemberWithdrawalSums :one
SELECT COUNT(*) AS withdrawals, CAST(COALESCE(SUM(w.amount), 0) AS BIGINT) AS amount, CAST(COALESCE(SUM(w.fee), 0) AS BIGINT) AS fee FROM withdrawal w
WHERE w.member_id = sqlc.arg(member_id) AND w.created_at >= sqlc.arg(since) AND w.created_at < sqlc.arg(until) AND w.status = 'PAID'
  AND (CAST(sqlc.arg(status) AS TEXT) = '' OR w.status = CAST(sqlc.arg(status) AS TEXT));

-- name: MerchantWithdrawals :many
SELECT w.*, m.account AS member, c.bank, c.last_four FROM withdrawal w JOIN member m ON m.id = w.member_id JOIN bank_card c ON c.id = w.card_id
WHERE w.merchant_id = sqlc.arg(merchant_id) AND w.created_at >= sqlc.arg(since) AND w.created_at < sqlc.arg(until)
  AND (CAST(sqlc.arg(status) AS TEXT) = '' OR w.status = CAST(sqlc.arg(status) AS TEXT))
  AND (CAST(sqlc.arg(member_id) AS BIGINT) = 0 OR w.member_id = CAST(sqlc.arg(member_id) AS BIGINT))
  AND (CAST(sqlc.arg(text) AS TEXT) = '' OR w.reference = upper(CAST(sqlc.arg(text) AS TEXT)) OR lower(m.account) = lower(CAST(sqlc.arg(text) AS TEXT)) OR CAST(w.id AS TEXT) = CAST(sqlc.arg(text) AS TEXT))
  AND (w.created_at < sqlc.arg(before_at) OR w.created_at = sqlc.arg(before_at) AND w.id < sqlc.arg(before_id))
ORDER BY w.created_at DESC, w.id DESC LIMIT sqlc.arg(most);

-- name: GatewayWithdrawals :many
SELECT * FROM withdrawal WHERE gateway_id = $1 AND created_at >= $2 ORDER BY created_at, id LIMIT 100000;
