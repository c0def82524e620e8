-- name: AddMember :execrows
INSERT INTO member (id, merchant_id, account, nickname, type, status, currency, language, password_hash, first_time_login, vip_label, created_at)
VALUES ($1, $2, $3, $4, $5, 'active', $6, $7, $8, $9, $10, $11)
ON CONFLICT (merchant_id, account) DO NOTHING;

-- name: MemberByAccount :one
SELECT id, merchant_id, account, nickname, type, status, currency, language, password_hash, first_time_login, vip_label, created_at
FROM member WHERE merchant_id = $1 AND account = $2;

-- name: MemberByID :one
SELECT id, merchant_id, account, nickname, type, status, currency, language, password_hash, first_time_login, vip_label, created_at
FROM member WHERE id = $1;
