-- The console: tasks, changes of settings, figures and health.

-- A done task is opened again; an open one stays unchanged.
-- name: AddTask :execrows
INSERT INTO task (id, merchant_id, kind, reference, object, permission, state, created_at)
VALUES ($1, $2, $3, $4, $5, $6, 'open', $7)
ON CONFLICT (kind, reference) DO UPDATE SET state = 'open', object = excluded.object, permission = excluded.permission,
  claimed_by = '', created_at = excluded.created_at, done_at = 0, done_by = '', version = task.version + 1
WHERE task.state = 'done';

-- name: CloseTask :execrows
UPDATE task SET state = 'done', done_at = sqlc.arg(now), done_by = sqlc.arg(done_by), version = version + 1
WHERE kind = sqlc.arg(kind) AND reference = sqlc.arg(reference) AND state <> 'done';

-- name: Task :one
SELECT * FROM task WHERE id = $1;

-- name: ChangeTask :execrows
UPDATE task SET state = sqlc.arg(state), claimed_by = sqlc.arg(claimed_by), done_at = sqlc.arg(done_at), done_by = sqlc.arg(done_by), version = version + 1
WHERE id = sqlc.arg(id) AND version = sqlc.arg(version);

-- permissions has each permission of the operator between bars.
-- name: Tasks :many
SELECT * FROM task
WHERE id < sqlc.arg(before)
  AND (CAST(sqlc.arg(state) AS TEXT) = '' OR state = sqlc.arg(state))
  AND (CAST(sqlc.arg(kind) AS TEXT) = '' OR kind = sqlc.arg(kind))
  AND (CAST(sqlc.arg(reference) AS TEXT) = '' OR reference = sqlc.arg(reference))
  AND merchant_id IN (sqlc.arg(merchant_id), sqlc.arg(shared_id))
  AND created_at >= sqlc.arg(since) AND created_at < sqlc.arg(until)
  AND CAST(sqlc.arg(permissions) AS TEXT) LIKE '%|' || permission || '|%'
ORDER BY id DESC LIMIT sqlc.arg(most);

-- name: OpenTasks :many
SELECT kind, permission, COUNT(*) AS number FROM task
WHERE state IN ('open', 'claimed') AND merchant_id IN (sqlc.arg(merchant_id), sqlc.arg(shared_id))
GROUP BY kind, permission ORDER BY kind, permission;

-- name: AddSettingChange :exec
INSERT INTO setting_change (merchant_id, name, version, before, after, at, operator) VALUES ($1, $2, $3, $4, $5, $6, $7);

-- name: SettingVersion :one
SELECT CAST(COALESCE(MAX(version), 0) AS BIGINT) AS version FROM setting_change WHERE merchant_id = $1 AND name = $2;

-- name: SettingVersions :many
SELECT name, CAST(MAX(version) AS BIGINT) AS version FROM setting_change WHERE merchant_id = $1 GROUP BY name;

-- name: SettingChanges :many
SELECT version, before, after, at, operator FROM setting_change WHERE merchant_id = $1 AND name = $2 ORDER BY version DESC LIMIT 50;

-- name: SettingChange :one
SELECT version, before, after, at, operator FROM setting_change WHERE merchant_id = $1 AND name = $2 AND version = $3;

-- name: DropFigures :exec
DELETE FROM figure_day WHERE day = $1;

-- name: AddFigure :exec
INSERT INTO figure_day (merchant_id, day, name, part, currency, number, high, low) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT (merchant_id, day, name, part, currency) DO UPDATE SET number = excluded.number, high = excluded.high, low = excluded.low;

-- name: MarkFigures :exec
INSERT INTO figure_mark (day, summed_at) VALUES ($1, $2) ON CONFLICT (day) DO UPDATE SET summed_at = excluded.summed_at;

-- name: FigureMarks :many
SELECT day, summed_at FROM figure_mark WHERE day >= $1;

-- name: Figures :many
SELECT day, name, part, currency, number, high, low FROM figure_day WHERE merchant_id = $1 AND day >= $2 AND day <= $3
ORDER BY day, name, part, currency;

-- name: TransferFrom :many
SELECT id, created_at FROM transfer WHERE id >= $1 ORDER BY id LIMIT 1;

