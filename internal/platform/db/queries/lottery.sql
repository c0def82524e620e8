-- Merchants with a lottery vendor.
-- name: LotteryVendors :many
SELECT id, merchant_id, code FROM vendor WHERE enabled AND house AND launch_url = '' AND code IN ('ELOTT', 'TCG_LOTTO_VN', 'TCG_SEA', 'LOTT') ORDER BY merchant_id, code;

-- Says which numeros a series of fair_series draws. Both have the same id.
-- name: AddLotterySeries :execrows
INSERT INTO lottery_series (id, merchant_id, game_id, end_seed, salt, salt_source, first_numero, first_draw, last_draw, length, chain, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
ON CONFLICT DO NOTHING;

-- name: LotterySeries :one
SELECT id, merchant_id, game_id, end_seed, salt, salt_source, first_numero, first_draw, last_draw, length, created_at FROM lottery_series WHERE id = $1;

-- The chain of a series of an older version. It is empty for a series of fair_series.
-- name: LotteryChain :one
SELECT chain FROM lottery_series WHERE id = $1;

-- The last series that begins at a draw or before. The state is empty for a series of an older version.
-- name: LotterySeriesAt :one
SELECT l.id, l.salt, l.first_draw, l.last_draw, l.created_at, CAST(COALESCE(f.state, '') AS TEXT) AS state FROM lottery_series l LEFT JOIN fair_series f ON f.id = l.id
WHERE l.merchant_id = sqlc.arg(merchant_id) AND l.game_id = sqlc.arg(game_id) AND l.first_draw <= sqlc.arg(draw_at)
ORDER BY l.first_draw DESC LIMIT 1;

-- name: FirstSeriesDraw :one
SELECT CAST(COALESCE(MIN(first_draw), 0) AS BIGINT) FROM lottery_series WHERE merchant_id = $1 AND game_id = $2;

-- name: LastLotterySeries :one
SELECT l.id, l.salt, l.first_draw, l.last_draw, l.created_at, CAST(COALESCE(f.state, '') AS TEXT) AS state FROM lottery_series l LEFT JOIN fair_series f ON f.id = l.id
WHERE l.merchant_id = $1 AND l.game_id = $2 ORDER BY l.first_draw DESC LIMIT 1;

-- The last series of each game that has begun, and the later ones.
-- name: CurrentLotterySeries :many
SELECT l.id, l.game_id, l.salt, l.first_draw, l.last_draw, l.created_at, CAST(COALESCE(f.state, '') AS TEXT) AS state FROM lottery_series l LEFT JOIN fair_series f ON f.id = l.id
WHERE l.merchant_id = sqlc.arg(merchant_id) AND l.first_draw >= (
  SELECT COALESCE(MAX(x.first_draw), 0) FROM lottery_series x WHERE x.merchant_id = l.merchant_id AND x.game_id = l.game_id AND x.first_draw <= sqlc.arg(now))
ORDER BY l.game_id, l.first_draw;

-- Numeros of the next draws. Fast games have many later ones.
-- name: NextLotteryNumeros :many
SELECT * FROM lottery_numero
WHERE merchant_id = sqlc.arg(merchant_id) AND draw_at > sqlc.arg(now) AND draw_at <= sqlc.arg(until) AND (series_id IS NULL OR draw_at <= sqlc.arg(fast_until));

-- Running series of lotteries of which it is not known yet which numeros they draw.
-- name: UnplannedSeries :many
SELECT f.name FROM fair_series f WHERE f.kind = 'lottery' AND f.state = 'running' AND NOT EXISTS (SELECT 1 FROM lottery_series l WHERE l.id = f.id);

-- name: LotteryChains :many
SELECT id, chain FROM lottery_series WHERE LENGTH(chain) > 0 ORDER BY id;

-- name: SetLotteryChain :exec
UPDATE lottery_series SET chain = $1 WHERE id = $2;

-- name: AddLotteryNumero :execrows
INSERT INTO lottery_numero (id, merchant_id, game_id, numero, open_at, close_at, draw_at, series_id, link, status)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'open')
ON CONFLICT DO NOTHING;

