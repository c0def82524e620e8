-- +goose Up
-- Start of uninterrupted play, by the database's clock. Reality checks count from it, not from a launch.
ALTER TABLE limit_guard ADD COLUMN playing_since BIGINT NOT NULL DEFAULT 0;
ALTER TABLE limit_use DROP COLUMN play_id;
ALTER TABLE limit_use DROP COLUMN play_since;

ALTER TABLE play ADD COLUMN closed_why TEXT NOT NULL DEFAULT ''; -- member, break
ALTER TABLE play ADD COLUMN opened_by  BYTEA; -- digest of the requestId that used the ticket

-- The winner board shows finished rounds.
DROP INDEX vendor_move_wins;
CREATE INDEX vendor_move_ends ON vendor_move (at) WHERE ends;

-- +goose Down
DROP INDEX vendor_move_ends;
CREATE INDEX vendor_move_wins ON vendor_move (at) WHERE call = 'win' AND amount > 0;
ALTER TABLE play DROP COLUMN opened_by;
ALTER TABLE play DROP COLUMN closed_why;
ALTER TABLE limit_use ADD COLUMN play_since BIGINT NOT NULL DEFAULT 0;
ALTER TABLE limit_use ADD COLUMN play_id BIGINT NOT NULL DEFAULT 0;
ALTER TABLE limit_guard DROP COLUMN playing_since;
