package table

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"fairground/internal/game/fairness"
	"fairground/internal/game/fairness/series"
	"fairground/internal/game/house/refusal"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// ensureSeries returns the current seed series of a table. It publishes a new series if there is none.
func (s *Service) ensureSeries(ctx context.Context, table string) (series.Info, error) {
	i, err := s.o.Series.Ensure(ctx, series.Table, table)
	if errors.Is(err, series.ErrWaiting) || errors.Is(err, fairness.ErrSource) {
		return i, refusal.ErrUnavailable.Because(err)
	}
	return i, wrap("find series", err)
}

// PublishSeries publishes a seed series for each table, so that players can save its last hash before the first round.
func (s *Service) PublishSeries(ctx context.Context) error {
	var failed []error
	for _, id := range tables().ids() {
		if _, err := s.ensureSeries(ctx, id); err != nil && !errors.Is(err, series.ErrWaiting) {
			failed = append(failed, fmt.Errorf("series of %s: %w", id, err))
		}
	}
	return errors.Join(failed...)
}

// takeSeed takes the next seed of a series in the transaction that opens the round.
func (s *Service) takeSeed(ctx context.Context, tx *db.Tx, id int64) (link int64, secret fairness.Seed, sealed []byte, err error) {
	if link, err = s.o.Series.Take(ctx, tx, id); err != nil {
		return link, secret, nil, err
	}
	if secret, err = s.o.Series.SeedIn(ctx, tx, id, link); err != nil {
		return link, secret, nil, err
	}
	sealed, err = s.o.Seeds.Seal(secret)
	return link, secret, sealed, err
}

// roundSeed returns the seed of a finished round. If the stored seed cannot be read, it returns the series' copy.
func (s *Service) roundSeed(ctx context.Context, round query.HouseTableRound) (fairness.Seed, error) {
	secret, err := s.o.Seeds.Open(round.Seed)
	if round.SeriesID != 0 && (err != nil || !secret.Matches(round.Commitment)) {
		return s.o.Series.Seed(ctx, round.SeriesID, round.Link)
	}
	return secret, err
}

func formatSeriesID(id int64) string {
	if id == 0 {
		return ""
	}
	return strconv.FormatInt(id, 10)
}
