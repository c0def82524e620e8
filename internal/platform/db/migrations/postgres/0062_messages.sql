-- +goose Up
-- Messages that operators send. A message to all is this row only, until a member reads or deletes it.
CREATE TABLE message (
  id          BIGINT PRIMARY KEY,
  merchant_id BIGINT  NOT NULL REFERENCES merchant (id),
  audience    TEXT    NOT NULL, -- member, segment, all
  filter      TEXT    NOT NULL, -- JSON: the segment or the member
  texts       TEXT    NOT NULL, -- JSON: title and body (safe HTML) by language
  link        TEXT    NOT NULL, -- path in the app, or ''
  promotional BOOLEAN NOT NULL,
  status      TEXT    NOT NULL, -- sending, sent, withdrawn
  reached     BIGINT  NOT NULL DEFAULT 0, -- members who have it
  last_member BIGINT  NOT NULL DEFAULT 0, -- the last member whom the job has served
  created_by  TEXT    NOT NULL,
  created_at  BIGINT  NOT NULL,
  version     BIGINT  NOT NULL DEFAULT 1
);
CREATE INDEX message_of_merchant ON message (merchant_id, created_at, id);
CREATE INDEX message_to_all ON message (merchant_id, created_at) WHERE audience = 'all';

-- What a member has in the inbox. Rows without a message are the system's own.
CREATE TABLE inbox (
  id         BIGINT PRIMARY KEY,
  member_id  BIGINT NOT NULL REFERENCES member (id),
  message_id BIGINT REFERENCES message (id),
  kind       TEXT   NOT NULL, -- operator, or the kind of a system message
  args       TEXT   NOT NULL, -- JSON: values of a system message's text
  created_at BIGINT NOT NULL,
  read_at    BIGINT NOT NULL DEFAULT 0, -- 0: unread
  deleted_at BIGINT NOT NULL DEFAULT 0, -- 0: not deleted
  UNIQUE (member_id, message_id)
);
CREATE INDEX inbox_of_member ON inbox (member_id, created_at, id);
CREATE INDEX inbox_unread ON inbox (member_id) WHERE read_at = 0 AND deleted_at = 0;
CREATE INDEX inbox_of_message ON inbox (message_id) WHERE message_id IS NOT NULL;

-- What may notify a member, and by which way. A missing row means the default.
CREATE TABLE notify_choice (
  member_id  BIGINT  NOT NULL REFERENCES member (id),
  topic      TEXT    NOT NULL, -- money, security, account, reward, promotion
  way        TEXT    NOT NULL, -- inbox, push, email
  allowed    BOOLEAN NOT NULL,
  changed_at BIGINT  NOT NULL,
  PRIMARY KEY (member_id, topic, way)
);

-- Every consent to promotions that a member gave, refused or withdrew. Rows are never changed.
CREATE TABLE notify_consent (
  id        BIGINT PRIMARY KEY,
  member_id BIGINT  NOT NULL REFERENCES member (id),
  way       TEXT    NOT NULL,
  allowed   BOOLEAN NOT NULL,
  at        BIGINT  NOT NULL
);
CREATE INDEX notify_consent_of_member ON notify_consent (member_id, at);

-- Browsers that receive web push.
CREATE TABLE push_subscription (
  id         BIGINT PRIMARY KEY,
  member_id  BIGINT NOT NULL REFERENCES member (id),
  session_id BIGINT NOT NULL, -- the login that subscribed; nothing is sent after it has ended
  endpoint   TEXT   NOT NULL UNIQUE,
  p256dh     TEXT   NOT NULL,
  auth       TEXT   NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE INDEX push_subscription_of_member ON push_subscription (member_id);

-- Push messages that wait to be sent.
CREATE TABLE push_note (
  id              BIGINT PRIMARY KEY,
  subscription_id BIGINT NOT NULL,
  content         TEXT   NOT NULL, -- JSON: title, body, path
  created_at      BIGINT NOT NULL
);

-- What members write to the operator, and the answer.
CREATE TABLE feedback (
  id          BIGINT PRIMARY KEY,
  merchant_id BIGINT NOT NULL,
  member_id   BIGINT NOT NULL REFERENCES member (id),
  category    TEXT   NOT NULL, -- deposit, withdrawal, game, account, suggestion, other
  content     TEXT   NOT NULL,
  images      TEXT   NOT NULL, -- JSON list of the names of pictures
  status      TEXT   NOT NULL, -- open, answered
  answer      TEXT   NOT NULL DEFAULT '',
  answered_by TEXT   NOT NULL DEFAULT '',
  answered_at BIGINT NOT NULL DEFAULT 0,
  created_at  BIGINT NOT NULL,
  version     BIGINT NOT NULL DEFAULT 1
);
CREATE INDEX feedback_of_member ON feedback (member_id, created_at, id);
CREATE INDEX feedback_of_merchant ON feedback (merchant_id, created_at, id);

-- +goose Down
DROP TABLE feedback;
DROP TABLE push_note;
DROP TABLE push_subscription;
DROP TABLE notify_consent;
DROP TABLE notify_choice;
DROP TABLE inbox;
DROP TABLE message;
