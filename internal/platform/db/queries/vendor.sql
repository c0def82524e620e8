-- name: LaunchVendors :many
SELECT id, merchant_id, code, launch_url, launch_mode, house, own_wallet FROM vendor;

-- name: ActiveVendorKeys :many
SELECT key_id, vendor_id, created_at, wrapped FROM vendor_key WHERE retired_at IS NULL ORDER BY created_at, key_id;

-- name: VendorKeyActive :one
SELECT COUNT(*) FROM vendor_key WHERE key_id = $1 AND retired_at IS NULL;

-- name: SetLaunch :one
UPDATE vendor SET launch_url = sqlc.arg(launch_url), launch_mode = sqlc.arg(launch_mode), house = FALSE
WHERE merchant_id = sqlc.arg(merchant_id) AND code = sqlc.arg(code)
RETURNING id;

-- name: AddVendorKey :exec
INSERT INTO vendor_key (key_id, vendor_id, created_at, wrapped) VALUES ($1, $2, $3, $4);

-- name: SetVendorKey :exec
UPDATE vendor_key SET wrapped = $1 WHERE key_id = $2;

-- name: VendorKeysBefore :many
SELECT m.code AS merchant, v.code AS vendor, k.key_id, k.created_at
FROM vendor_key k JOIN vendor v ON v.id = k.vendor_id JOIN merchant m ON m.id = v.merchant_id
WHERE k.retired_at IS NULL AND k.created_at < $1 ORDER BY m.code, v.code, k.created_at;

-- name: DropRetiredVendorKeys :exec
UPDATE vendor_key SET wrapped = NULL WHERE retired_at IS NOT NULL;

-- Ends tickets that no vendor has used yet.
-- name: ExpireTickets :exec
UPDATE play SET ticket_expires = sqlc.arg(now) WHERE opened_at IS NULL AND ticket_expires > sqlc.arg(now);

-- Retires all keys except the newest few.
-- name: RetireVendorKeys :many
UPDATE vendor_key SET retired_at = sqlc.arg(retired_at) WHERE key_id IN (
  SELECT old.key_id FROM vendor_key old WHERE old.vendor_id = sqlc.arg(vendor_id) AND old.retired_at IS NULL
  ORDER BY old.created_at DESC, old.key_id DESC LIMIT 1000 OFFSET sqlc.arg(keep))
RETURNING key_id;

-- name: RetireVendorKey :execrows
UPDATE vendor_key SET retired_at = sqlc.arg(retired_at)
WHERE key_id = sqlc.arg(key_id) AND vendor_id = sqlc.arg(vendor_id) AND retired_at IS NULL;

-- name: AddPlay :exec
INSERT INTO play (id, merchant_id, vendor_id, game_id, member_id, session_id, currency, language, trial, ticket_hash, ticket_expires, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12);

-- Opens a play once, before it expires, for its vendor only.
-- name: OpenPlay :execrows
UPDATE play SET token_hash = sqlc.arg(token_hash), opened_by = sqlc.arg(opened_by), opened_at = sqlc.arg(now)
WHERE ticket_hash = sqlc.arg(ticket_hash) AND vendor_id = sqlc.arg(vendor_id) AND opened_at IS NULL AND closed_at IS NULL
  AND ticket_expires > sqlc.arg(now);

-- name: PlayByTicket :one
SELECT id, opened_at, opened_by FROM play WHERE ticket_hash = $1 AND vendor_id = $2 AND closed_at IS NULL AND ticket_expires > $3;

-- name: PlayByToken :one
SELECT id FROM play WHERE token_hash = $1;

-- name: PlayByID :one
SELECT p.id, p.merchant_id, p.vendor_id, p.game_id, p.member_id, p.session_id, p.currency, p.language, p.trial, p.created_at, p.opened_at, p.closed_at, p.closed_why,
  m.account, m.nickname, m.type, m.status, s.ended_why
FROM play p JOIN member m ON m.id = p.member_id LEFT JOIN session s ON s.id = p.session_id
WHERE p.id = $1;

-- name: PlayDetail :one
SELECT p.id, p.created_at, p.opened_at, p.closed_at, p.currency, p.vendor_id, p.game_id, g.code AS game, g.category, n.name AS game_name,
  v.code AS vendor, v.display_name AS vendor_name
FROM play p JOIN game g ON g.id = p.game_id JOIN vendor v ON v.id = p.vendor_id
JOIN game_name n ON n.game_id = p.game_id AND n.language = sqlc.arg(language)
WHERE p.id = sqlc.arg(id) AND p.member_id = sqlc.arg(member_id);

