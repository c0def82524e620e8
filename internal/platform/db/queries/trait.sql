-- name: AddMemberTrait :exec
INSERT INTO member_trait (member_id, kind, digest, merchant_id, created_at)
VALUES (sqlc.arg(member_id), sqlc.arg(kind), sqlc.arg(digest), sqlc.arg(merchant_id), sqlc.arg(created_at)) ON CONFLICT DO NOTHING;

-- Drops the other traits of a kind that a member has.
-- name: DropOtherTraits :exec
DELETE FROM member_trait WHERE member_id = $1 AND kind = $2 AND digest <> $3;

-- Counts other members on a break with the same trait, and those of them whose identity is verified. If an address is given, they must have logged in from it.
-- name: SameTraitOnBreak :one
SELECT COUNT(*) AS number,
  CAST(COALESCE(SUM(CASE WHEN EXISTS (SELECT 1 FROM kyc k WHERE k.member_id = t.member_id AND k.state = 'VERIFIED') THEN 1 ELSE 0 END), 0) AS BIGINT) AS verified
FROM member_trait t JOIN limit_guard g ON g.member_id = t.member_id
WHERE t.merchant_id = sqlc.arg(merchant_id) AND t.kind = sqlc.arg(kind) AND t.digest = sqlc.arg(digest) AND t.member_id <> sqlc.arg(member_id)
  AND g.break_until > sqlc.arg(now) AND g.break_kind <> 'hold'
  AND (CAST(sqlc.arg(address) AS TEXT) = '' OR EXISTS (
    SELECT 1 FROM session s WHERE s.member_id = t.member_id AND s.address = CAST(sqlc.arg(address) AS TEXT)));

-- Counts other members on a break who have or had the same card.
-- name: CountSameCardOnBreak :one
SELECT COUNT(*) FROM bank_card c JOIN limit_guard g ON g.member_id = c.member_id
WHERE c.merchant_id = sqlc.arg(merchant_id) AND c.digest = sqlc.arg(digest) AND c.member_id <> sqlc.arg(member_id)
  AND g.break_until > sqlc.arg(now) AND g.break_kind <> 'hold';
