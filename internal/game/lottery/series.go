package lottery

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"fairground/internal/game/fairness"
	"fairground/internal/game/fairness/chain"
	"fairground/internal/game/fairness/series"
	"fairground/internal/game/lottery/play"
	"fairground/internal/game/lottery/schedule"
	"fairground/internal/platform/audit"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/secret"
)

const (
	// chainPurpose names the key that encrypts the seeds of series that older versions stored.
	chainPurpose = "lottery.series"
	// seriesAhead is how long before the end of a series the next one is published.
	seriesAhead = 24 * time.Hour
)

// seriesActor is the actor in the audit log when the server plans a series.
const seriesActor = "fairground"

// seriesPlan is a series in the audit log. All of it is public.
type seriesPlan struct {
	Game        string `json:"game"`
	End         string `json:"end"`
	Salt        string `json:"salt"`
	SaltSource  string `json:"saltSource"`
	FirstNumero string `json:"firstNumero"`
	Length      int64  `json:"length"`
}

// seriesName returns the name of a game's series.
func seriesName(merchantID int64, g play.Game) string {
	return fmt.Sprintf("%s-%d", g.Code, merchantID)
}

// ensureSeries publishes a game's next series if one is needed, and plans which numeros it draws. While the series waits
// for its salt, the game uses the previous series. Without a previous series, the game's numeros stay closed.
func (s *Service) ensureSeries(ctx context.Context, merchantID int64, g play.Game, now time.Time) error {
	for range 2 {
		info, err := s.o.Series.Ensure(ctx, series.Lottery, seriesName(merchantID, g)) // without randomness there is no series, and so no bets (PP-15)
		if errors.Is(err, series.ErrWaiting) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("find series: %w", err)
		}
		planned, err := s.o.Store.Q().LotterySeries(ctx, info.ID)
		if errors.Is(err, sql.ErrNoRows) {
			return s.plan(ctx, merchantID, g, info)
		}
		if err != nil {
			return fmt.Errorf("read series: %w", err)
		}
		ahead := min(seriesAhead, time.Duration(info.Length/2)*g.Timetable.Period)
		if planned.LastDraw > millis(now.Add(ahead)) {
			return nil
		}
		if planned.LastDraw >= millis(g.Timetable.Current(now).Draw) {
			if followed, err := s.o.Series.Followed(ctx, info); err != nil || followed {
				return err
			}
		}
		if err := s.o.Series.Finish(ctx, info.ID); err != nil {
			return err
		}
	}
	return nil
}

// plan decides which numeros a series draws. The first one is the next numero that is not closed and has no bets.
func (s *Service) plan(ctx context.Context, merchantID int64, g play.Game, info series.Info) error {
	return s.o.Store.Write(ctx, func(tx *db.Tx) error {
		now, err := s.o.Time(ctx, tx)
		if err != nil {
			return err
		}
		first, err := firstNumero(ctx, tx.Q, merchantID, g, now)
		if err != nil {
			return err
		}
		row := query.AddLotterySeriesParams{
			ID: info.ID, MerchantID: merchantID, GameID: int64(g.ID), EndSeed: info.End, Salt: info.Salt, SaltSource: info.Source,
			FirstNumero: first.ID, FirstDraw: millis(first.Draw), LastDraw: millis(first.Draw.Add(time.Duration(info.Length-1) * g.Timetable.Period)),
			Length: info.Length, Chain: []byte{}, CreatedAt: millis(now),
		}
		added, err := tx.Q.AddLotterySeries(ctx, row)
		if err != nil || added == 0 { // another process was first
			return wrap("plan series", err)
		}
		return audit.Append(audit.As(ctx, seriesActor), tx, now, audit.Entry{
			MerchantID: merchantID, Action: "lottery.series_plan", Object: "series/" + formatID(row.ID),
			After: seriesPlan{g.Code, row.EndSeed, row.Salt, row.SaltSource, row.FirstNumero, row.Length},
		})
	})
}

// firstNumero returns the numero with which a new series begins.
func firstNumero(ctx context.Context, q *query.Queries, merchantID int64, g play.Game, now time.Time) (schedule.Numero, error) {
	first := g.Timetable.Current(now)
	if !now.Before(first.Close) {
		first = g.Timetable.Next(first)
	}
	last, err := q.LastLotterySeries(ctx, merchantID, int64(g.ID))
	switch {
	case err == nil && last.FirstDraw >= millis(first.Draw): // the clock was set back, or the previous series has just begun
		first = g.Timetable.Current(time.UnixMilli(last.FirstDraw))
	case err != nil && !errors.Is(err, sql.ErrNoRows):
		return first, fmt.Errorf("read series: %w", err)
	}
	for { // numeros with bets keep their series
		_, err := q.LotteryNumero(ctx, merchantID, int64(g.ID), first.ID)
		if errors.Is(err, sql.ErrNoRows) {
			return first, nil
		}
		if err != nil {
			return first, fmt.Errorf("read numero: %w", err)
		}
		first = g.Timetable.Next(first)
	}
}

// unplanned returns the names of running series that have no plan yet.
func (s *Service) unplanned(ctx context.Context) (map[string]bool, error) {
	names, err := s.o.Store.Q().UnplannedSeries(ctx)
	out := map[string]bool{}
	for _, name := range names {
		out[name] = true
	}
	return out, wrap("read series", err)
}

// seedOf returns a series and its seed with the given number.
func (s *Service) seedOf(ctx context.Context, seriesID, link int64) (fairness.Seed, query.LotterySeriesRow, error) {
	row, err := s.o.Store.Q().LotterySeries(ctx, seriesID)
	if err != nil {
		return fairness.Seed{}, row, fmt.Errorf("read series: %w", err)
	}
	c, known := s.chains.GetIfPresent(seriesID) // only for series of older versions
	if !known {
		sealed, err := s.o.Store.Q().LotteryChain(ctx, seriesID)
		if err != nil {
			return fairness.Seed{}, row, fmt.Errorf("read series: %w", err)
		}
		if len(sealed) == 0 {
			seed, err := s.o.Series.Seed(ctx, seriesID, link)
			return seed, row, err
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

// Rekey encrypts the seeds of series that older versions stored with a new root key.
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
