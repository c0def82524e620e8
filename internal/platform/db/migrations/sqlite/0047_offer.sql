-- +goose Up
-- Versions guard operators' edits: a change with an older version is refused.
ALTER TABLE announcement ADD COLUMN version BIGINT NOT NULL DEFAULT 1;
ALTER TABLE page ADD COLUMN version BIGINT NOT NULL DEFAULT 1;
ALTER TABLE page ADD COLUMN id BIGINT NOT NULL DEFAULT 0; -- the same in all languages of a page
UPDATE page SET id = (SELECT COUNT(DISTINCT p.name) FROM page p WHERE p.merchant_id = page.merchant_id AND p.name <= page.name)
  + 1000000 * (SELECT COUNT(DISTINCT p.merchant_id) FROM page p WHERE p.merchant_id < page.merchant_id);
ALTER TABLE page ADD COLUMN starts_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE page ADD COLUMN ends_at BIGINT; -- null: no end
ALTER TABLE vendor ADD COLUMN version BIGINT NOT NULL DEFAULT 1;
ALTER TABLE vendor ADD COLUMN own_wallet BOOLEAN NOT NULL DEFAULT FALSE; -- members have an account of their own at it
ALTER TABLE game ADD COLUMN version BIGINT NOT NULL DEFAULT 1;
ALTER TABLE game ADD COLUMN maintenance BOOLEAN NOT NULL DEFAULT FALSE; -- listed, but cannot be played
ALTER TABLE game ADD COLUMN jackpot BOOLEAN NOT NULL DEFAULT FALSE; -- marked as a game with a jackpot

-- +goose Down
ALTER TABLE game DROP COLUMN jackpot;
ALTER TABLE game DROP COLUMN maintenance;
ALTER TABLE game DROP COLUMN version;
ALTER TABLE vendor DROP COLUMN own_wallet;
ALTER TABLE vendor DROP COLUMN version;
ALTER TABLE page DROP COLUMN ends_at;
ALTER TABLE page DROP COLUMN starts_at;
ALTER TABLE page DROP COLUMN id;
ALTER TABLE page DROP COLUMN version;
ALTER TABLE announcement DROP COLUMN version;
