-- name: AddFeedback :exec
INSERT INTO feedback (id, merchant_id, member_id, category, content, images, status, created_at) VALUES ($1, $2, $3, $4, $5, $6, 'open', $7);

-- name: FeedbackByID :one
SELECT f.*, m.account AS member FROM feedback f JOIN member m ON m.id = f.member_id WHERE f.id = $1;

-- name: FeedbackOfMember :many
SELECT * FROM feedback WHERE member_id = sqlc.arg(member_id)
  AND (created_at < sqlc.arg(before_at) OR created_at = sqlc.arg(before_at) AND id < sqlc.arg(before_id))
ORDER BY created_at DESC, id DESC LIMIT sqlc.arg(most);

-- name: MerchantFeedback :many
SELECT f.*, m.account AS member FROM feedback f JOIN member m ON m.id = f.member_id
WHERE f.merchant_id = sqlc.arg(merchant_id) AND f.created_at >= sqlc.arg(since) AND f.created_at < sqlc.arg(until)
  AND (CAST(sqlc.arg(status) AS TEXT) = '' OR f.status = CAST(sqlc.arg(status) AS TEXT))
  AND (CAST(sqlc.arg(category) AS TEXT) = '' OR f.category = CAST(sqlc.arg(category) AS TEXT))
  AND (CAST(sqlc.arg(text) AS TEXT) = '' OR lower(m.account) = lower(CAST(sqlc.arg(text) AS TEXT)) OR CAST(f.id AS TEXT) = CAST(sqlc.arg(text) AS TEXT))
  AND (f.created_at < sqlc.arg(before_at) OR f.created_at = sqlc.arg(before_at) AND f.id < sqlc.arg(before_id))
ORDER BY f.created_at DESC, f.id DESC LIMIT sqlc.arg(most);

-- name: AnswerFeedback :execrows
UPDATE feedback SET status = 'answered', answer = sqlc.arg(answer), answered_by = sqlc.arg(answered_by), answered_at = sqlc.arg(answered_at), version = version + 1
WHERE id = sqlc.arg(id) AND version = sqlc.arg(version);
