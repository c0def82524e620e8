-- name: PutVendor :one
INSERT INTO vendor (id, merchant_id, code, display_name, account_type, sorting, enabled)
VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (merchant_id, code) DO UPDATE SET
  display_name = excluded.display_name, account_type = excluded.account_type,
  sorting = excluded.sorting, enabled = excluded.enabled
RETURNING id;

-- name: DropVendorCategories :exec
DELETE FROM vendor_category WHERE vendor_id = $1;

-- name: AddVendorCategory :exec
INSERT INTO vendor_category (vendor_id, category) VALUES ($1, $2);

-- name: Vendors :many
SELECT id, code, display_name, account_type, sorting
FROM vendor WHERE merchant_id = $1 AND enabled ORDER BY sorting, code;

-- name: VendorCategories :many
SELECT c.vendor_id, c.category
FROM vendor_category c JOIN vendor v ON v.id = c.vendor_id
WHERE v.merchant_id = $1 AND v.enabled ORDER BY c.vendor_id, c.category;

-- name: VendorID :one
SELECT id FROM vendor WHERE merchant_id = $1 AND code = $2;

-- name: VendorCodes :many
SELECT code FROM vendor WHERE merchant_id = $1;

-- name: GameCodes :many
SELECT code FROM game WHERE merchant_id = $1;

-- name: PutGame :one
INSERT INTO game (id, merchant_id, vendor_id, code, category, launch_code, group_id, lotto_mode, icon,
  min_bet, min_lines, support_play, free_play, sorting, hot_rank, enabled)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
ON CONFLICT (merchant_id, code) DO UPDATE SET
  vendor_id = excluded.vendor_id, category = excluded.category, launch_code = excluded.launch_code,
  group_id = excluded.group_id, lotto_mode = excluded.lotto_mode, icon = excluded.icon,
  min_bet = excluded.min_bet, min_lines = excluded.min_lines, support_play = excluded.support_play,
  free_play = excluded.free_play, sorting = excluded.sorting, hot_rank = excluded.hot_rank,
  enabled = excluded.enabled
RETURNING id;

-- name: PutGameName :exec
INSERT INTO game_name (game_id, language, name, folded) VALUES ($1, $2, $3, $4)
ON CONFLICT (game_id, language) DO UPDATE SET name = excluded.name, folded = excluded.folded;

-- name: DropGameClasses :exec
DELETE FROM game_class WHERE game_id = $1;

-- name: AddGameClass :exec
INSERT INTO game_class (game_id, class) VALUES ($1, $2);

-- name: HotGames :many
SELECT g.id, g.code, g.category, g.launch_code, g.group_id, g.lotto_mode, g.icon, g.support_play, g.free_play,
  v.code AS vendor_code, v.display_name AS vendor_name, n.name
FROM game g
JOIN vendor v ON v.id = g.vendor_id
JOIN game_name n ON n.game_id = g.id AND n.language = $2
WHERE g.merchant_id = $1 AND g.hot_rank > 0 AND g.enabled AND v.enabled
ORDER BY g.hot_rank, g.id;

-- name: HotGameClasses :many
SELECT c.game_id, c.class
FROM game_class c JOIN game g ON g.id = c.game_id
WHERE g.merchant_id = $1 AND g.hot_rank > 0 AND g.enabled ORDER BY c.game_id, c.class;
