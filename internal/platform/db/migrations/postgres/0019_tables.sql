-- +goose Up
-- Live tables of the House. A table that was never used has no row.
CREATE TABLE house_table (
  id     TEXT   NOT NULL PRIMARY KEY,
  owner  TEXT   NOT NULL, -- the process that runs the table
  until  BIGINT NOT NULL, -- end of the lease, by the database's clock
  fence  BIGINT NOT NULL, -- increases with each owner, so that writes of an old owner are rejected
  number BIGINT NOT NULL  -- of the last round
);

-- Rounds shared by all players at a table. Times are by the database's clock.
CREATE TABLE house_table_round (
  id        BIGINT PRIMARY KEY,
  table_id  TEXT   NOT NULL,
  number    BIGINT NOT NULL,
  engine    TEXT   NOT NULL,
  version   BIGINT NOT NULL,
  status    TEXT   NOT NULL, -- betting, locked, dealing, result, ended; void
  seed      BYTEA  NOT NULL, -- secret until the result; its digest is published at the opening
  opens_at  BIGINT NOT NULL,
  closes_at BIGINT NOT NULL,
  deal_at   BIGINT NOT NULL,
  result_at BIGINT NOT NULL,
  ends_at   BIGINT NOT NULL,
  result    TEXT   NOT NULL DEFAULT '', -- JSON, from dealing on
  UNIQUE (table_id, number)
);
-- One open round per table.
CREATE UNIQUE INDEX house_table_round_open ON house_table_round (table_id) WHERE status IN ('betting', 'locked', 'dealing', 'result');

-- A ticket is a player's round that uses the random numbers of the table's round.
ALTER TABLE house_round ADD COLUMN table_round BIGINT;
ALTER TABLE house_round ADD COLUMN spots TEXT NOT NULL DEFAULT ''; -- JSON: minor units by spot
CREATE INDEX house_round_of_table ON house_round (table_round) WHERE table_round IS NOT NULL;
DROP INDEX house_round_open;
-- One open round per player: other tabs wait for it. A table accepts several tickets.
CREATE UNIQUE INDEX house_round_open ON house_round (player) WHERE status IN ('betting', 'bet', 'refunding') AND table_round IS NULL;
DROP INDEX house_round_unfinished;
CREATE INDEX house_round_unfinished ON house_round (created_at) WHERE status IN ('betting', 'placed', 'bet', 'refunding');

-- +goose Down
DROP INDEX house_round_unfinished;
DROP INDEX house_round_open;
DROP INDEX house_round_of_table;
ALTER TABLE house_round DROP COLUMN spots;
ALTER TABLE house_round DROP COLUMN table_round;
CREATE UNIQUE INDEX house_round_open ON house_round (player) WHERE status IN ('betting', 'bet', 'refunding');
CREATE INDEX house_round_unfinished ON house_round (created_at) WHERE status IN ('betting', 'bet', 'refunding');
DROP TABLE house_table_round;
DROP TABLE house_table;
