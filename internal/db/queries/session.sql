-- name: AddSession :exec
INSERT INTO session (id, member_id, token_hash, device, address, created_at, seen_at, expires_at)
VALUES ($1, $2, $3, $4, $5, $6, $6, $7);

-- name: SessionByToken :one
SELECT s.id, s.member_id, s.seen_at, s.expires_at,
  m.merchant_id, m.account, m.nickname, m.type, m.currency, m.first_time_login
FROM session s JOIN member m ON m.id = s.member_id
WHERE s.token_hash = $1 AND s.ended_at IS NULL AND m.status = 'active';

-- name: SessionByID :one
SELECT s.seen_at, s.expires_at, m.merchant_id
FROM session s JOIN member m ON m.id = s.member_id
WHERE s.id = $1 AND s.ended_at IS NULL AND m.status = 'active';

-- name: SeeSession :exec
UPDATE session SET seen_at = $2 WHERE id = $1 AND seen_at < $2 AND ended_at IS NULL;

-- name: RotateSession :execrows
UPDATE session SET token_hash = sqlc.arg(new_hash), seen_at = sqlc.arg(seen_at)
WHERE id = sqlc.arg(id) AND token_hash = sqlc.arg(old_hash) AND ended_at IS NULL;

-- name: EndSession :execrows
UPDATE session SET ended_at = $2, ended_why = $3 WHERE id = $1 AND ended_at IS NULL;

-- name: EndMemberSessions :many
UPDATE session SET ended_at = $2, ended_why = $3 WHERE member_id = $1 AND ended_at IS NULL
RETURNING token_hash;

-- Some at a time: on SQLite every other write waits for this one.
-- name: DropOldSessions :execrows
DELETE FROM session WHERE id IN (
  SELECT old.id FROM session old WHERE old.expires_at < $1 ORDER BY old.expires_at LIMIT 500);
