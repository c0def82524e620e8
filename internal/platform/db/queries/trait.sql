-- name: AddMemberTrait :exec
INSERT INTO member_trait (member_id, kind, digest, merchant_id, created_at)
VALUES (sqlc.arg(member_id), sqlc.arg(kind), sqlc.arg(digest), sqlc.arg(merchant_id), sqlc.arg(created_at)) ON CONFLICT DO NOTHING;

-- Counts other members on a break with the same trait. If an address is given, they must have logged in from it.
-- name: CountMembersOnBreakWithTrait :one
SELECT COUNT(*) FROM member_trait t JOIN limit_guard g ON g.member_id = t.member_id
WHERE t.merchant_id = sqlc.arg(merchant_id) AND t.kind = sqlc.arg(kind) AND t.digest = sqlc.arg(digest) AND t.member_id <> sqlc.arg(member_id)
  AND g.break_until > sqlc.arg(now) AND g.break_kind <> 'hold'
  AND (CAST(sqlc.arg(address) AS TEXT) = '' OR EXISTS (
    SELECT 1 FROM session s WHERE s.member_id = t.member_id AND s.address = CAST(sqlc.arg(address) AS TEXT)));

-- Counts other members on a break who have or had the same card.
-- name: CountMembersOnBreakWithCard :one
SELECT COUNT(*) FROM bank_card c JOIN limit_guard g ON g.member_id = c.member_id
WHERE c.merchant_id = sqlc.arg(merchant_id) AND c.digest = sqlc.arg(digest) AND c.member_id <> sqlc.arg(member_id)
  AND g.break_until > sqlc.arg(now) AND g.break_kind <> 'hold';
