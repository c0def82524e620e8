-- +goose Up
-- The commitment that was published before a round. Computed from the seed afterwards it would prove nothing. Empty: the
-- round is older than this column.
ALTER TABLE house_round ADD COLUMN commitment TEXT NOT NULL DEFAULT '';
ALTER TABLE house_table_round ADD COLUMN commitment TEXT NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE house_table_round DROP COLUMN commitment;
ALTER TABLE house_round DROP COLUMN commitment;
