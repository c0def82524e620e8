-- +goose Up
-- A member who registered and has not had a session yet. The session that the registration opens is the first one (ruling 31).
ALTER TABLE member ADD COLUMN has_logged_in BOOLEAN NOT NULL DEFAULT TRUE;
ALTER TABLE session ADD COLUMN is_first BOOLEAN NOT NULL DEFAULT FALSE;

-- +goose Down
ALTER TABLE session DROP COLUMN is_first;
ALTER TABLE member DROP COLUMN has_logged_in;
