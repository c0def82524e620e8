-- +goose Up
-- A vendor's logo: a path of the site or an address at the operator's CDN. Empty: lists show its first letter.
ALTER TABLE vendor ADD COLUMN icon TEXT NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE vendor DROP COLUMN icon;
