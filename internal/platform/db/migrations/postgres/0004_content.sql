-- +goose Up
CREATE TABLE announcement (
  id             BIGINT  NOT NULL PRIMARY KEY,
  merchant_id    BIGINT  NOT NULL REFERENCES merchant (id),
  code           TEXT    NOT NULL, -- the operator's name for it
  type           TEXT    NOT NULL, -- A agent, PL player, B banner, PU popup, PR promotion
  group_name     TEXT    NOT NULL DEFAULT '',
  execution      TEXT    NOT NULL DEFAULT '', -- for popups: A with a session, F at the first login, B without a session
  promotion_type TEXT    NOT NULL DEFAULT '',
  url            TEXT    NOT NULL DEFAULT '',
  image          TEXT    NOT NULL DEFAULT '',
  sorting        BIGINT  NOT NULL,
  starts_at      BIGINT  NOT NULL,
  ends_at        BIGINT, -- null: no end
  enabled        BOOLEAN NOT NULL,
  UNIQUE (merchant_id, code)
);
CREATE INDEX announcement_in_order ON announcement (merchant_id, type, sorting, id);

CREATE TABLE announcement_text (
  announcement_id BIGINT NOT NULL REFERENCES announcement (id),
  language        TEXT   NOT NULL,
  title           TEXT   NOT NULL,
  content         TEXT   NOT NULL DEFAULT '', -- sanitized HTML
  tag             TEXT   NOT NULL DEFAULT '', -- small line above a banner's title
  action          TEXT   NOT NULL DEFAULT '', -- text of a banner's button
  image           TEXT   NOT NULL DEFAULT '', -- replaces the announcement's image, for example for right-to-left languages
  PRIMARY KEY (announcement_id, language)
);

CREATE TABLE announcement_read (
  member_id       BIGINT NOT NULL REFERENCES member (id),
  announcement_id BIGINT NOT NULL REFERENCES announcement (id),
  read_at         BIGINT NOT NULL,
  PRIMARY KEY (member_id, announcement_id)
);

-- +goose Down
DROP TABLE announcement_read;
DROP TABLE announcement_text;
DROP TABLE announcement;
