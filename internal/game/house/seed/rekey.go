package seed

import (
	"context"
	"crypto/rand"
	"fmt"

	"fairground/internal/game/fairness"
	"fairground/internal/game/seal"
	"fairground/internal/platform/db"
	"fairground/internal/platform/secret"
)

// Rekey replaces the seeds of players' next rounds, because the old root key may have leaked. A round whose stake was requested
// keeps its committed seed, and a table's round too. The caller must close all frames, so that players see the new commitments.
func Rekey(ctx context.Context, tx *db.Tx, old, next *secret.Keys, now int64) error {
	for after := ""; ; {
		rows, err := tx.Q.HouseSeeds(ctx, after)
		if err != nil {
			return fmt.Errorf("read seeds: %w", err)
		}
		if len(rows) == 0 {
			break
		}
		for _, row := range rows {
			after = row.Player
			stored, err := renewed(old, next, row.Seed, row.Begun != 0)
			if err != nil {
				return err
			}
			if err := tx.Q.SetHouseSeed(ctx, stored, now, row.Player); err != nil {
				return fmt.Errorf("replace seed: %w", err)
			}
		}
	}
	for after := int64(-1); ; {
		rows, err := tx.Q.SealedTableSeeds(ctx, after)
		if err != nil {
			return fmt.Errorf("read seeds of tables: %w", err)
		}
		if len(rows) == 0 {
			return nil
		}
		for _, row := range rows {
			after = row.ID
			stored, err := seal.Reseal(old, next, sealPurpose, row.Seed)
			if err != nil {
				return fmt.Errorf("table round %d: %w", row.ID, err)
			}
			if err := tx.Q.SetTableSeed(ctx, stored, row.ID); err != nil {
				return fmt.Errorf("seal seed of a table: %w", err)
			}
		}
	}
}

func renewed(old, next *secret.Keys, stored []byte, begun bool) ([]byte, error) {
	if begun {
		return seal.Reseal(old, next, sealPurpose, stored)
	}
	drawn, err := fairness.NewSeed(rand.Reader)
	if err != nil {
		return nil, err
	}
	return seal.Seed(next, sealPurpose, drawn)
}
