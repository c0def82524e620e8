-- Announcements of some types, for operators, in display order.
-- name: OpsAnnouncements :many
SELECT * FROM announcement WHERE merchant_id = $1 AND type IN ($2, $3) ORDER BY sorting, id;

-- name: OpsAnnouncementTexts :many
SELECT t.* FROM announcement_text t JOIN announcement a ON a.id = t.announcement_id WHERE a.merchant_id = $1 AND a.type IN ($2, $3);

-- name: OpsAnnouncement :one
SELECT * FROM announcement WHERE id = $1 AND merchant_id = $2;

-- name: OpsAnnouncementTextsOf :many
SELECT * FROM announcement_text WHERE announcement_id = $1;

-- name: AnnouncementCodeUsed :one
SELECT COUNT(*) FROM announcement WHERE merchant_id = $1 AND code = $2;

-- name: AddAnnouncement :exec
INSERT INTO announcement (id, merchant_id, code, type, group_name, execution, promotion_type, url, image, sorting, starts_at, ends_at, enabled)
VALUES ($1, $2, $3, $4, $5, $6, '', $7, $8, $9, $10, $11, $12);

-- name: ChangeAnnouncement :execrows
UPDATE announcement SET type = sqlc.arg(type), group_name = sqlc.arg(group_name), execution = sqlc.arg(execution), url = sqlc.arg(url), image = sqlc.arg(image),
  starts_at = sqlc.arg(starts_at), ends_at = sqlc.arg(ends_at), enabled = sqlc.arg(enabled), version = version + 1
WHERE id = sqlc.arg(id) AND merchant_id = sqlc.arg(merchant_id) AND version = sqlc.arg(version);

-- name: SetAnnouncementSorting :exec
UPDATE announcement SET sorting = $1, version = version + 1 WHERE id = $2;

-- name: DropAnnouncement :execrows
DELETE FROM announcement WHERE id = $1 AND merchant_id = $2 AND version = $3;

-- name: DropAnnouncementTexts :exec
DELETE FROM announcement_text WHERE announcement_id = $1;

-- name: DropAnnouncementReads :exec
DELETE FROM announcement_read WHERE announcement_id = $1;

-- name: OpsPages :many
SELECT * FROM page WHERE merchant_id = $1 AND kind = $2 ORDER BY sorting, name, language;

-- name: OpsPage :many
SELECT * FROM page WHERE merchant_id = $1 AND id = $2 AND kind = $3;

-- name: PageID :one
SELECT CAST(COALESCE(MAX(id), 0) AS BIGINT) FROM page WHERE merchant_id = $1 AND name = $2;

-- name: AddPage :exec
INSERT INTO page (merchant_id, id, name, language, title, content, sorting, enabled, updated_at, version, starts_at, ends_at, kind, parent) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14);

-- name: DropPage :execrows
DELETE FROM page WHERE page.merchant_id = sqlc.arg(merchant_id) AND page.id = sqlc.arg(id)
  AND CAST(sqlc.arg(version) AS BIGINT) = (SELECT MAX(p.version) FROM page p WHERE p.merchant_id = sqlc.arg(merchant_id) AND p.id = sqlc.arg(id));

-- name: SetPageSorting :exec
UPDATE page SET sorting = $1, version = version + 1 WHERE merchant_id = $2 AND id = $3;

-- How many texts and pictures refer to an uploaded picture.
-- name: PictureUses :one
SELECT CAST((SELECT COUNT(*) FROM announcement a WHERE a.image = sqlc.arg(address))
  + (SELECT COUNT(*) FROM announcement_text t WHERE t.image = sqlc.arg(address) OR t.content LIKE sqlc.arg(pattern))
  + (SELECT COUNT(*) FROM page p WHERE p.content LIKE sqlc.arg(pattern))
  + (SELECT COUNT(*) FROM promotion o WHERE o.image = sqlc.arg(address))
  + (SELECT COUNT(*) FROM live_stream v WHERE v.poster = sqlc.arg(address)) AS BIGINT) AS uses;

