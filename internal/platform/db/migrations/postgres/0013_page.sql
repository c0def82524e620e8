-- +goose Up
-- Texts that stand for themselves: the user agreement, policies, how to reach somebody.
CREATE TABLE page (
  merchant_id BIGINT  NOT NULL REFERENCES merchant (id),
  name        TEXT    NOT NULL, -- as its address has it
  language    TEXT    NOT NULL,
  title       TEXT    NOT NULL,
  content     TEXT    NOT NULL, -- HTML, made safe before it is stored
  sorting     BIGINT  NOT NULL,
  enabled     BOOLEAN NOT NULL,
  updated_at  BIGINT  NOT NULL,
  PRIMARY KEY (merchant_id, name, language)
);

-- Who presents live tables and streams.
CREATE TABLE live_model (
  merchant_id BIGINT  NOT NULL REFERENCES merchant (id),
  code        TEXT    NOT NULL,
  name        TEXT    NOT NULL,
  cover       TEXT    NOT NULL,
  status      TEXT    NOT NULL, -- active, streaming
  sorting     BIGINT  NOT NULL,
  enabled     BOOLEAN NOT NULL,
  PRIMARY KEY (merchant_id, code)
);

-- How many have read an announcement is what makes it popular.
CREATE INDEX announcement_read_by_all ON announcement_read (announcement_id);

-- +goose Down
DROP INDEX announcement_read_by_all;
DROP TABLE live_model;
DROP TABLE page;
