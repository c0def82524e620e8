-- +goose Up
-- A key may be answered for without money moving. Besides posted transfers (amount, two entries) and refused ones (a
-- code, no entry) there are empty ones (amount 0, no entry, no code): a call that moves nothing but is made once; and
-- tombstones (a code, no content: the hash is empty), which refuse whatever comes under their key. The first that comes
-- gives a tombstone its content. debit_seq and credit_seq of whatever made no entry tell the members' last entries then.
ALTER TABLE transfer
  DROP CONSTRAINT transfer_amount_check,
  DROP CONSTRAINT transfer_posted,
  ADD CONSTRAINT transfer_posted CHECK (amount >= 0 AND (refusal IS NOT NULL OR amount = 0 OR debit_seq IS NOT NULL AND credit_seq IS NOT NULL));

-- +goose Down
DELETE FROM transfer WHERE amount = 0;
UPDATE transfer SET debit_seq = NULL, credit_seq = NULL WHERE refusal IS NOT NULL;
ALTER TABLE transfer
  DROP CONSTRAINT transfer_posted,
  ADD CONSTRAINT transfer_amount_check CHECK (amount > 0),
  ADD CONSTRAINT transfer_posted CHECK ((refusal IS NULL) = (debit_seq IS NOT NULL) AND (refusal IS NULL) = (credit_seq IS NOT NULL));
