-- +goose Up
-- Uploaded files that no row names: not yet, for they are being stored, or no more. They are deleted when a backup that
-- read the rows before can have read the files too.
CREATE TABLE discarded (
  name   TEXT   PRIMARY KEY, -- of the blob
  due_at BIGINT NOT NULL
);
CREATE INDEX discarded_by_due ON discarded (due_at);

-- +goose Down
DROP TABLE discarded;
