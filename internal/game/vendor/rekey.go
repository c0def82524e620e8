package vendor

import (
	"context"
	"fmt"

	"fairground/internal/platform/db"
	"fairground/internal/platform/secret"
)

// Rekey encrypts the vendors' signing keys with a new root key and invalidates unused tickets. The signing keys and the player ids do
// not change. If legacy is set, the database is from an older version, which derived both from the root key.
func Rekey(ctx context.Context, tx *db.Tx, old, next *secret.Keys, legacy bool, now int64) error {
	keys, err := tx.Q.ActiveVendorKeys(ctx)
	if err != nil {
		return fmt.Errorf("read vendors' keys: %w", err)
	}
	for _, row := range keys {
		key := old.Bytes(keyPurpose+row.KeyID, signingKeySize)
		if !legacy {
			if key, err = old.Unwrap(keyPurpose+row.KeyID, row.Wrapped); err != nil {
				return err
			}
		}
		wrapped, err := next.Wrap(keyPurpose+row.KeyID, key)
		if err != nil {
			return err
		}
		if err := tx.Q.SetVendorKey(ctx, wrapped, row.KeyID); err != nil {
			return fmt.Errorf("seal key of a vendor: %w", err)
		}
	}
	if legacy {
		if err := next.Store(ctx, tx, playerKeyName, old.MACKey(playerKeyName)); err != nil {
			return fmt.Errorf("keep players' ids: %w", err)
		}
	}
	if err := tx.Q.DropRetiredVendorKeys(ctx); err != nil {
		return fmt.Errorf("drop retired keys: %w", err)
	}
	return tx.Q.ExpireTickets(ctx, now)
}
