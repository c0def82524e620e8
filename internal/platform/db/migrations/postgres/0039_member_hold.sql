-- +goose Up
-- New accounts that an operator reviews before they may play or deposit. released_at: unix ms; 0 while the account is held.
CREATE TABLE member_hold (
  member_id   BIGINT NOT NULL PRIMARY KEY REFERENCES member (id),
  reason      TEXT   NOT NULL, -- contact, person
  held_at     BIGINT NOT NULL, -- unix ms
  released_at BIGINT NOT NULL DEFAULT 0
);

-- +goose Down
DROP TABLE member_hold;
