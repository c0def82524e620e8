-- name: ClaimInstallation :exec
INSERT INTO installation (id, kind, created_at) VALUES (1, $1, $2)
ON CONFLICT (id) DO NOTHING;

-- name: InstallationKind :one
SELECT kind FROM installation WHERE id = 1;
