-- +goose Up
-- A numero that was seen closed stays closed, even if the clock is set back.
ALTER TABLE lottery_numero ADD COLUMN closed BOOLEAN NOT NULL DEFAULT FALSE;
CREATE INDEX lottery_numero_to_close ON lottery_numero (close_at) WHERE status = 'open' AND NOT closed;

-- Rounds and stakes of each numero, without cancelled rounds. Each order counts in one of several parts, so that bets on the
-- same numero do not wait for each other.
CREATE TABLE lottery_stake (
  numero_id BIGINT NOT NULL,
  currency  TEXT   NOT NULL,
  part      BIGINT NOT NULL,
  rounds    BIGINT NOT NULL,
  staked    BIGINT NOT NULL,
  PRIMARY KEY (numero_id, currency, part)
) WITHOUT ROWID;
INSERT INTO lottery_stake (numero_id, currency, part, rounds, staked)
SELECT r.numero_id, o.currency, o.id % 16, COUNT(*), SUM(r.amount)
FROM lottery_round r JOIN lottery_order o ON o.id = r.order_id JOIN lottery_numero n ON n.id = r.numero_id
WHERE r.status = 'open' AND n.status = 'open' GROUP BY r.numero_id, o.currency, o.id % 16;

-- +goose Down
DROP TABLE lottery_stake;
DROP INDEX lottery_numero_to_close;
ALTER TABLE lottery_numero DROP COLUMN closed;
