-- +goose Up
-- Every change that other replicas must see is a row of the outbox, with its kind in subject. Each replica reads all
-- rows itself; rows are deleted after a minute.
ALTER TABLE outbox ADD COLUMN subject TEXT NOT NULL DEFAULT 'messages';

-- +goose Down
ALTER TABLE outbox DROP COLUMN subject;
