-- +goose Up
-- Keys of this installation, generated once, the same on every replica.
CREATE TABLE secret (
  name       TEXT   PRIMARY KEY,
  value      BYTEA  NOT NULL,
  created_at BIGINT NOT NULL
);

-- Sealed one-time tokens that were used. A row is deleted once its token has expired.
CREATE TABLE spent (
  id         TEXT   PRIMARY KEY,
  expires_at BIGINT NOT NULL
);
CREATE INDEX spent_by_expiry ON spent (expires_at);

-- Outgoing text messages and e-mails. The body is cleared when a message is sent or given up.
CREATE TABLE dispatch (
  id         BIGINT PRIMARY KEY,
  channel    TEXT   NOT NULL, -- sms, email
  recipient  TEXT   NOT NULL,
  language   TEXT   NOT NULL,
  kind       TEXT   NOT NULL,
  subject    TEXT   NOT NULL,
  body       TEXT   NOT NULL,
  state      TEXT   NOT NULL, -- queued, sent, failed, local (the demo's outbox), withheld (suppressed)
  until_at   BIGINT NOT NULL, -- not sent after this time; 0 means no limit
  created_at BIGINT NOT NULL,
  changed_at BIGINT NOT NULL
);
CREATE INDEX dispatch_by_age ON dispatch (created_at);

-- The active code per merchant, channel, target and purpose. All are stored as digests.
CREATE TABLE code (
  subject    BYTEA  PRIMARY KEY,
  hash       BYTEA  NOT NULL,
  network    BYTEA  NOT NULL, -- digest of the caller's network
  tries      BIGINT NOT NULL, -- attempts left
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL
);
CREATE INDEX code_by_expiry ON code (expires_at);

-- Token buckets shared by replicas. A bucket is the time at which it is full again.
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
