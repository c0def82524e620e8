-- +goose Up
-- Members read their own draws, and anyone reads a draw by its number.
CREATE INDEX jackpot_ticket_own ON jackpot_ticket (member_id, transfer_id);
CREATE UNIQUE INDEX jackpot_ticket_draw ON jackpot_ticket (merchant_id, currency, series, nonce) WHERE state = 'drawn';

-- +goose Down
DROP INDEX jackpot_ticket_draw;
DROP INDEX jackpot_ticket_own;