-- name: LotteryNumero :one
SELECT * FROM lottery_numero WHERE merchant_id = $1 AND game_id = $2 AND numero = $3;

-- Locks a numero, so that it changes only before or after the caller's transaction.
-- name: LockLotteryNumero :one
UPDATE lottery_numero SET version = version WHERE id = $1 RETURNING *;

-- Draws that are due, the oldest of each game, so that a game whose draws fail does not delay the others. Those without a series
-- are regional: only the demo draws them.
-- name: DueLotteryNumeros :many
SELECT n.* FROM lottery_numero n JOIN (
  SELECT x.id, ROW_NUMBER() OVER (PARTITION BY x.merchant_id, x.game_id ORDER BY x.draw_at) AS place FROM lottery_numero x
  WHERE x.status = 'open' AND x.draw_at <= sqlc.arg(now) AND (x.series_id IS NOT NULL OR CAST(sqlc.arg(demo) AS BIGINT) = 1)
) AS due ON due.id = n.id
WHERE due.place <= 100 ORDER BY n.draw_at;

-- Reports whether there are numeros to close.
-- name: LotteryClosesDue :one
SELECT CAST(EXISTS (SELECT 1 FROM lottery_numero WHERE status = 'open' AND NOT closed AND close_at <= sqlc.arg(now)) AS BOOLEAN);

-- name: CloseLotteryNumeros :exec
UPDATE lottery_numero SET closed = TRUE WHERE status = 'open' AND NOT closed AND close_at <= sqlc.arg(now);

-- name: LastLotteryDraw :one
SELECT CAST(COALESCE(MAX(draw_at), 0) AS BIGINT) FROM lottery_numero WHERE merchant_id = $1 AND game_id = $2 AND draw_at <= $3;

-- Publishes a result once.
-- name: DrawLotteryNumero :execrows
UPDATE lottery_numero SET status = 'drawn', win_no = sqlc.arg(win_no), result = sqlc.arg(result), seed = sqlc.arg(seed), simulated = sqlc.arg(simulated), drawn_at = sqlc.arg(drawn_at), pending = TRUE, version = version + 1
WHERE id = sqlc.arg(id) AND status = 'open';

-- name: CorrectLotteryNumero :execrows
UPDATE lottery_numero SET status = sqlc.arg(status), win_no = sqlc.arg(win_no), result = sqlc.arg(result), simulated = FALSE, run = run + 1, progress = 0, pending = TRUE, version = version + 1
WHERE id = sqlc.arg(id) AND version = sqlc.arg(version);

-- name: VoidLotteryNumero :execrows
UPDATE lottery_numero SET status = 'void', seed = sqlc.arg(seed), run = run + 1, progress = 0, pending = TRUE, version = version + 1
WHERE id = sqlc.arg(id) AND version = sqlc.arg(version);

-- Numeros to settle, the oldest of each game.
-- name: PendingLotteryNumeros :many
SELECT n.* FROM lottery_numero n JOIN (
  SELECT x.id, ROW_NUMBER() OVER (PARTITION BY x.merchant_id, x.game_id ORDER BY x.draw_at) AS place FROM lottery_numero x WHERE x.pending
) AS waiting ON waiting.id = n.id
WHERE waiting.place <= 20 ORDER BY n.draw_at;

-- The games with numeros that have open bets or are not settled, with the first of these numeros.
-- name: UnfinishedLotteryGames :many
SELECT c.code AS merchant, n.game_id, CAST(MIN(n.numero) AS TEXT) AS numero FROM lottery_numero n JOIN merchant c ON c.id = n.merchant_id
WHERE n.id IN (
  SELECT p.id FROM lottery_numero p WHERE p.pending
  UNION ALL
  SELECT o.id FROM lottery_numero o WHERE o.status = 'open' AND EXISTS (SELECT 1 FROM lottery_round r WHERE r.numero_id = o.id AND r.status = 'open'))
GROUP BY c.code, n.game_id ORDER BY c.code, n.game_id;

-- name: AdvanceLotteryNumero :execrows
UPDATE lottery_numero SET progress = sqlc.arg(progress) WHERE id = sqlc.arg(id) AND run = sqlc.arg(run) AND progress < sqlc.arg(progress);

