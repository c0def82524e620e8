package bet

import (
	"context"
	"database/sql"

	"fairground/internal/platform/db"
)

// A settlement is a bet whose win the wallet has paid.
type settlement struct{ id, balance, at int64 }

// settleMany is the batch version of the query SettleHouseRound.
const settleMany = `UPDATE house_round r SET status = 'settled', balance = x.balance, settled_at = x.at, reason = ''
FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) x (id, balance, at) WHERE r.id = x.id AND r.status IN ('bet', 'owed')`

func (s *Service) settle(ctx context.Context, items []*settlement) error {
	return s.o.Store.Write(ctx, func(tx *db.Tx) error {
		if tx.Engine == db.Postgres {
			ids, balances, times := make([]int64, len(items)), make([]int64, len(items)), make([]int64, len(items))
			for i, item := range items {
				ids[i], balances[i], times[i] = item.id, item.balance, item.at
			}
			_, err := tx.ExecContext(ctx, settleMany, ids, balances, times)
			return err
		}
		for _, item := range items {
			if _, err := tx.Q.SettleHouseRound(ctx, sql.NullInt64{Int64: item.balance, Valid: true}, sql.NullInt64{Int64: item.at, Valid: true}, item.id); err != nil {
				return err
			}
		}
		return nil
	})
}
