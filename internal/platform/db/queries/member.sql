-- Inserts no row if the name, mobile, e-mail or code is taken.
-- name: AddMember :execrows
INSERT INTO member (id, merchant_id, account, nickname, type, status, currency, language, password_hash, first_time_login, vip_label,
  created_at, mobile, email, payment_hash, payee_name, affiliate_code, parent_id, age_confirmed_at, age_confirmed)
VALUES ($1, $2, $3, $4, $5, 'active', $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)
ON CONFLICT DO NOTHING;

-- name: MarkNewMember :exec
UPDATE member SET has_logged_in = FALSE WHERE id = $1;

-- name: MemberByAccount :one
SELECT * FROM member WHERE merchant_id = $1 AND account = $2;

-- name: MemberByID :one
SELECT * FROM member WHERE id = $1;

-- name: MemberByMobile :one
SELECT * FROM member WHERE merchant_id = $1 AND mobile = $2;

-- name: MemberByEmail :one
SELECT * FROM member WHERE merchant_id = $1 AND lower(email) = lower(sqlc.arg(email));

-- name: MemberByAffiliateCode :one
SELECT id, type, status FROM member WHERE merchant_id = $1 AND affiliate_code = $2;

-- name: SetPassword :execrows
UPDATE member SET password_hash = $2, first_time_login = FALSE WHERE id = $1 AND password_hash = $3;

-- name: SetTemporaryPassword :exec
UPDATE member SET password_hash = $2, first_time_login = TRUE WHERE id = $1;

-- name: SetNickname :exec
UPDATE member SET nickname = $2 WHERE id = $1;

-- name: SetPayeeName :execrows
UPDATE member SET payee_name = $2 WHERE id = $1 AND payee_name = '';

-- name: SetAvatar :execrows
UPDATE member SET avatar = sqlc.arg(avatar) WHERE id = sqlc.arg(id) AND avatar = sqlc.arg(held);

-- name: SetMobile :exec
UPDATE member SET mobile = $2 WHERE id = $1;

-- name: SetEmail :exec
UPDATE member SET email = $2 WHERE id = $1;

-- name: SetPaymentPassword :execrows
UPDATE member SET payment_hash = sqlc.arg(payment_hash) WHERE id = sqlc.arg(id) AND payment_hash = sqlc.arg(old_hash);

-- name: SetQuestion :execrows
UPDATE member SET question = sqlc.arg(question), answer_hash = sqlc.arg(answer_hash)
WHERE id = sqlc.arg(id) AND answer_hash = sqlc.arg(held);

-- Keeps the first confirmation of an age.
-- name: ConfirmAge :exec
UPDATE member SET age_confirmed_at = sqlc.arg(confirmed_at), age_confirmed = sqlc.arg(age)
WHERE id = sqlc.arg(id) AND (age_confirmed_at IS NULL OR age_confirmed < sqlc.arg(age));

-- name: SetLanguage :exec
UPDATE member SET language = sqlc.arg(language) WHERE id = sqlc.arg(id);

-- name: SetStatus :exec
UPDATE member SET status = $2 WHERE id = $1;

-- name: PutMemberDetail :exec
INSERT INTO member_detail (member_id, name, value) VALUES ($1, $2, $3)
ON CONFLICT (member_id, name) DO UPDATE SET value = excluded.value;

-- name: MemberDetails :many
SELECT name, value FROM member_detail WHERE member_id = $1 ORDER BY name;

-- name: RehashPassword :exec
-- Stores the same password with another hash, unless it was changed meanwhile.
UPDATE member SET password_hash = sqlc.arg(next) WHERE id = sqlc.arg(id) AND password_hash = sqlc.arg(held);
