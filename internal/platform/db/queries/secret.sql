-- name: AddSecret :exec
INSERT INTO secret (name, value, created_at) VALUES ($1, $2, $3)
ON CONFLICT (name) DO NOTHING;

-- name: Secret :one
SELECT value FROM secret WHERE name = $1;

-- name: AddSpentID :execrows
INSERT INTO spent (id, expires_at) VALUES ($1, $2)
ON CONFLICT (id) DO NOTHING;

-- Deletes in portions, because on SQLite it blocks all other writes.
-- name: DropSpentIDs :execrows
DELETE FROM spent WHERE id IN (
  SELECT old.id FROM spent old WHERE old.expires_at < $1 ORDER BY old.expires_at LIMIT 500);
