-- Numeros for operators, latest draw first. The state waiting means that a regional result is due.
-- name: LotteryNumerosForOperators :many
SELECT * FROM lottery_numero
WHERE merchant_id = sqlc.arg(merchant_id) AND draw_at >= sqlc.arg(since) AND draw_at < sqlc.arg(until)
  AND (draw_at < sqlc.arg(before) OR draw_at = sqlc.arg(before) AND id < sqlc.arg(before_id))
  AND (CAST(sqlc.arg(game_id) AS BIGINT) = 0 OR game_id = sqlc.arg(game_id))
  AND (CAST(sqlc.arg(q) AS TEXT) = '' OR SUBSTR(numero, 1, LENGTH(CAST(sqlc.arg(q) AS TEXT))) = sqlc.arg(q))
  AND (CAST(sqlc.arg(state) AS TEXT) = ''
    OR CAST(sqlc.arg(state) AS TEXT) = 'open' AND status = 'open' AND NOT closed AND close_at > sqlc.arg(now)
    OR CAST(sqlc.arg(state) AS TEXT) = 'closed' AND status = 'open' AND (closed OR close_at <= sqlc.arg(now))
    OR CAST(sqlc.arg(state) AS TEXT) = 'waiting' AND status = 'open' AND series_id IS NULL AND draw_at <= sqlc.arg(now)
    OR CAST(sqlc.arg(state) AS TEXT) = status AND status <> 'open')
ORDER BY draw_at DESC, id DESC LIMIT sqlc.arg(most);

-- Numeros with bets that are not drawn, next draw first, with their stakes and their highest line in one currency.
-- name: LotteryExposuresForOperators :many
SELECT n.id, n.game_id, n.numero, n.close_at, n.draw_at, n.version, n.closed, CAST(SUM(k.rounds) AS BIGINT) AS rounds, CAST(SUM(k.staked) AS BIGINT) AS staked,
  CAST((SELECT COALESCE(MAX(e.amount), 0) FROM lottery_exposure e WHERE e.numero_id = n.id AND e.currency = sqlc.arg(currency)) AS BIGINT) AS highest
FROM lottery_numero n JOIN lottery_stake k ON k.numero_id = n.id AND k.currency = sqlc.arg(currency)
WHERE n.merchant_id = sqlc.arg(merchant_id) AND n.status = 'open' AND (CAST(sqlc.arg(game_id) AS BIGINT) = 0 OR n.game_id = sqlc.arg(game_id))
GROUP BY n.id HAVING SUM(k.rounds) > 0
ORDER BY n.draw_at, n.id LIMIT sqlc.arg(most);

-- name: LotteryDebtsForOperators :many
SELECT d.id, d.member_id, m.account, d.round_id, d.currency, d.amount, d.created_at, n.numero, n.game_id
FROM lottery_debt d JOIN member m ON m.id = d.member_id JOIN lottery_round r ON r.id = d.round_id JOIN lottery_numero n ON n.id = r.numero_id
WHERE d.merchant_id = sqlc.arg(merchant_id) AND d.id < sqlc.arg(before) AND d.created_at >= sqlc.arg(since) AND d.created_at < sqlc.arg(until)
  AND (CAST(sqlc.arg(q) AS TEXT) = '' OR m.account = sqlc.arg(q) OR n.numero = sqlc.arg(q))
ORDER BY d.id DESC LIMIT sqlc.arg(most);