-- name: ClosePlay :execrows
UPDATE play SET closed_at = sqlc.arg(closed_at), closed_why = 'member' WHERE id = sqlc.arg(id) AND member_id = sqlc.arg(member_id) AND closed_at IS NULL;

-- Closes a member's running plays at the start of a break. It keeps unused tickets, so that using one returns the reason.
-- name: ClosePlays :exec
UPDATE play SET closed_at = sqlc.arg(closed_at), closed_why = 'break'
WHERE member_id = sqlc.arg(member_id) AND created_at > sqlc.arg(since) AND opened_at IS NOT NULL AND closed_at IS NULL;

-- The members of a round, for a call without a session: one row per member who bet, with the play of the first bet.
-- name: RoundMembers :many
SELECT r.member_id, m.play_id FROM vendor_round r JOIN vendor_move m ON m.transfer_id = r.first_id
WHERE r.vendor_id = $1 AND r.round = $2 AND r.staked > 0 LIMIT 2;

-- The number of a member's bets in a round that were not rolled back, and the amount won and refunded.
-- name: RoundReturn :one
SELECT standing, CAST(won + refunded AS BIGINT) AS back FROM vendor_round WHERE vendor_id = $1 AND round = $2 AND member_id = $3;

-- The accounts, amount, kind and references of the transfer under a key. TransferByKey reads the result that a replay returns.
-- name: TransferDetailsByKey :one
SELECT t.id, t.debit_id, t.credit_id, t.amount, t.kind, t.refusal, t.ref_type, t.ref_id, t.note,
  d.balance_after AS debit_after, c.balance_after AS credit_after
FROM transfer t
LEFT JOIN entry d ON d.account_id = t.debit_id AND d.seq = t.debit_seq
LEFT JOIN entry c ON c.account_id = t.credit_id AND c.seq = t.credit_seq
WHERE t.idem_key = $1;

-- name: VendorMoveByID :one
SELECT vendor_id, member_id, round, call, amount, currency, play_id, game_id FROM vendor_move WHERE transfer_id = $1;

-- Locks a vendor, so that changes of its keys run one after another.
-- name: LockVendor :one
UPDATE vendor SET launch_url = launch_url WHERE merchant_id = $1 AND code = $2 RETURNING id, launch_url;

-- name: LastVendorKey :one
SELECT CAST(COALESCE(MAX(created_at), 0) AS BIGINT) FROM vendor_key WHERE vendor_id = $1;

-- Unfinished rounds of outside vendors.
-- name: OpenRounds :many
SELECT r.first_id, v.code AS vendor, r.round, p.account, g.code AS game, m.currency, CAST(r.staked - r.refunded AS BIGINT) AS stake, r.started
FROM vendor_round r JOIN vendor v ON v.id = r.vendor_id JOIN game g ON g.id = r.game_id
JOIN member p ON p.id = r.member_id JOIN vendor_move m ON m.transfer_id = r.first_id
WHERE r.status = 'open' AND r.started <= sqlc.arg(before) AND r.first_id > sqlc.arg(after) AND v.launch_url <> ''
  AND v.merchant_id = sqlc.arg(merchant_id) AND (CAST(sqlc.arg(vendor) AS TEXT) = '' OR v.code = sqlc.arg(vendor))
ORDER BY r.first_id LIMIT 100;

-- A member's bets in a round that were not rolled back.
-- name: ActiveBets :many
SELECT b.transfer_id, b.tx, b.amount, t.debit_id, t.credit_id FROM vendor_move b JOIN transfer t ON t.id = b.transfer_id
WHERE b.vendor_id = sqlc.arg(vendor_id) AND b.round = sqlc.arg(round) AND b.member_id = sqlc.arg(member_id) AND b.call = 'bet'
  AND NOT EXISTS (SELECT 1 FROM transfer x WHERE x.origin_id = b.transfer_id AND x.refusal IS NULL)
ORDER BY b.transfer_id;

-- The state of a member's round, if it exists.
-- name: RoundState :one
SELECT standing, wins, ends FROM vendor_round WHERE vendor_id = $1 AND round = $2 AND member_id = $3;

-- Reports whether a bet was rolled back.
-- name: BetRolledBack :one
SELECT EXISTS (SELECT 1 FROM transfer x WHERE x.origin_id = $1 AND x.refusal IS NULL) AS taken;
