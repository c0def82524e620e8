-- +goose Up
-- Reality checks and breaks that members set for themselves. Times are unix ms by the database's clock.
CREATE TABLE limit_guard (
  member_id     BIGINT NOT NULL PRIMARY KEY REFERENCES member (id),
  check_minutes BIGINT NOT NULL DEFAULT 0, -- interval of reality checks; 0: never
  checked_at    BIGINT NOT NULL DEFAULT 0, -- time of the last answer
  break_kind    TEXT   NOT NULL DEFAULT '', -- timeOut, exclusion; '': never taken
  break_period  TEXT   NOT NULL DEFAULT '', -- as chosen
  break_since   BIGINT NOT NULL DEFAULT 0,
  break_until   BIGINT NOT NULL DEFAULT 0 -- the largest integer means for life
);

-- A limit in force, and a requested increase or removal that is waiting.
CREATE TABLE play_limit (
  member_id     BIGINT NOT NULL REFERENCES member (id),
  kind          TEXT   NOT NULL, -- deposit, loss, stake
  period        TEXT   NOT NULL, -- day, week, month
  currency      TEXT   NOT NULL,
  amount        BIGINT NOT NULL,
  since         BIGINT NOT NULL,
  asked_at      BIGINT, -- time of the request; null: no request
  asked_amount  BIGINT, -- null with asked_at: removal
  PRIMARY KEY (member_id, kind, period)
);

-- Amounts that count against limits, with the id of their ledger transfer.
CREATE TABLE limit_use (
  transfer_id BIGINT NOT NULL,
  member_id   BIGINT NOT NULL,
  currency    TEXT   NOT NULL,
  what        TEXT   NOT NULL, -- stake, return, deposit
  amount      BIGINT NOT NULL, -- negative for a rolled-back stake
  play_id     BIGINT NOT NULL, -- 0 outside plays
  play_since  BIGINT NOT NULL,
  at          BIGINT NOT NULL DEFAULT (CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)), -- the database's clock
  PRIMARY KEY (transfer_id)
);
CREATE INDEX limit_use_window ON limit_use (member_id, currency, at) INCLUDE (what, amount);

-- Verified contacts of members on a break, to recognize other accounts of the same person.
CREATE TABLE limit_mark (
  merchant_id BIGINT NOT NULL REFERENCES merchant (id),
  kind        TEXT   NOT NULL, -- mobile, email
  value       TEXT   NOT NULL,
  member_id   BIGINT NOT NULL REFERENCES member (id),
  PRIMARY KEY (merchant_id, kind, value, member_id)
);

-- +goose Down
DROP TABLE limit_mark;
DROP TABLE limit_use;
DROP TABLE play_limit;
DROP TABLE limit_guard;
