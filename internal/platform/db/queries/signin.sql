-- name: MemberByIdentity :one
SELECT member_id FROM identity WHERE merchant_id = $1 AND provider = $2 AND subject = $3;

-- name: AddIdentity :execrows
INSERT INTO identity (merchant_id, provider, subject, member_id, created_at, email)
VALUES (sqlc.arg(merchant_id), sqlc.arg(provider), sqlc.arg(subject), sqlc.arg(member_id), sqlc.arg(created_at), lower(sqlc.narg(email)))
ON CONFLICT (merchant_id, provider, subject) DO NOTHING;

-- name: SetIdentityEmail :exec
UPDATE identity SET email = lower(sqlc.arg(email))
WHERE merchant_id = sqlc.arg(merchant_id) AND provider = sqlc.arg(provider) AND subject = sqlc.arg(subject)
  AND COALESCE(email, '') <> lower(sqlc.arg(email));

-- name: ExternalEmails :many
SELECT CAST(email AS TEXT) FROM identity WHERE member_id = $1 AND email IS NOT NULL;
