-- +goose Up
-- The winner board finds the latest wins by these indexes.
CREATE INDEX vendor_round_won ON vendor_round (settled, first_id) WHERE won > 0 AND ends > 0;
CREATE INDEX jackpot_win_at ON jackpot_win (merchant_id, won_at);
DROP INDEX vendor_move_ends;

-- The betting record finds vendors' promotions by this index.
CREATE INDEX vendor_move_promo ON vendor_move (member_id, at) WHERE call = 'promo';

-- +goose Down
DROP INDEX vendor_move_promo;
CREATE INDEX vendor_move_ends ON vendor_move (at) WHERE ends;
DROP INDEX jackpot_win_at;
DROP INDEX vendor_round_won;
