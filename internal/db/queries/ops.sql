-- name: AddOperator :execrows
INSERT INTO operator (id, name, role, password_hash, created_at) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (name) DO NOTHING;

-- name: AddFirstOperator :execrows
INSERT INTO operator (id, name, role, password_hash, created_at)
SELECT CAST($1 AS BIGINT), CAST($2 AS TEXT), CAST($3 AS TEXT), CAST($4 AS TEXT), CAST($5 AS BIGINT)
WHERE NOT EXISTS (SELECT 1 FROM operator)
ON CONFLICT (name) DO NOTHING;

-- name: CountOperators :one
SELECT COUNT(*) FROM operator;
