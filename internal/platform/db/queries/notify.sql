-- name: AddDispatch :exec
INSERT INTO dispatch (id, channel, recipient, language, kind, subject, body, state, until_at, origin, created_at, changed_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11);

-- name: Dispatch :one
SELECT * FROM dispatch WHERE id = $1;

-- Clears the body, which may contain a code.
-- name: CloseDispatch :execrows
UPDATE dispatch SET state = $2, body = '', changed_at = $3 WHERE id = $1 AND state = 'queued';

-- The demo's local messages, for its developer.
-- name: LocalDispatches :many
SELECT * FROM dispatch WHERE state = 'local' ORDER BY created_at DESC, id DESC LIMIT 100;

-- Deletes at most 500 rows at once, because on SQLite a long delete blocks all other writes.
-- name: DropOldDispatches :execrows
DELETE FROM dispatch WHERE id IN (
  SELECT old.id FROM dispatch old WHERE old.created_at < $1 ORDER BY old.created_at LIMIT 500);
