-- name: AddMessage :exec
INSERT INTO message (id, merchant_id, audience, filter, texts, link, promotional, status, reached, created_by, created_at, starts_at, ends_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13);

-- name: MessageByID :one
SELECT * FROM message WHERE id = $1;

-- name: MerchantMessages :many
SELECT g.*, (SELECT COUNT(*) FROM inbox i WHERE i.message_id = g.id AND i.read_at > 0) AS readers FROM message g
WHERE g.merchant_id = sqlc.arg(merchant_id) AND g.created_at >= sqlc.arg(since) AND g.created_at < sqlc.arg(until)
  AND (CAST(sqlc.arg(status) AS TEXT) = '' OR g.status = CAST(sqlc.arg(status) AS TEXT))
  AND (CAST(sqlc.arg(text) AS TEXT) = '' OR lower(g.texts) LIKE lower(CAST(sqlc.arg(pattern) AS TEXT)) ESCAPE '!' OR CAST(g.id AS TEXT) = CAST(sqlc.arg(text) AS TEXT))
  AND (g.created_at < sqlc.arg(before_at) OR g.created_at = sqlc.arg(before_at) AND g.id < sqlc.arg(before_id))
ORDER BY g.created_at DESC, g.id DESC LIMIT sqlc.arg(most);

-- name: MessageReaders :one
SELECT COUNT(*) FROM inbox WHERE message_id = $1 AND read_at > 0;

-- Withdraws a message whose version and status are the expected ones. The version stays the same when a message begins or ends.
-- name: WithdrawMessage :execrows
UPDATE message SET status = 'withdrawn', version = version + 1 WHERE id = sqlc.arg(id) AND version = sqlc.arg(version) AND status = sqlc.arg(before);

-- name: MessagesToStart :many
SELECT * FROM message WHERE status = 'scheduled' AND starts_at <= $1 ORDER BY starts_at, id LIMIT 100;

-- name: StartMessage :execrows
UPDATE message SET status = 'sending' WHERE id = $1 AND status = 'scheduled';

-- name: MessagesToEnd :many
SELECT * FROM message WHERE ends_at > 0 AND ends_at <= $1 AND status IN ('scheduled', 'sending', 'sent') ORDER BY ends_at, id LIMIT 100;

-- name: EndMessage :execrows
UPDATE message SET status = 'ended' WHERE id = $1 AND status IN ('scheduled', 'sending', 'sent');

-- Stores the progress of the job, unless the message was withdrawn.
-- name: AdvanceMessage :execrows
UPDATE message SET last_member = sqlc.arg(last_member), reached = reached + sqlc.arg(added), status = sqlc.arg(status)
WHERE id = sqlc.arg(id) AND status = 'sending' AND last_member = sqlc.arg(served);

-- name: CountSegment :one
SELECT COUNT(*) FROM member m
WHERE m.merchant_id = sqlc.arg(merchant_id) AND m.status = 'active' AND m.type IN (0, 1, 2)
  AND (CAST(sqlc.arg(type) AS BIGINT) < 0 OR m.type = CAST(sqlc.arg(type) AS BIGINT))
  AND (CAST(sqlc.arg(language) AS TEXT) = '' OR m.language = CAST(sqlc.arg(language) AS TEXT))
  AND (CAST(sqlc.arg(vip) AS TEXT) = '' OR m.vip_label = CAST(sqlc.arg(vip) AS TEXT))
  AND (CAST(sqlc.arg(seen_since) AS BIGINT) = 0 OR EXISTS (SELECT 1 FROM session s WHERE s.member_id = m.id AND s.created_at >= CAST(sqlc.arg(seen_since) AS BIGINT)))
  AND (CAST(sqlc.arg(seen_before) AS BIGINT) = 0 OR NOT EXISTS (SELECT 1 FROM session s WHERE s.member_id = m.id AND s.created_at >= CAST(sqlc.arg(seen_before) AS BIGINT)))
  AND (CAST(sqlc.arg(deposit_min) AS BIGINT) = 0 OR (SELECT COALESCE(SUM(d.amount), 0) FROM deposit d WHERE d.member_id = m.id AND d.status = 'CREDITED') >= CAST(sqlc.arg(deposit_min) AS BIGINT))
  AND (CAST(sqlc.arg(deposit_max) AS BIGINT) = 0 OR (SELECT COALESCE(SUM(d.amount), 0) FROM deposit d WHERE d.member_id = m.id AND d.status = 'CREDITED') <= CAST(sqlc.arg(deposit_max) AS BIGINT))
  AND (NOT CAST(sqlc.arg(promotional) AS BOOLEAN)
    OR EXISTS (SELECT 1 FROM notify_choice c WHERE c.member_id = m.id AND c.topic = 'promotion' AND c.way = 'inbox' AND c.allowed)
    AND NOT EXISTS (SELECT 1 FROM limit_guard g WHERE g.member_id = m.id AND g.break_until > CAST(sqlc.arg(now) AS BIGINT)));

