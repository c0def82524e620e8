package jackpot

import (
	"context"
	"errors"
	"fmt"

	"fairground/internal/game/fairness"
	"fairground/internal/game/fairness/series"
	"fairground/internal/game/seal"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

const seedPurpose = "jackpot.seed"

// chainName is the name of a pool's hash chain.
func chainName(merchantID int64, currency string) string {
	return fmt.Sprintf("%s-%d", currency, merchantID)
}

// clientSeed is the client seed of a series whose seed is a link of a hash chain.
func clientSeed(i series.Info, currency string, number int64) string {
	return i.ClientSeed(fmt.Sprintf("%s-%d", currency, number))
}

// nameOf returns the client seed of a stored series.
func nameOf(merchantID int64, currency string, number int64, stored string) string {
	if stored != "" {
		return stored
	}
	return SeriesName(merchantID, currency, number)
}

// ensureChain returns the pool's running hash chain. It returns false while a chain waits for its salt.
func (s *Service) ensureChain(ctx context.Context, merchantID int64, currency string) (i series.Info, running bool, err error) {
	i, err = s.o.Series.Ensure(ctx, series.Jackpot, chainName(merchantID, currency))
	if errors.Is(err, series.ErrWaiting) {
		return i, false, nil
	}
	if err != nil {
		return i, false, fmt.Errorf("find series of seeds: %w", err)
	}
	return i, true, nil
}

// takeSeed sets the seed of a series that begins to the next link of the chain. Its commitment is the seed of the series
// before, which is public by now. It reports false if the chain is used up.
func (s *Service) takeSeed(ctx context.Context, tx *db.Tx, i series.Info, row *query.JackpotPool, currency string) (bool, error) {
	link, err := s.o.Series.Take(ctx, tx, i.ID)
	if errors.Is(err, series.ErrEnded) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	seed, err := s.o.Series.SeedIn(ctx, tx, i.ID, link)
	if err != nil {
		return false, err
	}
	row.SeriesID, row.Link, row.Name, row.PublishedAt = i.ID, link, clientSeed(i, currency, row.Series), db.Millis(s.o.Now())
	row.Seed, err = seal.Seed(s.o.Keys, seedPurpose, seed)
	return err == nil, err
}

// commitment returns the commitment of a sealed seed, or nothing if there is none.
func (s *Service) commitment(stored []byte) (string, error) {
	if len(stored) == 0 {
		return "", nil
	}
	seed, err := seal.Open(s.o.Keys, seedPurpose, stored)
	return seed.Commitment(), err
}

// unsealSeed reads the series' seed. It also seals seeds that older versions stored unsealed; save writes them.
func (d *batch) unsealSeed() (err error) {
	keys := d.s.o.Keys
	d.seed = fairness.Seed{}
	if len(d.row.Seed) > 0 {
		if d.seed, err = seal.Open(keys, seedPurpose, d.row.Seed); err != nil {
			return err
		}
	}
	for _, stored := range []*[]byte{&d.row.Seed, &d.row.NextSeed} {
		if seal.IsUnsealed(*stored) {
			if *stored, err = seal.Seed(keys, seedPurpose, fairness.Seed(*stored)); err != nil {
				return err
			}
		}
	}
	return nil
}

// nextSeed sets the seed of the series that begins: the one whose commitment an older version published, or the next link of
// the chain. Without either the pool waits.
func (d *batch) nextSeed(ctx context.Context) error {
	if len(d.row.NextSeed) > 0 {
		d.row.Seed, d.row.NextSeed, d.row.SeriesID, d.row.Link, d.row.Name = d.row.NextSeed, []byte{}, 0, 0, ""
		return d.unsealSeed()
	}
	d.row.Seed, d.row.SeriesID, d.row.Link, d.row.Name = []byte{}, 0, 0, ""
	return d.takeLink(ctx)
}

// takeLink assigns the next link to a series without a seed, if the chain runs.
func (d *batch) takeLink(ctx context.Context) error {
	if len(d.row.Seed) == 0 && d.chainRuns {
		if _, err := d.s.takeSeed(ctx, d.tx, d.chain, &d.row, d.currency); err != nil {
			return err
		}
	}
	return d.unsealSeed()
}

// stored returns a seed for the database. SQLite reads an empty value as nil, which would be stored as NULL.
func stored(seed []byte) []byte {
	if seed == nil {
		return []byte{}
	}
	return seed
}
