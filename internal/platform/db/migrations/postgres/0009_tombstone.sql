-- +goose Up
-- Two more kinds of transfer that move no money. Empty ones (amount 0, no entry, no code) record a call once.
-- Tombstones (a code, no content, an empty hash) refuse every transfer under their key. The first such transfer
-- stores its content in the tombstone. Without own entries, debit_seq and credit_seq name the members' last entries.
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
