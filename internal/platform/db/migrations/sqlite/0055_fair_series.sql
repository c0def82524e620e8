-- +goose Up
-- Series of rounds whose seeds are a hash chain. The end of the chain is published before the first round.
CREATE TABLE fair_series (
  id         BIGINT NOT NULL PRIMARY KEY,
  kind       TEXT   NOT NULL, -- table, jackpot, lottery
  name       TEXT   NOT NULL, -- of the table, the pool or the game
  generation BIGINT NOT NULL, -- counts the series of a name, from 1
  state      TEXT   NOT NULL, -- waiting for its salt, running, ended
  length     BIGINT NOT NULL, -- number of links
  used       BIGINT NOT NULL DEFAULT 0, -- the last link that a round took
  chain_end  TEXT   NOT NULL, -- in hexadecimal, public
  secret     BLOB   NOT NULL, -- checkpoints of the chain, encrypted
  source     TEXT   NOT NULL, -- of the salt: operator, beacon, announced
  detail     TEXT   NOT NULL DEFAULT '', -- which public value was announced
  due_at     BIGINT NOT NULL DEFAULT 0, -- when the value becomes public
  value      TEXT   NOT NULL DEFAULT '', -- the public value
  signature  TEXT   NOT NULL DEFAULT '', -- of the beacon
  salt       TEXT   NOT NULL DEFAULT '', -- empty while the series waits for it
  version    BIGINT NOT NULL DEFAULT 1,
  created_at BIGINT NOT NULL,
  started_at BIGINT NOT NULL DEFAULT 0,
  ended_at   BIGINT NOT NULL DEFAULT 0,
  UNIQUE (kind, name, generation)
);
-- One running series per name.
CREATE UNIQUE INDEX fair_series_running ON fair_series (kind, name) WHERE state = 'running';

-- +goose Down
DROP TABLE fair_series;
