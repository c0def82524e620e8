package series

import (
	"context"
	"fmt"

	"fairground/internal/platform/db"
	"fairground/internal/platform/secret"
)

// Rekey encrypts the chains with a new root key and ends all series, because the old key may have leaked. Rounds keep
// the links that they took.
func Rekey(ctx context.Context, tx *db.Tx, old, next *secret.Keys, now int64) error {
	for after := int64(-1); ; {
		rows, err := tx.Q.SeriesSecrets(ctx, after)
		if err != nil {
			return fmt.Errorf("read series: %w", err)
		}
		if len(rows) == 0 {
			return nil
		}
		for _, row := range rows {
			after = row.ID
			points, err := old.Unwrap(wrapPurpose, row.Secret)
			if err != nil {
				return fmt.Errorf("series %d: %w", row.ID, err)
			}
			wrapped, err := next.Wrap(wrapPurpose, points)
			if err != nil {
				return err
			}
			if err := tx.Q.RekeySeries(ctx, wrapped, now, row.ID); err != nil {
				return fmt.Errorf("encrypt series: %w", err)
			}
		}
	}
}
