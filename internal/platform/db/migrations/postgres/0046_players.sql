-- +goose Up
-- What operators see and write about members.
ALTER TABLE member ADD COLUMN version BIGINT NOT NULL DEFAULT 1; -- of operators' changes
CREATE INDEX member_by_time ON member (merchant_id, created_at, id);
CREATE INDEX member_by_status ON member (merchant_id, status, created_at, id);
CREATE INDEX member_by_account_prefix ON member (merchant_id, account COLLATE "C");
CREATE INDEX member_by_email_prefix ON member (merchant_id, lower(email) COLLATE "C");

-- Words by which a member is found: folded names from each word on, and digits of the number. A job writes them.
CREATE TABLE member_term (
  merchant_id BIGINT NOT NULL,
  kind        TEXT   NOT NULL, -- name, mobile
  term        TEXT   COLLATE "C" NOT NULL,
  member_id   BIGINT NOT NULL,
  PRIMARY KEY (merchant_id, kind, term, member_id)
);
CREATE INDEX member_term_of ON member_term (member_id);

-- Members whose terms are outdated.
CREATE TABLE member_unindexed (
  member_id BIGINT NOT NULL PRIMARY KEY
);
INSERT INTO member_unindexed (member_id) SELECT id FROM member;
-- +goose StatementBegin
CREATE FUNCTION member_named() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO member_unindexed (member_id) VALUES (NEW.id) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER member_added AFTER INSERT ON member FOR EACH ROW EXECUTE FUNCTION member_named();
CREATE TRIGGER member_renamed AFTER UPDATE OF nickname, payee_name, mobile ON member FOR EACH ROW
WHEN (OLD.nickname <> NEW.nickname OR OLD.payee_name <> NEW.payee_name OR OLD.mobile IS DISTINCT FROM NEW.mobile) EXECUTE FUNCTION member_named();

CREATE TABLE member_note (
  id         BIGINT NOT NULL PRIMARY KEY,
  member_id  BIGINT NOT NULL REFERENCES member (id),
  kind       TEXT   NOT NULL, -- note, contact
  operator   TEXT   NOT NULL,
  body       TEXT   NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE INDEX member_note_of ON member_note (member_id, id);

CREATE TABLE member_tag (
  member_id    BIGINT NOT NULL REFERENCES member (id),
  tag          TEXT   NOT NULL,
  merchant_id  BIGINT NOT NULL,
  member_since BIGINT NOT NULL, -- the member's created_at
  PRIMARY KEY (member_id, tag)
);
CREATE INDEX member_tag_list ON member_tag (merchant_id, tag, member_since, member_id);

-- For accounts that share a device, a network or a number.
CREATE INDEX session_by_device ON session (device, member_id) WHERE device <> '';
CREATE INDEX session_by_address ON session (address, member_id) WHERE address <> '';
CREATE INDEX member_detail_number ON member_detail (value) WHERE name = 'mobileNum';

-- Signs of risky play. A job finds them; operators handle them.
CREATE TABLE protection_sign (
  id          BIGINT NOT NULL PRIMARY KEY,
  merchant_id BIGINT NOT NULL,
  member_id   BIGINT NOT NULL REFERENCES member (id),
  kind        TEXT   NOT NULL, -- raise, chase, night
  facts       TEXT   NOT NULL, -- JSON: figures
  found_at    BIGINT NOT NULL, -- last time
  status      TEXT   NOT NULL, -- new, contacted, break, dismissed
  handled_by  TEXT   NOT NULL DEFAULT '',
  handled_at  BIGINT NOT NULL DEFAULT 0,
  version     BIGINT NOT NULL DEFAULT 1,
  UNIQUE (member_id, kind)
);
CREATE INDEX protection_sign_list ON protection_sign (merchant_id, found_at, id);
CREATE INDEX play_limit_asked ON play_limit (asked_at) WHERE asked_at IS NOT NULL;

-- Checks of the ledger that operators started.
CREATE TABLE ledger_check (
  id           BIGINT NOT NULL PRIMARY KEY,
  requested_by TEXT   NOT NULL,
  requested_at BIGINT NOT NULL,
  started_at   BIGINT NOT NULL DEFAULT 0,
  finished_at  BIGINT NOT NULL DEFAULT 0,
  state        TEXT   NOT NULL, -- waiting, ok, broken, failed
  report       TEXT   NOT NULL DEFAULT ''
);
CREATE UNIQUE INDEX ledger_check_waiting ON ledger_check (state) WHERE state = 'waiting';

-- Transfers are stored in the order of time, so this index is small and costs little.
CREATE INDEX transfer_by_time ON transfer USING brin (created_at);
CREATE INDEX approval_by_object ON approval (object);

-- +goose Down
DROP INDEX approval_by_object;
DROP INDEX transfer_by_time;
DROP TABLE ledger_check;
DROP INDEX play_limit_asked;
DROP TABLE protection_sign;
DROP INDEX member_detail_number;
DROP INDEX session_by_address;
DROP INDEX session_by_device;
DROP TABLE member_tag;
DROP TABLE member_note;
DROP TRIGGER member_renamed ON member;
DROP TRIGGER member_added ON member;
DROP FUNCTION member_named();
DROP TABLE member_unindexed;
DROP TABLE member_term;
DROP INDEX member_by_email_prefix;
DROP INDEX member_by_account_prefix;
DROP INDEX member_by_status;
DROP INDEX member_by_time;
ALTER TABLE member DROP COLUMN version;
