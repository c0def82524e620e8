-- +goose Up
-- The address that the provider has seen proved, in small letters; null where it told none. Nothing is sent there: it is by what
-- somebody on a break would be known again.
ALTER TABLE identity ADD COLUMN email TEXT;
CREATE INDEX identity_by_email ON identity (merchant_id, email);

-- Which age the member has confirmed, 0 none: whoever confirmed one is asked again where the merchant asks for a higher one. What
-- was confirmed before is not known, and 18 is the least that a merchant asks for.
ALTER TABLE member ADD COLUMN age_confirmed BIGINT NOT NULL DEFAULT 0;
UPDATE member SET age_confirmed = 18 WHERE age_confirmed_at IS NOT NULL;

-- +goose Down
ALTER TABLE member DROP COLUMN age_confirmed;
DROP INDEX identity_by_email;
ALTER TABLE identity DROP COLUMN email;
