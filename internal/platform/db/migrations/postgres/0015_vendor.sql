-- +goose Up
ALTER TABLE vendor ADD COLUMN launch_url  TEXT NOT NULL DEFAULT '';      -- launch address with {ticket}; '' means the House
ALTER TABLE vendor ADD COLUMN launch_mode TEXT NOT NULL DEFAULT 'frame'; -- frame, window

-- Signing keys of vendors. A key is derived from its id and the installation's root secret and is not stored.
CREATE TABLE vendor_key (
  key_id     TEXT   NOT NULL PRIMARY KEY,
  vendor_id  BIGINT NOT NULL REFERENCES vendor (id),
  created_at BIGINT NOT NULL,
  retired_at BIGINT
);
CREATE INDEX vendor_key_of_vendor ON vendor_key (vendor_id);

-- One launch of one game. Its ticket is used once and opens the protocol's session. Both are stored as digests.
CREATE TABLE play (
  id             BIGINT  NOT NULL PRIMARY KEY,
  merchant_id    BIGINT  NOT NULL REFERENCES merchant (id),
  vendor_id      BIGINT  NOT NULL REFERENCES vendor (id),
  game_id        BIGINT  NOT NULL REFERENCES game (id),
  member_id      BIGINT  NOT NULL REFERENCES member (id),
  session_id     BIGINT  NOT NULL, -- the member's session; it may be deleted before the play
  currency       TEXT    NOT NULL,
  language       TEXT    NOT NULL,
  trial          BOOLEAN NOT NULL,
  ticket_hash    BYTEA   NOT NULL UNIQUE,
  ticket_expires BIGINT  NOT NULL,
  token_hash     BYTEA   UNIQUE,
  created_at     BIGINT  NOT NULL,
  opened_at      BIGINT,
  closed_at      BIGINT
);
CREATE INDEX play_of_member ON play (member_id, created_at);

-- Movements of vendors' calls, with the id of their ledger transfer. A round belongs to a vendor and a member. Its state
-- follows from its rows.
CREATE TABLE vendor_move (
  transfer_id BIGINT  NOT NULL PRIMARY KEY,
  vendor_id   BIGINT  NOT NULL,
  member_id   BIGINT  NOT NULL,
  round       TEXT    NOT NULL, -- '' for a promotion
  call        TEXT    NOT NULL, -- bet, win, rollback, end, promo
  tx          TEXT    NOT NULL,
  amount      BIGINT  NOT NULL,
  currency    TEXT    NOT NULL,
  play_id     BIGINT  NOT NULL,
  game_id     BIGINT  NOT NULL,
  ends        BOOLEAN NOT NULL,
  at          BIGINT  NOT NULL
);
CREATE INDEX vendor_move_round ON vendor_move (vendor_id, round, member_id);
CREATE INDEX vendor_move_member ON vendor_move (member_id, at);
CREATE INDEX vendor_move_wins ON vendor_move (at) WHERE call = 'win' AND amount > 0;

-- +goose Down
DROP TABLE vendor_move;
DROP TABLE play;
DROP TABLE vendor_key;
ALTER TABLE vendor DROP COLUMN launch_mode;
ALTER TABLE vendor DROP COLUMN launch_url;
