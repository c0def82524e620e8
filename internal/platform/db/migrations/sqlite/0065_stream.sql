-- +goose Up
-- Live streams that a merchant shows, with the chat next to each video.
CREATE TABLE live_stream (
  id          INTEGER PRIMARY KEY,
  merchant_id BIGINT  NOT NULL REFERENCES merchant (id),
  code        TEXT    NOT NULL,
  names       TEXT    NOT NULL, -- JSON: name by language
  host        TEXT    NOT NULL, -- who speaks in it
  url         TEXT    NOT NULL, -- HLS playlist
  poster      TEXT    NOT NULL,
  games       TEXT    NOT NULL, -- JSON: codes of games to play from it
  active      BOOLEAN NOT NULL, -- members see it
  streaming   BOOLEAN NOT NULL, -- it is on air
  recorded    BOOLEAN NOT NULL, -- a recording that repeats, marked as such
  chat        BOOLEAN NOT NULL, -- members may write
  starts_at   BIGINT  NOT NULL, -- 0: at once
  ends_at     BIGINT  NOT NULL, -- 0: no end
  sorting     BIGINT  NOT NULL,
  last_seq    BIGINT  NOT NULL DEFAULT 0,
  version     BIGINT  NOT NULL DEFAULT 1,
  created_at  BIGINT  NOT NULL,
  updated_at  BIGINT  NOT NULL,
  UNIQUE (merchant_id, code)
);

CREATE TABLE live_stream_message (
  stream_id  BIGINT NOT NULL REFERENCES live_stream (id),
  seq        BIGINT NOT NULL,
  member_id  BIGINT NOT NULL REFERENCES member (id),
  username   TEXT   NOT NULL,
  client_id  TEXT   NOT NULL, -- chosen by the sender: a repeated message is stored once
  body       TEXT   NOT NULL,
  hidden_by  TEXT   NOT NULL DEFAULT '', -- operator who hid it
  created_at BIGINT NOT NULL,
  PRIMARY KEY (stream_id, seq),
  UNIQUE (stream_id, member_id, client_id)
);

-- Members who may not write next to streams for a time.
CREATE TABLE live_stream_mute (
  member_id   BIGINT PRIMARY KEY REFERENCES member (id),
  merchant_id BIGINT NOT NULL REFERENCES merchant (id),
  until       BIGINT NOT NULL,
  operator    TEXT   NOT NULL
);

-- +goose Down
DROP TABLE live_stream_mute;
DROP TABLE live_stream_message;
DROP TABLE live_stream;
