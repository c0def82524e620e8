-- +goose Up
-- How often all sessions of a member were ended. A login opens a session only in the epoch in which it was proved: a
-- password that is changed while it is being checked opens nothing.
ALTER TABLE member ADD COLUMN epoch BIGINT NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE member DROP COLUMN epoch;
