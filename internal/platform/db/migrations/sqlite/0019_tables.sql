-- +goose Up
-- Live tables of the House. A table that was never sat at has no row.
CREATE TABLE house_table (
  id     TEXT   NOT NULL PRIMARY KEY,
  owner  TEXT   NOT NULL, -- the process that runs it
  until  BIGINT NOT NULL, -- by the database's time; then another may
  fence  BIGINT NOT NULL, -- grows with each new owner: what an old one still sends is refused
  number BIGINT NOT NULL  -- of its last round
);

-- Rounds that all at a table share. Times are the database's.
CREATE TABLE house_table_round (
  id        INTEGER PRIMARY KEY,
  table_id  TEXT   NOT NULL,
  number    BIGINT NOT NULL,
  engine    TEXT   NOT NULL,
  version   BIGINT NOT NULL,
  status    TEXT   NOT NULL, -- betting, locked, dealing, result, ended; void
  seed      BLOB   NOT NULL, -- told to nobody before the result; its digest from the opening on
  opens_at  BIGINT NOT NULL,
  closes_at BIGINT NOT NULL,
  deal_at   BIGINT NOT NULL,
  result_at BIGINT NOT NULL,
  ends_at   BIGINT NOT NULL,
  result    TEXT   NOT NULL DEFAULT '', -- JSON, from dealing on
  UNIQUE (table_id, number)
);
-- One at a time.
CREATE UNIQUE INDEX house_table_round_open ON house_table_round (table_id) WHERE status IN ('betting', 'locked', 'dealing', 'result');

-- A ticket is a player's round like any other, only that its chance is the table round's.
ALTER TABLE house_round ADD COLUMN table_round BIGINT;
ALTER TABLE house_round ADD COLUMN spots TEXT NOT NULL DEFAULT ''; -- JSON: minor units by spot
CREATE INDEX house_round_of_table ON house_round (table_round) WHERE table_round IS NOT NULL;
DROP INDEX house_round_open;
-- One at a time: whatever a player opens in other tabs waits for it. Tickets do not: a table takes several.
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
