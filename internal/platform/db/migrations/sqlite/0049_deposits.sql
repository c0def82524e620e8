-- +goose Up
-- Payment gateways of a merchant. Their signing keys are encrypted.
CREATE TABLE gateway (
  id          INTEGER PRIMARY KEY,
  merchant_id BIGINT NOT NULL REFERENCES merchant (id),
  code        TEXT   NOT NULL,
  name        TEXT   NOT NULL,
  base_url    TEXT   NOT NULL,
  currency    TEXT   NOT NULL, -- codes, separated by commas
  min_amount  BIGINT NOT NULL,
  max_amount  BIGINT NOT NULL,
  enabled     BOOLEAN NOT NULL,
  version     BIGINT NOT NULL DEFAULT 1,
  created_at  BIGINT NOT NULL,
  UNIQUE (merchant_id, code)
);

-- At most two keys of a gateway are active.
CREATE TABLE gateway_key (
  key_id     TEXT   NOT NULL PRIMARY KEY,
  gateway_id BIGINT NOT NULL REFERENCES gateway (id),
  wrapped    BLOB NOT NULL,
  created_at BIGINT NOT NULL,
  retired_at BIGINT
);
CREATE INDEX gateway_key_of ON gateway_key (gateway_id, created_at);

-- Notices of gateways. The same notice is stored once; its code answers every repetition.
CREATE TABLE gateway_notice (
  id          INTEGER PRIMARY KEY,
  gateway_id  BIGINT NOT NULL REFERENCES gateway (id),
  kind        TEXT   NOT NULL, -- payment, payout
  reference   TEXT   NOT NULL,
  payment_id  TEXT   NOT NULL, -- the gateway's id
  status      TEXT   NOT NULL, -- pending, paid, failed, expired
  amount      TEXT   NOT NULL, -- decimal, without needless zeros
  currency    TEXT   NOT NULL,
  code        TEXT   NOT NULL,
  sent_at     BIGINT NOT NULL,
  received_at BIGINT NOT NULL,
  UNIQUE (gateway_id, kind, reference, payment_id, status, amount, currency)
);
CREATE INDEX gateway_notice_of ON gateway_notice (reference, kind, id);
CREATE INDEX gateway_notice_code ON gateway_notice (gateway_id, code, received_at);

-- Results of comparing deposits with a gateway's payments.
CREATE TABLE gateway_reconciliation (
  id         INTEGER PRIMARY KEY,
  gateway_id BIGINT NOT NULL REFERENCES gateway (id),
  at         BIGINT NOT NULL,
  since      BIGINT NOT NULL,
  checked    BIGINT NOT NULL,
  differences TEXT  NOT NULL -- JSON list
);
CREATE INDEX gateway_reconciliation_of ON gateway_reconciliation (gateway_id, id);

-- Ways to deposit, as operators define them.
CREATE TABLE deposit_method (
  id          INTEGER PRIMARY KEY,
  merchant_id BIGINT NOT NULL REFERENCES merchant (id),
  code        TEXT   NOT NULL,
  kind        TEXT   NOT NULL, -- mt, qr, pg
  scheme      TEXT   NOT NULL, -- vietqr, pix, raast; '': no payment code
  name        TEXT   NOT NULL,
  currency    TEXT   NOT NULL,
  min_amount  BIGINT NOT NULL,
  max_amount  BIGINT NOT NULL,
  fee         BIGINT NOT NULL,
  fee_rate    BIGINT NOT NULL, -- millionths of the amount
  opens_at    TEXT   NOT NULL, -- HH:mm; equal to closes_at: always open
  closes_at   TEXT   NOT NULL,
  minutes     BIGINT NOT NULL, -- until an unpaid deposit expires
  accounts    TEXT   NOT NULL, -- JSON list of the accounts that receive the money
  gateway_id  BIGINT REFERENCES gateway (id),
  sorting     BIGINT NOT NULL,
  enabled     BOOLEAN NOT NULL,
  version     BIGINT NOT NULL DEFAULT 1,
  created_at  BIGINT NOT NULL,
  UNIQUE (merchant_id, code)
);

CREATE TABLE deposit (
  id           INTEGER PRIMARY KEY,
  merchant_id  BIGINT NOT NULL,
  member_id    BIGINT NOT NULL REFERENCES member (id),
  method_id    BIGINT NOT NULL REFERENCES deposit_method (id),
  gateway_id   BIGINT REFERENCES gateway (id),
  kind         TEXT   NOT NULL, -- mt, qr, pg
  reference    TEXT   NOT NULL UNIQUE,
  status       TEXT   NOT NULL, -- WAITING, CLAIMED, CREDITED, REFUSED, EXPIRED, CANCELLED
  currency     TEXT   NOT NULL,
  amount       BIGINT NOT NULL,
  fee          BIGINT NOT NULL,
  payer_name   TEXT   NOT NULL DEFAULT '',
  qr           TEXT   NOT NULL DEFAULT '',
  bank         TEXT   NOT NULL DEFAULT '', -- JSON: the account that receives the money
  pay_url      TEXT   NOT NULL DEFAULT '',
  payment_id   TEXT   NOT NULL DEFAULT '', -- the gateway's id, from its answer
  paid_id      TEXT   NOT NULL DEFAULT '', -- the gateway's id of the payment that was credited
  next_call_at BIGINT NOT NULL DEFAULT 0, -- when to call the gateway again; 0: it has answered
  calls        BIGINT NOT NULL DEFAULT 0,
  proof        TEXT   NOT NULL DEFAULT '', -- name of the uploaded picture
  reason       TEXT   NOT NULL DEFAULT '',
  source_id    BIGINT NOT NULL, -- account of the house that pays the credit
  cash_id      BIGINT NOT NULL, -- account of the member
  reserve_id   BIGINT NOT NULL, -- transfer that counts the amount against the member's limits
  transfer_id  BIGINT, -- transfer that credited it
  version      BIGINT NOT NULL DEFAULT 1,
  created_at   BIGINT NOT NULL,
  expires_at   BIGINT NOT NULL,
  ended_at     BIGINT
);
CREATE INDEX deposit_of_member ON deposit (member_id, created_at, id);
CREATE INDEX deposit_of_merchant ON deposit (merchant_id, created_at, id);
CREATE INDEX deposit_of_gateway ON deposit (gateway_id, created_at);
CREATE INDEX deposit_waiting ON deposit (expires_at) WHERE status = 'WAITING';
CREATE INDEX deposit_calls ON deposit (next_call_at) WHERE next_call_at > 0;

-- Deposits that an operator must look at.
CREATE TABLE deposit_queue (
  id         INTEGER PRIMARY KEY,
  deposit_id BIGINT NOT NULL REFERENCES deposit (id),
  kind       TEXT   NOT NULL, -- late, mismatch, conflict, claimed
  notice_id  BIGINT, -- the notice that caused it
  created_at BIGINT NOT NULL,
  done_at    BIGINT,
  done_by    TEXT   NOT NULL DEFAULT ''
);
CREATE INDEX deposit_queue_open ON deposit_queue (deposit_id) WHERE done_at IS NULL;

-- +goose Down
DROP TABLE deposit_queue;
DROP TABLE deposit;
DROP TABLE deposit_method;
DROP TABLE gateway_reconciliation;
DROP TABLE gateway_notice;
DROP TABLE gateway_key;
DROP TABLE gateway;
