-- +goose Up
-- Keyed digests of what identifies a person: device, name, name with birth date, card. They find new accounts of excluded members.
CREATE TABLE member_trait (
  member_id   BIGINT NOT NULL REFERENCES member (id),
  kind        TEXT   NOT NULL, -- device, name, person, card
  digest      BYTEA   NOT NULL,
  merchant_id BIGINT NOT NULL,
  created_at  BIGINT NOT NULL, -- unix ms
  PRIMARY KEY (member_id, kind, digest)
);

CREATE INDEX member_trait_digest ON member_trait (merchant_id, kind, digest);

-- +goose Down
DROP TABLE member_trait;
