package house

import (
	"context"
	"fmt"

	"fairground/internal/game/house/seed"
	"fairground/internal/game/house/wallet"
	"fairground/internal/platform/db"
	"fairground/internal/platform/secret"
)

// Rekey encrypts the seeds and the wallet sessions of open rounds with a new root key, and closes all frames.
func Rekey(ctx context.Context, tx *db.Tx, old, next *secret.Keys, now int64) error {
	if err := seed.Rekey(ctx, tx, old, next, now); err != nil {
		return err
	}
	for after := int64(-1); ; {
		rows, err := tx.Q.HouseRoundSessions(ctx, after)
		if err != nil {
			return fmt.Errorf("read wallet sessions: %w", err)
		}
		if len(rows) == 0 {
			break
		}
		for _, row := range rows {
			after = row.ID
			session, err := wallet.Unseal(old, row.WalletSession)
			if err != nil {
				return fmt.Errorf("round %d: %w", row.ID, err)
			}
			sealed, err := session.Seal(next)
			if err != nil {
				return err
			}
			if err := tx.Q.SetHouseRoundSession(ctx, sealed, row.ID); err != nil {
				return fmt.Errorf("seal wallet session: %w", err)
			}
		}
	}
	return tx.Q.DropAllHouseFrames(ctx)
}
