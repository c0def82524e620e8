-- +goose Up
-- Finds a player's tickets in a table round without reading all players' tickets.
CREATE INDEX house_round_at_table ON house_round (table_round, player) WHERE table_round IS NOT NULL;
DROP INDEX house_round_of_table;

-- +goose Down
CREATE INDEX house_round_of_table ON house_round (table_round) WHERE table_round IS NOT NULL;
DROP INDEX house_round_at_table;
