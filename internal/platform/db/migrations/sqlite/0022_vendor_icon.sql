-- +goose Up
-- A vendor's logo: a path of the site or a URL on the operator's CDN. Empty: lists show the first letter.
ALTER TABLE vendor ADD COLUMN icon TEXT NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE vendor DROP COLUMN icon;
