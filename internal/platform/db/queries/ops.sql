-- name: AddOperator :execrows
INSERT INTO operator (id, name, role, password_hash, password_given, created_at, merchant_id) VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (name) DO NOTHING;

-- name: AddFirstOperator :execrows
INSERT INTO operator (id, name, role, password_hash, created_at)
SELECT CAST(sqlc.arg(id) AS BIGINT), CAST(sqlc.arg(name) AS TEXT), CAST(sqlc.arg(role) AS TEXT),
  CAST(sqlc.arg(password_hash) AS TEXT), CAST(sqlc.arg(created_at) AS BIGINT)
WHERE NOT EXISTS (SELECT 1 FROM operator)
ON CONFLICT (name) DO NOTHING;

-- name: AddOperatorRole :exec
INSERT INTO operator_role (operator_id, role) VALUES ($1, $2)
ON CONFLICT (operator_id, role) DO NOTHING;

-- name: DropOperatorRoles :exec
DELETE FROM operator_role WHERE operator_id = $1;

-- name: CountOperators :one
SELECT COUNT(*) FROM operator;

-- name: Operators :many
SELECT id, name, merchant_id, disabled_at, created_at, version, CAST(CASE WHEN totp IS NULL THEN 0 ELSE 1 END AS BIGINT) AS enrolled
FROM operator ORDER BY name;

-- name: OperatorRoles :many
SELECT operator_id, role FROM operator_role ORDER BY operator_id, role;

-- name: RolesOfOperator :many
SELECT role FROM operator_role WHERE operator_id = $1 ORDER BY role;

-- name: OperatorByName :one
SELECT * FROM operator WHERE name = $1;

-- name: OperatorByID :one
SELECT * FROM operator WHERE id = $1;

-- name: SetOperatorPassword :many
UPDATE operator SET password_hash = $2, password_given = 1, version = version + 1 WHERE name = $1 RETURNING id;

-- name: SetOperatorDisabled :execrows
UPDATE operator SET disabled_at = sqlc.arg(disabled_at), version = version + 1 WHERE id = sqlc.arg(id) AND version = sqlc.arg(version);

-- name: BumpOperator :execrows
UPDATE operator SET version = version + 1 WHERE id = $1 AND version = $2;

-- name: SetOperatorTOTP :exec
UPDATE operator SET totp = $2, totp_step = $3 WHERE id = $1;

-- Uses a code's time step once.
-- name: UseOperatorStep :execrows
UPDATE operator SET totp_step = sqlc.arg(step) WHERE id = sqlc.arg(id) AND totp_step < sqlc.arg(step);

-- name: OperatorSecrets :many
SELECT id, totp FROM operator WHERE totp IS NOT NULL ORDER BY id;

-- name: AddRecoveryCode :exec
INSERT INTO operator_recovery (operator_id, code_hash) VALUES ($1, $2);

-- name: DropRecoveryCodes :exec
DELETE FROM operator_recovery WHERE operator_id = $1;

-- name: UseRecoveryCode :execrows
UPDATE operator_recovery SET used_at = $3 WHERE operator_id = $1 AND code_hash = $2 AND used_at IS NULL;

-- name: AddOperatorSession :exec
INSERT INTO operator_session (id, operator_id, token_hash, stage, pending, address, network, created_at, seen_at)
VALUES (sqlc.arg(id), sqlc.arg(operator_id), sqlc.arg(token_hash), sqlc.arg(stage), sqlc.arg(pending), sqlc.arg(address), sqlc.arg(network), sqlc.arg(now), sqlc.arg(now));

-- name: OperatorSession :one
SELECT * FROM operator_session WHERE token_hash = $1 AND ended_at IS NULL;

-- name: OperatorSessionByID :one
SELECT operator_session.*, operator.disabled_at FROM operator_session JOIN operator ON operator.id = operator_session.operator_id
WHERE operator_session.id = $1 AND ended_at IS NULL;

-- name: OpenOperatorSession :execrows
UPDATE operator_session SET stage = 'full', token_hash = sqlc.arg(token_hash), pending = NULL, created_at = sqlc.arg(now), seen_at = sqlc.arg(now)
WHERE id = sqlc.arg(id) AND stage <> 'full' AND ended_at IS NULL;

