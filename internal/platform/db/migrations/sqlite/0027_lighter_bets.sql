-- +goose Up
-- A bet writes less. Rounds are found by vendor_round, so nothing is found by the rounds of moves any more.
DROP INDEX vendor_move_round;

-- +goose Down
CREATE INDEX vendor_move_round ON vendor_move (vendor_id, round, member_id);
