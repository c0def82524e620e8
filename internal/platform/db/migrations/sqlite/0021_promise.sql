-- +goose Up
-- What was published before a round, as it was: worked out from the seed afterwards it would prove nothing. Empty: the round
-- is from before it was kept.
ALTER TABLE house_round ADD COLUMN commitment TEXT NOT NULL DEFAULT '';
ALTER TABLE house_table_round ADD COLUMN commitment TEXT NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE house_table_round DROP COLUMN commitment;
ALTER TABLE house_round DROP COLUMN commitment;
