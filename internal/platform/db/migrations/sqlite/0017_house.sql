-- +goose Up
-- The seed of a player's next round at the House. Its digest is published. The seed stays secret until the round is
-- settled.
CREATE TABLE house_seed (
  player       TEXT   NOT NULL PRIMARY KEY, -- the wallet's id of the player
  seed         BLOB  NOT NULL,
  published_at BIGINT NOT NULL,
  client_seed  TEXT   NOT NULL,
  nonce        BIGINT NOT NULL -- of the next round, from 1
);

-- Sessions of the House's frames, each opened with one launch ticket.
CREATE TABLE house_frame (
  token_hash     BLOB   NOT NULL PRIMARY KEY,
  player         TEXT    NOT NULL,
  vendor         TEXT    NOT NULL,
  game           TEXT    NOT NULL,
  category       TEXT    NOT NULL, -- selects the engine
  wallet_session TEXT    NOT NULL, -- encrypted: the wallet stores only its digest
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
  spin_id        TEXT   NOT NULL, -- the frame's idempotency key
  vendor         TEXT   NOT NULL,
  game           TEXT   NOT NULL,
  wallet_session TEXT   NOT NULL, -- encrypted
  currency       TEXT   NOT NULL,
  engine         TEXT   NOT NULL,
  version        BIGINT NOT NULL,
  stake          BIGINT NOT NULL,
  status         TEXT   NOT NULL, -- betting, bet, settled; refunding, refunded; refused
  reason         TEXT   NOT NULL DEFAULT '', -- the wallet's code if it refused the bet
  client_seed    TEXT   NOT NULL,
  nonce          BIGINT NOT NULL,
  published_at   BIGINT NOT NULL, -- time at which the seed's digest was published
  seed           BLOB,           -- set with the bet; unique to this round
  outcome        TEXT   NOT NULL DEFAULT '', -- JSON, amounts in minor units
  win            BIGINT NOT NULL DEFAULT 0,
  balance        BIGINT, -- after the round, as the wallet reported
  created_at     BIGINT NOT NULL,
  settled_at     BIGINT,
  UNIQUE (player, spin_id)
);
-- One open round per player: other tabs wait for it.
CREATE UNIQUE INDEX house_round_open ON house_round (player) WHERE status IN ('betting', 'bet', 'refunding');
CREATE INDEX house_round_unfinished ON house_round (created_at) WHERE status IN ('betting', 'bet', 'refunding');
CREATE INDEX house_round_of_player ON house_round (player, id);

-- +goose Down
DROP TABLE house_round;
DROP TABLE house_frame;
DROP TABLE house_seed;
