-- +goose Up
-- Vendors whose games the House runs. Other vendors without a launch address are not open yet.
ALTER TABLE vendor ADD COLUMN house BOOLEAN NOT NULL DEFAULT FALSE;

-- A demo keeps its games. On a real site, an imported vendor was not meant to be the House, unless it has its code.
UPDATE vendor SET house = TRUE
WHERE launch_url = '' AND (code = 'HOUSE' OR EXISTS (SELECT 1 FROM installation WHERE kind = 'demo'));
UPDATE catalogue SET version = version + 1;

-- +goose Down
ALTER TABLE vendor DROP COLUMN house;
