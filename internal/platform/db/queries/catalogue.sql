-- name: PutVendor :one
INSERT INTO vendor (id, merchant_id, code, display_name, account_type, icon, sorting, enabled, maintenance, house)
VALUES (sqlc.arg(id), sqlc.arg(merchant_id), sqlc.arg(code), sqlc.arg(display_name), sqlc.arg(account_type), sqlc.arg(icon),
  sqlc.arg(sorting), sqlc.arg(enabled), sqlc.arg(maintenance), sqlc.arg(house))
ON CONFLICT (merchant_id, code) DO UPDATE SET
  display_name = excluded.display_name, account_type = excluded.account_type, icon = excluded.icon, sorting = excluded.sorting,
  enabled = CASE WHEN CAST(sqlc.arg(keep_enabled) AS BOOLEAN) THEN vendor.enabled ELSE excluded.enabled END,
  maintenance = CASE WHEN CAST(sqlc.arg(keep_maintenance) AS BOOLEAN) THEN vendor.maintenance ELSE excluded.maintenance END
RETURNING id;

-- name: SwitchVendor :one
UPDATE vendor SET
  enabled = COALESCE(sqlc.narg(enabled), enabled), maintenance = COALESCE(sqlc.narg(maintenance), maintenance), version = version + 1
WHERE merchant_id = sqlc.arg(merchant_id) AND code = sqlc.arg(code)
RETURNING display_name, enabled, maintenance;

-- name: SwitchGame :execrows
UPDATE game SET enabled = sqlc.arg(enabled), version = version + 1 WHERE merchant_id = sqlc.arg(merchant_id) AND code = sqlc.arg(code);

-- name: VendorRunner :one
SELECT id, launch_url, launch_mode, house FROM vendor WHERE merchant_id = $1 AND code = $2;

-- name: SetVendorHouse :exec
UPDATE vendor SET house = $1 WHERE id = $2;

-- name: SetVendorName :exec
UPDATE vendor SET display_name = $1 WHERE id = $2;

-- name: VendorCategories :many
SELECT category FROM vendor_category WHERE vendor_id = $1 ORDER BY category;

-- name: DropVendorCategories :exec
DELETE FROM vendor_category WHERE vendor_id = $1;

-- name: AddVendorCategory :exec
INSERT INTO vendor_category (vendor_id, category) VALUES ($1, $2);

-- name: VendorIDs :many
SELECT id, code FROM vendor WHERE merchant_id = $1;

-- name: VendorCodes :many
SELECT code FROM vendor WHERE merchant_id = $1;

-- name: GameCodes :many
SELECT code FROM game WHERE merchant_id = $1;

-- name: BumpCatalogueVersion :exec
INSERT INTO catalogue (merchant_id, version) VALUES ($1, 1)
ON CONFLICT (merchant_id) DO UPDATE SET version = catalogue.version + 1;

-- name: CatalogueVersion :one
SELECT version FROM catalogue WHERE merchant_id = $1;

-- name: CatalogueVendors :many
SELECT id, code, display_name, account_type, icon, sorting, maintenance, launch_url, house
FROM vendor WHERE merchant_id = $1 AND enabled ORDER BY sorting, code;

-- name: CatalogueVendorCategories :many
SELECT c.vendor_id, c.category
FROM vendor_category c JOIN vendor v ON v.id = c.vendor_id
WHERE v.merchant_id = $1 AND v.enabled ORDER BY c.vendor_id, c.category;

-- name: CatalogueGames :many
SELECT g.id, g.vendor_id, g.code, g.category, g.launch_code, g.group_id, g.lotto_mode, g.icon,
  g.min_bet, g.min_lines, g.support_play, g.free_play, g.hot_rank, g.maintenance, g.jackpot
FROM game g JOIN vendor v ON v.id = g.vendor_id
WHERE g.merchant_id = $1 AND g.enabled AND v.enabled ORDER BY g.sorting, g.id;

-- name: CatalogueNames :many
SELECT n.game_id, n.language, n.name
FROM game_name n JOIN game g ON g.id = n.game_id
WHERE g.merchant_id = $1 AND g.enabled;

-- name: CatalogueClasses :many
SELECT c.game_id, c.class
FROM game_class c JOIN game g ON g.id = c.game_id
WHERE g.merchant_id = $1 AND g.enabled ORDER BY c.game_id, c.class;

-- name: GameExists :one
SELECT EXISTS (SELECT 1 FROM game g JOIN vendor v ON v.id = g.vendor_id
  WHERE g.id = sqlc.arg(id) AND g.merchant_id = sqlc.arg(merchant_id)
    AND (CAST(sqlc.arg(vendor) AS TEXT) = '' OR v.code = sqlc.arg(vendor)));

-- name: AddFavourite :execrows
INSERT INTO favourite (member_id, game_id, created_at) VALUES ($1, $2, $3)
ON CONFLICT (member_id, game_id) DO NOTHING;

-- name: CountFavourites :one
SELECT COUNT(*) FROM favourite f JOIN game g ON g.id = f.game_id JOIN vendor v ON v.id = g.vendor_id
WHERE f.member_id = $1 AND g.enabled AND v.enabled;

-- name: RemoveFavourite :exec
DELETE FROM favourite WHERE member_id = $1 AND game_id = $2;

-- name: Favourites :many
SELECT game_id FROM favourite WHERE member_id = $1 ORDER BY created_at DESC, game_id DESC;

-- name: PutRecent :exec
INSERT INTO recent (member_id, game_id, played_at) VALUES ($1, $2, $3)
ON CONFLICT (member_id, game_id) DO UPDATE SET played_at = excluded.played_at;

-- name: ForgetRecent :exec
DELETE FROM recent WHERE recent.member_id = sqlc.arg(member_id) AND recent.game_id IN (
  SELECT old.game_id FROM recent old WHERE old.member_id = sqlc.arg(member_id)
  ORDER BY old.played_at DESC, old.game_id DESC LIMIT 1000 OFFSET sqlc.arg(keep));

-- name: RecentGames :many
SELECT game_id FROM recent WHERE member_id = $1 ORDER BY played_at DESC, game_id DESC;

-- name: AnyGame :many
SELECT g.id, g.code, g.category, g.vendor_id, v.code AS vendor
FROM game g JOIN vendor v ON v.id = g.vendor_id
WHERE g.merchant_id = sqlc.arg(merchant_id) AND (g.id = sqlc.arg(id) OR g.code = sqlc.arg(code));
