-- name: AddSeries :execrows
INSERT INTO fair_series (id, kind, name, generation, state, length, chain_end, secret, source, detail, due_at, salt, created_at, started_at)
VALUES (sqlc.arg(id), sqlc.arg(kind), sqlc.arg(name), sqlc.arg(generation), sqlc.arg(state), sqlc.arg(length), sqlc.arg(chain_end), sqlc.arg(secret),
  sqlc.arg(source), sqlc.arg(detail), sqlc.arg(due_at), sqlc.arg(salt), sqlc.arg(created_at), sqlc.arg(started_at))
ON CONFLICT DO NOTHING;

-- name: Series :one
SELECT * FROM fair_series WHERE id = $1;

-- name: RunningSeries :one
SELECT * FROM fair_series WHERE kind = $1 AND name = $2 AND state = 'running';

-- name: LastSeries :one
SELECT * FROM fair_series WHERE kind = $1 AND name = $2 ORDER BY generation DESC LIMIT 1;

-- name: SeriesOfKind :many
SELECT * FROM fair_series WHERE CAST(sqlc.arg(kind) AS TEXT) = '' OR kind = sqlc.arg(kind) ORDER BY kind, name, generation DESC;

-- name: SeriesOfName :many
SELECT * FROM fair_series WHERE kind = $1 AND name = $2 ORDER BY generation DESC;

-- name: WaitingSeries :many
SELECT * FROM fair_series WHERE state = 'waiting' AND source = $1 ORDER BY id;

-- Takes the next link of a running series.
-- name: TakeLink :many
UPDATE fair_series SET used = used + 1 WHERE id = $1 AND state = 'running' AND used < length RETURNING used;

-- Takes a link of a running series that the time of the round selects.
-- name: TakeLinkAt :execrows
UPDATE fair_series SET used = CASE WHEN used < CAST(sqlc.arg(link) AS BIGINT) THEN CAST(sqlc.arg(link) AS BIGINT) ELSE used END
WHERE id = sqlc.arg(id) AND state = 'running' AND length >= CAST(sqlc.arg(link) AS BIGINT);

-- name: EndSeries :execrows
UPDATE fair_series SET state = 'ended', ended_at = sqlc.arg(ended_at), version = version + 1 WHERE id = sqlc.arg(id) AND state <> 'ended';

-- name: EndSeriesOfName :exec
UPDATE fair_series SET state = 'ended', ended_at = sqlc.arg(ended_at), version = version + 1
WHERE kind = sqlc.arg(kind) AND name = sqlc.arg(name) AND state <> 'ended' AND generation < sqlc.arg(before);

-- name: StartSeries :execrows
UPDATE fair_series SET state = 'running', value = sqlc.arg(value), signature = sqlc.arg(signature), salt = sqlc.arg(salt), started_at = sqlc.arg(started_at), version = version + 1
WHERE id = sqlc.arg(id) AND state = 'waiting' AND version = sqlc.arg(version);

-- name: SeriesSecrets :many
SELECT id, secret FROM fair_series WHERE id > sqlc.arg(after) ORDER BY id LIMIT 100;

-- Replaces the encrypted chain and ends the series, because the old root key may have leaked.
-- name: RekeySeries :exec
UPDATE fair_series SET secret = sqlc.arg(secret), ended_at = CASE WHEN state = 'ended' THEN ended_at ELSE CAST(sqlc.arg(ended_at) AS BIGINT) END, state = 'ended', version = version + 1
WHERE id = sqlc.arg(id);

-- name: EndWaitingSeries :execrows
UPDATE fair_series SET state = 'ended', ended_at = sqlc.arg(ended_at), version = version + 1
WHERE id = sqlc.arg(id) AND state = 'waiting' AND version = sqlc.arg(version);
