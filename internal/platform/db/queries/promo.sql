-- name: AddPromotion :exec
INSERT INTO promotion (id, merchant_id, code, kind, category, currency, texts, image, payout, rate, amount, least, most, wagering, every, promo_code,
  max_rewards, claim_days, days, starts_at, ends_at, apply_by, published, sorting, evaluated_at, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26);

-- name: ChangePromotion :exec
UPDATE promotion SET category = $2, texts = $3, image = $4, payout = $5, rate = $6, amount = $7, least = $8, most = $9, wagering = $10, every = $11,
  promo_code = $12, max_rewards = $13, claim_days = $14, days = $15, starts_at = $16, ends_at = $17, apply_by = $18, published = $19, sorting = $20,
  version = version + 1
WHERE id = $1;

-- name: PromotionByID :one
SELECT * FROM promotion WHERE id = $1;

-- name: PromotionByCode :one
SELECT * FROM promotion WHERE merchant_id = $1 AND code = $2;

-- name: PromotionByPromoCode :one
SELECT * FROM promotion WHERE merchant_id = $1 AND promo_code = $2 AND promo_code <> '';

-- Locks the row, so that grants of one promotion are decided one by one.
-- name: LockPromotion :one
UPDATE promotion SET version = version WHERE id = $1 RETURNING *;

-- name: PromotionsOfMerchant :many
SELECT * FROM promotion WHERE merchant_id = $1 ORDER BY sorting, id;

-- name: PromotionsToEvaluate :many
SELECT * FROM promotion WHERE published AND kind IN ('first_deposit', 'reload', 'loss_rebate', 'birthday') AND starts_at <= sqlc.arg(now)
  AND (ends_at = 0 OR evaluated_at < ends_at)
ORDER BY id;

-- name: SetPromotionEvaluated :exec
UPDATE promotion SET evaluated_at = $2 WHERE id = $1 AND evaluated_at < $2;

-- name: CountRewardsOfPromotion :one
SELECT COUNT(*) FROM reward WHERE promotion_id = $1 AND status <> 'REFUSED';

