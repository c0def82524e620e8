-- +goose Up
-- Whom and what a push message is for, so that the sender can check consent, breaks and withdrawal again.
ALTER TABLE push_note ADD COLUMN member_id BIGINT NOT NULL DEFAULT 0;
ALTER TABLE push_note ADD COLUMN topic TEXT NOT NULL DEFAULT ''; -- empty: queued by an earlier release
ALTER TABLE push_note ADD COLUMN message_id BIGINT NOT NULL DEFAULT 0; -- the operator's message, or 0
CREATE INDEX push_note_of_subscription ON push_note (subscription_id);

-- What the sender of a message needs to decide again whether it may still be sent. Empty: it always may.
ALTER TABLE dispatch ADD COLUMN origin TEXT NOT NULL DEFAULT '';

-- Operators write next to a live stream too.
CREATE TABLE live_stream_message_new (
  stream_id  BIGINT NOT NULL REFERENCES live_stream (id),
  seq        BIGINT NOT NULL,
  member_id  BIGINT REFERENCES member (id), -- NULL: an operator's
  operator   TEXT   NOT NULL DEFAULT '',    -- operator who wrote it
  username   TEXT   NOT NULL,
  client_id  TEXT   NOT NULL, -- chosen by the sender: a repeated message is stored once
  body       TEXT   NOT NULL,
  hidden_by  TEXT   NOT NULL DEFAULT '', -- operator who hid it
  created_at BIGINT NOT NULL,
  PRIMARY KEY (stream_id, seq),
  UNIQUE (stream_id, member_id, client_id)
);
INSERT INTO live_stream_message_new (stream_id, seq, member_id, username, client_id, body, hidden_by, created_at)
SELECT stream_id, seq, member_id, username, client_id, body, hidden_by, created_at FROM live_stream_message;
DROP TABLE live_stream_message;
ALTER TABLE live_stream_message_new RENAME TO live_stream_message;
CREATE UNIQUE INDEX live_stream_message_of_operator ON live_stream_message (stream_id, operator, client_id) WHERE operator <> '';

-- Reactions to a live stream.
CREATE TABLE live_stream_reaction (
  stream_id    BIGINT NOT NULL REFERENCES live_stream (id),
  kind         TEXT   NOT NULL, -- heart, clap, fire, laugh
  total        BIGINT NOT NULL,
  announced_at BIGINT NOT NULL, -- when viewers last got the total
  PRIMARY KEY (stream_id, kind)
);

-- Who watches a live stream. A viewer who sends no heartbeat has left.
CREATE TABLE live_stream_viewer (
  stream_id BIGINT NOT NULL REFERENCES live_stream (id),
  viewer    TEXT   NOT NULL, -- m and the member's id, or v and what the visitor's browser chose
  seen_at   BIGINT NOT NULL,
  PRIMARY KEY (stream_id, viewer)
);
CREATE INDEX live_stream_viewer_by_age ON live_stream_viewer (seen_at);

-- +goose Down
DROP TABLE live_stream_viewer;
DROP TABLE live_stream_reaction;
DROP INDEX live_stream_message_of_operator;
DELETE FROM live_stream_message WHERE member_id IS NULL;
CREATE TABLE live_stream_message_old (
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
INSERT INTO live_stream_message_old (stream_id, seq, member_id, username, client_id, body, hidden_by, created_at)
SELECT stream_id, seq, member_id, username, client_id, body, hidden_by, created_at FROM live_stream_message;
DROP TABLE live_stream_message;
ALTER TABLE live_stream_message_old RENAME TO live_stream_message;
ALTER TABLE dispatch DROP COLUMN origin;
DROP INDEX push_note_of_subscription;
ALTER TABLE push_note DROP COLUMN message_id;
ALTER TABLE push_note DROP COLUMN topic;
ALTER TABLE push_note DROP COLUMN member_id;
