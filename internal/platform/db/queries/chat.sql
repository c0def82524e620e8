-- name: AddChat :execrows
INSERT INTO chat (id, merchant_id, member_id, visitor, name, language, status, queued_at, created_at, updated_at)
VALUES ($1, $2, $3, $4, $5, $6, 'closed', $7, $7, $7) ON CONFLICT DO NOTHING;

-- name: ChatByID :one
SELECT * FROM chat WHERE id = $1;

-- name: ChatOfMember :one
SELECT * FROM chat WHERE member_id = $1;

-- name: ChatOfVisitor :one
SELECT * FROM chat WHERE visitor = $1;

-- Locks the row.
-- name: LockChat :one
UPDATE chat SET version = version WHERE id = $1 RETURNING *;

-- name: AddChatMessage :exec
INSERT INTO chat_message (chat_id, seq, sender, operator, client_id, kind, body, width, height, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10);

-- name: ChatMessageOfClient :one
SELECT * FROM chat_message WHERE chat_id = $1 AND sender = $2 AND client_id = $3;

-- name: AdvanceChat :exec
UPDATE chat SET last_seq = $2, preview = $3, customer_read = $4, operator_read = $5, updated_at = $6 WHERE id = $1;

-- name: SetChatState :exec
UPDATE chat SET status = $2, offline = $3, operator_id = $4, operator = $5, rating = $6, queued_at = $7, claimed_at = $8, closed_at = $9,
  contact = $10, name = $11, updated_at = $12, version = version + 1 WHERE id = $1;

-- name: SetChatRating :exec
UPDATE chat SET rating = $2, updated_at = $3, version = version + 1 WHERE id = $1;

-- name: ReadAsCustomer :execrows
UPDATE chat SET customer_read = sqlc.arg(seq) WHERE id = sqlc.arg(id) AND customer_read < sqlc.arg(seq) AND last_seq >= sqlc.arg(seq);

-- name: ReadAsOperator :execrows
UPDATE chat SET operator_read = sqlc.arg(seq) WHERE id = sqlc.arg(id) AND operator_read < sqlc.arg(seq) AND last_seq >= sqlc.arg(seq);

-- name: ChatMessagesAfter :many
SELECT * FROM chat_message WHERE chat_id = $1 AND seq > $2 ORDER BY seq LIMIT $3;

-- name: ChatMessagesBefore :many
SELECT * FROM chat_message WHERE chat_id = $1 AND seq < $2 ORDER BY seq DESC LIMIT $3;

-- name: CountChatUnread :one
SELECT COUNT(*) FROM chat_message WHERE chat_id = $1 AND seq > $2 AND sender = $3 AND kind <> 'event';

-- Offline forms are answered later, so nobody waits for them in the queue.
-- name: ChatsBefore :one
SELECT COUNT(*) FROM chat WHERE merchant_id = sqlc.arg(merchant_id) AND status = 'waiting' AND NOT offline
  AND (queued_at < sqlc.arg(queued_at) OR queued_at = sqlc.arg(queued_at) AND id < sqlc.arg(id));

-- name: ChatImage :one
SELECT COUNT(*) FROM chat_message WHERE chat_id = $1 AND kind = 'image' AND body = $2;

-- name: MerchantChats :many
SELECT c.*, (SELECT COUNT(*) FROM chat_message m WHERE m.chat_id = c.id AND m.seq > c.operator_read AND m.sender = 'customer') AS unread
FROM chat c
WHERE c.merchant_id = sqlc.arg(merchant_id) AND c.updated_at >= sqlc.arg(since) AND c.updated_at < sqlc.arg(until)
  AND (CAST(sqlc.arg(status) AS TEXT) = '' OR c.status = CAST(sqlc.arg(status) AS TEXT))
  AND (CAST(sqlc.arg(operator_id) AS BIGINT) = 0 OR c.operator_id = CAST(sqlc.arg(operator_id) AS BIGINT))
  AND (CAST(sqlc.arg(text) AS TEXT) = '' OR lower(c.name) = lower(CAST(sqlc.arg(text) AS TEXT)) OR lower(c.contact) = lower(CAST(sqlc.arg(text) AS TEXT))
    OR CAST(c.id AS TEXT) = CAST(sqlc.arg(text) AS TEXT) OR CAST(c.member_id AS TEXT) = CAST(sqlc.arg(text) AS TEXT))
  AND (c.updated_at < sqlc.arg(before_at) OR c.updated_at = sqlc.arg(before_at) AND c.id < sqlc.arg(before_id))
