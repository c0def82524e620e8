-- name: Merchants :many
SELECT id, code, name, currency, created_at FROM merchant ORDER BY id;

-- name: MerchantByCode :one
SELECT id, code, name, currency, created_at FROM merchant WHERE code = $1;

-- name: AddMerchant :execrows
INSERT INTO merchant (id, code, name, currency, created_at) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (code) DO NOTHING;

-- name: LockMerchant :execrows
-- Changes nothing. It locks the row until the transaction ends, on both engines.
UPDATE merchant SET name = name WHERE id = $1;

-- name: Settings :many
SELECT merchant_id, name, value FROM setting ORDER BY merchant_id, name;

-- name: PutSetting :exec
INSERT INTO setting (merchant_id, name, value) VALUES ($1, $2, $3)
ON CONFLICT (merchant_id, name) DO UPDATE SET value = excluded.value;

-- name: AddSetting :exec
INSERT INTO setting (merchant_id, name, value) VALUES ($1, $2, $3)
ON CONFLICT (merchant_id, name) DO NOTHING;

-- name: Switches :many
SELECT merchant_id, kind, code, enabled FROM flag ORDER BY merchant_id, kind, code;

-- name: PutSwitch :exec
INSERT INTO flag (merchant_id, kind, code, enabled) VALUES ($1, $2, $3, $4)
ON CONFLICT (merchant_id, kind, code) DO UPDATE SET enabled = excluded.enabled;

-- name: AddSwitch :exec
INSERT INTO flag (merchant_id, kind, code, enabled) VALUES ($1, $2, $3, $4)
ON CONFLICT (merchant_id, kind, code) DO NOTHING;
