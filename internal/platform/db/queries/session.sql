-- Locks the member's row until the session is written, so that ending all sessions happens before or after it.
-- name: LockMemberEpoch :execrows
UPDATE member SET epoch = epoch WHERE id = sqlc.arg(id) AND epoch = sqlc.arg(epoch);

-- name: NextMemberEpoch :exec
UPDATE member SET epoch = epoch + 1 WHERE id = $1;

-- name: AddSession :exec
INSERT INTO session (id, member_id, token_hash, device, address, created_at, seen_at, expires_at, is_first)
VALUES ($1, $2, $3, $4, $5, $6, $6, $7, (SELECT NOT m.has_logged_in FROM member m WHERE m.id = $2));

-- name: MarkLoggedIn :exec
UPDATE member SET has_logged_in = TRUE WHERE id = $1 AND NOT has_logged_in;

-- name: LoginAddresses :many
SELECT DISTINCT s.address
FROM session s JOIN member m ON m.id = s.member_id
WHERE m.merchant_id = $1 AND m.account = $2 AND s.created_at > $3
LIMIT 500;

-- name: LoginAddressesOfMobile :many
SELECT DISTINCT s.address
FROM session s JOIN member m ON m.id = s.member_id
WHERE m.merchant_id = $1 AND m.mobile = $2 AND s.created_at > $3
LIMIT 500;

-- name: LoginAddressesOfEmail :many
SELECT DISTINCT s.address
FROM session s JOIN member m ON m.id = s.member_id
WHERE m.merchant_id = $1 AND lower(m.email) = lower(sqlc.arg(email)) AND s.created_at > $2
LIMIT 500;

-- name: SessionByToken :one
SELECT s.id, s.member_id, s.seen_at, s.expires_at, s.is_first,
  m.merchant_id, m.account, m.nickname, m.type, m.currency, m.first_time_login
FROM session s JOIN member m ON m.id = s.member_id
WHERE s.token_hash = $1 AND s.ended_at IS NULL AND m.status = 'active';

-- name: SessionByID :one
SELECT s.seen_at, s.expires_at, m.merchant_id
FROM session s JOIN member m ON m.id = s.member_id
WHERE s.id = $1 AND s.ended_at IS NULL AND m.status = 'active';

-- name: TouchSession :exec
UPDATE session SET seen_at = $2 WHERE id = $1 AND seen_at < $2 AND ended_at IS NULL;

-- name: RotateSession :execrows
UPDATE session SET token_hash = sqlc.arg(new_hash), seen_at = sqlc.arg(seen_at)
WHERE id = sqlc.arg(id) AND token_hash = sqlc.arg(old_hash) AND ended_at IS NULL;

-- Returns the current token digest, because the token may have been renewed meanwhile.
-- name: EndSession :many
UPDATE session SET ended_at = $2, ended_why = $3 WHERE id = $1 AND ended_at IS NULL
RETURNING token_hash;

-- Ends all usable sessions except the newest ones.
-- name: EndSurplusSessions :many
UPDATE session SET ended_at = sqlc.arg(ended_at), ended_why = sqlc.arg(ended_why) WHERE id IN (
  SELECT s.id FROM session s
  WHERE s.member_id = sqlc.arg(member_id) AND s.ended_at IS NULL
    AND s.expires_at > sqlc.arg(now) AND s.seen_at > sqlc.arg(idle_since)
  ORDER BY s.created_at DESC, s.id DESC LIMIT 1000 OFFSET sqlc.arg(keep))
RETURNING id, token_hash;

-- name: EndMemberSessions :many
UPDATE session SET ended_at = $2, ended_why = $3 WHERE member_id = $1 AND ended_at IS NULL
RETURNING token_hash;

-- Deletes at most 500 rows at once, because on SQLite a long delete blocks all other writes.
-- name: DropOldSessions :execrows
DELETE FROM session WHERE id IN (
  SELECT old.id FROM session old WHERE old.expires_at < $1 ORDER BY old.expires_at LIMIT 500);

-- name: LiveSessions :many
SELECT id, device, address, created_at, seen_at FROM session
WHERE member_id = sqlc.arg(member_id) AND ended_at IS NULL AND expires_at > sqlc.arg(now) AND seen_at > sqlc.arg(idle_since)
ORDER BY seen_at DESC, id DESC LIMIT 100;

-- name: EndOwnSession :many
UPDATE session SET ended_at = sqlc.arg(ended_at), ended_why = sqlc.arg(ended_why)
WHERE id = sqlc.arg(id) AND member_id = sqlc.arg(member_id) AND ended_at IS NULL
RETURNING token_hash;

-- name: EndOtherSessions :many
UPDATE session SET ended_at = sqlc.arg(ended_at), ended_why = sqlc.arg(ended_why)
WHERE member_id = sqlc.arg(member_id) AND id <> sqlc.arg(keep) AND ended_at IS NULL
RETURNING id, token_hash;

-- name: EndAllSessions :exec
UPDATE session SET ended_at = $1, ended_why = $2 WHERE ended_at IS NULL;