ORDER BY c.updated_at DESC, c.id DESC LIMIT sqlc.arg(most);

-- The same as MerchantChats, longest wait first.
-- name: MerchantChatsByWait :many
SELECT c.*, (SELECT COUNT(*) FROM chat_message m WHERE m.chat_id = c.id AND m.seq > c.operator_read AND m.sender = 'customer') AS unread
FROM chat c
WHERE c.merchant_id = sqlc.arg(merchant_id) AND c.updated_at >= sqlc.arg(since) AND c.updated_at < sqlc.arg(until)
  AND (CAST(sqlc.arg(status) AS TEXT) = '' OR c.status = CAST(sqlc.arg(status) AS TEXT))
  AND (CAST(sqlc.arg(operator_id) AS BIGINT) = 0 OR c.operator_id = CAST(sqlc.arg(operator_id) AS BIGINT))
  AND (CAST(sqlc.arg(text) AS TEXT) = '' OR lower(c.name) = lower(CAST(sqlc.arg(text) AS TEXT)) OR lower(c.contact) = lower(CAST(sqlc.arg(text) AS TEXT))
    OR CAST(c.id AS TEXT) = CAST(sqlc.arg(text) AS TEXT) OR CAST(c.member_id AS TEXT) = CAST(sqlc.arg(text) AS TEXT))
  AND (c.queued_at > sqlc.arg(after_at) OR c.queued_at = sqlc.arg(after_at) AND c.id > sqlc.arg(after_id))
ORDER BY c.queued_at, c.id LIMIT sqlc.arg(most);

-- name: AddChatNote :exec
INSERT INTO chat_note (id, chat_id, operator, body, created_at) VALUES ($1, $2, $3, $4, $5);

-- name: ChatNotes :many
SELECT * FROM chat_note WHERE chat_id = $1 ORDER BY id;

-- name: AddChatRating :exec
INSERT INTO chat_rating (chat_id, seq, operator, stars, comment, created_at) VALUES ($1, $2, $3, $4, $5, $6);

-- name: ChatRatings :many
SELECT * FROM chat_rating WHERE chat_id = $1 ORDER BY seq;

-- name: IdleChats :many
SELECT id FROM chat WHERE status = 'open' AND updated_at < $1 ORDER BY updated_at LIMIT 500;

-- name: AddChatReply :exec
INSERT INTO chat_reply (id, merchant_id, title, texts, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $5);

-- name: ChatReplyByID :one
SELECT * FROM chat_reply WHERE id = $1;

-- name: ChatReplies :many
SELECT * FROM chat_reply WHERE merchant_id = sqlc.arg(merchant_id)
  AND (CAST(sqlc.arg(text) AS TEXT) = '' OR lower(title) LIKE '%' || lower(CAST(sqlc.arg(text) AS TEXT)) || '%')
  AND (updated_at < sqlc.arg(before_at) OR updated_at = sqlc.arg(before_at) AND id < sqlc.arg(before_id))
ORDER BY updated_at DESC, id DESC LIMIT sqlc.arg(most);

-- name: CountChatReplies :one
SELECT COUNT(*) FROM chat_reply WHERE merchant_id = $1;

-- name: ChangeChatReply :execrows
UPDATE chat_reply SET title = $3, texts = $4, updated_at = $5, version = version + 1 WHERE id = $1 AND version = $2;

-- name: DeleteChatReply :execrows
DELETE FROM chat_reply WHERE id = $1 AND version = $2;
