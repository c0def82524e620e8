package ledger

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// rollUpChunk limits the size of a roll-up transaction, because it blocks posts on SQLite.
const rollUpChunk = 5000

// RollUp adds the pending deltas of house accounts to their balances and returns the number of deltas added. Any
// replica may call it at any time. A job calls it every few seconds.
func (l *Ledger) RollUp(ctx context.Context) (added int, err error) {
	for {
		var taken, returned int
		err := l.store.Write(ctx, func(tx *db.Tx) error {
			taken, returned, err = l.fold(ctx, tx)
			return err
		})
		if err != nil {
			return added, fmt.Errorf("roll up: %w", err)
		}
		added += taken - returned
		if taken < rollUpChunk || returned == taken {
			return added, nil
		}
	}
}

// fold deletes a chunk of deltas and adds them to the balances. Deltas added meanwhile stay for the next call. A
// delta that would overflow its account goes back to the end of the table, so that it does not block other accounts.
func (l *Ledger) fold(ctx context.Context, tx *db.Tx) (taken, returned int, err error) {
	deltas, err := tx.Q.TakeDeltas(ctx, rollUpChunk)
	if err != nil {
		return 0, 0, err
	}
	putBack := func(account, amount int64) error {
		returned++
		return tx.Q.AddDelta(ctx, account, amount)
	}
	sums := make(map[int64]money.Minor)
	for _, d := range deltas {
		sum, err := sums[d.AccountID].Add(money.Minor(d.Amount))
		if err != nil { // a returned delta can be a large sum
			if err := putBack(d.AccountID, d.Amount); err != nil {
				return 0, 0, fmt.Errorf("account %d: %w", d.AccountID, err)
			}
			continue
		}
		sums[d.AccountID] = sum
	}
	for _, id := range slices.Sorted(maps.Keys(sums)) { // in id order, like all locks
		sum := int64(sums[id])
		n, err := tx.Q.FoldDelta(ctx, query.FoldDeltaParams{
			Amount: sum, ID: id, Least: math.MinInt64 - min(sum, 0), Most: math.MaxInt64 - max(sum, 0),
		})
		if err == nil && n == 0 {
			l.log.Error("house account balance would overflow: its pending deltas stay pending", "account", id, "pending", sum)
			err = putBack(id, sum)
		}
		if err != nil {
			return 0, 0, fmt.Errorf("account %d: %w", id, err)
		}
	}
	return len(deltas), returned, nil
}
