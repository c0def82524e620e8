-- What operators see and write about members.

-- name: MemberOfMerchant :one
SELECT * FROM member WHERE id = sqlc.arg(id) AND merchant_id = sqlc.arg(merchant_id);

-- Locks a member whose version is known.
-- name: NextMemberVersion :execrows
UPDATE member SET version = version + 1 WHERE id = sqlc.arg(id) AND merchant_id = sqlc.arg(merchant_id) AND version = sqlc.arg(version);

-- name: BumpMemberVersion :exec
UPDATE member SET version = version + 1 WHERE id = $1;

-- name: MemberTags :many
SELECT tag FROM member_tag WHERE member_id = $1 ORDER BY tag;

-- name: AddMemberTag :execrows
INSERT INTO member_tag (member_id, tag, merchant_id, member_since) VALUES ($1, $2, $3, $4) ON CONFLICT (member_id, tag) DO NOTHING;

-- name: DropMemberTag :execrows
DELETE FROM member_tag WHERE member_id = $1 AND tag = $2;

-- name: AddMemberNote :exec
INSERT INTO member_note (id, member_id, kind, operator, body, created_at) VALUES ($1, $2, $3, $4, $5, $6);

-- name: MemberNotes :many
SELECT id, kind, operator, body, created_at FROM member_note WHERE member_id = sqlc.arg(member_id) AND id < sqlc.arg(before) ORDER BY id DESC LIMIT sqlc.arg(most);

-- name: SessionsOfMember :many
SELECT id, device, address, created_at, seen_at, expires_at, ended_at, ended_why FROM session
WHERE member_id = sqlc.arg(member_id) ORDER BY seen_at DESC, id DESC LIMIT sqlc.arg(most);

-- Devices of a member's newest sessions.
-- name: DevicesOfMember :many
SELECT DISTINCT x.device FROM (SELECT s.device, s.seen_at FROM session s WHERE s.member_id = $1 AND s.device <> '' ORDER BY s.seen_at DESC LIMIT 50) x LIMIT 10;

-- name: AddressesOfMember :many
SELECT DISTINCT x.address FROM (SELECT s.address, s.seen_at FROM session s WHERE s.member_id = $1 AND s.address <> '' ORDER BY s.seen_at DESC LIMIT 50) x LIMIT 10;

-- Other members with a session on a device.
-- name: MembersOnDevice :many
SELECT m.id, m.account, m.status FROM member m WHERE m.merchant_id = sqlc.arg(merchant_id) AND m.id <> sqlc.arg(member_id) AND m.id IN (
  SELECT x.member_id FROM (SELECT s.member_id FROM session s WHERE s.device = sqlc.arg(device) AND s.device <> '' LIMIT 200) x)
ORDER BY m.id DESC LIMIT 20;

-- name: MembersAtAddress :many
SELECT m.id, m.account, m.status FROM member m WHERE m.merchant_id = sqlc.arg(merchant_id) AND m.id <> sqlc.arg(member_id) AND m.id IN (
  SELECT x.member_id FROM (SELECT s.member_id FROM session s WHERE s.address = sqlc.arg(address) AND s.address <> '' LIMIT 200) x)
ORDER BY m.id DESC LIMIT 20;

-- Other members with a number, verified or not.
-- name: MembersWithNumber :many
SELECT m.id, m.account, m.status FROM member m WHERE m.merchant_id = sqlc.arg(merchant_id) AND m.id <> sqlc.arg(member_id) AND m.id IN (
  SELECT d.member_id FROM member_detail d WHERE d.name = 'mobileNum' AND d.value = sqlc.arg(mobile)
  UNION SELECT o.id FROM member o WHERE o.merchant_id = sqlc.arg(merchant_id) AND o.mobile = sqlc.arg(mobile))
ORDER BY m.id DESC LIMIT 20;

-- name: UnindexedMembers :many
SELECT m.id, m.merchant_id, m.nickname, m.payee_name, m.mobile FROM member_unindexed u JOIN member m ON m.id = u.member_id ORDER BY u.member_id LIMIT $1;

-- Locks a member. The trigger of renamed members ignores it.
-- name: LockMember :exec
UPDATE member SET nickname = nickname WHERE id = $1;

-- name: DropUnindexedMember :exec
DELETE FROM member_unindexed WHERE member_id = $1;

-- name: DropMemberTerms :exec
DELETE FROM member_term WHERE member_id = $1;

-- name: AddMemberTerm :exec
INSERT INTO member_term (merchant_id, kind, term, member_id) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING;

-- name: AddLedgerCheck :execrows
INSERT INTO ledger_check (id, requested_by, requested_at, state) VALUES ($1, $2, $3, 'waiting') ON CONFLICT DO NOTHING;

