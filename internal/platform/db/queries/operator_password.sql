-- Replaces an operator's own password.
-- name: ChangeOperatorPassword :execrows
UPDATE operator SET password_hash = sqlc.arg(next), password_given = 0, version = version + 1
WHERE id = sqlc.arg(id) AND password_hash = sqlc.arg(current);

-- name: EndOtherOperatorSessions :exec
UPDATE operator_session SET ended_at = sqlc.arg(ended_at) WHERE operator_id = sqlc.arg(operator_id) AND id <> sqlc.arg(kept) AND ended_at IS NULL;

-- name: MarkPublicOperator :exec
UPDATE operator SET factor_public = 1 WHERE id = $1;

-- Counts the enabled operators whose second factor only they have.
-- name: CountEnrolledOperators :one
SELECT COUNT(*) FROM operator WHERE totp IS NOT NULL AND disabled_at IS NULL AND factor_public = 0;
