-- Other members with a bank card of this member, including removed cards.
-- name: MembersWithCard :many
SELECT DISTINCT m.id, m.account, m.status, own.bank, own.last_four FROM bank_card own
JOIN bank_card other ON other.merchant_id = own.merchant_id AND other.digest = own.digest AND other.member_id <> own.member_id
JOIN member m ON m.id = other.member_id
WHERE own.merchant_id = sqlc.arg(merchant_id) AND own.member_id = sqlc.arg(member_id)
ORDER BY m.id DESC LIMIT 20;
