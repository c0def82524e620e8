-- +goose Up
-- Bank accounts that members withdraw to. The number and the holder are encrypted.
CREATE TABLE bank_card (
  id          INTEGER PRIMARY KEY,
  merchant_id BIGINT NOT NULL,
  member_id   BIGINT NOT NULL REFERENCES member (id),
  bank        TEXT   NOT NULL,
  sealed      BLOB   NOT NULL, -- JSON: number, holder
  last_four   TEXT   NOT NULL,
  digest      BLOB   NOT NULL, -- of the bank and the number, to find the same account of another member
  is_default  BOOLEAN NOT NULL,
  version     BIGINT NOT NULL DEFAULT 1,
  created_at  BIGINT NOT NULL,
  removed_at  BIGINT
);
CREATE INDEX bank_card_of_member ON bank_card (member_id, id);
CREATE INDEX bank_card_digest ON bank_card (merchant_id, digest);
CREATE UNIQUE INDEX bank_card_once ON bank_card (member_id, digest) WHERE removed_at IS NULL;

CREATE TABLE withdrawal (
  id             INTEGER PRIMARY KEY,
  merchant_id    BIGINT NOT NULL,
  member_id      BIGINT NOT NULL REFERENCES member (id),
  card_id        BIGINT NOT NULL REFERENCES bank_card (id),
  reference      TEXT   NOT NULL UNIQUE,
  status         TEXT   NOT NULL, -- REQUESTED, REVIEW, APPROVED, SENT, PAID, REFUSED, FAILED
  currency       TEXT   NOT NULL,
  amount         BIGINT NOT NULL,
  fee            BIGINT NOT NULL, -- comes off the paid amount
  cash_id        BIGINT NOT NULL, -- accounts of the member
  held_id        BIGINT NOT NULL,
  hold_id        BIGINT NOT NULL, -- transfer that holds the amount
  transfer_id    BIGINT, -- transfer that paid it or gave it back
  gateway_id     BIGINT REFERENCES gateway (id), -- NULL: paid by an operator
  payout_id      TEXT   NOT NULL DEFAULT '', -- the gateway's id
  bank_reference TEXT   NOT NULL DEFAULT '',
  reason         TEXT   NOT NULL DEFAULT '',
  next_call_at   BIGINT NOT NULL DEFAULT 0, -- when to call or ask the gateway; 0: never
  calls          BIGINT NOT NULL DEFAULT 0,
  version        BIGINT NOT NULL DEFAULT 1,
  created_at     BIGINT NOT NULL,
  ended_at       BIGINT
);
CREATE INDEX withdrawal_of_member ON withdrawal (member_id, created_at, id);
CREATE INDEX withdrawal_of_merchant ON withdrawal (merchant_id, created_at, id);
CREATE INDEX withdrawal_of_gateway ON withdrawal (gateway_id, created_at);
CREATE INDEX withdrawal_calls ON withdrawal (next_call_at) WHERE next_call_at > 0;

-- When a withdrawal reached each status, and who moved it there.
CREATE TABLE withdrawal_step (
  withdrawal_id BIGINT NOT NULL REFERENCES withdrawal (id),
  seq           BIGINT NOT NULL,
  status        TEXT   NOT NULL,
  at            BIGINT NOT NULL,
  actor         TEXT   NOT NULL, -- operator; '': the member, the gateway or a job
  PRIMARY KEY (withdrawal_id, seq)
);

-- +goose Down
DROP TABLE withdrawal_step;
DROP TABLE withdrawal;
DROP TABLE bank_card;
