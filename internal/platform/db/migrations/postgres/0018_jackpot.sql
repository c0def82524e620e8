-- +goose Up
-- What stakes have a part in: one pool for each currency of a merchant. Its money stands in the ledger; the amount here is the
-- same, changed in the same transactions.
CREATE TABLE jackpot_pool (
  merchant_id  BIGINT NOT NULL REFERENCES merchant (id),
  currency     TEXT   NOT NULL,
  series       BIGINT NOT NULL, -- from 1; ends when the pool is won
  amount       BIGINT NOT NULL,
  seed         BYTEA  NOT NULL, -- known to nobody before the series ends; its digest is published
  next_seed    BYTEA  NOT NULL, -- of the series after it: its digest is published as early, so that stakes that wait are drawn from what they could not shape
  published_at BIGINT NOT NULL,
  nonce        BIGINT NOT NULL, -- of the last draw of the series
  PRIMARY KEY (merchant_id, currency)
);

-- A stake that has a part, written with the bet's transfer of the same id. It is drawn when its round is settled, and
-- void when it was taken back.
CREATE TABLE jackpot_ticket (
  transfer_id BIGINT  PRIMARY KEY,
  merchant_id BIGINT  NOT NULL,
  currency    TEXT    NOT NULL,
  member_id   BIGINT  NOT NULL,
  vendor_id   BIGINT  NOT NULL,
  account_id  BIGINT  NOT NULL, -- the vendor's, which gives the share
  round       TEXT    NOT NULL,
  stake       BIGINT  NOT NULL,
  share       BIGINT  NOT NULL,
  state       TEXT    NOT NULL DEFAULT 'open', -- open, drawn, void
  series      BIGINT  NOT NULL DEFAULT 0,
  nonce       BIGINT  NOT NULL DEFAULT 0
);
CREATE INDEX jackpot_ticket_open ON jackpot_ticket (merchant_id, currency, transfer_id) WHERE state = 'open';

-- A series that was won, with all that its draws can be done again from.
CREATE TABLE jackpot_win (
  merchant_id  BIGINT NOT NULL,
  currency     TEXT   NOT NULL,
  series       BIGINT NOT NULL,
  member_id    BIGINT NOT NULL,
  ticket_id    BIGINT NOT NULL,
  amount       BIGINT NOT NULL,
  stake        BIGINT NOT NULL,
  nonce        BIGINT NOT NULL,
  number       BIGINT NOT NULL, -- what was drawn
  seed         BYTEA  NOT NULL,
  published_at BIGINT NOT NULL,
  won_at       BIGINT NOT NULL,
  PRIMARY KEY (merchant_id, currency, series)
);

-- +goose Down
DROP TABLE jackpot_win;
DROP TABLE jackpot_ticket;
DROP TABLE jackpot_pool;
