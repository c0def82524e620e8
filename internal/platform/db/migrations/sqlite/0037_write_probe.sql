-- +goose Up
-- Scratch rows of the health check. It needs new space for each check, as a bet does. Nothing reads them.
CREATE TABLE write_probe (
  body BLOB NOT NULL
);

-- Uploaded files of servers without a bucket, so that all replicas and the database's backup have them.
CREATE TABLE upload (
  name       TEXT   NOT NULL PRIMARY KEY,
  body       BLOB   NOT NULL,
  created_at BIGINT NOT NULL -- unix ms
);

-- +goose Down
DROP TABLE upload;
DROP TABLE write_probe;
