-- Inserts no row if the name exists.
-- name: AddUpload :execrows
INSERT INTO upload (name, body, created_at) VALUES ($1, $2, $3) ON CONFLICT (name) DO NOTHING;

-- name: Upload :one
SELECT body FROM upload WHERE name = $1;

-- name: DeleteUpload :exec
DELETE FROM upload WHERE name = $1;

-- name: UploadNames :many
SELECT name FROM upload WHERE name > sqlc.arg(after) ORDER BY name LIMIT sqlc.arg(max);
