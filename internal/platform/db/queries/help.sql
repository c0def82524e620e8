-- Topics and articles in the reader's language, else in Vietnamese, else in English.
-- name: HelpTopics :many
SELECT p.id, p.name, p.parent, p.title, p.content, p.updated_at, p.starts_at, p.ends_at FROM page p
WHERE p.merchant_id = sqlc.arg(merchant_id) AND p.kind = 'help' AND p.enabled AND p.language = (
  SELECT x.language FROM page x WHERE x.merchant_id = p.merchant_id AND x.name = p.name AND x.language IN (sqlc.arg(language), 'vi', 'en')
  ORDER BY CASE WHEN x.language = sqlc.arg(language) THEN 0 WHEN x.language = 'vi' THEN 1 ELSE 2 END LIMIT 1)
ORDER BY p.sorting, p.name;

-- name: PageKind :one
SELECT CAST(COALESCE(MAX(kind), '') AS TEXT) FROM page WHERE merchant_id = $1 AND name = $2;

-- name: HelpChildren :one
SELECT COUNT(DISTINCT name) FROM page WHERE merchant_id = sqlc.arg(merchant_id) AND kind = 'help' AND parent = sqlc.arg(parent);

-- name: PutHelpVote :exec
INSERT INTO help_vote (page_id, voter, helpful, voted_at) VALUES ($1, $2, $3, $4)
ON CONFLICT (page_id, voter) DO UPDATE SET helpful = excluded.helpful, voted_at = excluded.voted_at;

-- name: HelpVotes :many
SELECT v.page_id, SUM(CASE WHEN v.helpful THEN 1 ELSE 0 END) AS helpful, SUM(CASE WHEN v.helpful THEN 0 ELSE 1 END) AS unhelpful
FROM help_vote v WHERE v.page_id IN (SELECT p.id FROM page p WHERE p.merchant_id = sqlc.arg(merchant_id) AND p.kind = 'help')
GROUP BY v.page_id;

-- name: DropHelpVotes :exec
DELETE FROM help_vote WHERE page_id = $1;

-- name: HelpTopicCount :one
SELECT COUNT(*) FROM page WHERE merchant_id = $1 AND name = $2 AND kind = 'help' AND parent = '';
