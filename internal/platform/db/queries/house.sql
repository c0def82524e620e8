-- name: HouseSeed :one
SELECT * FROM house_seed WHERE player = $1;

-- Reads the seed and locks it until the transaction ends.
-- name: LockHouseSeed :one
UPDATE house_seed SET player = player WHERE player = $1 RETURNING *;

-- name: AddHouseSeed :exec
INSERT INTO house_seed (player, seed, published_at, client_seed, nonce, fixed)
VALUES (sqlc.arg(player), sqlc.arg(seed), sqlc.arg(published_at), sqlc.arg(client_seed), 1, FALSE)
ON CONFLICT (player) DO NOTHING;

-- Replaces the seed: the current round uses the old one, the next round the new one.
-- name: RotateHouseSeed :many
UPDATE house_seed SET seed = sqlc.arg(seed), published_at = sqlc.arg(published_at), nonce = nonce + 1
WHERE player = sqlc.arg(player) AND nonce = sqlc.arg(nonce)
RETURNING nonce;

-- name: SetClientSeed :execrows
UPDATE house_seed SET client_seed = $1, fixed = $2 WHERE player = $3;

-- name: AddHouseFrame :exec
INSERT INTO house_frame (token_hash, player, vendor, game, category, wallet_session, nickname, language, currency, trial, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11);

-- name: HouseFrame :one
SELECT * FROM house_frame WHERE token_hash = $1 AND created_at > $2;

-- Deletes at most 500 rows at once, because on SQLite a long delete blocks all other writes.
-- name: DropHouseFrames :execrows
DELETE FROM house_frame WHERE token_hash IN (
  SELECT old.token_hash FROM house_frame old WHERE old.created_at < $1 ORDER BY old.created_at LIMIT 500);

-- Inserts no row if the spin exists or another round of the player is open.
-- name: AddHouseRound :execrows
INSERT INTO house_round (id, player, spin_id, vendor, game, wallet_session, currency, engine, version, stake, status,
  client_seed, nonce, commitment, published_at, created_at)
VALUES (sqlc.arg(id), sqlc.arg(player), sqlc.arg(spin_id), sqlc.arg(vendor), sqlc.arg(game), sqlc.arg(wallet_session), sqlc.arg(currency),
  sqlc.arg(engine), sqlc.arg(version), sqlc.arg(stake), 'betting', sqlc.arg(client_seed), sqlc.arg(nonce), sqlc.arg(commitment), sqlc.arg(published_at), sqlc.arg(created_at))
ON CONFLICT DO NOTHING;

-- name: HouseRound :one
SELECT * FROM house_round WHERE id = $1;

-- name: HouseRoundBySpin :one
SELECT * FROM house_round WHERE player = $1 AND spin_id = $2;

-- name: OpenHouseRound :one
SELECT * FROM house_round WHERE player = $1 AND table_round IS NULL AND status IN ('betting', 'bet', 'refunding');

-- The player's last rounds, without those that the wallet refused.
-- name: HouseRounds :many
SELECT * FROM house_round
WHERE player = sqlc.arg(player) AND id < sqlc.arg(before) AND status = 'settled'
  AND (CAST(sqlc.arg(game) AS TEXT) = '' OR game = sqlc.arg(game) AND vendor = sqlc.arg(vendor))
ORDER BY id DESC LIMIT sqlc.arg(most);

-- When the player's last round began.
-- name: LastHouseRoundAt :one
SELECT CAST(COALESCE(MAX(created_at), 0) AS BIGINT) AS at FROM (
  SELECT r.created_at FROM house_round r WHERE r.player = $1 AND r.table_round IS NULL AND r.status <> 'refused' ORDER BY r.id DESC LIMIT 1) AS last;

