-- +goose Up
-- When the member confirmed the minimum age. null: not asked yet, so asked before the first game for money.
ALTER TABLE member ADD COLUMN age_confirmed_at BIGINT;

-- +goose Down
ALTER TABLE member DROP COLUMN age_confirmed_at;
