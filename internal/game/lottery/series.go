package lottery

import (
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"time"

	"fairground/internal/game/fairness"
	"fairground/internal/game/fairness/chain"
	"fairground/internal/game/lottery/play"
	"fairground/internal/platform/audit"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/secret"
)

const (
	// chainPurpose names the key that encrypts the seeds of series.
	chainPurpose = "lottery.series"
	// saltFromOperator says that the salt is random and made by this installation.
	saltFromOperator = "operator"
	// seriesAhead is how long before its end a series gets its successor.
	seriesAhead = 24 * time.Hour
	// seriesLock is the advisory lock of adding series.
	seriesLock = 0x6c6f7474
)

// seriesActor is who publishes series in the audit log: the server.
const seriesActor = "fairground"

// seriesState is a series in the audit log. All of it is public.
type seriesState struct {
	Game        string `json:"game"`
	End         string `json:"end"`
	Salt        string `json:"salt"`
	SaltSource  string `json:"saltSource"`
	FirstNumero string `json:"firstNumero"`
	Length      int64  `json:"length"`
}

// ensureSeries publishes a game's first series, and its next one a day before the last ends.
func (s *Service) ensureSeries(ctx context.Context, merchantID int64, g play.Game, now time.Time) error {
	covered, err := s.covered(ctx, s.o.Store.Q(), merchantID, g, now)
	if err != nil || covered {
		return err
	}
	var top fairness.Seed
	var salt [16]byte
	for _, part := range [][]byte{top[:], salt[:]} { // without randomness there is no series, and so no bets (PP-15)
		if _, err := io.ReadFull(s.o.Random, part); err != nil {
			return fmt.Errorf("make series: %w", err)
		}
	}
	c, err := chain.New(top, s.o.SeriesLength)
	if err != nil {
		return err
	}
	points, err := c.MarshalBinary()
	if err != nil {
		return err
	}
	sealed, err := s.o.Keys.Wrap(chainPurpose, points)
	if err != nil {
		return fmt.Errorf("seal series: %w", err)
	}
	return s.o.Store.Write(ctx, func(tx *db.Tx) error {
		if tx.Engine == db.Postgres { // two replicas must not publish two series
			if _, err := tx.ExecContext(ctx, "SELECT pg_advisory_xact_lock($1)", seriesLock); err != nil {
				return fmt.Errorf("lock series: %w", err)
			}
		}
		now, err := s.o.Time(ctx, tx)
		if err != nil {
			return err
		}
		if covered, err := s.covered(ctx, tx.Q, merchantID, g, now); err != nil || covered {
			return err
		}
		first := g.Timetable.Current(now)
		if !now.Before(first.Close) {
			first = g.Timetable.Next(first)
		}
		last, err := tx.Q.LastLotterySeries(ctx, merchantID, int64(g.ID))
		switch {
		case err == nil && last.LastDraw >= millis(first.Draw):
			first = g.Timetable.Current(time.UnixMilli(last.LastDraw))
		case err != nil && !errors.Is(err, sql.ErrNoRows):
			return fmt.Errorf("read series: %w", err)
		}
		row := query.AddLotterySeriesParams{
			ID: s.o.IDs(), MerchantID: merchantID, GameID: int64(g.ID), EndSeed: c.End().Hex(), Salt: hex.EncodeToString(salt[:]), SaltSource: saltFromOperator,
			FirstNumero: first.ID, FirstDraw: millis(first.Draw), LastDraw: millis(first.Draw.Add(time.Duration(s.o.SeriesLength-1) * g.Timetable.Period)),
			Length: int64(s.o.SeriesLength), Chain: sealed, CreatedAt: millis(now),
		}
		added, err := tx.Q.AddLotterySeries(ctx, row)
		if err != nil || added == 0 {
			return wrap("add series", err)
		}
		return audit.Append(audit.As(ctx, seriesActor), tx, now, audit.Entry{
			MerchantID: merchantID, Action: "lottery.series_publish", Object: "lottery/series/" + formatID(row.ID),
			After: seriesState{g.Code, row.EndSeed, row.Salt, row.SaltSource, row.FirstNumero, row.Length},
		})
	})
}

// covered reports whether the game has series for the time ahead.
func (s *Service) covered(ctx context.Context, q *query.Queries, merchantID int64, g play.Game, now time.Time) (bool, error) {
	last, err := q.LastLotterySeries(ctx, merchantID, int64(g.ID))
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	ahead := min(seriesAhead, time.Duration(s.o.SeriesLength/2)*g.Timetable.Period)
	return err == nil && last.LastDraw > millis(now.Add(ahead)), wrap("read series", err)
}

// seedOf returns the seed of a link.
func (s *Service) seedOf(ctx context.Context, seriesID, link int64) (fairness.Seed, query.LotterySeriesRow, error) {
	row, err := s.o.Store.Q().LotterySeries(ctx, seriesID)
	if err != nil {
		return fairness.Seed{}, row, fmt.Errorf("read series: %w", err)
	}
	c, known := s.chains.GetIfPresent(seriesID)
	if !known {
		sealed, err := s.o.Store.Q().LotteryChain(ctx, seriesID)
		if err != nil {
			return fairness.Seed{}, row, fmt.Errorf("read series: %w", err)
		}
		points, err := s.o.Keys.Unwrap(chainPurpose, sealed)
		if err != nil {
			return fairness.Seed{}, row, fmt.Errorf("unseal series: %w", err)
		}
		end, err := fairness.ParseSeed(row.EndSeed)
		if err != nil {
			return fairness.Seed{}, row, fmt.Errorf("read series: %w", err)
		}
		if c, err = chain.Open(points, int(row.Length), end); err != nil {
			return fairness.Seed{}, row, err
		}
		s.chains.Set(seriesID, c)
	}
	seed, err := c.Seed(int(link))
	return seed, row, err
}

// Rekey seals the seeds of all series with a new root key.
func Rekey(ctx context.Context, tx *db.Tx, old, next *secret.Keys) error {
	rows, err := tx.Q.LotteryChains(ctx)
	if err != nil {
		return fmt.Errorf("read lottery series: %w", err)
	}
	for _, row := range rows {
		points, err := old.Unwrap(chainPurpose, row.Chain)
		if err != nil {
			return err
		}
		sealed, err := next.Wrap(chainPurpose, points)
		if err != nil {
			return err
		}
		if err := tx.Q.SetLotteryChain(ctx, sealed, row.ID); err != nil {
			return fmt.Errorf("seal lottery series: %w", err)
		}
	}
	return nil
}
