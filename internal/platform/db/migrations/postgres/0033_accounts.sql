-- +goose Up
-- The e-mail address that the provider verified, lower case. null: none. No mail is sent to it. It recognizes other
-- accounts of a person on a break.
ALTER TABLE identity ADD COLUMN email TEXT;
CREATE INDEX identity_by_email ON identity (merchant_id, email);

-- The age that the member confirmed; 0: none. The member is asked again if the merchant requires a higher age. For
-- earlier confirmations it is 18, the lowest age that a merchant can require.
ALTER TABLE member ADD COLUMN age_confirmed BIGINT NOT NULL DEFAULT 0;
UPDATE member SET age_confirmed = 18 WHERE age_confirmed_at IS NOT NULL;

-- +goose Down
ALTER TABLE member DROP COLUMN age_confirmed;
DROP INDEX identity_by_email;
ALTER TABLE identity DROP COLUMN email;
