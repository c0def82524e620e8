-- +goose Up
-- The first answer to a request that must take effect once. owner is who sent it, such as member/1001.
CREATE TABLE idempotency (
  owner TEXT NOT NULL,
  call TEXT NOT NULL,
  request_key TEXT NOT NULL,
  digest BLOB NOT NULL,
  refused BOOLEAN NOT NULL,
  response TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (owner, call, request_key)
);
CREATE INDEX idempotency_created ON idempotency (created_at);

-- +goose Down
DROP TABLE idempotency;
