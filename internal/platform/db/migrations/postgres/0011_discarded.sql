-- +goose Up
-- Uploaded files without a row: not yet, while they are stored, or no longer. They are deleted after a delay, so that
-- a backup that has read the rows can still read the files.
CREATE TABLE discarded (
  name   TEXT   PRIMARY KEY, -- blob name
  due_at BIGINT NOT NULL
);
CREATE INDEX discarded_by_due ON discarded (due_at);

-- +goose Down
DROP TABLE discarded;
