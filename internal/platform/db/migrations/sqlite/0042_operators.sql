-- +goose Up
ALTER TABLE operator ADD COLUMN merchant_id BIGINT NOT NULL DEFAULT 0; -- 0: the whole installation
ALTER TABLE operator ADD COLUMN disabled_at BIGINT;
ALTER TABLE operator ADD COLUMN totp BLOB; -- encrypted; NULL until the operator has enrolled
ALTER TABLE operator ADD COLUMN totp_step BIGINT NOT NULL DEFAULT 0; -- time step of the last code, which works once
ALTER TABLE operator ADD COLUMN version BIGINT NOT NULL DEFAULT 1;

CREATE TABLE operator_role (
  operator_id BIGINT NOT NULL REFERENCES operator (id),
  role        TEXT   NOT NULL,
  PRIMARY KEY (operator_id, role)
);
INSERT INTO operator_role (operator_id, role) SELECT id, role FROM operator;

-- Roles that owners defined, in addition to the built-in ones.
CREATE TABLE ops_role (
  name        TEXT   PRIMARY KEY,
  permissions TEXT   NOT NULL -- JSON list
);

CREATE TABLE operator_recovery (
  operator_id BIGINT NOT NULL REFERENCES operator (id),
  code_hash   BLOB  NOT NULL,
  used_at     BIGINT,
  PRIMARY KEY (operator_id, code_hash)
);

CREATE TABLE operator_session (
  id              INTEGER PRIMARY KEY,
  operator_id     BIGINT NOT NULL REFERENCES operator (id),
  token_hash      BLOB  NOT NULL UNIQUE,
  stage           TEXT   NOT NULL, -- enrol, code: no access yet; full
  pending         BLOB, -- encrypted TOTP secret during the enrolment
  tries           BIGINT NOT NULL DEFAULT 0, -- wrong codes
  address         TEXT   NOT NULL,
  network         TEXT   NOT NULL,
  created_at      BIGINT NOT NULL,
  seen_at         BIGINT NOT NULL,
  confirmed_until BIGINT NOT NULL DEFAULT 0, -- dangerous calls are accepted until then
  ended_at        BIGINT
);
CREATE INDEX operator_session_of ON operator_session (operator_id, created_at);

-- Changes that need two people.
CREATE TABLE approval (
  id           INTEGER PRIMARY KEY,
  merchant_id  BIGINT NOT NULL,
  permission   TEXT   NOT NULL,
  action       TEXT   NOT NULL,
  object       TEXT   NOT NULL,
  payload      TEXT   NOT NULL, -- JSON: the change
  digest       BLOB  NOT NULL, -- of action, object and payload
  state        TEXT   NOT NULL, -- waiting, approved, refused, failed
  requested_by TEXT   NOT NULL, -- name of an operator or of a command's user
  requested_at BIGINT NOT NULL,
  decided_by   TEXT   NOT NULL DEFAULT '',
  decided_at   BIGINT,
  reason       TEXT   NOT NULL DEFAULT '',
  version      BIGINT NOT NULL DEFAULT 1
);
CREATE INDEX approval_by_state ON approval (merchant_id, state, id);

-- Rows are never updated or deleted.
CREATE TABLE audit (
  seq         INTEGER PRIMARY KEY,
  at          BIGINT NOT NULL,
  merchant_id BIGINT NOT NULL,
  operator    TEXT   NOT NULL,
  permission  TEXT   NOT NULL,
  action      TEXT   NOT NULL,
  object      TEXT   NOT NULL,
  mode        TEXT   NOT NULL,
  before      TEXT   NOT NULL,
  after       TEXT   NOT NULL,
  address     TEXT   NOT NULL,
  request_id  TEXT   NOT NULL,
  digest      BLOB  NOT NULL
);
CREATE INDEX audit_of_object ON audit (object, seq);
CREATE INDEX audit_of_operator ON audit (operator, seq);

CREATE TABLE audit_head (
  id     INTEGER PRIMARY KEY,
  seq    BIGINT NOT NULL,
  digest BLOB  NOT NULL
);
INSERT INTO audit_head (id, seq, digest) VALUES (1, 0, zeroblob(32));

-- +goose StatementBegin
CREATE TRIGGER audit_no_update BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'audit rows are never changed'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'audit rows are never deleted'); END;
-- +goose StatementEnd

-- +goose Down
DROP TRIGGER audit_no_update;
DROP TRIGGER audit_no_delete;
DROP TABLE audit_head;
DROP TABLE audit;
DROP TABLE approval;
DROP TABLE operator_session;
DROP TABLE operator_recovery;
DROP TABLE ops_role;
DROP TABLE operator_role;
ALTER TABLE operator DROP COLUMN version;
ALTER TABLE operator DROP COLUMN totp_step;
ALTER TABLE operator DROP COLUMN totp;
ALTER TABLE operator DROP COLUMN disabled_at;
ALTER TABLE operator DROP COLUMN merchant_id;
