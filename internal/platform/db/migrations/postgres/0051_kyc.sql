-- +goose Up
-- Identity checks: one row for each time that a member sends documents.
CREATE TABLE kyc (
  id          BIGINT PRIMARY KEY,
  merchant_id BIGINT NOT NULL,
  member_id   BIGINT NOT NULL REFERENCES member (id),
  state       TEXT   NOT NULL, -- WAITING, VERIFIED, REFUSED
  details     BYTEA NOT NULL, -- name, birth date and document number, encrypted; empty when they were deleted
  number_mac  BYTEA NOT NULL, -- keyed digest of the document number
  images      TEXT   NOT NULL, -- JSON list of the names of the encrypted pictures; '' when they were deleted
  reason      TEXT   NOT NULL DEFAULT '',
  decided_by  TEXT   NOT NULL DEFAULT '',
  decided_at  BIGINT,
  version     BIGINT NOT NULL DEFAULT 1,
  created_at  BIGINT NOT NULL
);
CREATE UNIQUE INDEX kyc_open ON kyc (member_id) WHERE state IN ('WAITING', 'VERIFIED');
CREATE INDEX kyc_of_member ON kyc (member_id, id);
CREATE INDEX kyc_of_merchant ON kyc (merchant_id, created_at, id);
CREATE INDEX kyc_number ON kyc (number_mac);
CREATE INDEX kyc_documents ON kyc (merchant_id, decided_at) WHERE images <> '';
