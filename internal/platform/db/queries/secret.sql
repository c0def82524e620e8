-- name: AddSecret :exec
INSERT INTO secret (name, value, created_at) VALUES ($1, $2, $3)
ON CONFLICT (name) DO NOTHING;

-- name: SetSecret :exec
UPDATE secret SET value = $1, created_at = $2 WHERE name = $3;

-- name: DropSecret :exec
DELETE FROM secret WHERE name = $1;

-- name: Secret :one
SELECT value FROM secret WHERE name = $1;

-- name: SecretTime :one
SELECT created_at FROM secret WHERE name = $1;

-- name: Secrets :many
SELECT name, value, created_at FROM secret ORDER BY name;

-- name: AddSpentID :execrows
INSERT INTO spent (id, expires_at) VALUES ($1, $2)
ON CONFLICT (id) DO NOTHING;

-- Deletes at most 500 rows at once, because on SQLite a long delete blocks all other writes.
-- name: DropSpentIDs :execrows
DELETE FROM spent WHERE id IN (
  SELECT old.id FROM spent old WHERE old.expires_at < $1 ORDER BY old.expires_at LIMIT 500);