-- Excludes tickets on a table, which wait for the table's round.
-- name: UnfinishedHouseRounds :many
SELECT * FROM house_round
WHERE house_round.status IN ('betting', 'placed', 'bet', 'refunding') AND house_round.id > sqlc.arg(after)
  AND (house_round.created_at < sqlc.arg(before) OR house_round.created_at > sqlc.arg(beyond))
  AND (house_round.status <> 'placed' OR EXISTS (
    SELECT 1 FROM house_table_round t WHERE t.id = house_round.table_round AND t.status IN ('result', 'ended', 'void')))
ORDER BY house_round.id LIMIT 100;

-- name: SetHouseRoundStatus :execrows
UPDATE house_round SET status = sqlc.arg(next), reason = sqlc.arg(reason)
WHERE id = sqlc.arg(id) AND status = sqlc.arg(was);

-- name: StoreHouseOutcome :execrows
UPDATE house_round SET status = 'bet', seed = sqlc.arg(seed), outcome = sqlc.arg(outcome), win = sqlc.arg(win)
WHERE id = sqlc.arg(id) AND status = 'betting';

-- name: SettleHouseRound :execrows
UPDATE house_round SET status = 'settled', balance = sqlc.arg(balance), settled_at = sqlc.arg(settled_at), reason = ''
WHERE id = sqlc.arg(id) AND status IN ('bet', 'owed');

-- Rounds marked stuck: a win or a refund is still owed.
-- name: StuckHouseRounds :many
SELECT id, player, vendor, game, currency, stake, win, status, reason, created_at FROM house_round
WHERE status IN ('owed', 'unreturned') AND id > sqlc.arg(after)
ORDER BY id LIMIT 100;

-- Placed tickets whose table round was dealt, with the version that would settle them.
-- name: DealtTickets :many
SELECT r.id, r.player, r.vendor, r.game, r.currency, r.stake, r.created_at, t.engine, t.version
FROM house_round r JOIN house_table_round t ON t.id = r.table_round
WHERE r.status = 'placed' AND t.status IN ('result', 'ended') AND r.id > sqlc.arg(after)
ORDER BY r.id LIMIT 100;

-- The game of a launch ticket. It excludes games that the House does not run.
-- name: HouseLaunch :one
SELECT s.code AS merchant, v.code AS vendor, g.code AS game, g.category
FROM play p JOIN vendor v ON v.id = p.vendor_id JOIN game g ON g.id = p.game_id JOIN merchant s ON s.id = p.merchant_id
WHERE p.ticket_hash = $1 AND v.house AND v.launch_url = '';

-- name: HouseGameName :one
SELECT n.name FROM game g JOIN vendor v ON v.id = g.vendor_id JOIN merchant s ON s.id = v.merchant_id JOIN game_name n ON n.game_id = g.id
WHERE s.code = sqlc.arg(merchant) AND v.code = sqlc.arg(vendor) AND g.code = sqlc.arg(game) AND n.language = sqlc.arg(language);

-- Seeds of next rounds, and whether an open round will use it. Only a round whose stake was requested will: at bet its outcome
-- is stored and the seed replaced, and at refunding there will be no outcome.
-- name: HouseSeeds :many
SELECT s.player, s.seed, CAST(CASE WHEN EXISTS (
  SELECT 1 FROM house_round r WHERE r.player = s.player AND r.table_round IS NULL AND r.status = 'betting') THEN 1 ELSE 0 END AS BIGINT) AS begun
FROM house_seed s WHERE s.player > sqlc.arg(after) ORDER BY s.player LIMIT 500;

-- name: SetHouseSeed :exec
UPDATE house_seed SET seed = $1, published_at = $2 WHERE player = $3;

-- Wallet sessions of rounds that still need them.
-- name: HouseRoundSessions :many
SELECT id, wallet_session FROM house_round
WHERE status IN ('betting', 'placed', 'bet', 'refunding', 'owed', 'unreturned') AND id > sqlc.arg(after)
ORDER BY id LIMIT 500;

-- name: SetHouseRoundSession :exec
UPDATE house_round SET wallet_session = $1 WHERE id = $2;

-- name: DropAllHouseFrames :exec
DELETE FROM house_frame;
