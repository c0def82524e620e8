-- +goose Up
-- When the member confirmed to be old enough to play; null where nobody was asked, and then they are before the first game for money.
ALTER TABLE member ADD COLUMN age_confirmed_at BIGINT;

-- +goose Down
ALTER TABLE member DROP COLUMN age_confirmed_at;
