-- name: AddJackpotPool :execrows
INSERT INTO jackpot_pool (merchant_id, currency, series, amount, seed, next_seed, published_at, nonce, series_id, link, name) VALUES ($1, $2, 1, $3, $4, $5, $6, 0, $7, $8, $9)
ON CONFLICT (merchant_id, currency) DO NOTHING;

-- Reads the pool and locks it until the transaction ends.
-- name: LockJackpotPool :one
UPDATE jackpot_pool SET nonce = nonce WHERE merchant_id = $1 AND currency = $2 RETURNING *;

-- name: JackpotPool :one
SELECT * FROM jackpot_pool WHERE merchant_id = $1 AND currency = $2;

-- name: PutJackpotPool :exec
UPDATE jackpot_pool SET series = sqlc.arg(series), amount = sqlc.arg(amount), seed = sqlc.arg(seed), next_seed = sqlc.arg(next_seed), published_at = sqlc.arg(published_at), nonce = sqlc.arg(nonce),
  earlier_draws = sqlc.arg(earlier_draws), series_id = sqlc.arg(series_id), link = sqlc.arg(link), name = sqlc.arg(name)
WHERE merchant_id = sqlc.arg(merchant_id) AND currency = sqlc.arg(currency);

-- Every pool, whether stakes are waiting for a draw, whether its seeds are unencrypted, and whether it waits for a seed.
-- name: JackpotPools :many
SELECT p.merchant_id, p.currency, p.amount, p.nonce, p.earlier_draws,
  CAST(CASE WHEN EXISTS (SELECT 1 FROM jackpot_ticket t WHERE t.merchant_id = p.merchant_id AND t.currency = p.currency AND t.state = 'open') THEN 1 ELSE 0 END AS BIGINT) AS waiting,
  CAST(CASE WHEN LENGTH(p.seed) = 32 OR LENGTH(p.next_seed) = 32 THEN 1 ELSE 0 END AS BIGINT) AS bare,
  CAST(CASE WHEN LENGTH(p.seed) = 0 AND p.amount > 0 THEN 1 ELSE 0 END AS BIGINT) AS unseeded
FROM jackpot_pool p ORDER BY p.merchant_id, p.currency;

-- name: CountOpenJackpotTickets :one
SELECT COUNT(*) FROM jackpot_ticket WHERE merchant_id = $1 AND currency = $2 AND state = 'open';

-- Stakes whose round is settled or whose bet was rolled back.
-- name: ReadyJackpotTickets :many
SELECT t.transfer_id, t.member_id, t.account_id, t.stake, t.share, t.nonce,
  CAST(CASE WHEN EXISTS (SELECT 1 FROM transfer r WHERE r.origin_id = t.transfer_id AND r.refusal IS NULL) THEN 1 ELSE 0 END AS BIGINT) AS reversed
FROM jackpot_ticket t
WHERE t.merchant_id = sqlc.arg(merchant_id) AND t.currency = sqlc.arg(currency) AND t.state = 'open' AND (
  EXISTS (SELECT 1 FROM vendor_round r WHERE r.vendor_id = t.vendor_id AND r.round = t.round AND r.member_id = t.member_id AND (r.wins > 0 OR r.ends > 0))
  OR EXISTS (SELECT 1 FROM transfer r WHERE r.origin_id = t.transfer_id AND r.refusal IS NULL))
ORDER BY t.transfer_id LIMIT sqlc.arg(most);

-- name: CloseJackpotTicket :exec
UPDATE jackpot_ticket SET state = sqlc.arg(state), series = sqlc.arg(series), nonce = sqlc.arg(nonce), share = sqlc.arg(share) WHERE transfer_id = sqlc.arg(transfer_id);

-- name: AddJackpotWin :exec
INSERT INTO jackpot_win (merchant_id, currency, series, member_id, ticket_id, amount, stake, nonce, number, seed, published_at, won_at, series_id, link, name)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15);

-- name: JackpotWins :many
SELECT w.series, w.amount, w.stake, w.nonce, w.number, w.seed, w.published_at, w.won_at, w.series_id, w.link, w.name, m.account
FROM jackpot_win w JOIN member m ON m.id = w.member_id
WHERE w.merchant_id = sqlc.arg(merchant_id) AND w.currency = sqlc.arg(currency) ORDER BY w.series DESC LIMIT sqlc.arg(most);

-- The time of the n-th last win of a pool.
-- name: NthLastJackpotWin :one
SELECT won_at FROM jackpot_win WHERE merchant_id = sqlc.arg(merchant_id) AND currency = sqlc.arg(currency) ORDER BY series DESC LIMIT 1 OFFSET sqlc.arg(later);

