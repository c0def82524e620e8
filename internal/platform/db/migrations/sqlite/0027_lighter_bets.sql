-- +goose Up
-- A bet writes less. vendor_round finds rounds, so the index on the rounds of moves is not needed.
DROP INDEX vendor_move_round;

-- +goose Down
CREATE INDEX vendor_move_round ON vendor_move (vendor_id, round, member_id);
