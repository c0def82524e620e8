package jackpot

import (
	"context"
	"fmt"

	"fairground/internal/game/seal"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/secret"
)

// Rekey seals the pools' seeds with a new root key. The seeds stay, because their commitments are published.
func Rekey(ctx context.Context, tx *db.Tx, old, next *secret.Keys) error {
	rows, err := tx.Q.JackpotSeeds(ctx)
	if err != nil {
		return fmt.Errorf("read jackpot seeds: %w", err)
	}
	for _, row := range rows {
		to := query.SetJackpotSeedsParams{MerchantID: row.MerchantID, Currency: row.Currency}
		if to.Seed, err = reseal(old, next, row.Seed); err != nil {
			return err
		}
		if to.NextSeed, err = reseal(old, next, row.NextSeed); err != nil {
			return err
		}
		if err := tx.Q.SetJackpotSeeds(ctx, to); err != nil {
			return fmt.Errorf("seal jackpot seeds: %w", err)
		}
	}
	return nil
}

// reseal leaves a missing seed as it is: the pool waits for a link of its chain.
func reseal(old, next *secret.Keys, stored []byte) ([]byte, error) {
	if len(stored) == 0 {
		return []byte{}, nil
	}
	return seal.Reseal(old, next, seedPurpose, stored)
}
