-- +goose Up
-- Keys of this installation, made once at random and the same on every replica.
CREATE TABLE secret (
  name       TEXT   PRIMARY KEY,
  value      BYTEA  NOT NULL,
  created_at BIGINT NOT NULL
);

-- Sealed tokens that may be used once and were. A row is forgotten when its token has expired anyway.
CREATE TABLE spent (
  id         TEXT   PRIMARY KEY,
  expires_at BIGINT NOT NULL
);
CREATE INDEX spent_by_expiry ON spent (expires_at);

-- Messages to people outside, by text message or e-mail. Once one is sent or given up its text is blanked.
CREATE TABLE dispatch (
  id         BIGINT PRIMARY KEY,
  channel    TEXT   NOT NULL, -- sms, email
  recipient  TEXT   NOT NULL,
  language   TEXT   NOT NULL,
  kind       TEXT   NOT NULL,
  subject    TEXT   NOT NULL,
  body       TEXT   NOT NULL,
  state      TEXT   NOT NULL, -- queued, sent, failed, local (the demo's outbox), withheld (never meant to leave)
  until_at   BIGINT NOT NULL, -- not sent after this; 0 means whenever
  created_at BIGINT NOT NULL,
  changed_at BIGINT NOT NULL
);
CREATE INDEX dispatch_by_age ON dispatch (created_at);

-- The one running code of a merchant, channel, target and purpose, all of them known only as a digest.
CREATE TABLE code (
  subject    BYTEA  PRIMARY KEY,
  hash       BYTEA  NOT NULL,
  network    BYTEA  NOT NULL, -- digest of who asked
  tries      BIGINT NOT NULL, -- that are left
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL
);
CREATE INDEX code_by_expiry ON code (expires_at);

-- Token buckets that replicas share. A bucket is one time: when it will be full again.
CREATE TABLE tally (
  bucket  BYTEA  PRIMARY KEY,
  full_at BIGINT NOT NULL
);
CREATE INDEX tally_by_time ON tally (full_at);

-- +goose Down
DROP TABLE tally;
DROP TABLE code;
DROP TABLE dispatch;
DROP TABLE spent;
DROP TABLE secret;