-- Deposits and withdrawals of real members in a range of ids, which follow the time.
-- name: SumCash :many
SELECT h.merchant_id, h.kind, h.currency, COUNT(*) AS number,
  CAST(SUM(t.amount >> 32) AS BIGINT) AS high, CAST(SUM(t.amount & 4294967295) AS BIGINT) AS low
FROM transfer t JOIN account h ON h.id IN (t.debit_id, t.credit_id) AND h.member_id IS NULL
JOIN account o ON o.id IN (t.debit_id, t.credit_id) AND o.id <> h.id JOIN member m ON m.id = o.member_id
WHERE t.id >= sqlc.arg(first_id) AND t.id < sqlc.arg(end_id) AND t.created_at >= sqlc.arg(since) AND t.created_at < sqlc.arg(until)
  AND t.refusal IS NULL AND t.amount > 0 AND m.type <= 2
  AND (h.kind = 'deposit' AND h.id = t.debit_id OR h.kind = 'withdrawal' AND h.id = t.credit_id)
GROUP BY h.merchant_id, h.kind, h.currency;

-- Stakes less wins of finished rounds that began in a range, by vendor and game. Refunded stakes do not count.
-- name: SumPlay :many
SELECT m.merchant_id, v.code AS vendor, g.code AS game, m.currency, COUNT(*) AS number,
  CAST(SUM((r.staked - r.refunded) >> 32) AS BIGINT) AS stake_high, CAST(SUM((r.staked - r.refunded) & 4294967295) AS BIGINT) AS stake_low,
  CAST(SUM(r.won >> 32) AS BIGINT) AS win_high, CAST(SUM(r.won & 4294967295) AS BIGINT) AS win_low
FROM vendor_round r JOIN member m ON m.id = r.member_id JOIN game g ON g.id = r.game_id JOIN vendor v ON v.id = g.vendor_id
WHERE r.first_id >= sqlc.arg(first_id) AND r.first_id < sqlc.arg(end_id) AND r.started >= sqlc.arg(since) AND r.started < sqlc.arg(until)
  AND r.status IN ('won', 'lost') AND m.type <= 2
GROUP BY m.merchant_id, v.code, g.code, m.currency;

-- name: CountPlayers :many
SELECT m.merchant_id, COUNT(DISTINCT r.member_id) AS number
FROM vendor_round r JOIN member m ON m.id = r.member_id
WHERE r.first_id >= sqlc.arg(first_id) AND r.first_id < sqlc.arg(end_id) AND r.started >= sqlc.arg(since) AND r.started < sqlc.arg(until) AND m.type <= 2
GROUP BY m.merchant_id;

-- name: SeeReplica :exec
INSERT INTO replica (id, host, version, started_at, seen_at) VALUES (sqlc.arg(id), sqlc.arg(host), sqlc.arg(version), sqlc.arg(now), sqlc.arg(now))
ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at;

-- name: DropReplicas :exec
DELETE FROM replica WHERE seen_at < $1;

-- name: DropReplica :exec
DELETE FROM replica WHERE id = $1;

-- name: Replicas :many
SELECT id, host, version, started_at, seen_at FROM replica ORDER BY id;

-- name: AddBackupRun :exec
INSERT INTO backup_run (at, bytes) VALUES ($1, $2) ON CONFLICT (at) DO NOTHING;

-- name: LastBackup :many
SELECT at, bytes FROM backup_run ORDER BY at DESC LIMIT 1;

-- name: LockMerchantName :one
UPDATE merchant SET name = name WHERE id = $1 RETURNING name;

-- name: RenameMerchant :exec
UPDATE merchant SET name = sqlc.arg(name) WHERE id = sqlc.arg(id);

-- What the first steps have done. Each number is 0 or 1.
-- name: FirstSteps :one
SELECT (SELECT COUNT(*) FROM (SELECT 1 FROM vendor WHERE vendor.merchant_id = sqlc.arg(merchant_id) LIMIT 1) v) AS vendors,
  (SELECT COUNT(*) FROM (SELECT 1 FROM deposit_method WHERE deposit_method.merchant_id = sqlc.arg(merchant_id) AND deposit_method.enabled LIMIT 1) m) AS methods,
  (SELECT COUNT(*) FROM (SELECT 1 FROM deposit WHERE deposit.merchant_id = sqlc.arg(merchant_id) AND deposit.status = 'CREDITED' LIMIT 1) d) AS deposits;
