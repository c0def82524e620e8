-- Takes the lease of a table without an owner: a new table, an expired lease, or one with an impossible time.
-- name: TakeTableLease :many
INSERT INTO house_table (id, owner, until, fence, number)
VALUES (sqlc.arg(id), sqlc.arg(owner), sqlc.arg(until), 1, 0)
ON CONFLICT (id) DO UPDATE SET owner = excluded.owner, until = excluded.until, fence = house_table.fence + 1
WHERE house_table.until <= sqlc.arg(now) OR house_table.until > sqlc.arg(beyond)
RETURNING fence;

-- name: RenewTableLease :execrows
UPDATE house_table SET until = sqlc.arg(until)
WHERE id = sqlc.arg(id) AND owner = sqlc.arg(owner) AND fence = sqlc.arg(fence) AND until > sqlc.arg(now);

-- name: ReleaseTableLease :execrows
UPDATE house_table SET until = 0 WHERE id = $1 AND owner = $2 AND fence = $3;

-- name: NextTableNumber :many
UPDATE house_table SET number = number + 1
WHERE id = sqlc.arg(id) AND owner = sqlc.arg(owner) AND fence = sqlc.arg(fence) AND until > sqlc.arg(now)
RETURNING number;

-- Inserts no row if a round of the table is open.
-- name: AddTableRound :execrows
INSERT INTO house_table_round (id, table_id, number, engine, version, status, seed, commitment, opens_at, closes_at, deal_at, result_at, ends_at, series_id, link, client_seed)
VALUES (sqlc.arg(id), sqlc.arg(table_id), sqlc.arg(number), sqlc.arg(engine), sqlc.arg(version), 'betting', sqlc.arg(seed), sqlc.arg(commitment),
  sqlc.arg(opens_at), sqlc.arg(closes_at), sqlc.arg(deal_at), sqlc.arg(result_at), sqlc.arg(ends_at), sqlc.arg(series_id), sqlc.arg(link), sqlc.arg(client_seed))
ON CONFLICT DO NOTHING;

-- name: TableRound :one
SELECT * FROM house_table_round WHERE id = $1;

-- name: LastTableRound :one
SELECT * FROM house_table_round WHERE table_id = $1 ORDER BY number DESC LIMIT 1;

-- Moves a round to its next status, once, and only for the table's current owner.
-- name: AdvanceTableRound :execrows
UPDATE house_table_round SET status = sqlc.arg(next), deal_at = sqlc.arg(deal_at), result_at = sqlc.arg(result_at), ends_at = sqlc.arg(ends_at), result = sqlc.arg(result), seed = sqlc.arg(seed)
WHERE house_table_round.id = sqlc.arg(id) AND house_table_round.status = sqlc.arg(was)
  AND EXISTS (SELECT 1 FROM house_table h WHERE h.id = house_table_round.table_id AND h.fence = sqlc.arg(fence));

-- name: TableResults :many
SELECT number, result FROM house_table_round
WHERE table_id = $1 AND status IN ('result', 'ended') ORDER BY number DESC LIMIT 60;

-- Tables with an unfinished round.
-- name: UnfinishedTables :many
SELECT table_id FROM house_table_round WHERE status IN ('betting', 'locked', 'dealing', 'result') ORDER BY table_id;

-- Inserts no row if the bet exists.
-- name: AddTicket :execrows
INSERT INTO house_round (id, player, spin_id, vendor, game, wallet_session, currency, engine, version, stake, status,
  client_seed, nonce, commitment, published_at, created_at, table_round, spots)
VALUES (sqlc.arg(id), sqlc.arg(player), sqlc.arg(bet_id), sqlc.arg(vendor), sqlc.arg(game), sqlc.arg(wallet_session), sqlc.arg(currency),
  sqlc.arg(engine), sqlc.arg(version), sqlc.arg(stake), 'betting', sqlc.arg(client_seed), sqlc.arg(nonce), sqlc.arg(commitment), sqlc.arg(published_at), sqlc.arg(created_at),
  sqlc.arg(table_round), sqlc.arg(spots))
ON CONFLICT DO NOTHING;

-- Accepts the bet only while its round takes bets (PP-14).
-- name: PlaceTicket :execrows
UPDATE house_round SET status = 'placed', balance = sqlc.arg(balance)
WHERE house_round.id = sqlc.arg(id) AND house_round.status = 'betting' AND EXISTS (
  SELECT 1 FROM house_table_round t WHERE t.id = house_round.table_round AND t.status = 'betting' AND t.closes_at > sqlc.arg(now));

-- name: DrawTicket :execrows
UPDATE house_round SET status = 'bet', seed = sqlc.arg(seed), outcome = sqlc.arg(outcome), win = sqlc.arg(win)
WHERE id = sqlc.arg(id) AND status = 'placed';

-- name: TableTickets :many
SELECT id, player, spin_id, currency, stake, spots, status, win, balance FROM house_round WHERE table_round = $1 ORDER BY id;

-- name: PlayerTickets :many
SELECT id, player, spin_id, currency, stake, spots, status, win, balance FROM house_round WHERE table_round = $1 AND player = $2 ORDER BY id;

-- name: PlacedTickets :many
SELECT * FROM house_round WHERE table_round = $1 AND status IN ('betting', 'placed', 'bet', 'refunding') ORDER BY id;

-- The player's last tickets at a table, without those that the wallet refused.
-- name: OldTickets :many
SELECT r.id, r.spin_id, r.currency, r.stake, r.spots, r.status, r.win, r.created_at, t.id AS round_id, t.number, t.result, t.seed, t.commitment, t.client_seed, t.status AS round_status
FROM house_round r JOIN house_table_round t ON t.id = r.table_round
WHERE r.player = sqlc.arg(player) AND r.id < sqlc.arg(before) AND t.table_id = sqlc.arg(table_id)
  AND r.status IN ('placed', 'bet', 'settled', 'refunding', 'refunded', 'owed', 'unreturned')
ORDER BY r.id DESC LIMIT sqlc.arg(most);

-- name: HouseTable :one
SELECT * FROM house_table WHERE id = $1;

-- Seeds that were not revealed.
-- name: SealedTableSeeds :many
SELECT id, seed FROM house_table_round WHERE LENGTH(seed) <> 32 AND id > sqlc.arg(after) ORDER BY id LIMIT 500;

-- name: SetTableSeed :exec
UPDATE house_table_round SET seed = $1 WHERE id = $2;

-- name: CountTableRound :exec
UPDATE house_table SET finished = finished + 1, called_off = called_off + sqlc.arg(called_off) WHERE id = sqlc.arg(id);

-- Rounds whose seed is public, newest first. They are kept for ever.
-- name: FinishedTableRounds :many
SELECT * FROM house_table_round
WHERE table_id = sqlc.arg(table_id) AND number < sqlc.arg(before) AND status IN ('result', 'ended', 'void')
ORDER BY number DESC LIMIT sqlc.arg(most);
