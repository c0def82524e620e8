-- Lists for operators' commands.

-- name: ListMembers :many
SELECT p.id, p.account, p.nickname, p.type, p.status, p.currency, p.created_at
FROM member p JOIN merchant s ON s.id = p.merchant_id
WHERE s.code = sqlc.arg(merchant) AND p.account > sqlc.arg(after)
  AND (CAST(sqlc.arg(status) AS TEXT) = '' OR p.status = sqlc.arg(status))
  AND (CAST(sqlc.arg(with_trials) AS BOOLEAN) OR p.type <> 4)
ORDER BY p.account LIMIT sqlc.arg(max);

-- name: ShowMember :one
SELECT p.id, p.account, p.nickname, p.type, p.status, p.currency, p.language, p.mobile, p.email, p.vip_label, p.first_time_login, p.created_at,
  CAST(COALESCE(a.account, '') AS TEXT) AS agent
FROM member p JOIN merchant s ON s.id = p.merchant_id LEFT JOIN member a ON a.id = p.parent_id
WHERE s.code = $1 AND p.account = $2;

-- name: MemberSessions :one
SELECT COUNT(*) AS sessions, CAST(COALESCE(MAX(seen_at), 0) AS BIGINT) AS seen_at
FROM session WHERE member_id = $1 AND ended_at IS NULL AND expires_at > $2;

-- name: ListOperators :many
SELECT name, role, created_at FROM operator ORDER BY name;

-- name: ListVendors :many
SELECT v.code, v.display_name, v.launch_url, v.launch_mode, v.house, v.enabled, v.maintenance,
  (SELECT COUNT(*) FROM game g WHERE g.vendor_id = v.id) AS games,
  (SELECT COUNT(*) FROM vendor_key k WHERE k.vendor_id = v.id AND k.retired_at IS NULL) AS keys
FROM vendor v JOIN merchant s ON s.id = v.merchant_id
WHERE s.code = $1 ORDER BY v.sorting, v.code;

-- Finished rounds of real members by the start of the round. High and low 32 bits are summed separately.
-- name: Turnover :many
SELECT v.code AS vendor, g.code AS game, p.currency, CAST(SUM(r.rounds) AS BIGINT) AS rounds,
  CAST(SUM(r.stake_high) AS BIGINT) AS stake_high, CAST(SUM(r.stake_low) AS BIGINT) AS stake_low,
  CAST(SUM(r.win_high) AS BIGINT) AS win_high, CAST(SUM(r.win_low) AS BIGINT) AS win_low,
  CAST(SUM(r.jackpot_high) AS BIGINT) AS jackpot_high, CAST(SUM(r.jackpot_low) AS BIGINT) AS jackpot_low
FROM round_sum r JOIN member p ON p.id = r.member_id JOIN merchant s ON s.id = p.merchant_id
JOIN game g ON g.id = r.game_id JOIN vendor v ON v.id = g.vendor_id
WHERE s.code = sqlc.arg(merchant) AND r.since >= sqlc.arg(since) AND r.since < sqlc.arg(until) AND p.type <= 2 AND r.status <> 'refunded'
GROUP BY v.code, g.code, p.currency ORDER BY v.code, g.code, p.currency;
