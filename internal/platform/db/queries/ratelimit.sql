-- Takes one token. It changes no row if the bucket is empty.
-- name: TakeToken :execrows
INSERT INTO tally (bucket, full_at) VALUES (sqlc.arg(bucket), CAST(sqlc.arg(now) AS BIGINT) + CAST(sqlc.arg(every) AS BIGINT))
ON CONFLICT (bucket) DO UPDATE SET full_at = CAST(sqlc.arg(every) AS BIGINT) +
  CASE WHEN tally.full_at > CAST(sqlc.arg(now) AS BIGINT) THEN tally.full_at ELSE CAST(sqlc.arg(now) AS BIGINT) END
WHERE tally.full_at <= CAST(sqlc.arg(max_full_at) AS BIGINT);

-- name: BucketFullAt :one
SELECT full_at FROM tally WHERE bucket = $1;

-- name: ReturnToken :exec
UPDATE tally SET full_at = full_at - CAST(sqlc.arg(every) AS BIGINT) WHERE bucket = sqlc.arg(bucket);

-- name: DropBucket :exec
DELETE FROM tally WHERE bucket = $1;

-- Deletes at most 500 rows at once, because on SQLite a long delete blocks all other writes.
-- name: DropFullBuckets :execrows
DELETE FROM tally WHERE bucket IN (
  SELECT old.bucket FROM tally old WHERE old.full_at < $1 ORDER BY old.full_at LIMIT 500);
