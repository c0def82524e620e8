-- +goose Up
-- The address that the provider has seen proved, in small letters; null where it told none. Nothing is sent there: it is by what
-- somebody on a break would be known again.
ALTER TABLE identity ADD COLUMN email TEXT;
CREATE INDEX identity_by_email ON identity (merchant_id, email);

-- +goose Down
DROP INDEX identity_by_email;
ALTER TABLE identity DROP COLUMN email;
