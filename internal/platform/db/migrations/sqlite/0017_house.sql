-- +goose Up
-- What a player's next round at the House will be drawn from. Its digest is published; the seed is known to nobody
-- before the round is settled.
CREATE TABLE house_seed (
  player       TEXT   NOT NULL PRIMARY KEY, -- as the wallet names the player
  seed         BLOB  NOT NULL,
  published_at BIGINT NOT NULL,
  client_seed  TEXT   NOT NULL,
  nonce        BIGINT NOT NULL -- of that next round, from 1
);

-- Sessions of the House's frames, each opened with one launch ticket.
CREATE TABLE house_frame (
  token_hash     BLOB   NOT NULL PRIMARY KEY,
  player         TEXT    NOT NULL,
  vendor         TEXT    NOT NULL,
  game           TEXT    NOT NULL,
  category       TEXT    NOT NULL, -- decides the engine
  wallet_session TEXT    NOT NULL, -- sealed: the wallet keeps only its digest
  nickname       TEXT    NOT NULL,
  language       TEXT    NOT NULL,
  currency       TEXT    NOT NULL,
  trial          BOOLEAN NOT NULL,
  created_at     BIGINT  NOT NULL
);
CREATE INDEX house_frame_age ON house_frame (created_at);

CREATE TABLE house_round (
  id             INTEGER PRIMARY KEY,
  player         TEXT   NOT NULL,
  spin_id        TEXT   NOT NULL, -- the frame's own name for it: asked for twice, it is played once
  vendor         TEXT   NOT NULL,
  game           TEXT   NOT NULL,
  wallet_session TEXT   NOT NULL, -- sealed
  currency       TEXT   NOT NULL,
  engine         TEXT   NOT NULL,
  version        BIGINT NOT NULL,
  stake          BIGINT NOT NULL,
  status         TEXT   NOT NULL, -- betting, bet, settled; refunding, refunded; refused
  reason         TEXT   NOT NULL DEFAULT '', -- the wallet's code, when it took no bet
  client_seed    TEXT   NOT NULL,
  nonce          BIGINT NOT NULL,
  published_at   BIGINT NOT NULL, -- of the seed's digest
  seed           BLOB,           -- from the bet on; no other round ever has it
  outcome        TEXT   NOT NULL DEFAULT '', -- JSON, amounts in minor units
  win            BIGINT NOT NULL DEFAULT 0,
  balance        BIGINT, -- after it, as the wallet said
  created_at     BIGINT NOT NULL,
  settled_at     BIGINT,
  UNIQUE (player, spin_id)
);
-- One at a time: whatever a player opens in other tabs waits for it.
CREATE UNIQUE INDEX house_round_open ON house_round (player) WHERE status IN ('betting', 'bet', 'refunding');
CREATE INDEX house_round_unfinished ON house_round (created_at) WHERE status IN ('betting', 'bet', 'refunding');
CREATE INDEX house_round_of_player ON house_round (player, id);

-- +goose Down
DROP TABLE house_round;
DROP TABLE house_frame;
DROP TABLE house_seed;