-- name: AddReward :execrows
INSERT INTO reward (id, merchant_id, member_id, promotion_id, period, status, payout, currency, amount, required, days, remark, images, reason, decided_by,
  created_at, expires_at, ended_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
ON CONFLICT (member_id, promotion_id, period) DO NOTHING;

-- name: RewardByID :one
SELECT * FROM reward WHERE id = $1;

-- Locks the row.
-- name: LockReward :one
UPDATE reward SET version = version WHERE id = $1 RETURNING *;

-- name: LockWageringReward :one
UPDATE reward SET version = version WHERE member_id = $1 AND currency = $2 AND status = 'WAGERING' RETURNING *;

-- name: WageringReward :one
SELECT * FROM reward WHERE member_id = $1 AND currency = $2 AND status = 'WAGERING';

-- Open rewards come first, so that the limit never omits them.
-- name: RewardsOfMember :many
SELECT r.*, p.texts, p.category, p.kind, p.wagering FROM reward r JOIN promotion p ON p.id = r.promotion_id
WHERE r.member_id = $1 AND (r.status <> 'REFUSED' OR p.kind = 'application')
ORDER BY CASE WHEN r.status IN ('APPLIED', 'UNCLAIMED', 'WAGERING') THEN 0 ELSE 1 END, r.created_at DESC, r.id DESC LIMIT 200;

-- name: CountUnclaimed :one
SELECT COUNT(*) FROM reward WHERE member_id = $1 AND status = 'UNCLAIMED' AND (expires_at = 0 OR expires_at > $2);

-- name: RewardStatesOfMember :many
SELECT promotion_id, id, status, period, created_at FROM reward WHERE member_id = $1 ORDER BY created_at, id;

-- Whether a member has had a reward of a promotion.
-- name: CountRewardsOfMember :one
SELECT COUNT(*) FROM reward WHERE promotion_id = $1 AND member_id = $2 AND status <> 'REFUSED';

-- name: CreditReward :exec
UPDATE reward SET status = $2, account_id = $3, transfer_id = $4, claimed_at = $5, expires_at = $6, ended_at = $7, paid = $8, warned_at = 0, version = version + 1 WHERE id = $1;

-- name: EndReward :exec
UPDATE reward SET status = $2, reason = $3, ended_at = $4, wagered = $5, paid = $6, version = version + 1 WHERE id = $1;

-- name: DecideReward :exec
UPDATE reward SET status = $2, amount = $3, required = $4, reason = $5, decided_by = $6, expires_at = $7, ended_at = $8, version = version + 1 WHERE id = $1;

-- name: SetRewardWagered :exec
UPDATE reward SET wagered = $2 WHERE id = $1 AND wagered <> $2;

-- name: SetRewardWarned :execrows
UPDATE reward SET warned_at = $2 WHERE id = $1 AND warned_at = 0;

-- name: ExpiredRewards :many
SELECT id FROM reward WHERE status IN ('UNCLAIMED', 'WAGERING') AND expires_at > 0 AND expires_at <= $1 ORDER BY expires_at LIMIT 500;

-- name: ExpiringRewards :many
SELECT id FROM reward WHERE status IN ('UNCLAIMED', 'WAGERING') AND expires_at > 0 AND expires_at <= $1 AND warned_at = 0 ORDER BY expires_at LIMIT 500;

-- name: WageringRewards :many
SELECT id FROM reward WHERE status = 'WAGERING' AND id > $1 ORDER BY id LIMIT 500;

-- Credited deposits in the order of their credit, with whether the member had an earlier one.
-- name: DepositsForPromotions :many
SELECT d.id, d.member_id, d.amount, CAST(COALESCE(d.ended_at, 0) AS BIGINT) AS ended_at,
  EXISTS (SELECT 1 FROM deposit e WHERE e.member_id = d.member_id AND e.status = 'CREDITED' AND (e.ended_at < d.ended_at OR e.ended_at = d.ended_at AND e.id < d.id)) AS later
FROM deposit d JOIN member m ON m.id = d.member_id
WHERE d.merchant_id = sqlc.arg(merchant_id) AND d.currency = sqlc.arg(currency) AND d.status = 'CREDITED' AND m.type <= 2
  AND d.ended_at < sqlc.arg(until) AND (d.ended_at > sqlc.arg(after_at) OR d.ended_at = sqlc.arg(after_at) AND d.id > sqlc.arg(after_id))
ORDER BY d.ended_at, d.id LIMIT 500;

-- Results of members in a period. High and low bits are summed separately, because a sum may exceed 64 bits. Rounds with a stake of a bonus do not count.
-- name: ResultsOfPeriod :many
SELECT r.member_id, CAST(SUM(r.net >> 32) AS BIGINT) AS high, CAST(SUM(r.net & 4294967295) AS BIGINT) AS low
FROM vendor_round r JOIN member m ON m.id = r.member_id
WHERE m.merchant_id = sqlc.arg(merchant_id) AND m.currency = sqlc.arg(currency) AND m.type <= 2 AND r.member_id > sqlc.arg(after)
  AND r.started >= sqlc.arg(since) AND r.started < sqlc.arg(until) AND r.status IN ('won', 'lost')
  AND NOT EXISTS (SELECT 1 FROM bonus_stake b WHERE b.vendor_id = r.vendor_id AND b.round = r.round AND b.member_id = r.member_id)
GROUP BY r.member_id ORDER BY r.member_id LIMIT 500;

-- Members whose identity was verified since a time.
-- name: VerifiedMembers :many
SELECT k.member_id FROM kyc k JOIN member m ON m.id = k.member_id
WHERE k.merchant_id = sqlc.arg(merchant_id) AND k.state = 'VERIFIED' AND m.currency = sqlc.arg(currency) AND m.type <= 2 AND k.member_id > sqlc.arg(after)
  AND COALESCE(k.decided_at, 0) >= CAST(sqlc.arg(since) AS BIGINT)
ORDER BY k.member_id LIMIT 500;

-- name: MembersWithSameCard :many
SELECT DISTINCT o.member_id FROM bank_card b JOIN bank_card o ON o.merchant_id = b.merchant_id AND o.digest = b.digest AND o.member_id <> b.member_id
WHERE b.member_id = $1;

-- Members of a merchant whose e-mail address is the given one, or a tagged one of the same mailbox.
-- name: MembersWithMailbox :many
SELECT id FROM member WHERE merchant_id = sqlc.arg(merchant_id) AND id <> sqlc.arg(member_id)
  AND (lower(email) = CAST(sqlc.arg(address) AS TEXT) OR lower(email) LIKE CAST(sqlc.arg(tagged) AS TEXT));

-- name: MerchantRewards :many
SELECT r.*, p.code, p.kind, p.texts, w.account AS member FROM reward r JOIN promotion p ON p.id = r.promotion_id JOIN member w ON w.id = r.member_id
WHERE r.merchant_id = sqlc.arg(merchant_id) AND r.created_at >= sqlc.arg(since) AND r.created_at < sqlc.arg(until)
  AND (CAST(sqlc.arg(status) AS TEXT) = '' OR r.status = CAST(sqlc.arg(status) AS TEXT))
  AND (CAST(sqlc.arg(promotion_id) AS BIGINT) = 0 OR r.promotion_id = CAST(sqlc.arg(promotion_id) AS BIGINT))
  AND (CAST(sqlc.arg(text) AS TEXT) = '' OR lower(w.account) = lower(CAST(sqlc.arg(text) AS TEXT)) OR p.code = CAST(sqlc.arg(text) AS TEXT) OR CAST(r.id AS TEXT) = CAST(sqlc.arg(text) AS TEXT))
  AND (r.created_at < sqlc.arg(before_at) OR r.created_at = sqlc.arg(before_at) AND r.id < sqlc.arg(before_id))
ORDER BY r.created_at DESC, r.id DESC LIMIT sqlc.arg(most);

-- name: MerchantReward :one
SELECT r.*, p.code, p.kind, p.texts, w.account AS member FROM reward r JOIN promotion p ON p.id = r.promotion_id JOIN member w ON w.id = r.member_id
WHERE r.id = $1 AND r.merchant_id = $2;

-- name: BonusStake :one
SELECT * FROM bonus_stake WHERE transfer_id = $1;

-- name: ReverseBonusStake :execrows
UPDATE bonus_stake SET reversed = TRUE WHERE transfer_id = $1;

-- The reward whose bonus paid the first standing stake of a round.
-- name: RewardOfRound :one
SELECT reward_id FROM bonus_stake WHERE vendor_id = $1 AND round = $2 AND member_id = $3 AND NOT reversed ORDER BY transfer_id LIMIT 1;

-- The standing stakes of a round, and those that a bonus paid.
-- name: BonusOfRound :one
SELECT r.standing,
  (SELECT COUNT(*) FROM bonus_stake b WHERE b.vendor_id = r.vendor_id AND b.round = r.round AND b.member_id = r.member_id AND NOT b.reversed) AS bonus
FROM vendor_round r WHERE r.vendor_id = $1 AND r.round = $2 AND r.member_id = $3;
