-- name: PutAnnouncement :one
INSERT INTO announcement (id, merchant_id, code, type, group_name, execution, promotion_type, url, image, sorting, starts_at, ends_at, enabled)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
ON CONFLICT (merchant_id, code) DO UPDATE SET
  type = excluded.type, group_name = excluded.group_name, execution = excluded.execution,
  promotion_type = excluded.promotion_type, url = excluded.url, image = excluded.image, sorting = excluded.sorting,
  starts_at = excluded.starts_at, ends_at = excluded.ends_at, enabled = excluded.enabled, version = announcement.version + 1
RETURNING id;

-- name: PutAnnouncementText :exec
INSERT INTO announcement_text (announcement_id, language, title, content, tag, action, image) VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (announcement_id, language) DO UPDATE SET
  title = excluded.title, content = excluded.content, tag = excluded.tag, action = excluded.action,
  image = excluded.image;

-- In the reader's language, else in Vietnamese, else in English.
-- name: Announcements :many
SELECT a.id, a.type, a.group_name, a.execution, a.promotion_type, a.url,
  CAST(CASE WHEN t.image = '' THEN a.image ELSE t.image END AS TEXT) AS image, a.starts_at, a.ends_at,
  t.title, t.content, t.tag, t.action
FROM announcement a JOIN announcement_text t ON t.announcement_id = a.id AND t.language = (
  SELECT x.language FROM announcement_text x WHERE x.announcement_id = a.id AND x.language IN (sqlc.arg(language), 'vi', 'en')
  ORDER BY CASE WHEN x.language = sqlc.arg(language) THEN 0 WHEN x.language = 'vi' THEN 1 ELSE 2 END LIMIT 1)
WHERE a.merchant_id = sqlc.arg(merchant_id) AND a.enabled
ORDER BY a.sorting, a.id;

-- name: AnnouncementsRead :many
SELECT announcement_id FROM announcement_read WHERE member_id = $1;

-- name: ReadAnnouncement :execrows
INSERT INTO announcement_read (member_id, announcement_id, read_at)
SELECT CAST(sqlc.arg(member_id) AS BIGINT), a.id, CAST(sqlc.arg(read_at) AS BIGINT)
FROM announcement a WHERE a.merchant_id = sqlc.arg(merchant_id) AND a.id = sqlc.arg(announcement_id)
ON CONFLICT (member_id, announcement_id) DO UPDATE SET read_at = announcement_read.read_at;

-- name: AllAnnouncements :many
SELECT * FROM announcement WHERE merchant_id = $1 ORDER BY sorting, id;

-- name: AllAnnouncementTexts :many
SELECT t.* FROM announcement_text t JOIN announcement a ON a.id = t.announcement_id WHERE a.merchant_id = $1;

-- name: AnnouncementReaders :many
SELECT a.id, (SELECT COUNT(*) FROM announcement_read r WHERE r.announcement_id = a.id) AS readers
FROM announcement a WHERE a.merchant_id = $1 AND a.enabled;

-- name: PutPage :exec
INSERT INTO page (merchant_id, name, language, title, content, sorting, enabled, updated_at, id, kind, parent) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
ON CONFLICT (merchant_id, name, language) DO UPDATE SET
  parent = excluded.parent, version = page.version + 1, title = excluded.title, content = excluded.content, sorting = excluded.sorting, enabled = excluded.enabled,
  updated_at = excluded.updated_at;

-- name: Pages :many
SELECT p.name, p.title, p.content, p.updated_at, p.starts_at, p.ends_at FROM page p
WHERE p.merchant_id = sqlc.arg(merchant_id) AND p.kind = 'page' AND p.enabled AND p.language = (
  SELECT x.language FROM page x WHERE x.merchant_id = p.merchant_id AND x.name = p.name AND x.language IN (sqlc.arg(language), 'vi', 'en')
  ORDER BY CASE WHEN x.language = sqlc.arg(language) THEN 0 WHEN x.language = 'vi' THEN 1 ELSE 2 END LIMIT 1)
ORDER BY p.sorting, p.name;

-- name: PutLiveModel :exec
INSERT INTO live_model (merchant_id, code, name, cover, status, sorting, enabled) VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (merchant_id, code) DO UPDATE SET
  name = excluded.name, cover = excluded.cover, status = excluded.status, sorting = excluded.sorting, enabled = excluded.enabled;

-- name: LiveModels :many
SELECT * FROM live_model WHERE merchant_id = $1 AND enabled ORDER BY sorting, code;

-- name: AllLiveModels :many
SELECT * FROM live_model WHERE merchant_id = $1 ORDER BY sorting, code;
