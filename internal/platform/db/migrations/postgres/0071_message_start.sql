-- +goose Up
-- When a message begins and ceases to be shown. Its status is also scheduled before the start, and ended after the end.
ALTER TABLE message ADD COLUMN starts_at BIGINT NOT NULL DEFAULT 0; -- 0: at once
ALTER TABLE message ADD COLUMN ends_at BIGINT NOT NULL DEFAULT 0; -- 0: no end
CREATE INDEX message_to_start ON message (starts_at, id) WHERE status = 'scheduled';
CREATE INDEX message_to_end ON message (ends_at, id) WHERE ends_at > 0;

-- +goose Down
DROP INDEX message_to_end;
DROP INDEX message_to_start;
ALTER TABLE message DROP COLUMN ends_at;
ALTER TABLE message DROP COLUMN starts_at;
