-- Replaces an older code. It changes no row if the older one was just sent.
-- name: PutCode :execrows
INSERT INTO code (subject, hash, network, tries, created_at, expires_at)
VALUES (sqlc.arg(subject), sqlc.arg(hash), sqlc.arg(network), sqlc.arg(tries), sqlc.arg(created_at), sqlc.arg(expires_at))
ON CONFLICT (subject) DO UPDATE SET hash = excluded.hash, network = excluded.network, tries = excluded.tries,
  created_at = excluded.created_at, expires_at = excluded.expires_at
WHERE code.created_at <= sqlc.arg(sent_before);

-- name: Code :one
SELECT * FROM code WHERE subject = $1;

-- Uses one attempt, if one is left. One statement checks and changes, so that concurrent attempts cannot share it.
-- name: TryCode :many
UPDATE code SET tries = tries - 1
WHERE subject = sqlc.arg(subject) AND tries > 0 AND expires_at > sqlc.arg(now)
RETURNING hash;

-- name: DropCode :execrows
DELETE FROM code WHERE subject = $1 AND hash = $2;

-- Deletes at most 500 rows at once, because on SQLite a long delete blocks all other writes.
-- name: DropOldCodes :execrows
DELETE FROM code WHERE subject IN (
  SELECT old.subject FROM code old WHERE old.expires_at < $1 ORDER BY old.expires_at LIMIT 500);
