-- +goose Up
-- Number of times that all sessions of a member were ended. A login opens a session only if the epoch has not changed
-- since its password check. So a password that is changed during the check opens no session.
ALTER TABLE member ADD COLUMN epoch BIGINT NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE member DROP COLUMN epoch;
