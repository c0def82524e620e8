-- name: Discard :exec
INSERT INTO discarded (name, due_at) VALUES ($1, $2)
ON CONFLICT (name) DO NOTHING;

-- name: Undiscard :execrows
DELETE FROM discarded WHERE name = $1;

-- name: DueDiscarded :many
SELECT name FROM discarded WHERE due_at < $1 ORDER BY due_at LIMIT 100;
