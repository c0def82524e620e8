-- +goose Up
-- External accounts by which members log in.
CREATE TABLE identity (
  merchant_id BIGINT NOT NULL REFERENCES merchant (id),
  provider    TEXT   NOT NULL, -- google, facebook
  subject     TEXT   NOT NULL, -- the provider's id of the account
  member_id   BIGINT NOT NULL REFERENCES member (id),
  created_at  BIGINT NOT NULL,
  PRIMARY KEY (merchant_id, provider, subject)
);
CREATE INDEX identity_by_member ON identity (member_id);

-- +goose Down
DROP TABLE identity;
