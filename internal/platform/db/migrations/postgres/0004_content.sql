-- +goose Up
CREATE TABLE announcement (
  id             BIGINT  NOT NULL PRIMARY KEY,
  merchant_id    BIGINT  NOT NULL REFERENCES merchant (id),
  code           TEXT    NOT NULL, -- the operator's own name for it
  type           TEXT    NOT NULL, -- A agent, PL player, B banner, PU popup, PR promotion
  group_name     TEXT    NOT NULL DEFAULT '',
  execution      TEXT    NOT NULL DEFAULT '', -- popups: A with a session, F at its first login, B without one
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
  content         TEXT   NOT NULL DEFAULT '', -- HTML, made safe before it is stored
  tag             TEXT   NOT NULL DEFAULT '', -- the small line over a banner's title
  action          TEXT   NOT NULL DEFAULT '', -- the words on a banner's button
  image           TEXT   NOT NULL DEFAULT '', -- in place of the announcement's own, e.g. composed from right to left
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