-- Counts a wrong code, and ends the session at the last one.
-- name: CountWrongCode :exec
UPDATE operator_session SET tries = tries + 1,
  ended_at = CASE WHEN tries + 1 >= CAST(sqlc.arg(most) AS BIGINT) THEN CAST(sqlc.arg(now) AS BIGINT) ELSE ended_at END
WHERE id = sqlc.arg(id);

-- name: SeeOperatorSession :exec
UPDATE operator_session SET seen_at = $2 WHERE id = $1 AND seen_at < $2;

-- name: ConfirmOperatorSession :exec
UPDATE operator_session SET confirmed_until = $2, tries = 0 WHERE id = $1;

-- name: EndOperatorSession :exec
UPDATE operator_session SET ended_at = $2 WHERE id = $1 AND ended_at IS NULL;

-- name: EndOperatorSessions :exec
UPDATE operator_session SET ended_at = $2 WHERE operator_id = $1 AND ended_at IS NULL;

-- name: EndAllOperatorSessions :exec
UPDATE operator_session SET ended_at = $1 WHERE ended_at IS NULL;

-- name: DropOldOperatorSessions :execrows
DELETE FROM operator_session WHERE id IN (
  SELECT old.id FROM operator_session old WHERE old.created_at < $1 ORDER BY old.created_at LIMIT 500);

-- Reports whether the operator had a session from a network lately.
-- name: OperatorKnownIn :one
SELECT EXISTS (SELECT 1 FROM operator_session WHERE operator_id = sqlc.arg(operator_id) AND stage = 'full' AND network = sqlc.arg(network) AND created_at > sqlc.arg(since)) AS known;

-- name: CustomRoles :many
SELECT name, permissions FROM ops_role ORDER BY name;

-- name: PutCustomRole :exec
INSERT INTO ops_role (name, permissions) VALUES ($1, $2)
ON CONFLICT (name) DO UPDATE SET permissions = excluded.permissions;

-- name: DropCustomRole :execrows
DELETE FROM ops_role WHERE name = $1;

-- name: OperatorsWithRole :many
SELECT operator_id FROM operator_role WHERE role = $1 ORDER BY operator_id;

-- name: AddApproval :exec
INSERT INTO approval (id, merchant_id, permission, action, object, payload, digest, state, requested_by, requested_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, 'waiting', $8, $9);

-- Reads an approval and locks it until the transaction ends.
-- name: LockApproval :one
UPDATE approval SET version = version WHERE id = $1 RETURNING *;

-- name: Approval :one
SELECT * FROM approval WHERE id = $1;

-- name: DecideApproval :execrows
UPDATE approval SET state = sqlc.arg(state), decided_by = sqlc.arg(decided_by), decided_at = sqlc.arg(decided_at), reason = sqlc.arg(reason), version = version + 1
WHERE id = sqlc.arg(id) AND state = 'waiting';

-- name: Approvals :many
SELECT * FROM approval
WHERE merchant_id IN (sqlc.arg(merchant_id), sqlc.arg(shared_id))
  AND (CAST(sqlc.arg(state) AS TEXT) = '' OR state = sqlc.arg(state)) AND id < sqlc.arg(before)
  AND (CAST(sqlc.arg(object) AS TEXT) = '' OR object = sqlc.arg(object))
  AND requested_at >= sqlc.arg(since) AND requested_at < sqlc.arg(until)
  AND CAST(sqlc.arg(permissions) AS TEXT) LIKE '%|' || permission || '|%'
ORDER BY id DESC LIMIT sqlc.arg(most);

-- name: AuditPage :many
SELECT * FROM audit
WHERE seq < sqlc.arg(before)
  AND merchant_id IN (sqlc.arg(merchant_id), sqlc.arg(shared_id))
  AND (CAST(sqlc.arg(operator) AS TEXT) = '' OR operator = sqlc.arg(operator))
  AND (CAST(sqlc.arg(permission) AS TEXT) = '' OR permission = sqlc.arg(permission))
  AND (CAST(sqlc.arg(object) AS TEXT) = '' OR object = sqlc.arg(object))
  AND (CAST(sqlc.arg(action) AS TEXT) = '' OR action = sqlc.arg(action))
  AND (CAST(sqlc.arg(mode) AS TEXT) = '' OR mode = sqlc.arg(mode))
  AND at >= sqlc.arg(since) AND at < sqlc.arg(until)
ORDER BY seq DESC LIMIT sqlc.arg(most);

-- name: AuditRow :one
SELECT * FROM audit WHERE seq = $1;
