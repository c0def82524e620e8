-- Locks the log until the transaction ends.
-- name: AdvanceAuditHead :one
UPDATE audit_head SET seq = seq + 1 WHERE id = 1 RETURNING seq, digest;

-- name: SetAuditHead :exec
UPDATE audit_head SET digest = $1 WHERE id = 1;

-- name: AuditHead :one
SELECT seq, digest FROM audit_head WHERE id = 1;

-- name: AddAuditRow :exec
INSERT INTO audit (seq, at, merchant_id, operator, permission, action, object, mode, before, after, address, request_id, digest)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13);

-- name: AuditRows :many
SELECT * FROM audit WHERE seq > sqlc.arg(after) ORDER BY seq LIMIT sqlc.arg(most);
