-- +goose Up
-- Kind of this installation, set at the first start and never changed: a site, or a demo with well-known passwords.
CREATE TABLE installation (
  id         BIGINT PRIMARY KEY CHECK (id = 1), -- one row only
  kind       TEXT   NOT NULL CHECK (kind IN ('site', 'demo')),
  created_at BIGINT NOT NULL
);

-- For databases that are older than this table: a demo has demo deposits.
INSERT INTO installation (id, kind, created_at)
SELECT 1,
  CASE WHEN EXISTS (SELECT 1 FROM transfer WHERE idem_key LIKE 'demo/deposit/%') THEN 'demo' ELSE 'site' END,
  MIN(created_at)
FROM merchant
HAVING COUNT(*) > 0;

-- +goose Down
DROP TABLE installation;