-- Ends the settlement of a run. A void numero stays void.
-- name: FinishLotteryNumero :execrows
UPDATE lottery_numero SET pending = FALSE, settled_at = sqlc.arg(now), status = CASE WHEN status = 'void' THEN 'void' ELSE 'settled' END, version = version + 1
WHERE id = sqlc.arg(id) AND run = sqlc.arg(run) AND pending;

-- name: LotteryDraws :many
SELECT * FROM lottery_numero
WHERE merchant_id = sqlc.arg(merchant_id) AND game_id = sqlc.arg(game_id) AND status IN ('drawn', 'settled') AND draw_at < sqlc.arg(before)
ORDER BY draw_at DESC LIMIT sqlc.arg(most);

-- name: VoidLotteryDraws :many
SELECT * FROM lottery_numero
WHERE merchant_id = sqlc.arg(merchant_id) AND game_id = sqlc.arg(game_id) AND status = 'void' AND draw_at < sqlc.arg(before)
ORDER BY draw_at DESC LIMIT sqlc.arg(most);

-- name: CountVoidDraws :one
SELECT COUNT(*) FROM lottery_numero WHERE series_id = $1 AND status = 'void';

-- The last result of each game.
-- name: LastLotteryResults :many
SELECT n.game_id, n.numero, n.win_no, n.draw_at FROM lottery_numero n
WHERE n.merchant_id = sqlc.arg(merchant_id) AND n.status IN ('drawn', 'settled') AND n.draw_at = (
  SELECT MAX(x.draw_at) FROM lottery_numero x WHERE x.merchant_id = n.merchant_id AND x.game_id = n.game_id AND x.status IN ('drawn', 'settled'));

-- name: LotteryOrderByRequest :one
SELECT id, digest, answer FROM lottery_order WHERE member_id = $1 AND request_id = $2;

-- name: LotteryOrder :one
SELECT * FROM lottery_order WHERE id = $1;

-- Locks an order, so that two cancellations do not return a stake twice.
-- name: LockLotteryOrder :one
UPDATE lottery_order SET total = total WHERE id = $1 RETURNING *;

-- Locks a round, and returns the last run that has settled it.
-- name: LockLotteryRound :one
UPDATE lottery_round SET run = run WHERE id = $1 RETURNING run;

-- name: LotteryOrders :many
SELECT o.* FROM lottery_order o
WHERE o.member_id = sqlc.arg(member_id) AND o.id < sqlc.arg(before) AND o.created_at >= sqlc.arg(since) AND o.created_at < sqlc.arg(until)
  AND (CAST(sqlc.arg(game_id) AS BIGINT) = 0 OR o.game_id = sqlc.arg(game_id))
  AND (CAST(sqlc.arg(state) AS TEXT) = '' OR EXISTS (SELECT 1 FROM lottery_bet b WHERE b.order_id = o.id AND b.state = sqlc.arg(state)))
ORDER BY o.id DESC LIMIT sqlc.arg(most);

-- name: LotteryBetsOfOrder :many
SELECT b.*, n.numero FROM lottery_bet b JOIN lottery_round r ON r.id = b.round_id JOIN lottery_numero n ON n.id = r.numero_id
WHERE b.order_id = $1 ORDER BY b.id;

-- Open rounds of an order whose numeros are not closed.
-- name: CancellableLotteryRounds :many
SELECT r.*, n.numero FROM lottery_round r JOIN lottery_numero n ON n.id = r.numero_id
WHERE r.order_id = sqlc.arg(order_id) AND r.status = 'open' AND n.status = 'open' AND n.close_at > sqlc.arg(now) ORDER BY r.numero_id;

-- A member's orders with such rounds.
-- name: CancellableLotteryOrders :many
SELECT o.id FROM lottery_order o
WHERE o.member_id = sqlc.arg(member_id) AND EXISTS (
  SELECT 1 FROM lottery_round r JOIN lottery_numero n ON n.id = r.numero_id
  WHERE r.order_id = o.id AND r.status = 'open' AND n.status = 'open' AND NOT n.closed AND n.close_at > sqlc.arg(now))
ORDER BY o.id;

