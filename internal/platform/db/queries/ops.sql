-- name: AddOperator :execrows
INSERT INTO operator (id, name, role, password_hash, created_at) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (name) DO NOTHING;

-- name: AddFirstOperator :execrows
INSERT INTO operator (id, name, role, password_hash, created_at)
SELECT CAST(sqlc.arg(id) AS BIGINT), CAST(sqlc.arg(name) AS TEXT), CAST(sqlc.arg(role) AS TEXT),
  CAST(sqlc.arg(password_hash) AS TEXT), CAST(sqlc.arg(created_at) AS BIGINT)
WHERE NOT EXISTS (SELECT 1 FROM operator)
ON CONFLICT (name) DO NOTHING;

-- name: CountOperators :one
SELECT COUNT(*) FROM operator;

-- name: SetOperatorPassword :execrows
UPDATE operator SET password_hash = $2 WHERE name = $1;
