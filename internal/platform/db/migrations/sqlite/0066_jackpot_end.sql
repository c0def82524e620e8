-- +goose Up
-- A jackpot series that ended without a win, because the installation's key was changed. It has everything needed to
-- verify its draws. The next series continues with its amount.
CREATE TABLE jackpot_end (
  merchant_id  BIGINT NOT NULL,
  currency     TEXT   NOT NULL,
  series       BIGINT NOT NULL,
  seed         BLOB   NOT NULL,
  published_at BIGINT NOT NULL,
  ended_at     BIGINT NOT NULL,
  series_id    BIGINT NOT NULL,
  link         BIGINT NOT NULL,
  name         TEXT   NOT NULL,
  PRIMARY KEY (merchant_id, currency, series)
);

-- Draws of the ended series whose amount the current series continues with.
ALTER TABLE jackpot_pool ADD COLUMN earlier_draws BIGINT NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE jackpot_pool DROP COLUMN earlier_draws;
DROP TABLE jackpot_end;
