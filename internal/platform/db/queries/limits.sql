-- name: LimitGuard :one
SELECT * FROM limit_guard WHERE member_id = $1;

-- Creates the row, or locks it.
-- name: LockLimitGuard :exec
INSERT INTO limit_guard (member_id) VALUES ($1) ON CONFLICT (member_id) DO UPDATE SET member_id = excluded.member_id;

-- name: SetRealityCheck :exec
UPDATE limit_guard SET check_minutes = $2, playing_since = $3 WHERE member_id = $1;

-- The first stake since the member's last rest.
-- name: PlayingSince :one
SELECT CAST(COALESCE(MAX(u.at), 0) AS BIGINT) FROM limit_use u JOIN member m ON m.id = u.member_id AND m.currency = u.currency
WHERE u.member_id = sqlc.arg(member_id) AND u.what = 'stake' AND u.amount > 0 AND u.at > sqlc.arg(since) AND NOT EXISTS (
  SELECT 1 FROM limit_use b WHERE b.member_id = u.member_id AND b.currency = u.currency AND b.what = 'stake' AND b.amount > 0
    AND b.at < u.at AND b.at > u.at - CAST(sqlc.arg(rest) AS BIGINT));

-- name: LastStakeTime :one
SELECT CAST(COALESCE(MAX(u.at), 0) AS BIGINT) FROM limit_use u JOIN member m ON m.id = u.member_id AND m.currency = u.currency
WHERE u.member_id = sqlc.arg(member_id) AND u.what = 'stake' AND u.amount > 0 AND u.at > sqlc.arg(since);

-- Deletes the oldest expired uses. Transfer ids increase with time.
-- name: DropOldUses :execrows
DELETE FROM limit_use WHERE limit_use.at < sqlc.arg(before) AND transfer_id IN (SELECT u.transfer_id FROM limit_use u ORDER BY u.transfer_id LIMIT 1000);

-- Deletes the oldest sums that no window needs.
-- name: DropOldSums :execrows
DELETE FROM limit_sum WHERE limit_sum.since < sqlc.arg(before) AND limit_sum.since <= (
  SELECT MAX(o.since) FROM (SELECT s.since FROM limit_sum s ORDER BY s.since LIMIT 1000) o);

-- name: LimitUseTime :one
SELECT at FROM limit_use WHERE transfer_id = $1;

-- name: AnswerRealityCheck :exec
UPDATE limit_guard SET checked_at = $2 WHERE member_id = $1;

-- name: SetBreak :exec
UPDATE limit_guard SET break_kind = $2, break_period = $3, break_since = $4, break_until = $5 WHERE member_id = $1;

-- name: AddMobileMark :exec
INSERT INTO limit_mark (merchant_id, kind, value, member_id)
SELECT m.merchant_id, 'mobile', m.mobile, m.id FROM member m WHERE m.id = $1 AND m.mobile IS NOT NULL
ON CONFLICT (merchant_id, kind, value, member_id) DO NOTHING;

-- name: AddEmailMark :exec
INSERT INTO limit_mark (merchant_id, kind, value, member_id)
SELECT m.merchant_id, 'email', lower(m.email), m.id FROM member m WHERE m.id = $1 AND m.email IS NOT NULL
ON CONFLICT (merchant_id, kind, value, member_id) DO NOTHING;

-- name: AddExternalEmailMarks :exec
INSERT INTO limit_mark (merchant_id, kind, value, member_id)
SELECT i.merchant_id, 'email', CAST(i.email AS TEXT), i.member_id FROM identity i WHERE i.member_id = $1 AND i.email IS NOT NULL
ON CONFLICT (merchant_id, kind, value, member_id) DO NOTHING;

-- Counts other members on a break that began before a time and still runs, with the same verified contacts then or since.
-- name: CountMembersOnBreakWithContacts :one
SELECT COUNT(*) FROM limit_guard g
WHERE g.break_until > sqlc.arg(now) AND g.break_kind <> 'hold' AND g.break_since <= sqlc.arg(before) AND g.member_id <> sqlc.arg(member_id) AND g.member_id IN (
  SELECT k.member_id FROM limit_mark k
  WHERE k.merchant_id = sqlc.arg(merchant_id)
    AND (k.kind = 'mobile' AND k.value = sqlc.arg(mobile) OR k.kind = 'email' AND k.value = lower(sqlc.arg(email)))
  UNION
  SELECT m.id FROM member m WHERE m.merchant_id = sqlc.arg(merchant_id) AND m.mobile = sqlc.arg(mobile)
  UNION
  SELECT m.id FROM member m WHERE m.merchant_id = sqlc.arg(merchant_id) AND lower(m.email) = lower(sqlc.arg(email))
  UNION
  SELECT i.member_id FROM identity i WHERE i.merchant_id = sqlc.arg(merchant_id) AND i.email = lower(sqlc.arg(email)));

-- name: PlayLimits :many
SELECT * FROM play_limit WHERE member_id = $1 ORDER BY kind, period;

-- name: PlayLimit :one
SELECT * FROM play_limit WHERE member_id = $1 AND kind = $2 AND period = $3;

-- name: PutPlayLimit :exec
INSERT INTO play_limit (member_id, kind, period, currency, amount, since) VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (member_id, kind, period) DO UPDATE
SET currency = excluded.currency, amount = excluded.amount, since = excluded.since, asked_at = NULL, asked_amount = NULL;

-- name: RequestPlayLimit :exec
UPDATE play_limit SET asked_at = $4, asked_amount = $5 WHERE member_id = $1 AND kind = $2 AND period = $3;

-- name: DropPlayLimit :exec
DELETE FROM play_limit WHERE member_id = $1 AND kind = $2 AND period = $3;

-- name: AddMemberHold :exec
INSERT INTO member_hold (member_id, reason, held_at) VALUES ($1, $2, $3) ON CONFLICT (member_id) DO NOTHING;

-- name: MemberHold :one
SELECT * FROM member_hold WHERE member_id = $1;

-- name: ReleaseMember :execrows
UPDATE member_hold SET released_at = sqlc.arg(released_at) WHERE member_id = sqlc.arg(member_id) AND released_at = 0;

-- name: HeldMembers :many
SELECT m.account, h.reason, h.held_at FROM member_hold h JOIN member m ON m.id = h.member_id
WHERE m.merchant_id = $1 AND h.released_at = 0 ORDER BY h.held_at, h.member_id;

-- Counts other members on a break with the same identity number, or with the same real name and a login from the same address.
-- name: CountMembersOnBreakWithPerson :one
SELECT COUNT(*) FROM limit_guard g JOIN member m ON m.id = g.member_id
WHERE g.break_until > sqlc.arg(now) AND g.break_kind <> 'hold' AND g.member_id <> sqlc.arg(member_id) AND m.merchant_id = sqlc.arg(merchant_id) AND (
  CAST(sqlc.arg(id_number) AS TEXT) <> '' AND EXISTS (
    SELECT 1 FROM member_detail d WHERE d.member_id = m.id AND d.name = 'idNumber' AND lower(d.value) = lower(CAST(sqlc.arg(id_number) AS TEXT)))
  OR CAST(sqlc.arg(payee_name) AS TEXT) <> '' AND lower(m.payee_name) = lower(CAST(sqlc.arg(payee_name) AS TEXT)) AND EXISTS (
    SELECT 1 FROM session s WHERE s.member_id = m.id AND s.address = CAST(sqlc.arg(address) AS TEXT)));
