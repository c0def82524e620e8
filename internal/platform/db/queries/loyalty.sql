-- name: LoyaltyRule :one
SELECT * FROM loyalty_rule WHERE merchant_id = $1 AND kind = $2;

-- name: EnabledLoyaltyRules :many
SELECT * FROM loyalty_rule WHERE enabled AND kind IN ('vip', 'referral') ORDER BY merchant_id, kind;

-- name: AddLoyaltyRule :exec
INSERT INTO loyalty_rule (merchant_id, kind, promotion_id, currency, enabled, rule, since, evaluated) VALUES ($1, $2, $3, $4, $5, $6, $7, $8);

-- Changes a rule of the given version.
-- name: ChangeLoyaltyRule :execrows
UPDATE loyalty_rule SET enabled = sqlc.arg(enabled), rule = sqlc.arg(rule), since = sqlc.arg(since), version = version + 1
WHERE merchant_id = sqlc.arg(merchant_id) AND kind = sqlc.arg(kind) AND version = sqlc.arg(version);

-- name: SetLoyaltyEvaluated :exec
UPDATE loyalty_rule SET evaluated = $3 WHERE merchant_id = $1 AND kind = $2 AND evaluated < $3;

-- Locks a member's run of days.
-- name: LockStreak :one
INSERT INTO check_in_streak (member_id, last_day, streak, longest) VALUES ($1, '', 0, 0)
ON CONFLICT (member_id) DO UPDATE SET streak = check_in_streak.streak RETURNING *;

-- name: Streak :one
SELECT * FROM check_in_streak WHERE member_id = $1;

-- name: SetStreak :exec
UPDATE check_in_streak SET last_day = $2, streak = $3, longest = $4 WHERE member_id = $1;

-- name: AddCheckIn :exec
INSERT INTO check_in (member_id, day, streak, amount, reward_id) VALUES ($1, $2, $3, $4, $5);

-- name: CheckIns :many
SELECT day, streak, amount FROM check_in WHERE member_id = sqlc.arg(member_id) AND day >= sqlc.arg(since) AND day < sqlc.arg(until) ORDER BY day;

-- Whether a member has had a reward of a promotion in a period.
-- name: CountRewardsOfPeriod :one
SELECT COUNT(*) FROM reward WHERE member_id = $1 AND promotion_id = $2 AND period = $3 AND status <> 'REFUSED';

-- Stakes of settled rounds that began in a period, less refunds, by category of the game. Rounds with a stake of a bonus do not count. High and low bits
-- are summed separately, because a sum may exceed 64 bits.
-- name: TurnoverByCategory :many
SELECT g.category, CAST(SUM((r.staked - r.refunded) >> 32) AS BIGINT) AS high, CAST(SUM((r.staked - r.refunded) & 4294967295) AS BIGINT) AS low
FROM vendor_round r JOIN game g ON g.id = r.game_id
WHERE r.member_id = sqlc.arg(member_id) AND r.started >= sqlc.arg(since) AND r.started < sqlc.arg(until) AND r.status IN ('won', 'lost')
  AND NOT EXISTS (SELECT 1 FROM bonus_stake b WHERE b.vendor_id = r.vendor_id AND b.round = r.round AND b.member_id = r.member_id AND NOT b.reversed)
GROUP BY g.category ORDER BY g.category;

-- Stakes of settled rounds, less refunds, from the sums of each quarter of an hour.
-- name: TurnoverSince :one
SELECT CAST(COALESCE(SUM(stake_high), 0) AS BIGINT) AS high, CAST(COALESCE(SUM(stake_low), 0) AS BIGINT) AS low
FROM round_sum WHERE member_id = $1 AND since >= $2 AND status IN ('won', 'lost');

-- name: AddCashBack :execrows
INSERT INTO cash_back (member_id, period, turnover, amount, reward_id, claimed_at) VALUES ($1, $2, 0, 0, 0, $3)
ON CONFLICT (member_id, period) DO NOTHING;

-- name: SetCashBack :exec
UPDATE cash_back SET turnover = $3, amount = $4, reward_id = $5 WHERE member_id = $1 AND period = $2;

-- name: CashBacks :many
SELECT * FROM cash_back WHERE member_id = $1 ORDER BY period DESC LIMIT 60;

