-- Updates in portions, because on SQLite it blocks all other writes.
-- name: EndTrials :many
UPDATE member SET status = 'disabled' WHERE id IN (
  SELECT old.id FROM member old
  WHERE old.type = sqlc.arg(type) AND old.status = 'active' AND old.created_at < sqlc.arg(before)
  ORDER BY old.created_at LIMIT 100)
RETURNING id;