-- name: SegmentMembers :many
SELECT m.id FROM member m
WHERE m.merchant_id = sqlc.arg(merchant_id) AND m.id > sqlc.arg(after) AND m.status = 'active' AND m.type IN (0, 1, 2)
  AND (CAST(sqlc.arg(type) AS BIGINT) < 0 OR m.type = CAST(sqlc.arg(type) AS BIGINT))
  AND (CAST(sqlc.arg(language) AS TEXT) = '' OR m.language = CAST(sqlc.arg(language) AS TEXT))
  AND (CAST(sqlc.arg(vip) AS TEXT) = '' OR m.vip_label = CAST(sqlc.arg(vip) AS TEXT))
  AND (CAST(sqlc.arg(seen_since) AS BIGINT) = 0 OR EXISTS (SELECT 1 FROM session s WHERE s.member_id = m.id AND s.created_at >= CAST(sqlc.arg(seen_since) AS BIGINT)))
  AND (CAST(sqlc.arg(seen_before) AS BIGINT) = 0 OR NOT EXISTS (SELECT 1 FROM session s WHERE s.member_id = m.id AND s.created_at >= CAST(sqlc.arg(seen_before) AS BIGINT)))
  AND (CAST(sqlc.arg(deposit_min) AS BIGINT) = 0 OR (SELECT COALESCE(SUM(d.amount), 0) FROM deposit d WHERE d.member_id = m.id AND d.status = 'CREDITED') >= CAST(sqlc.arg(deposit_min) AS BIGINT))
  AND (CAST(sqlc.arg(deposit_max) AS BIGINT) = 0 OR (SELECT COALESCE(SUM(d.amount), 0) FROM deposit d WHERE d.member_id = m.id AND d.status = 'CREDITED') <= CAST(sqlc.arg(deposit_max) AS BIGINT))
  AND (NOT CAST(sqlc.arg(promotional) AS BOOLEAN)
    OR EXISTS (SELECT 1 FROM notify_choice c WHERE c.member_id = m.id AND c.topic = 'promotion' AND c.way = 'inbox' AND c.allowed)
    AND NOT EXISTS (SELECT 1 FROM limit_guard g WHERE g.member_id = m.id AND g.break_until > CAST(sqlc.arg(now) AS BIGINT)))
ORDER BY m.id LIMIT sqlc.arg(most);

-- Members whom a message to all may reach outside the app. notifyIn checks their choices.
-- name: ReachableMembers :many
SELECT m.id FROM member m
WHERE m.merchant_id = sqlc.arg(merchant_id) AND m.id > sqlc.arg(after) AND m.status = 'active' AND m.type IN (0, 1, 2)
  AND (EXISTS (SELECT 1 FROM push_subscription s WHERE s.member_id = m.id)
    OR EXISTS (SELECT 1 FROM notify_choice c WHERE c.member_id = m.id AND c.topic = sqlc.arg(topic) AND c.way = 'email' AND c.allowed))
ORDER BY m.id LIMIT sqlc.arg(most);

-- name: AddInbox :execrows
INSERT INTO inbox (id, member_id, message_id, kind, args, created_at) VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (member_id, message_id) DO NOTHING;

