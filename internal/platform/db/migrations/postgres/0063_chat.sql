-- +goose Up
-- Conversations with customer service: one for each member, and one for each visitor's browser. Its messages are numbered without gaps.
CREATE TABLE chat (
  id            BIGINT  PRIMARY KEY,
  merchant_id   BIGINT  NOT NULL REFERENCES merchant (id),
  member_id     BIGINT  REFERENCES member (id),
  visitor       BYTEA,            -- digest of the visitor's cookie; NULL: a member's
  name          TEXT    NOT NULL, -- username, or what the visitor typed
  contact       TEXT    NOT NULL DEFAULT '', -- how to answer a message of the offline form
  language      TEXT    NOT NULL,
  status        TEXT    NOT NULL, -- waiting, open, closed
  offline       BOOLEAN NOT NULL DEFAULT FALSE, -- it began outside opening hours
  operator_id   BIGINT  NOT NULL DEFAULT 0,
  operator      TEXT    NOT NULL DEFAULT '',
  last_seq      BIGINT  NOT NULL DEFAULT 0,
  customer_read BIGINT  NOT NULL DEFAULT 0, -- number of the last message that the customer has read
  operator_read BIGINT  NOT NULL DEFAULT 0,
  preview       TEXT    NOT NULL DEFAULT '', -- start of the last message
  rating        BIGINT  NOT NULL DEFAULT 0,  -- of the conversation that ended last; 0: none
  queued_at     BIGINT  NOT NULL,
  claimed_at    BIGINT  NOT NULL DEFAULT 0,
  closed_at     BIGINT  NOT NULL DEFAULT 0,
  version       BIGINT  NOT NULL DEFAULT 1,
  created_at    BIGINT  NOT NULL,
  updated_at    BIGINT  NOT NULL
);
CREATE UNIQUE INDEX chat_member ON chat (member_id) WHERE member_id IS NOT NULL;
CREATE UNIQUE INDEX chat_visitor ON chat (visitor) WHERE visitor IS NOT NULL;
CREATE INDEX chat_updated ON chat (merchant_id, updated_at, id);
CREATE INDEX chat_queue ON chat (merchant_id, queued_at, id) WHERE status = 'waiting';

CREATE TABLE chat_message (
  chat_id    BIGINT NOT NULL REFERENCES chat (id),
  seq        BIGINT NOT NULL,
  sender     TEXT   NOT NULL, -- customer, operator, system
  operator   TEXT   NOT NULL DEFAULT '',
  client_id  TEXT   NOT NULL, -- chosen by the sender: a repeated message is stored once
  kind       TEXT   NOT NULL, -- text, image, event
  body       TEXT   NOT NULL, -- text, name of the picture, or the event: started, claimed, released, closed, rated
  width      BIGINT NOT NULL DEFAULT 0,
  height     BIGINT NOT NULL DEFAULT 0,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (chat_id, seq),
  UNIQUE (chat_id, sender, client_id)
);

CREATE TABLE chat_note (
  id         BIGINT PRIMARY KEY,
  chat_id    BIGINT NOT NULL REFERENCES chat (id),
  operator   TEXT   NOT NULL,
  body       TEXT   NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE INDEX chat_note_chat ON chat_note (chat_id, id);

CREATE TABLE chat_rating (
  chat_id    BIGINT NOT NULL REFERENCES chat (id),
  seq        BIGINT NOT NULL, -- number of the message that closed the conversation
  operator   TEXT   NOT NULL,
  stars      BIGINT NOT NULL,
  comment    TEXT   NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (chat_id, seq)
);

-- Saved replies of a merchant's operators.
CREATE TABLE chat_reply (
  id          BIGINT PRIMARY KEY,
  merchant_id BIGINT NOT NULL REFERENCES merchant (id),
  title       TEXT   NOT NULL,
  texts       TEXT   NOT NULL, -- JSON: text by language
  version     BIGINT NOT NULL DEFAULT 1,
  created_at  BIGINT NOT NULL,
  updated_at  BIGINT NOT NULL
);
CREATE INDEX chat_reply_merchant ON chat_reply (merchant_id, updated_at, id);

-- +goose Down
DROP TABLE chat_reply;
DROP TABLE chat_rating;
DROP TABLE chat_note;
DROP TABLE chat_message;
DROP TABLE chat;
