-- +goose Up
-- Work that waits for an operator. A kind and a reference name one task, such as the hold of a member.
CREATE TABLE task (
  id          BIGINT PRIMARY KEY,
  merchant_id BIGINT NOT NULL,
  kind        TEXT   NOT NULL,
  reference   TEXT   NOT NULL,
  object      TEXT   NOT NULL, -- such as members/1234
  permission  TEXT   NOT NULL, -- of the operators who see it
  state       TEXT   NOT NULL, -- open, claimed, done
  claimed_by  TEXT   NOT NULL DEFAULT '',
  created_at  BIGINT NOT NULL, -- unix ms
  done_at     BIGINT NOT NULL DEFAULT 0,
  done_by     TEXT   NOT NULL DEFAULT '',
  version     BIGINT NOT NULL DEFAULT 1,
  CONSTRAINT task_once UNIQUE (kind, reference)
);
CREATE INDEX task_by_state ON task (state, id);
INSERT INTO task (id, merchant_id, kind, reference, object, permission, state, created_at)
SELECT m.id, m.merchant_id, 'hold', CAST(m.id AS TEXT), 'members/' || CAST(m.id AS TEXT), 'member.edit', 'open', h.held_at
FROM member_hold h JOIN member m ON m.id = h.member_id WHERE h.released_at = 0;
INSERT INTO task (id, merchant_id, kind, reference, object, permission, state, created_at)
SELECT id, merchant_id, 'approval', CAST(id AS TEXT), 'approvals/' || CAST(id AS TEXT), permission, 'open', requested_at
FROM approval WHERE state = 'waiting';

-- Every change of a setting or switch.
CREATE TABLE setting_change (
  merchant_id BIGINT NOT NULL,
  name        TEXT   NOT NULL, -- of the setting, or kind and code of the switch as kind/code
  version     BIGINT NOT NULL,
  before      TEXT   NOT NULL, -- JSON
  after       TEXT   NOT NULL, -- JSON
  at          BIGINT NOT NULL, -- unix ms
  operator    TEXT   NOT NULL,
  PRIMARY KEY (merchant_id, name, version)
);

-- Sums of one day in UTC, for the overview. High and low 32 bits are summed separately.
CREATE TABLE figure_day (
  merchant_id BIGINT NOT NULL,
  day         BIGINT NOT NULL, -- unix ms of its start
  name        TEXT   NOT NULL, -- deposits, withdrawals, play …
  part        TEXT   NOT NULL, -- vendor and game of play as vendor/game; else empty
  currency    TEXT   NOT NULL,
  number      BIGINT NOT NULL, -- of transfers, rounds or members
  high        BIGINT NOT NULL,
  low         BIGINT NOT NULL,
  PRIMARY KEY (merchant_id, day, name, part, currency)
);
CREATE TABLE figure_mark (
  day       BIGINT NOT NULL PRIMARY KEY,
  summed_at BIGINT NOT NULL -- unix ms
);

-- Processes that serve the site.
CREATE TABLE replica (
  id         BIGINT PRIMARY KEY,
  host       TEXT   NOT NULL,
  version    TEXT   NOT NULL,
  started_at BIGINT NOT NULL, -- unix ms
  seen_at    BIGINT NOT NULL
);

CREATE TABLE backup_run (
  at    BIGINT NOT NULL PRIMARY KEY, -- unix ms
  bytes BIGINT NOT NULL
);

-- +goose Down
DROP TABLE backup_run;
DROP TABLE replica;
DROP TABLE figure_mark;
DROP TABLE figure_day;
DROP TABLE setting_change;
DROP TABLE task;
