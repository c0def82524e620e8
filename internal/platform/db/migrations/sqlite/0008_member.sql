-- +goose Up
-- Contact data, security data and referral of a member.
ALTER TABLE member ADD COLUMN mobile TEXT; -- E.164, verified or entered at registration; null: none
ALTER TABLE member ADD COLUMN email TEXT; -- as entered; compared without case
ALTER TABLE member ADD COLUMN payment_hash TEXT NOT NULL DEFAULT ''; -- hash of the payment password
ALTER TABLE member ADD COLUMN question TEXT NOT NULL DEFAULT ''; -- id of the security question
ALTER TABLE member ADD COLUMN answer_hash TEXT NOT NULL DEFAULT '';
ALTER TABLE member ADD COLUMN avatar TEXT NOT NULL DEFAULT ''; -- id of a preset, or blob name of an uploaded picture
ALTER TABLE member ADD COLUMN payee_name TEXT NOT NULL DEFAULT ''; -- name for payouts; set once
ALTER TABLE member ADD COLUMN affiliate_code TEXT; -- referral code of this member
ALTER TABLE member ADD COLUMN parent_id BIGINT REFERENCES member (id); -- the member whose code was used at registration
CREATE UNIQUE INDEX member_by_mobile ON member (merchant_id, mobile);
CREATE UNIQUE INDEX member_by_email ON member (merchant_id, lower(email));
CREATE UNIQUE INDEX member_by_affiliate_code ON member (merchant_id, affiliate_code);
UPDATE member SET affiliate_code = account WHERE type IN (1, 2);

-- Profile fields and registration data, by their API names.
CREATE TABLE member_detail (
  member_id BIGINT NOT NULL REFERENCES member (id),
  name      TEXT   NOT NULL,
  value     TEXT   NOT NULL,
  PRIMARY KEY (member_id, name)
);

-- +goose Down
DROP TABLE member_detail;
DROP INDEX member_by_affiliate_code;
DROP INDEX member_by_email;
DROP INDEX member_by_mobile;
ALTER TABLE member DROP COLUMN parent_id;
ALTER TABLE member DROP COLUMN affiliate_code;
ALTER TABLE member DROP COLUMN payee_name;
ALTER TABLE member DROP COLUMN avatar;
ALTER TABLE member DROP COLUMN answer_hash;
ALTER TABLE member DROP COLUMN question;
ALTER TABLE member DROP COLUMN payment_hash;
ALTER TABLE member DROP COLUMN email;
ALTER TABLE member DROP COLUMN mobile;
