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

// rollUpChunk bounds one transaction of the roll-up, which on SQLite keeps posts waiting.
const rollUpChunk = 5000

// RollUp folds what batches moved on the house's accounts into their balances and says how many changes
// there were. It may run at any time, on any number of replicas; a job calls it every few seconds.
func (l *Ledger) RollUp(ctx context.Context) (folded int, err error) {
	for {
		var taken, back int
		err := l.store.Write(ctx, func(tx *db.Tx) error {
			taken, back, err = l.fold(ctx, tx)
			return err
		})
		if err != nil {
			return folded, fmt.Errorf("roll up: %w", err)
		}
		folded += taken - back
		if taken < rollUpChunk || back == taken {
			return folded, nil
		}
	}
}

// fold counts exactly the rows that it deleted: one that another transaction adds meanwhile stays for later. What an
// account has no room for is put back, behind all that timeouts: it holds up nobody else's.
func (l *Ledger) fold(ctx context.Context, tx *db.Tx) (taken, back int, err error) {
	deltas, err := tx.Q.TakeDeltas(ctx, rollUpChunk)
	if err != nil {
		return 0, 0, err
	}
	putBack := func(account, amount int64) error {
		back++
		return tx.Q.AddDelta(ctx, account, amount)
	}
	sums := make(map[int64]money.Minor)
	for _, d := range deltas {
		sum, err := sums[d.AccountID].Add(money.Minor(d.Amount))
		if err != nil { // what was put back is itself a sum
			if err := putBack(d.AccountID, d.Amount); err != nil {
				return 0, 0, fmt.Errorf("account %d: %w", d.AccountID, err)
			}
			continue
		}
		sums[d.AccountID] = sum
	}
	for _, id := range slices.Sorted(maps.Keys(sums)) { // in id order, as all locks
		sum := int64(sums[id])
		n, err := tx.Q.FoldDelta(ctx, query.FoldDeltaParams{
			Amount: sum, ID: id, Least: math.MinInt64 - min(sum, 0), Most: math.MaxInt64 - max(sum, 0),
		})
		if err == nil && n == 0 {
			l.log.Error("an account of the house has come to the end of its numbers", "account", id, "waiting", sum)
			err = putBack(id, sum)
		}
		if err != nil {
			return 0, 0, fmt.Errorf("account %d: %w", id, err)
		}
	}
	return len(deltas), back, nil
}