-- name: LotteryBetsOfRound :many
SELECT * FROM lottery_bet WHERE round_id = $1 ORDER BY id;

-- name: CancelLotteryRound :execrows
UPDATE lottery_round SET status = 'cancelled' WHERE id = $1 AND status = 'open';

-- name: EndLotteryBets :exec
UPDATE lottery_bet SET state = sqlc.arg(state) WHERE round_id = sqlc.arg(round_id);

-- The next rounds of a numero to settle, with their orders.
-- name: LotteryRoundsToSettle :many
SELECT r.id, r.order_id, r.amount, r.stake_id, r.status, r.paid, r.run, o.merchant_id, o.member_id, o.vendor_id, o.node_id, o.play_id, o.prize_mode, o.currency, o.account_id, o.house_id, o.stop_on_win
FROM lottery_round r JOIN lottery_order o ON o.id = r.order_id
WHERE r.numero_id = sqlc.arg(numero_id) AND r.id > sqlc.arg(after) ORDER BY r.id LIMIT sqlc.arg(most);

-- name: LotteryBetsToSettle :many
SELECT b.* FROM lottery_bet b JOIN lottery_round r ON r.id = b.round_id
WHERE r.numero_id = sqlc.arg(numero_id) AND b.round_id > sqlc.arg(after) AND b.round_id <= sqlc.arg(until) ORDER BY b.round_id, b.id;

-- name: LotteryExposures :many
SELECT play_code, line, amount FROM lottery_exposure WHERE numero_id = sqlc.arg(numero_id) AND currency = sqlc.arg(currency)
ORDER BY amount DESC, play_code, line LIMIT sqlc.arg(most);

-- Drops the lines of a numero on which no bet is left.
-- name: DropEmptyLotteryExposures :exec
DELETE FROM lottery_exposure WHERE numero_id = sqlc.arg(numero_id) AND currency = sqlc.arg(currency) AND amount <= 0;

-- name: DropLotteryExposures :exec
DELETE FROM lottery_exposure WHERE numero_id = $1;

-- name: AddLotteryDebt :exec
INSERT INTO lottery_debt (id, merchant_id, member_id, round_id, run, currency, amount, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT (round_id, run) DO NOTHING;

-- Later runs of a numero replace the debts of earlier ones.
-- name: DropLotteryDebts :exec
DELETE FROM lottery_debt WHERE round_id = sqlc.arg(round_id) AND run < sqlc.arg(run);

-- name: LotteryDebt :one
SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) FROM lottery_debt WHERE round_id = sqlc.arg(round_id) AND run = sqlc.arg(run);

-- name: LotteryOdds :many
SELECT game_id, prize_mode, play_code, odds FROM lottery_odds WHERE merchant_id = $1;

-- name: PutLotteryOdds :exec
INSERT INTO lottery_odds (merchant_id, game_id, prize_mode, play_code, odds, changed_at) VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (merchant_id, game_id, prize_mode, play_code) DO UPDATE SET odds = excluded.odds, changed_at = excluded.changed_at;

-- name: LotteryGames :many
SELECT game_id, enabled, version FROM lottery_game WHERE merchant_id = $1;

-- Changes a game whose version is the expected one. A game without a row has version 0.
-- name: PutLotteryGame :execrows
INSERT INTO lottery_game (merchant_id, game_id, enabled, version)
SELECT m.id, CAST(sqlc.arg(game_id) AS BIGINT), CAST(sqlc.arg(enabled) AS BOOLEAN), 1 FROM merchant m
WHERE m.id = sqlc.arg(merchant_id)
  AND (CAST(sqlc.arg(version) AS BIGINT) = 0 OR EXISTS (SELECT 1 FROM lottery_game x WHERE x.merchant_id = m.id AND x.game_id = CAST(sqlc.arg(game_id) AS BIGINT)))
ON CONFLICT (merchant_id, game_id) DO UPDATE SET enabled = excluded.enabled, version = lottery_game.version + 1
WHERE lottery_game.version = sqlc.arg(version);

-- name: LotteryCatalogueGame :one
SELECT id, code, category, launch_code, vendor_id FROM game WHERE merchant_id = $1 AND code = $2;

