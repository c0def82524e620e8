-- +goose Up
-- Scratch rows of the health check. It needs new space for each check, as a bet does. Nothing reads them.
CREATE TABLE write_probe (
  body BYTEA NOT NULL
);

-- Uploaded files of servers without a bucket, so that all replicas and the database's backup have them.
CREATE TABLE upload (
  name       TEXT   NOT NULL PRIMARY KEY,
  body       BYTEA  NOT NULL,
  created_at BIGINT NOT NULL -- unix ms
);
ALTER TABLE upload ALTER COLUMN body SET STORAGE EXTERNAL; -- pictures are compressed already

-- +goose Down
DROP TABLE upload;
DROP TABLE write_probe;
