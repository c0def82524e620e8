-- name: AddWriteProbe :exec
INSERT INTO write_probe (body) VALUES ($1);

-- name: ClearWriteProbes :exec
DELETE FROM write_probe;
