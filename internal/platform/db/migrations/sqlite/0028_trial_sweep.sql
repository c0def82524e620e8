-- +goose Up
-- The hourly sweep finds expired trials by this index instead of reading every member.
CREATE INDEX member_active_by_type ON member (type, created_at) WHERE status = 'active';

-- +goose Down
DROP INDEX member_active_by_type;