-- name: VIPMember :one
SELECT * FROM vip_member WHERE member_id = $1;

-- Locks a member's level.
-- name: LockVIPMember :one
INSERT INTO vip_member (member_id, merchant_id, level, reached_at, until) VALUES ($1, $2, 0, 0, 0)
ON CONFLICT (member_id) DO UPDATE SET level = vip_member.level RETURNING *;

-- name: SetVIPMember :exec
UPDATE vip_member SET level = $2, reached_at = $3, until = $4 WHERE member_id = $1;

-- Members whose time at a level has ended.
-- name: VIPMembersUntil :many
SELECT member_id FROM vip_member WHERE merchant_id = sqlc.arg(merchant_id) AND until > 0 AND until <= sqlc.arg(now) AND member_id > sqlc.arg(after) ORDER BY member_id LIMIT 500;

-- Who began rounds, in the order of the rounds.
-- name: MembersOfRounds :many
SELECT r.first_id, r.member_id, m.merchant_id, m.currency, m.type FROM vendor_round r JOIN member m ON m.id = r.member_id
WHERE r.first_id > $1 ORDER BY r.first_id LIMIT 2000;

-- name: SetVIPLabel :exec
UPDATE member SET vip_label = $2 WHERE id = $1 AND vip_label <> $2;

-- Invited members with enough deposits whose inviter has no reward for them yet.
-- name: PendingReferrals :many
SELECT m.id, m.created_at, CAST(m.parent_id AS BIGINT) AS inviter FROM member m JOIN member p ON p.id = m.parent_id
WHERE m.merchant_id = sqlc.arg(merchant_id) AND m.parent_id IS NOT NULL AND m.created_at >= sqlc.arg(since) AND m.id > sqlc.arg(after) AND m.type <= 2 AND p.type <= 2
  AND m.currency = sqlc.arg(currency) AND p.currency = sqlc.arg(currency)
  AND (CAST(sqlc.arg(deposit) AS BIGINT) = 0 OR (SELECT COALESCE(SUM(d.amount / 1024), 0) FROM deposit d WHERE d.member_id = m.id AND d.status = 'CREDITED') * 1024
    + (SELECT COALESCE(SUM(d.amount % 1024), 0) FROM deposit d WHERE d.member_id = m.id AND d.status = 'CREDITED') >= CAST(sqlc.arg(deposit) AS BIGINT))
  AND NOT EXISTS (SELECT 1 FROM reward r WHERE r.member_id = m.parent_id AND r.promotion_id = sqlc.arg(promotion_id) AND r.period = 'member/' || CAST(m.id AS TEXT))
ORDER BY m.id LIMIT 500;

-- name: CountReferralRewards :one
SELECT COUNT(*) FROM reward WHERE member_id = sqlc.arg(member_id) AND promotion_id = sqlc.arg(promotion_id) AND created_at >= sqlc.arg(since) AND status <> 'REFUSED';

-- Whether an inviter has a reward for a member.
-- name: CountRewardsForMember :one
SELECT COUNT(*) FROM reward WHERE promotion_id = $1 AND period = $2 AND status <> 'REFUSED';

-- Members whom a member invited, and those with a credited deposit.
-- name: ReferralCounts :one
SELECT COUNT(*) AS registered,
  CAST(COALESCE(SUM(CASE WHEN EXISTS (SELECT 1 FROM deposit d WHERE d.member_id = m.id AND d.status = 'CREDITED') THEN 1 ELSE 0 END), 0) AS BIGINT) AS deposited
FROM member m WHERE m.parent_id = sqlc.arg(inviter) AND m.created_at >= sqlc.arg(since) AND m.type <= 2;

-- name: ReferralRewards :one
SELECT COUNT(*) AS rewarded, CAST(COALESCE(SUM(CASE WHEN status = 'CLAIMED' THEN paid ELSE 0 END), 0) AS BIGINT) AS paid,
  CAST(COALESCE(SUM(CASE WHEN status = 'UNCLAIMED' THEN amount ELSE 0 END), 0) AS BIGINT) AS waiting
FROM reward WHERE member_id = sqlc.arg(member_id) AND promotion_id = sqlc.arg(promotion_id) AND created_at >= sqlc.arg(since) AND status IN ('UNCLAIMED', 'CLAIMED');
