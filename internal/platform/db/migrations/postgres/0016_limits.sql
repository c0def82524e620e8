-- +goose Up
-- What members set against themselves besides amounts: how often they are asked about the time, and breaks from play.
-- Times are unix ms by the database's time.
CREATE TABLE limit_guard (
  member_id     BIGINT NOT NULL PRIMARY KEY REFERENCES member (id),
  check_minutes BIGINT NOT NULL DEFAULT 0, -- a reality check after so long; 0: never
  checked_at    BIGINT NOT NULL DEFAULT 0, -- when one was answered last
  break_kind    TEXT   NOT NULL DEFAULT '', -- timeOut, exclusion; '' when none was ever taken
  break_period  TEXT   NOT NULL DEFAULT '', -- as it was chosen
  break_since   BIGINT NOT NULL DEFAULT 0,
  break_until   BIGINT NOT NULL DEFAULT 0 -- the largest number there is: for life
);

-- A limit that holds, and the higher one, or none at all, that was asked for and waits.
CREATE TABLE play_limit (
  member_id     BIGINT NOT NULL REFERENCES member (id),
  kind          TEXT   NOT NULL, -- deposit, loss, stake
  period        TEXT   NOT NULL, -- day, week, month
  currency      TEXT   NOT NULL,
  amount        BIGINT NOT NULL,
  since         BIGINT NOT NULL,
  asked_at      BIGINT, -- for another; null: nothing waits
  asked_amount  BIGINT, -- null beside asked_at: for none
  PRIMARY KEY (member_id, kind, period)
);

-- What counts against limits, written with the ledger's transfer of the same id.
CREATE TABLE limit_use (
  transfer_id BIGINT NOT NULL,
  member_id   BIGINT NOT NULL,
  currency    TEXT   NOT NULL,
  what        TEXT   NOT NULL, -- stake, return, deposit
  amount      BIGINT NOT NULL, -- a stake that was taken back is a negative one
  play_id     BIGINT NOT NULL, -- 0 outside plays
  play_since  BIGINT NOT NULL,
  at          BIGINT NOT NULL DEFAULT (CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)), -- the database's own time
  PRIMARY KEY (transfer_id)
);
CREATE INDEX limit_use_window ON limit_use (member_id, currency, at) INCLUDE (what, amount);

-- By what somebody on a break would be known again: what they had proved to be theirs when it began.
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
