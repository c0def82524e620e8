-- +goose Up
-- Account balances. A member account has its balance and entry counter. A house account (derived) is used by every
-- member, so its balance lags, and account_delta has the rest.
CREATE TABLE account (
  id          INTEGER PRIMARY KEY,
  member_id   BIGINT  REFERENCES member (id),
  merchant_id BIGINT  NOT NULL REFERENCES merchant (id),
  kind        TEXT    NOT NULL, -- member: cash, held, bonus …; house: deposit, withdrawal, vendor:<code> …
  currency    TEXT    NOT NULL,
  balance     BIGINT  NOT NULL DEFAULT 0,
  floor       BIGINT  NOT NULL DEFAULT 0,
  derived     BOOLEAN NOT NULL DEFAULT FALSE,
  seq         BIGINT  NOT NULL DEFAULT 0, -- of the last entry
  CONSTRAINT account_floor CHECK (derived OR balance >= floor),
  CONSTRAINT account_owner CHECK (derived = (member_id IS NULL))
);
CREATE UNIQUE INDEX account_of_member ON account (member_id, kind, currency) WHERE member_id IS NOT NULL;
CREATE UNIQUE INDEX account_of_house ON account (merchant_id, kind, currency) WHERE member_id IS NULL;

-- One row per answered key: posted (two entries) or refused (a code, no entries). No foreign keys: the ledger
-- checks the accounts, and verify checks the ledger.
CREATE TABLE transfer (
  id           INTEGER PRIMARY KEY,
  idem_key     TEXT   NOT NULL CONSTRAINT transfer_key UNIQUE,
  payload_hash BLOB   NOT NULL,
  debit_id     BIGINT NOT NULL,
  credit_id    BIGINT NOT NULL,
  amount       BIGINT NOT NULL CHECK (amount > 0),
  kind         TEXT   NOT NULL,
  origin_id    BIGINT, -- the hold to pay or release, or the transfer to reverse
  refusal      TEXT,
  debit_seq    BIGINT, -- seq of the two entries; null if refused
  credit_seq   BIGINT,
  ref_type     TEXT   NOT NULL DEFAULT '',
  ref_id       TEXT   NOT NULL DEFAULT '',
  note         TEXT   NOT NULL DEFAULT '',
  created_at   BIGINT NOT NULL,
  CONSTRAINT transfer_posted CHECK ((refusal IS NULL) = (debit_seq IS NOT NULL) AND (refusal IS NULL) = (credit_seq IS NOT NULL))
);
-- A hold is paid or released once, a transfer is reversed once. Refused attempts do not count.
CREATE UNIQUE INDEX transfer_origin ON transfer (origin_id) WHERE origin_id IS NOT NULL AND refusal IS NULL;

-- Entries of a member account are numbered without gaps in posting order. Entries of a house account have the
-- transfer id as number and no balance.
CREATE TABLE entry (
  account_id    BIGINT NOT NULL,
  seq           BIGINT NOT NULL,
  transfer_id   BIGINT NOT NULL,
  amount        BIGINT NOT NULL,
  balance_after BIGINT,
  PRIMARY KEY (account_id, seq)
) WITHOUT ROWID;

-- Movements of house accounts that the roll-up has not added to account.balance yet. There are few, so only the
-- order of the roll-up is indexed.
CREATE TABLE account_delta (
  id         INTEGER PRIMARY KEY,
  account_id BIGINT NOT NULL,
  amount     BIGINT NOT NULL
);

-- Messages to publish, written in the transaction that they report. payload is a JSON array of messages.
CREATE TABLE outbox (
  id         INTEGER PRIMARY KEY AUTOINCREMENT, -- ids are never reused, so the relay can store its position
  payload    TEXT   NOT NULL,
  created_at BIGINT NOT NULL
);

-- +goose Down
DROP TABLE outbox;
DROP TABLE account_delta;
DROP TABLE entry;
DROP TABLE transfer;
DROP TABLE account;