-- Every game of a merchant, for operators.
-- name: OpsGames :many
SELECT g.id, g.code, g.category, g.icon, g.min_bet, g.sorting, g.hot_rank, g.enabled, g.maintenance, g.jackpot, g.version,
  v.id AS vendor_id, v.code AS vendor, v.display_name AS vendor_name, v.enabled AS vendor_enabled, v.maintenance AS vendor_maintenance, n.name
FROM game g JOIN vendor v ON v.id = g.vendor_id LEFT JOIN game_name n ON n.game_id = g.id AND n.language = sqlc.arg(language)
WHERE g.merchant_id = sqlc.arg(merchant_id) ORDER BY g.sorting, g.id;

-- name: OpsGameNames :many
SELECT language, name FROM game_name WHERE game_id = $1;

-- name: OpsGame :one
SELECT id, code, vendor_id, category, sorting, hot_rank, enabled, maintenance, jackpot, version FROM game WHERE id = $1 AND merchant_id = $2;

-- name: ChangeGame :execrows
UPDATE game SET hot_rank = sqlc.arg(hot_rank), enabled = sqlc.arg(enabled), maintenance = sqlc.arg(maintenance), jackpot = sqlc.arg(jackpot), version = version + 1
WHERE id = sqlc.arg(id) AND merchant_id = sqlc.arg(merchant_id) AND version = sqlc.arg(version);

-- name: GameOrder :many
SELECT id, sorting FROM game WHERE merchant_id = $1 ORDER BY sorting, id;

-- name: SetGameSorting :exec
UPDATE game SET sorting = $1, version = version + 1 WHERE id = $2;

-- name: OpsVendors :many
SELECT v.id, v.code, v.display_name, v.account_type, v.icon, v.sorting, v.enabled, v.maintenance, v.launch_url, v.launch_mode, v.house, v.own_wallet, v.version,
  (SELECT COUNT(*) FROM game g WHERE g.vendor_id = v.id) AS games,
  (SELECT COUNT(*) FROM game g WHERE g.vendor_id = v.id AND g.enabled) AS enabled_games
FROM vendor v WHERE v.merchant_id = $1 ORDER BY v.sorting, v.code;

-- name: ChangeVendorSwitches :execrows
UPDATE vendor SET enabled = sqlc.arg(enabled), maintenance = sqlc.arg(maintenance), version = version + 1
WHERE id = sqlc.arg(id) AND merchant_id = sqlc.arg(merchant_id) AND version = sqlc.arg(version);

-- name: ChangeVendor :execrows
UPDATE vendor SET display_name = sqlc.arg(display_name), launch_url = sqlc.arg(launch_url), launch_mode = sqlc.arg(launch_mode), enabled = sqlc.arg(enabled),
  own_wallet = sqlc.arg(own_wallet), version = version + 1
WHERE id = sqlc.arg(id) AND merchant_id = sqlc.arg(merchant_id) AND version = sqlc.arg(version);

-- name: BumpVendor :execrows
UPDATE vendor SET version = version + 1 WHERE id = $1 AND merchant_id = $2 AND version = $3;

-- name: SetVendorSorting :exec
UPDATE vendor SET sorting = $1, version = version + 1 WHERE id = $2;

-- name: OpsVendorKeys :many
SELECT key_id, created_at, retired_at FROM vendor_key WHERE vendor_id = $1 ORDER BY created_at DESC, key_id;

-- The merchants whose players have taken part in a round of the House.
-- name: HouseRoundMerchants :many
SELECT DISTINCT v.merchant_id FROM vendor_move m JOIN vendor v ON v.id = m.vendor_id WHERE v.code = sqlc.arg(vendor) AND m.vendor_id = v.id AND m.round = sqlc.arg(round);

-- name: MerchantJackpotPools :many
SELECT p.currency, p.amount, p.series, p.nonce FROM jackpot_pool p WHERE p.merchant_id = $1 ORDER BY p.currency;

-- name: TableCrowd :one
SELECT COUNT(DISTINCT player) AS players, COUNT(*) AS tickets FROM house_round WHERE table_round = $1;

-- name: HouseTables :many
SELECT id, owner, until, number FROM house_table;
