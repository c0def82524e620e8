-- +goose Up
CREATE TABLE merchant (
  id         INTEGER PRIMARY KEY,
  code       TEXT   NOT NULL UNIQUE,
  name       TEXT   NOT NULL,
  currency   TEXT   NOT NULL,
  created_at BIGINT NOT NULL
);

-- Settings that the operator can change without a release. value is JSON.
CREATE TABLE setting (
  merchant_id BIGINT NOT NULL REFERENCES merchant (id),
  name        TEXT   NOT NULL,
  value       TEXT   NOT NULL,
  PRIMARY KEY (merchant_id, name)
);

-- White-label flags, modules and promotions (kind: flag, module, promotion).
CREATE TABLE flag (
  merchant_id BIGINT  NOT NULL REFERENCES merchant (id),
  kind        TEXT    NOT NULL,
  code        TEXT    NOT NULL,
  enabled     BOOLEAN NOT NULL,
  PRIMARY KEY (merchant_id, kind, code)
);

CREATE TABLE member (
  id               INTEGER PRIMARY KEY,
  merchant_id      BIGINT  NOT NULL REFERENCES merchant (id),
  account          TEXT    NOT NULL, -- login name, lower case
  nickname         TEXT    NOT NULL DEFAULT '',
  type             BIGINT  NOT NULL, -- 0 player, 1 agent, 2 head agent, 4 trial, 40 test, 41 service, 42 bot
  status           TEXT    NOT NULL DEFAULT 'active', -- active, disabled
  currency         TEXT    NOT NULL,
  language         TEXT    NOT NULL DEFAULT 'vi',
  password_hash    TEXT    NOT NULL,
  first_time_login BOOLEAN NOT NULL DEFAULT FALSE,
  vip_label        TEXT    NOT NULL DEFAULT '',
  created_at       BIGINT  NOT NULL,
  UNIQUE (merchant_id, account)
);

CREATE TABLE session (
  id          INTEGER PRIMARY KEY,
  member_id   BIGINT NOT NULL REFERENCES member (id),
  token_hash  BLOB   NOT NULL UNIQUE, -- SHA-256; the token itself is never stored
  device      TEXT   NOT NULL DEFAULT '',
  address     TEXT   NOT NULL DEFAULT '',
  created_at  BIGINT NOT NULL,
  seen_at     BIGINT NOT NULL, -- start of the idle timeout
  expires_at  BIGINT NOT NULL, -- absolute expiry
  ended_at    BIGINT,
  ended_why   TEXT
);
CREATE INDEX session_of_member ON session (member_id);
CREATE INDEX session_by_expiry ON session (expires_at); -- for the removal of old sessions

-- +goose Down
DROP TABLE session;
DROP TABLE member;
DROP TABLE flag;
DROP TABLE setting;
DROP TABLE merchant;
