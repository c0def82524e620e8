-- name: MemberByIdentity :one
SELECT member_id FROM identity WHERE merchant_id = $1 AND provider = $2 AND subject = $3;

-- name: AddIdentity :execrows
INSERT INTO identity (merchant_id, provider, subject, member_id, created_at)
VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (merchant_id, provider, subject) DO NOTHING;
