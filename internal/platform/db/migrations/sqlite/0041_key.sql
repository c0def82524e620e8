-- +goose Up
-- A vendor's signing key, encrypted with the installation's root key. NULL for keys of older versions until the next start,
-- and for retired keys.
ALTER TABLE vendor_key ADD COLUMN wrapped BLOB;

-- +goose Down
ALTER TABLE vendor_key DROP COLUMN wrapped;