-- name: AddLotteryCatalogueGame :exec
INSERT INTO game (id, merchant_id, vendor_id, code, category, launch_code, icon, min_bet, min_lines, support_play, free_play, sorting, hot_rank, enabled)
VALUES ($1, $2, $3, $4, $5, $6, '', 0, 0, TRUE, TRUE, 0, 0, FALSE)
ON CONFLICT DO NOTHING;

-- name: AddLotteryCatalogueName :exec
INSERT INTO game_name (game_id, language, name)
SELECT g.id, CAST(sqlc.arg(language) AS TEXT), CAST(sqlc.arg(name) AS TEXT) FROM game g WHERE g.id = sqlc.arg(game_id)
ON CONFLICT DO NOTHING;

-- name: LotteryPlayByTicket :one
SELECT p.id, p.merchant_id, p.vendor_id, v.code AS vendor FROM play p JOIN vendor v ON v.id = p.vendor_id
WHERE p.ticket_hash = sqlc.arg(ticket_hash) AND p.opened_at IS NULL AND p.closed_at IS NULL AND p.ticket_expires > sqlc.arg(now);

-- name: LotteryPlayByToken :one
SELECT p.id, p.merchant_id, p.vendor_id, p.game_id, p.member_id, p.session_id, p.currency, p.language, p.trial, p.created_at, p.closed_at, p.closed_why,
  m.status AS member_status, v.code AS vendor, c.code AS merchant, g.launch_code
FROM play p JOIN member m ON m.id = p.member_id JOIN vendor v ON v.id = p.vendor_id JOIN merchant c ON c.id = p.merchant_id JOIN game g ON g.id = p.game_id
WHERE p.token_hash = $1;

-- What was staked and paid on a numero.
-- name: LotteryNumeroTotals :many
SELECT o.currency, CAST(COUNT(*) AS BIGINT) AS rounds, CAST(COALESCE(SUM(r.amount), 0) AS BIGINT) AS staked, CAST(COALESCE(SUM(r.paid), 0) AS BIGINT) AS paid
FROM lottery_round r JOIN lottery_order o ON o.id = r.order_id
WHERE r.numero_id = $1 AND r.status <> 'cancelled' GROUP BY o.currency ORDER BY o.currency;

-- name: LotteryMerchantCode :one
SELECT code FROM merchant WHERE id = $1;

-- Takes or renews the lease of the process that draws. A lease that ends too late was written by a clock that was set back.
-- name: TakeLotteryLease :execrows
INSERT INTO lottery_lease (name, owner, until) VALUES (sqlc.arg(name), sqlc.arg(owner), sqlc.arg(until))
ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, until = excluded.until
WHERE lottery_lease.owner = excluded.owner OR lottery_lease.until <= sqlc.arg(now) OR lottery_lease.until > excluded.until;

-- name: DropLotteryLease :exec
DELETE FROM lottery_lease WHERE name = $1 AND owner = $2;

-- The last link of a series whose seed is public, or 0.
-- name: LastLotteryLink :one
SELECT CAST(COALESCE(MAX(link), 0) AS BIGINT) FROM lottery_numero WHERE series_id = $1 AND status <> 'open';

-- Reports whether a series has an earlier numero that is not drawn, and whether the numero before has a row.
-- name: EarlierLotteryLinks :one
SELECT CAST(EXISTS (SELECT 1 FROM lottery_numero n WHERE n.series_id = sqlc.arg(series_id) AND n.link < sqlc.arg(link) AND n.status = 'open') AS BOOLEAN) AS undrawn,
  CAST(EXISTS (SELECT 1 FROM lottery_numero n WHERE n.series_id = sqlc.arg(series_id) AND n.link = sqlc.arg(link) - 1) AS BOOLEAN) AS stored;

-- Reports whether a run has taken back its part of a round, by a transfer or a debt.
-- name: LotteryClawbackDone :one
SELECT CAST(EXISTS (SELECT 1 FROM transfer t WHERE t.idem_key = sqlc.arg(idem_key) AND t.refusal IS NULL)
  OR EXISTS (SELECT 1 FROM lottery_debt d WHERE d.round_id = sqlc.arg(round_id) AND d.run = sqlc.arg(run)) AS BOOLEAN);
