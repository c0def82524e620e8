package ledger

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"fairground/internal/db"
	"fairground/internal/money"
)

// rollUpChunk bounds one transaction of the roll-up, which on SQLite keeps posts waiting.
const rollUpChunk = 5000

// RollUp folds what batches moved on the house's accounts into their balances and says how many changes
// there were. It may run at any time, on any number of replicas; a job calls it every few seconds.
func (l *Ledger) RollUp(ctx context.Context) (folded int, err error) {
	for {
		var n int
		err := l.store.Write(ctx, func(tx *db.Tx) error {
			n, err = l.fold(ctx, tx)
			return err
		})
		if err != nil {
			return folded, fmt.Errorf("roll up: %w", err)
		}
		folded += n
		if n < rollUpChunk {
			return folded, nil
		}
	}
}

// fold counts exactly the rows that it deleted: one that another transaction adds meanwhile stays for later.
func (l *Ledger) fold(ctx context.Context, tx *db.Tx) (int, error) {
	deltas, err := tx.Q.TakeDeltas(ctx, rollUpChunk)
	if err != nil {
		return 0, err
	}
	sums := make(map[int64]money.Minor)
	for _, d := range deltas {
		if sums[d.AccountID], err = sums[d.AccountID].Add(money.Minor(d.Amount)); err != nil {
			return 0, fmt.Errorf("account %d: %w", d.AccountID, err)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(sums)) { // in id order, as all locks
		if err := tx.Q.FoldDelta(ctx, int64(sums[id]), id); err != nil {
			return 0, fmt.Errorf("account %d: %w", id, err)
		}
	}
	return len(deltas), nil
}
