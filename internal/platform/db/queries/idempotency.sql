-- Adds no row if the key has been used. On PostgreSQL it waits for a transaction that is using the key.
-- name: UseKey :execrows
INSERT INTO idempotency (owner, call, request_key, digest, refused, response, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (owner, call, request_key) DO NOTHING;

-- name: KeyAnswer :one
SELECT digest, refused, response FROM idempotency WHERE owner = $1 AND call = $2 AND request_key = $3;

-- name: SaveAnswer :exec
UPDATE idempotency SET response = $4 WHERE owner = $1 AND call = $2 AND request_key = $3;

-- Deletes at most 500 rows at once, because on SQLite a long delete blocks all other writes.
-- name: DropOldKeys :execrows
DELETE FROM idempotency WHERE (owner, call, request_key) IN (
  SELECT old.owner, old.call, old.request_key FROM idempotency old WHERE old.created_at < $1 ORDER BY old.created_at LIMIT 500);
