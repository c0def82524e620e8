-- +goose Up
-- What this database is for, settled at the first start and never changed: a site, or a demo with its
-- well-known passwords.
CREATE TABLE installation (
  id         BIGINT PRIMARY KEY CHECK (id = 1), -- there is one
  kind       TEXT   NOT NULL CHECK (kind IN ('site', 'demo')),
  created_at BIGINT NOT NULL
);

-- What was started before this table was there: a demo is known by its deposits.
INSERT INTO installation (id, kind, created_at)
SELECT 1,
  CASE WHEN EXISTS (SELECT 1 FROM transfer WHERE idem_key LIKE 'demo/deposit/%') THEN 'demo' ELSE 'site' END,
  MIN(created_at)
FROM merchant
HAVING COUNT(*) > 0;

-- +goose Down
DROP TABLE installation;
