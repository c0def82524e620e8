-- name: MerchantByCode :one
SELECT id, code, name, currency, created_at FROM merchant WHERE code = $1;

-- name: AddMerchant :exec
INSERT INTO merchant (id, code, name, currency, created_at) VALUES ($1, $2, $3, $4, $5);

-- name: Settings :many
SELECT name, value FROM setting WHERE merchant_id = $1 ORDER BY name;

-- name: PutSetting :exec
INSERT INTO setting (merchant_id, name, value) VALUES ($1, $2, $3)
ON CONFLICT (merchant_id, name) DO UPDATE SET value = excluded.value;

-- name: Flags :many
SELECT kind, code, enabled FROM flag WHERE merchant_id = $1 ORDER BY kind, code;

-- name: PutFlag :exec
INSERT INTO flag (merchant_id, kind, code, enabled) VALUES ($1, $2, $3, $4)
ON CONFLICT (merchant_id, kind, code) DO UPDATE SET enabled = excluded.enabled;