-- name: StartLedgerCheck :exec
UPDATE ledger_check SET started_at = $2 WHERE id = $1 AND state = 'waiting';

-- name: EndLedgerCheck :exec
UPDATE ledger_check SET finished_at = $2, state = $3, report = $4 WHERE id = $1 AND state = 'waiting';

-- name: LedgerChecks :many
SELECT * FROM ledger_check ORDER BY id DESC LIMIT $1;

-- name: HouseAccounts :many
SELECT id, kind, currency FROM account WHERE merchant_id = $1 AND member_id IS NULL ORDER BY kind, currency;

-- name: ApprovalOfObject :many
SELECT * FROM approval WHERE object = sqlc.arg(object) AND action = sqlc.arg(action) AND merchant_id = sqlc.arg(merchant_id) ORDER BY id DESC LIMIT 1;

-- Members whose sums changed since a time. limit_sum.since is the start of a span.
-- name: MembersPlayedSince :many
SELECT DISTINCT s.member_id FROM limit_sum s WHERE s.since >= sqlc.arg(since) AND s.member_id > sqlc.arg(after) ORDER BY s.member_id LIMIT 500;

-- name: QuarterSums :many
SELECT since, currency, stake_high, stake_low, return_high, return_low, deposit_high, deposit_low FROM limit_sum
WHERE member_id = sqlc.arg(member_id) AND currency = sqlc.arg(currency) AND span = 900000 AND since >= sqlc.arg(since) ORDER BY since;

-- name: LimitRaisesSince :many
SELECT p.member_id, p.kind, p.period, p.currency, p.amount, p.asked_at, p.asked_amount, m.merchant_id FROM play_limit p JOIN member m ON m.id = p.member_id
WHERE p.asked_at >= sqlc.arg(since) ORDER BY p.asked_at LIMIT 5000;

-- A sign that an operator has handled appears again only if it was found on a later day.
-- name: PutProtectionSign :exec
INSERT INTO protection_sign (id, merchant_id, member_id, kind, facts, found_at, status) VALUES ($1, $2, $3, $4, $5, $6, 'new')
ON CONFLICT (member_id, kind) DO UPDATE SET facts = excluded.facts, found_at = excluded.found_at, version = protection_sign.version + 1, status = 'new'
WHERE protection_sign.status = 'new' AND protection_sign.facts <> excluded.facts OR protection_sign.status <> 'new' AND protection_sign.handled_at < excluded.found_at - 86400000;

-- name: ProtectionSign :one
SELECT s.*, m.account, m.currency FROM protection_sign s JOIN member m ON m.id = s.member_id WHERE s.id = sqlc.arg(id) AND s.merchant_id = sqlc.arg(merchant_id);

-- name: HandleProtectionSign :execrows
UPDATE protection_sign SET status = sqlc.arg(status), handled_by = sqlc.arg(handled_by), handled_at = sqlc.arg(handled_at), version = version + 1
WHERE id = sqlc.arg(id) AND merchant_id = sqlc.arg(merchant_id) AND version = sqlc.arg(version);

-- name: ProtectionSignsOfMember :many
SELECT * FROM protection_sign WHERE member_id = $1 ORDER BY found_at DESC;

-- name: DropOldSigns :execrows
DELETE FROM protection_sign WHERE found_at < $1;

-- Both entries of a posted transfer, by their keys.
-- name: EntriesOfTransfer :many
SELECT e.account_id, e.amount, e.balance_after FROM transfer t JOIN entry e ON e.account_id = t.debit_id AND e.seq = t.debit_seq WHERE t.id = $1
UNION ALL
SELECT e.account_id, e.amount, e.balance_after FROM transfer t JOIN entry e ON e.account_id = t.credit_id AND e.seq = t.credit_seq WHERE t.id = $1;

-- name: RoundForOperators :one
SELECT r.*, v.code AS vendor, v.launch_url, g.code AS game, m.account, m.currency FROM vendor_round r JOIN vendor v ON v.id = r.vendor_id JOIN game g ON g.id = r.game_id JOIN member m ON m.id = r.member_id
WHERE r.first_id = sqlc.arg(id) AND v.merchant_id = sqlc.arg(merchant_id);

-- The moves of a member's round. The index of a member's moves by time bounds them.
-- name: MovesOfRound :many
SELECT transfer_id, call, tx, amount, at, ends FROM vendor_move
WHERE member_id = sqlc.arg(member_id) AND vendor_id = sqlc.arg(vendor_id) AND round = sqlc.arg(round) AND at >= sqlc.arg(started) ORDER BY transfer_id LIMIT 500;