-- Operators' messages have the id of the message, so that a message to all keeps its id when it is read. A message that had a start has the
-- time of its start.
-- name: InboxOfMember :many
WITH x AS (
  SELECT COALESCE(i.message_id, i.id) AS id, i.kind, i.args, COALESCE(g.texts, '') AS texts, COALESCE(g.link, '') AS link, i.created_at, i.read_at
  FROM inbox i LEFT JOIN message g ON g.id = i.message_id
  WHERE i.member_id = sqlc.arg(member_id) AND i.deleted_at = 0
    AND (g.id IS NULL OR g.status NOT IN ('scheduled', 'withdrawn') AND (NOT g.promotional OR CAST(sqlc.arg(promotions) AS BOOLEAN))
      AND (g.ends_at = 0 OR g.ends_at > CAST(sqlc.arg(now) AS BIGINT)))
  UNION ALL
  SELECT g.id, 'operator', '', g.texts, g.link, CASE WHEN g.starts_at > g.created_at THEN g.starts_at ELSE g.created_at END, 0
  FROM message g
  WHERE g.merchant_id = sqlc.arg(merchant_id) AND g.audience = 'all' AND g.status NOT IN ('scheduled', 'withdrawn')
    AND (g.created_at >= sqlc.arg(joined_at) OR g.starts_at >= sqlc.arg(joined_at)) AND (g.ends_at = 0 OR g.ends_at > CAST(sqlc.arg(now) AS BIGINT))
    AND (NOT g.promotional OR CAST(sqlc.arg(promotions) AS BOOLEAN))
    AND NOT EXISTS (SELECT 1 FROM inbox o WHERE o.member_id = sqlc.arg(member_id) AND o.message_id = g.id)
)
SELECT id, kind, args, texts, link, created_at, read_at FROM x
WHERE (NOT CAST(sqlc.arg(unread) AS BOOLEAN) OR read_at = 0)
  AND (CAST(sqlc.arg(wanted) AS BIGINT) = 0 OR id = CAST(sqlc.arg(wanted) AS BIGINT))
  AND (created_at < CAST(sqlc.arg(before_at) AS BIGINT) OR created_at = CAST(sqlc.arg(before_at) AS BIGINT) AND id < CAST(sqlc.arg(before_id) AS BIGINT))
ORDER BY created_at DESC, id DESC LIMIT sqlc.arg(most);

-- name: CountUnreadInbox :one
SELECT COUNT(*) FROM inbox i LEFT JOIN message g ON g.id = i.message_id
WHERE i.member_id = sqlc.arg(member_id) AND i.read_at = 0 AND i.deleted_at = 0
  AND (g.id IS NULL OR g.status NOT IN ('scheduled', 'withdrawn') AND (NOT g.promotional OR CAST(sqlc.arg(promotions) AS BOOLEAN))
    AND (g.ends_at = 0 OR g.ends_at > CAST(sqlc.arg(now) AS BIGINT)));

-- name: UnreadToAll :many
SELECT g.id, CAST(CASE WHEN g.starts_at > g.created_at THEN g.starts_at ELSE g.created_at END AS BIGINT) AS shown_at FROM message g
WHERE g.merchant_id = sqlc.arg(merchant_id) AND g.audience = 'all' AND g.status NOT IN ('scheduled', 'withdrawn')
  AND (g.created_at >= sqlc.arg(joined_at) OR g.starts_at >= sqlc.arg(joined_at)) AND (g.ends_at = 0 OR g.ends_at > CAST(sqlc.arg(now) AS BIGINT))
  AND (NOT g.promotional OR CAST(sqlc.arg(promotions) AS BOOLEAN))
  AND NOT EXISTS (SELECT 1 FROM inbox i WHERE i.member_id = sqlc.arg(member_id) AND i.message_id = g.id)
ORDER BY g.id DESC LIMIT 1000;

-- name: ReadInbox :execrows
UPDATE inbox SET read_at = sqlc.arg(read_at)
WHERE member_id = sqlc.arg(member_id) AND (message_id = CAST(sqlc.arg(id) AS BIGINT) OR message_id IS NULL AND id = CAST(sqlc.arg(id) AS BIGINT)) AND read_at = 0 AND deleted_at = 0;

-- name: ReadAllInbox :execrows
UPDATE inbox SET read_at = $2 WHERE member_id = $1 AND read_at = 0 AND deleted_at = 0;

-- name: DeleteInbox :execrows
UPDATE inbox SET deleted_at = sqlc.arg(deleted_at)
WHERE member_id = sqlc.arg(member_id) AND (message_id = CAST(sqlc.arg(id) AS BIGINT) OR message_id IS NULL AND id = CAST(sqlc.arg(id) AS BIGINT)) AND deleted_at = 0;

