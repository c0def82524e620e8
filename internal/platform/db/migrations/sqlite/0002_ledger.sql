-- +goose Up
-- Where money stands. Member accounts carry their balance and their entries' counter; derived accounts (the
-- house's and vendors') are touched by everyone, so their balance lags and account_delta holds the rest.
CREATE TABLE account (
  id          INTEGER PRIMARY KEY,
  member_id   BIGINT  REFERENCES member (id),
  merchant_id BIGINT  NOT NULL REFERENCES merchant (id),
  kind        TEXT    NOT NULL, -- cash, held, bonus … of a member; deposit, withdrawal, vendor:<code> … of the house
  currency    TEXT    NOT NULL,
  balance     BIGINT  NOT NULL DEFAULT 0,
  floor       BIGINT  NOT NULL DEFAULT 0,
  derived     BOOLEAN NOT NULL DEFAULT FALSE,
  seq         BIGINT  NOT NULL DEFAULT 0, -- the last entry's
  CONSTRAINT account_floor CHECK (derived OR balance >= floor),
  CONSTRAINT account_owner CHECK (derived = (member_id IS NULL))
);
CREATE UNIQUE INDEX account_of_member ON account (member_id, kind, currency) WHERE member_id IS NOT NULL;
CREATE UNIQUE INDEX account_of_house ON account (merchant_id, kind, currency) WHERE member_id IS NULL;

-- One row per key ever answered for: posted (two entries) or refused (a code and no entry). No foreign keys:
-- the ledger checks the accounts itself and verify proves it.
CREATE TABLE transfer (
  id           INTEGER PRIMARY KEY,
  idem_key     TEXT   NOT NULL CONSTRAINT transfer_key UNIQUE,
  payload_hash BLOB   NOT NULL,
  debit_id     BIGINT NOT NULL,
  credit_id    BIGINT NOT NULL,
  amount       BIGINT NOT NULL CHECK (amount > 0),
  kind         TEXT   NOT NULL,
  origin_id    BIGINT, -- the hold that this pays or releases, the transfer that this reverses
  refusal      TEXT,
  debit_seq    BIGINT, -- where the two entries are; null when refused
  credit_seq   BIGINT,
  ref_type     TEXT   NOT NULL DEFAULT '',
  ref_id       TEXT   NOT NULL DEFAULT '',
  note         TEXT   NOT NULL DEFAULT '',
  created_at   BIGINT NOT NULL,
  CONSTRAINT transfer_posted CHECK ((refusal IS NULL) = (debit_seq IS NOT NULL) AND (refusal IS NULL) = (credit_seq IS NOT NULL))
);
-- A hold is paid or released once, a transfer reversed once. A refused attempt does not use it up.
CREATE UNIQUE INDEX transfer_origin ON transfer (origin_id) WHERE origin_id IS NOT NULL AND refusal IS NULL;

-- A member account's entries are numbered without a gap in the order they were posted; a derived account's
-- carry the transfer's id as number and no balance.
CREATE TABLE entry (
  account_id    BIGINT NOT NULL,
  seq           BIGINT NOT NULL,
  transfer_id   BIGINT NOT NULL,
  amount        BIGINT NOT NULL,
  balance_after BIGINT,
  PRIMARY KEY (account_id, seq)
) WITHOUT ROWID;

-- What batches moved on derived accounts and the roll-up has not yet folded into account.balance. Few
-- at any time, so nothing but the roll-up's own order is indexed.
CREATE TABLE account_delta (
  id         INTEGER PRIMARY KEY,
  account_id BIGINT NOT NULL,
  amount     BIGINT NOT NULL
);

-- What is to be announced, written in the transaction that made it true. payload is a JSON array of messages.
CREATE TABLE outbox (
  id         INTEGER PRIMARY KEY AUTOINCREMENT, -- a number is never given twice, so a relay can remember where it was
  payload    TEXT   NOT NULL,
  created_at BIGINT NOT NULL
);

-- +goose Down
DROP TABLE outbox;
DROP TABLE account_delta;
DROP TABLE entry;
DROP TABLE transfer;
DROP TABLE account;
