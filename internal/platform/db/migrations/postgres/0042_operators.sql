-- +goose Up
ALTER TABLE operator ADD COLUMN merchant_id BIGINT NOT NULL DEFAULT 0; -- 0: the whole installation
ALTER TABLE operator ADD COLUMN disabled_at BIGINT;
ALTER TABLE operator ADD COLUMN totp BYTEA; -- encrypted; NULL until the operator has enrolled
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
  code_hash   BYTEA  NOT NULL,
  used_at     BIGINT,
  PRIMARY KEY (operator_id, code_hash)
);

CREATE TABLE operator_session (
  id              BIGINT PRIMARY KEY,
  operator_id     BIGINT NOT NULL REFERENCES operator (id),
  token_hash      BYTEA  NOT NULL UNIQUE,
  stage           TEXT   NOT NULL, -- enrol, code: no access yet; full
  pending         BYTEA, -- encrypted TOTP secret during the enrolment
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
  id           BIGINT PRIMARY KEY,
  merchant_id  BIGINT NOT NULL,
  permission   TEXT   NOT NULL,
  action       TEXT   NOT NULL,
  object       TEXT   NOT NULL,
  payload      TEXT   NOT NULL, -- JSON: the change
  digest       BYTEA  NOT NULL, -- of action, object and payload
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
  seq         BIGINT PRIMARY KEY,
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
  digest      BYTEA  NOT NULL
);
CREATE INDEX audit_of_object ON audit (object, seq);
CREATE INDEX audit_of_operator ON audit (operator, seq);

CREATE TABLE audit_head (
  id     BIGINT PRIMARY KEY,
  seq    BIGINT NOT NULL,
  digest BYTEA  NOT NULL
);
INSERT INTO audit_head (id, seq, digest) VALUES (1, 0, decode(repeat('00', 32), 'hex'));

-- +goose StatementBegin
CREATE FUNCTION audit_is_final() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'audit rows are never changed or deleted';
END $$;
-- +goose StatementEnd
CREATE TRIGGER audit_no_change BEFORE UPDATE OR DELETE ON audit FOR EACH ROW EXECUTE FUNCTION audit_is_final();

-- +goose Down
DROP TRIGGER audit_no_change ON audit;
DROP FUNCTION audit_is_final;
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
