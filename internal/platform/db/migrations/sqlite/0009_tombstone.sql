-- +goose Up
-- Two more kinds of transfer that move no money. Empty ones (amount 0, no entry, no code) record a call once.
-- Tombstones (a code, no content, an empty hash) refuse every transfer under their key. The first such transfer
-- stores its content in the tombstone. Without own entries, debit_seq and credit_seq name the members' last entries.
CREATE TABLE transfer_wider (
  id           INTEGER PRIMARY KEY,
  idem_key     TEXT   NOT NULL CONSTRAINT transfer_key UNIQUE,
  payload_hash BLOB   NOT NULL,
  debit_id     BIGINT NOT NULL,
  credit_id    BIGINT NOT NULL,
  amount       BIGINT NOT NULL,
  kind         TEXT   NOT NULL,
  origin_id    BIGINT, -- the hold to pay or release, or the transfer to reverse
  refusal      TEXT,
  debit_seq    BIGINT,
  credit_seq   BIGINT,
  ref_type     TEXT   NOT NULL DEFAULT '',
  ref_id       TEXT   NOT NULL DEFAULT '',
  note         TEXT   NOT NULL DEFAULT '',
  created_at   BIGINT NOT NULL,
  CONSTRAINT transfer_posted CHECK (amount >= 0 AND (refusal IS NOT NULL OR amount = 0 OR debit_seq IS NOT NULL AND credit_seq IS NOT NULL))
);
INSERT INTO transfer_wider (id, idem_key, payload_hash, debit_id, credit_id, amount, kind, origin_id, refusal, debit_seq, credit_seq, ref_type, ref_id, note, created_at)
SELECT id, idem_key, payload_hash, debit_id, credit_id, amount, kind, origin_id, refusal, debit_seq, credit_seq, ref_type, ref_id, note, created_at FROM transfer;
DROP TABLE transfer;
ALTER TABLE transfer_wider RENAME TO transfer;
CREATE UNIQUE INDEX transfer_origin ON transfer (origin_id) WHERE origin_id IS NOT NULL AND refusal IS NULL;

-- +goose Down
CREATE TABLE transfer_narrow (
  id           INTEGER PRIMARY KEY,
  idem_key     TEXT   NOT NULL CONSTRAINT transfer_key UNIQUE,
  payload_hash BLOB   NOT NULL,
  debit_id     BIGINT NOT NULL,
  credit_id    BIGINT NOT NULL,
  amount       BIGINT NOT NULL CHECK (amount > 0),
  kind         TEXT   NOT NULL,
  origin_id    BIGINT,
  refusal      TEXT,
  debit_seq    BIGINT,
  credit_seq   BIGINT,
  ref_type     TEXT   NOT NULL DEFAULT '',
  ref_id       TEXT   NOT NULL DEFAULT '',
  note         TEXT   NOT NULL DEFAULT '',
  created_at   BIGINT NOT NULL,
  CONSTRAINT transfer_posted CHECK ((refusal IS NULL) = (debit_seq IS NOT NULL) AND (refusal IS NULL) = (credit_seq IS NOT NULL))
);
INSERT INTO transfer_narrow (id, idem_key, payload_hash, debit_id, credit_id, amount, kind, origin_id, refusal, debit_seq, credit_seq, ref_type, ref_id, note, created_at)
SELECT id, idem_key, payload_hash, debit_id, credit_id, amount, kind, origin_id, refusal,
  CASE WHEN refusal IS NULL THEN debit_seq END, CASE WHEN refusal IS NULL THEN credit_seq END, ref_type, ref_id, note, created_at
FROM transfer WHERE amount > 0;
DROP TABLE transfer;
ALTER TABLE transfer_narrow RENAME TO transfer;
CREATE UNIQUE INDEX transfer_origin ON transfer (origin_id) WHERE origin_id IS NOT NULL AND refusal IS NULL;
