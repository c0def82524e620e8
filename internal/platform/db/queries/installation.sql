-- name: ClaimInstallation :exec
INSERT INTO installation (id, kind, created_at) VALUES (1, $1, $2)
ON CONFLICT (id) DO NOTHING;

-- name: InstallationKind :one
SELECT kind FROM installation WHERE id = 1;

-- name: TouchInstallation :exec
-- A write without effect, to check that the database accepts writes.
UPDATE installation SET kind = kind WHERE id = 1;
