-- +goose Up
-- Text pages: user agreement, policies, contact.
CREATE TABLE page (
  merchant_id BIGINT  NOT NULL REFERENCES merchant (id),
  name        TEXT    NOT NULL, -- as in its URL
  language    TEXT    NOT NULL,
  title       TEXT    NOT NULL,
  content     TEXT    NOT NULL, -- sanitized HTML
  sorting     BIGINT  NOT NULL,
  enabled     BOOLEAN NOT NULL,
  updated_at  BIGINT  NOT NULL,
  PRIMARY KEY (merchant_id, name, language)
);

-- Presenters of live tables and streams.
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

-- Counts readers per announcement for the order by popularity.
CREATE INDEX announcement_read_by_all ON announcement_read (announcement_id);

-- +goose Down
DROP INDEX announcement_read_by_all;
DROP TABLE live_model;
DROP TABLE page;
