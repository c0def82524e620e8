-- +goose Up
-- Demos that are older than trial play at live tables list those tables without a trial.
UPDATE game SET free_play = TRUE
WHERE category = 'LIVE' AND EXISTS (SELECT 1 FROM installation WHERE kind = 'demo')
  AND vendor_id IN (SELECT id FROM vendor WHERE house);
UPDATE catalogue SET version = version + 1;

-- +goose Down
SELECT 1;
