-- +goose NO TRANSACTION
-- +goose Up
-- Operators' search by kind. Bets and wins are nearly all transfers, and every account of a vendor is full of them: the search finds them
-- among its entries. Without them in the index, a bet or a win pays nothing for it.
-- Built without blocking bets of running replicas. A cut-off build leaves an invalid index.
DROP INDEX CONCURRENTLY IF EXISTS transfer_of_kind;
CREATE INDEX CONCURRENTLY transfer_of_kind ON transfer (kind, id)
  WHERE debit_seq IS NOT NULL AND kind <> 'vendor.bet' AND kind <> 'vendor.win' AND kind <> 'lottery.bet' AND kind <> 'lottery.win';

-- +goose Down
DROP INDEX transfer_of_kind;
