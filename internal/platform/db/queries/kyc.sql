-- Identity checks.

-- It adds nothing if the member has one that waits or is verified.
-- name: AddKyc :execrows
INSERT INTO kyc (id, merchant_id, member_id, state, details, number_mac, images, created_at)
VALUES ($1, $2, $3, 'WAITING', $4, $5, $6, $7)
ON CONFLICT DO NOTHING;

-- name: Kyc :one
SELECT * FROM kyc WHERE id = $1;

-- name: NewestKyc :one
SELECT * FROM kyc WHERE member_id = $1 ORDER BY id DESC LIMIT 1;

-- name: VerifiedKyc :one
SELECT * FROM kyc WHERE member_id = $1 AND state = 'VERIFIED';

-- name: CountVerifiedKyc :one
SELECT COUNT(*) FROM kyc WHERE member_id = $1 AND state = 'VERIFIED';

-- name: DecideKyc :execrows
UPDATE kyc SET state = sqlc.arg(state), reason = sqlc.arg(reason), decided_by = sqlc.arg(decided_by), decided_at = sqlc.arg(decided_at), version = version + 1
WHERE id = sqlc.arg(id) AND version = sqlc.arg(version) AND state = 'WAITING';

-- name: MerchantKyc :many
SELECT k.id, k.member_id, m.account AS member, k.state, k.reason, k.decided_by, k.decided_at, k.version, k.created_at, k.images,
  (SELECT COUNT(DISTINCT o.member_id) FROM kyc o WHERE o.number_mac = k.number_mac AND o.member_id <> k.member_id) AS shared
FROM kyc k JOIN member m ON m.id = k.member_id
WHERE k.merchant_id = sqlc.arg(merchant_id) AND k.created_at >= sqlc.arg(since) AND k.created_at < sqlc.arg(until)
  AND (CAST(sqlc.arg(state) AS TEXT) = '' OR k.state = CAST(sqlc.arg(state) AS TEXT))
  AND (CAST(sqlc.arg(text) AS TEXT) = '' OR lower(m.account) = lower(CAST(sqlc.arg(text) AS TEXT)) OR CAST(k.id AS TEXT) = CAST(sqlc.arg(text) AS TEXT)
    OR CAST(k.member_id AS TEXT) = CAST(sqlc.arg(text) AS TEXT))
  AND (k.created_at < sqlc.arg(before_at) OR k.created_at = sqlc.arg(before_at) AND k.id < sqlc.arg(before_id))
ORDER BY k.created_at DESC, k.id DESC LIMIT sqlc.arg(most);

-- name: MemberKyc :many
SELECT id, state, reason, decided_by, decided_at, created_at FROM kyc WHERE member_id = $1 ORDER BY id DESC LIMIT 50;

-- Other accounts that sent the same document number, with their newest state.
-- name: SameKycNumber :many
SELECT m.id, m.account, CAST(MAX(CASE k.state WHEN 'VERIFIED' THEN 2 WHEN 'WAITING' THEN 1 ELSE 0 END) AS BIGINT) AS rank
FROM kyc k JOIN member m ON m.id = k.member_id
WHERE k.number_mac = $1 AND k.member_id <> $2
GROUP BY m.id, m.account ORDER BY m.id LIMIT 100;

-- name: KycMerchants :many
SELECT DISTINCT merchant_id FROM kyc WHERE images <> '' AND decided_at IS NOT NULL;

-- name: OldKycDocuments :many
SELECT * FROM kyc WHERE merchant_id = $1 AND images <> '' AND decided_at < $2 ORDER BY decided_at LIMIT 100;

-- name: DropKycDocuments :execrows
UPDATE kyc SET images = '', details = sqlc.arg(details), version = version + 1 WHERE id = sqlc.arg(id) AND images <> '';
