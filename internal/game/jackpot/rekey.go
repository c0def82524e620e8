package jackpot

import (
	"context"
	"fmt"

	"fairground/internal/game/seal"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/secret"
)

// Rekey ends the series of all pools and reveals their seeds, because the old root key may have leaked: anyone who knows
// a seed can bet on the number that wins. A pool keeps its amount. Its next series draws the open tickets, whose numbers
// stay unique because they count all tickets of the pool.
//
// The caller must end the hash chains first, so that the pools take a link of new ones.
func Rekey(ctx context.Context, tx *db.Tx, old *secret.Keys, now int64) error {
	pools, err := tx.Q.AllJackpotPools(ctx)
	if err != nil {
		return fmt.Errorf("read jackpots: %w", err)
	}
	for _, p := range pools {
		if err := endSeries(ctx, tx, old, p, now); err != nil {
			return fmt.Errorf("end jackpot series of %s, merchant %d: %w", p.Currency, p.MerchantID, err)
		}
	}
	return nil
}

func endSeries(ctx context.Context, tx *db.Tx, old *secret.Keys, p query.JackpotPool, now int64) error {
	next := query.PutJackpotPoolParams{
		Series: p.Series, Amount: p.Amount, Seed: []byte{}, NextSeed: []byte{}, PublishedAt: now, Nonce: p.Nonce, EarlierDraws: p.EarlierDraws,
		MerchantID: p.MerchantID, Currency: p.Currency,
	}
	if len(p.Seed) > 0 { // a series without a seed has no draws, and waits for its first link
		seed, err := seal.Open(old, seedPurpose, p.Seed)
		if err != nil {
			return err
		}
		err = tx.Q.AddJackpotEnd(ctx, query.AddJackpotEndParams{
			MerchantID: p.MerchantID, Currency: p.Currency, Series: p.Series, Seed: seed[:], PublishedAt: p.PublishedAt, EndedAt: now,
			SeriesID: p.SeriesID, Link: p.Link, Name: p.Name,
		})
		if err != nil {
			return err
		}
		next.Series, next.Nonce, next.EarlierDraws = p.Series+1, 0, p.EarlierDraws+p.Nonce
	}
	return tx.Q.PutJackpotPool(ctx, next)
}