-- The pools that stakes of a member's rounds have won, newest first. The rounds started within the given times.
-- name: JackpotWinsOf :many
SELECT v.code AS vendor, m.round, w.series, w.nonce, w.amount
FROM jackpot_win w JOIN vendor_move m ON m.transfer_id = w.ticket_id JOIN vendor v ON v.id = m.vendor_id
JOIN vendor_round r ON r.vendor_id = m.vendor_id AND r.round = m.round AND r.member_id = m.member_id
WHERE w.member_id = sqlc.arg(member_id) AND r.started >= sqlc.arg(oldest) AND r.started <= sqlc.arg(newest)
ORDER BY w.series DESC LIMIT sqlc.arg(most);

-- A member's tickets, newest first. The seed is included if the series is over.
-- name: OwnJackpotTickets :many
SELECT t.transfer_id, t.round, t.stake, t.share, t.state, t.series, t.nonce, x.created_at, v.code AS vendor,
  COALESCE(w.seed, e.seed) AS seed, CAST(COALESCE(w.published_at, e.published_at, 0) AS BIGINT) AS published_at, w.nonce AS won_nonce, w.amount AS won_amount,
  CAST(COALESCE(w.name, e.name, '') AS TEXT) AS name, CAST(COALESCE(w.series_id, e.series_id, 0) AS BIGINT) AS series_id, CAST(COALESCE(w.link, e.link, 0) AS BIGINT) AS link
FROM jackpot_ticket t JOIN transfer x ON x.id = t.transfer_id JOIN vendor v ON v.id = t.vendor_id
LEFT JOIN jackpot_win w ON w.merchant_id = t.merchant_id AND w.currency = t.currency AND w.series = t.series
LEFT JOIN jackpot_end e ON e.merchant_id = t.merchant_id AND e.currency = t.currency AND e.series = t.series
WHERE t.member_id = sqlc.arg(member_id) AND t.currency = sqlc.arg(currency) AND t.transfer_id < sqlc.arg(before)
ORDER BY t.transfer_id DESC LIMIT sqlc.arg(most);

-- The tickets of one round: those of the member's moves between its start and a minute after its end, to allow for clock differences.
-- name: RoundJackpotTickets :many
SELECT t.transfer_id, t.round, t.stake, t.share, t.state, t.series, t.nonce, x.created_at, v.code AS vendor,
  COALESCE(w.seed, e.seed) AS seed, CAST(COALESCE(w.published_at, e.published_at, 0) AS BIGINT) AS published_at, w.nonce AS won_nonce, w.amount AS won_amount,
  CAST(COALESCE(w.name, e.name, '') AS TEXT) AS name, CAST(COALESCE(w.series_id, e.series_id, 0) AS BIGINT) AS series_id, CAST(COALESCE(w.link, e.link, 0) AS BIGINT) AS link
FROM vendor v JOIN vendor_round r ON r.vendor_id = v.id AND r.round = sqlc.arg(round) AND r.member_id = sqlc.arg(member_id)
JOIN vendor_move m ON m.member_id = r.member_id AND m.at >= r.started AND m.at <= CASE WHEN r.ends > 0 THEN r.settled + 60000 ELSE 9223372036854775807 END
  AND m.vendor_id = r.vendor_id AND m.round = r.round
JOIN jackpot_ticket t ON t.transfer_id = m.transfer_id JOIN transfer x ON x.id = t.transfer_id
LEFT JOIN jackpot_win w ON w.merchant_id = t.merchant_id AND w.currency = t.currency AND w.series = t.series
LEFT JOIN jackpot_end e ON e.merchant_id = t.merchant_id AND e.currency = t.currency AND e.series = t.series
WHERE v.merchant_id = sqlc.arg(merchant_id) AND v.code = sqlc.arg(vendor) AND t.transfer_id < sqlc.arg(before)
ORDER BY t.transfer_id DESC LIMIT sqlc.arg(most);

-- One draw of any member.
-- name: JackpotDraw :one
SELECT t.stake,
  COALESCE(w.seed, e.seed) AS seed, CAST(COALESCE(w.published_at, e.published_at, 0) AS BIGINT) AS published_at, w.nonce AS won_nonce, w.amount AS won_amount,
  CAST(COALESCE(w.name, e.name, '') AS TEXT) AS name, CAST(COALESCE(w.series_id, e.series_id, 0) AS BIGINT) AS series_id, CAST(COALESCE(w.link, e.link, 0) AS BIGINT) AS link
FROM jackpot_ticket t
LEFT JOIN jackpot_win w ON w.merchant_id = t.merchant_id AND w.currency = t.currency AND w.series = t.series
LEFT JOIN jackpot_end e ON e.merchant_id = t.merchant_id AND e.currency = t.currency AND e.series = t.series
WHERE t.merchant_id = sqlc.arg(merchant_id) AND t.currency = sqlc.arg(currency) AND t.series = sqlc.arg(series) AND t.nonce = sqlc.arg(nonce) AND t.state = 'drawn';

-- name: AllJackpotPools :many
SELECT * FROM jackpot_pool ORDER BY merchant_id, currency;

-- name: AddJackpotEnd :exec
INSERT INTO jackpot_end (merchant_id, currency, series, seed, published_at, ended_at, series_id, link, name) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9);
