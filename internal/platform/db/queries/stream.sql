-- name: AddLiveStream :execrows
INSERT INTO live_stream (id, merchant_id, code, names, host, url, poster, games, active, streaming, recorded, chat, starts_at, ends_at, sorting, created_at, updated_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $16) ON CONFLICT DO NOTHING;

-- name: LiveStreamByID :one
SELECT * FROM live_stream WHERE id = $1;

-- name: LiveStreams :many
SELECT * FROM live_stream WHERE merchant_id = $1 ORDER BY sorting, id;

-- name: ActiveLiveStreams :many
SELECT * FROM live_stream WHERE merchant_id = $1 AND active ORDER BY sorting, id;

-- name: LiveStreamAddresses :many
SELECT DISTINCT url FROM live_stream WHERE active;

-- name: ChangeLiveStream :execrows
UPDATE live_stream SET names = $3, host = $4, url = $5, poster = $6, games = $7, active = $8, streaming = $9, recorded = $10, chat = $11,
  starts_at = $12, ends_at = $13, sorting = $14, updated_at = $15, version = version + 1 WHERE id = $1 AND version = $2;

-- name: DeleteLiveStream :execrows
DELETE FROM live_stream WHERE id = $1 AND version = $2;

-- name: DeleteLiveStreamMessages :exec
DELETE FROM live_stream_message WHERE stream_id = $1;

-- Locks the row.
-- name: NextLiveStreamSeq :one
UPDATE live_stream SET last_seq = last_seq + 1 WHERE id = $1 RETURNING last_seq;

-- name: AddLiveStreamMessage :exec
INSERT INTO live_stream_message (stream_id, seq, member_id, username, client_id, body, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7);

-- name: LiveStreamMessageOfClient :one
SELECT * FROM live_stream_message WHERE stream_id = $1 AND member_id = $2 AND client_id = $3;

-- name: AddLiveStreamNotice :exec
INSERT INTO live_stream_message (stream_id, seq, operator, username, client_id, body, created_at) VALUES ($1, $2, $3, '', $4, $5, $6);

-- name: LiveStreamNoticeOfClient :one
SELECT * FROM live_stream_message WHERE stream_id = $1 AND operator = $2 AND client_id = $3;

-- name: LiveStreamMessage :one
SELECT * FROM live_stream_message WHERE stream_id = $1 AND seq = $2;

-- name: LiveStreamMessagesAfter :many
SELECT * FROM live_stream_message WHERE stream_id = $1 AND seq > $2 AND hidden_by = '' ORDER BY seq LIMIT $3;

-- name: LiveStreamMessagesBefore :many
SELECT * FROM live_stream_message WHERE stream_id = $1 AND seq < $2 AND hidden_by = '' ORDER BY seq DESC LIMIT $3;

-- name: AllLiveStreamMessages :many
SELECT m.*, CAST(COALESCE(u.until, 0) AS BIGINT) AS muted_until FROM live_stream_message m
LEFT JOIN live_stream_mute u ON u.member_id = m.member_id
WHERE m.stream_id = sqlc.arg(stream_id) AND m.seq < sqlc.arg(before) ORDER BY m.seq DESC LIMIT sqlc.arg(most);

-- name: HideLiveStreamMessage :execrows
UPDATE live_stream_message SET hidden_by = $3 WHERE stream_id = $1 AND seq = $2 AND hidden_by = '';

-- name: MuteOnLiveStreams :exec
INSERT INTO live_stream_mute (member_id, merchant_id, until, operator) VALUES ($1, $2, $3, $4)
ON CONFLICT (member_id) DO UPDATE SET until = excluded.until, operator = excluded.operator;

-- name: MutedOnLiveStreams :one
SELECT until FROM live_stream_mute WHERE member_id = $1;

-- name: SweepLiveStreamMessages :execrows
DELETE FROM live_stream_message WHERE created_at < $1;

-- name: SweepLiveStreamMutes :execrows
DELETE FROM live_stream_mute WHERE until < $1;

-- name: WatchLiveStream :exec
INSERT INTO live_stream_viewer (stream_id, viewer, seen_at) VALUES ($1, $2, $3)
ON CONFLICT (stream_id, viewer) DO UPDATE SET seen_at = excluded.seen_at;

-- name: CountLiveStreamViewers :many
SELECT v.stream_id, COUNT(*) AS viewers FROM live_stream_viewer v JOIN live_stream s ON s.id = v.stream_id
WHERE s.merchant_id = sqlc.arg(merchant_id) AND v.seen_at > sqlc.arg(since) GROUP BY v.stream_id;

-- name: ReactToLiveStream :one
INSERT INTO live_stream_reaction (stream_id, kind, total, announced_at) VALUES ($1, $2, 1, 0)
ON CONFLICT (stream_id, kind) DO UPDATE SET total = live_stream_reaction.total + 1 RETURNING *;

-- name: SetLiveStreamReactionAnnounced :exec
UPDATE live_stream_reaction SET announced_at = $3 WHERE stream_id = $1 AND kind = $2;

-- name: LiveStreamReactions :many
SELECT * FROM live_stream_reaction WHERE stream_id = $1;

-- name: DeleteLiveStreamViewers :exec
DELETE FROM live_stream_viewer WHERE stream_id = $1;

-- name: DeleteLiveStreamReactions :exec
DELETE FROM live_stream_reaction WHERE stream_id = $1;

-- name: SweepLiveStreamViewers :execrows
DELETE FROM live_stream_viewer WHERE seen_at < $1;
