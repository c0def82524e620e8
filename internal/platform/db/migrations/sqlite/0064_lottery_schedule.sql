-- +goose Up
-- Operators list the draws of all games by time.
CREATE INDEX lottery_numero_of_merchant ON lottery_numero (merchant_id, draw_at, id);

-- +goose Down
DROP INDEX lottery_numero_of_merchant;