-- name: DeleteReadInbox :execrows
UPDATE inbox SET deleted_at = $2 WHERE member_id = $1 AND read_at > 0 AND deleted_at = 0;

-- A member's own row of a message to all.
-- name: AddInboxOfAll :execrows
INSERT INTO inbox (id, member_id, message_id, kind, args, created_at, read_at, deleted_at)
VALUES (sqlc.arg(id), sqlc.arg(member_id), sqlc.arg(message_id), 'operator', '', sqlc.arg(created_at), sqlc.arg(read_at), sqlc.arg(deleted_at))
ON CONFLICT (member_id, message_id) DO NOTHING;

-- Drops old system messages. Rows of operators' messages stay: without them a deleted message to all would be unread again.
-- name: DropOldInbox :execrows
DELETE FROM inbox WHERE id IN (SELECT o.id FROM inbox o WHERE o.message_id IS NULL AND o.created_at < $1 ORDER BY o.id LIMIT 500);

-- name: NotifyChoices :many
SELECT * FROM notify_choice WHERE member_id = $1;

-- name: PutNotifyChoice :exec
INSERT INTO notify_choice (member_id, topic, way, allowed, changed_at) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (member_id, topic, way) DO UPDATE SET allowed = excluded.allowed, changed_at = excluded.changed_at;

-- name: AddNotifyConsent :exec
INSERT INTO notify_consent (id, member_id, way, allowed, at) VALUES ($1, $2, $3, $4, $5);

-- name: NewestNotifyConsent :one
SELECT CAST(COALESCE(MAX(at), 0) AS BIGINT) FROM notify_consent WHERE member_id = $1;

-- name: MemberOnBreak :one
SELECT COUNT(*) FROM limit_guard WHERE member_id = $1 AND break_until > $2;

-- A browser has one member: the last who subscribed on it.
-- name: PutPushSubscription :exec
INSERT INTO push_subscription (id, member_id, session_id, endpoint, p256dh, auth, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (endpoint) DO UPDATE SET member_id = excluded.member_id, session_id = excluded.session_id, p256dh = excluded.p256dh, auth = excluded.auth;

-- Keeps the newest subscriptions of a member.
-- name: DropSurplusSubscriptions :exec
DELETE FROM push_subscription WHERE push_subscription.member_id = $1
  AND push_subscription.id NOT IN (SELECT s.id FROM push_subscription s WHERE s.member_id = $1 ORDER BY s.id DESC LIMIT 10);

-- name: DropPushSubscription :execrows
DELETE FROM push_subscription WHERE endpoint = $1 AND member_id = $2;

-- name: DropPushSubscriptionByID :exec
DELETE FROM push_subscription WHERE id = $1;

-- Subscriptions of logins that have not ended.
-- name: PushSubscriptionsOf :many
SELECT p.* FROM push_subscription p
WHERE p.member_id = $1 AND NOT EXISTS (SELECT 1 FROM session s WHERE s.id = p.session_id AND s.ended_at IS NOT NULL);

-- name: PushSubscriptionByID :one
SELECT p.* FROM push_subscription p
WHERE p.id = $1 AND NOT EXISTS (SELECT 1 FROM session s WHERE s.id = p.session_id AND s.ended_at IS NOT NULL);

-- Drops what waits for a browser's earlier member.
-- name: DropPushNotesOfOthers :exec
DELETE FROM push_note WHERE push_note.member_id <> sqlc.arg(member_id)
  AND push_note.subscription_id IN (SELECT s.id FROM push_subscription s WHERE s.endpoint = sqlc.arg(endpoint));

-- name: AddPushNote :exec
INSERT INTO push_note (id, subscription_id, member_id, topic, message_id, content, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7);

-- name: PushNoteByID :one
SELECT * FROM push_note WHERE id = $1;

-- name: DropPushNote :exec
DELETE FROM push_note WHERE id = $1;

-- name: DropOldPushNotes :execrows
DELETE FROM push_note WHERE id IN (SELECT o.id FROM push_note o WHERE o.created_at < $1 ORDER BY o.id LIMIT 500);

-- name: EarlierLogins :many
SELECT device, address FROM session WHERE member_id = $1 ORDER BY id DESC LIMIT 200;
