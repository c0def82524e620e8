-- +goose Up
-- Jackpot pools, one per merchant and currency. The money is in the ledger. amount equals it and changes in the same
-- transactions.
CREATE TABLE jackpot_pool (
  merchant_id  BIGINT NOT NULL REFERENCES merchant (id),
  currency     TEXT   NOT NULL,
  series       BIGINT NOT NULL, -- from 1; ends when the pool is won
  amount       BIGINT NOT NULL,
  seed         BYTEA  NOT NULL, -- secret until the series ends; its digest is published
  next_seed    BYTEA  NOT NULL, -- of the next series; its digest is published at the same time, so that waiting stakes cannot influence their draw
  published_at BIGINT NOT NULL,
  nonce        BIGINT NOT NULL, -- of the last draw in the series
  PRIMARY KEY (merchant_id, currency)
);

-- A stake that takes part, with the id of the bet's transfer. It is drawn when its round is settled, and void if the bet
-- is rolled back.
CREATE TABLE jackpot_ticket (
  transfer_id BIGINT  PRIMARY KEY,
  merchant_id BIGINT  NOT NULL,
  currency    TEXT    NOT NULL,
  member_id   BIGINT  NOT NULL,
  vendor_id   BIGINT  NOT NULL,
  account_id  BIGINT  NOT NULL, -- the vendor's account, which pays the share
  round       TEXT    NOT NULL,
  stake       BIGINT  NOT NULL,
  share       BIGINT  NOT NULL,
  state       TEXT    NOT NULL DEFAULT 'open', -- open, drawn, void
  series      BIGINT  NOT NULL DEFAULT 0,
  nonce       BIGINT  NOT NULL DEFAULT 0
);
CREATE INDEX jackpot_ticket_open ON jackpot_ticket (merchant_id, currency, transfer_id) WHERE state = 'open';

-- A series that was won, with everything needed to verify its draws.
CREATE TABLE jackpot_win (
  merchant_id  BIGINT NOT NULL,
  currency     TEXT   NOT NULL,
  series       BIGINT NOT NULL,
  member_id    BIGINT NOT NULL,
  ticket_id    BIGINT NOT NULL,
  amount       BIGINT NOT NULL,
  stake        BIGINT NOT NULL,
  nonce        BIGINT NOT NULL,
  number       BIGINT NOT NULL, -- the drawn number
  seed         BYTEA  NOT NULL,
  published_at BIGINT NOT NULL,
  won_at       BIGINT NOT NULL,
  PRIMARY KEY (merchant_id, currency, series)
);

-- +goose Down
DROP TABLE jackpot_win;
DROP TABLE jackpot_ticket;
DROP TABLE jackpot_pool;
