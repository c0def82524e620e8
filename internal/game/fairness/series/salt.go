package series

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"fairground/internal/game/fairness/beacon"
	"fairground/internal/platform/audit"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

const (
	// defaultAhead is the default of Options.Ahead. Games wait so long for their first series.
	defaultAhead = 30 * time.Second
	// defaultNextAhead is the default of Options.NextAhead. In a day, people outside can note the end.
	defaultNextAhead = 24 * time.Hour
	// lastPart says when the next series is published: when at most one of lastPart links is left.
	lastPart = 100
)

// errStarted means that another process started or ended a series first.
var errStarted = errors.New("series: the series no longer waits")

// plan returns the row of a new series. With a beacon, the series waits for a round that becomes public after the time ahead.
func (s *Service) plan(ctx context.Context, kind, name string, generation int64, ahead time.Duration) (query.AddSeriesParams, error) {
	row := query.AddSeriesParams{Kind: kind, Name: name, Generation: generation, Source: ByOperator}
	if s.o.Beacon == nil {
		return row, nil
	}
	c, err := s.o.Beacon.Chain(ctx)
	if err != nil {
		return row, fmt.Errorf("%w: %w", ErrWaiting, err)
	}
	round := c.RoundAt(s.o.Now().Add(ahead))
	row.Source, row.Detail, row.DueAt = ByBeacon, beacon.Detail(c.Hash, round), db.Millis(c.Time(round))
	return row, nil
}

// StartDue publishes the next series of names that need one soon, and starts the series whose beacon rounds are public.
// Several replicas may call it: each series starts once.
func (s *Service) StartDue(ctx context.Context) error {
	if s.o.Beacon == nil {
		return nil
	}
	ctx = bySystem(ctx)
	var failed []error
	if err := s.publishNext(ctx); err != nil {
		failed = append(failed, err)
	}
	rows, err := s.o.Store.Q().WaitingSeries(ctx, ByBeacon)
	if err != nil {
		return errors.Join(append(failed, fmt.Errorf("read series: %w", err))...)
	}
	for _, row := range rows {
		if row.DueAt > db.Millis(s.o.Now()) {
			continue
		}
		value, err := s.beaconValue(ctx, row)
		if err != nil {
			s.logWaiting(ctx, row, err)
			continue
		}
		err = s.o.Store.Write(ctx, func(tx *db.Tx) error {
			started, err := s.start(ctx, tx, row, value.Randomness, value.Signature)
			if err != nil {
				return err
			}
			return audit.Append(ctx, tx, s.o.Now(), audit.Entry{Action: "fairness.series_start", Object: auditObject(row.ID), Before: Logged(infoOf(row)), After: Logged(started)})
		})
		if err != nil && !errors.Is(err, errStarted) {
			failed = append(failed, fmt.Errorf("start series %d: %w", row.ID, err))
		}
	}
	return errors.Join(failed...)
}

// publishNext publishes the next series of a name if the present one is almost used up, or was created without a beacon.
func (s *Service) publishNext(ctx context.Context) error {
	rows, err := s.o.Store.Q().SeriesOfKind(ctx, "")
	if err != nil {
		return fmt.Errorf("read series: %w", err)
	}
	for i, row := range rows { // sorted by kind and name, newest first
		newest := i == 0 || rows[i-1].Kind != row.Kind || rows[i-1].Name != row.Name
		// The operator ended the previous series before it started, because the beacon did not respond.
		declined := i+1 < len(rows) && rows[i+1].Kind == row.Kind && rows[i+1].Name == row.Name && rows[i+1].StartedAt == 0
		almostUsed := row.Length-row.Used <= max(1, row.Length/lastPart)
		if !newest || row.State != Running || !almostUsed && (row.Source != ByOperator || declined) {
			continue
		}
		next, err := s.plan(ctx, row.Kind, row.Name, row.Generation+1, s.o.NextAhead)
		if err != nil {
			s.logWaiting(ctx, row, err)
			return nil // the present series stay in use
		}
		if err := s.create(ctx, next, s.o.NextAhead); err != nil {
			return err
		}
	}
	return nil
}

// beaconValue reads the value of the beacon round that a series announced.
func (s *Service) beaconValue(ctx context.Context, row query.FairSeries) (beacon.Value, error) {
	hash, round, err := beacon.ParseDetail(row.Detail)
	if err != nil {
		return beacon.Value{}, err
	}
	if hash != s.o.Beacon.Hash() {
		return beacon.Value{}, fmt.Errorf("the series waits for the chain %s, but the server is configured with %s", hash, s.o.Beacon.Hash())
	}
	return s.o.Beacon.Round(ctx, round)
}

// logWaiting logs why a series has no salt. It logs the same reason only once.
func (s *Service) logWaiting(ctx context.Context, row query.FairSeries, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failed[row.ID] != err.Error() {
		s.failed[row.ID] = err.Error()
		s.o.Log.WarnContext(ctx, "a series has no salt yet: will retry", "kind", row.Kind, "name", row.Name, "generation", row.Generation, "error", err)
	}
}

// start starts a waiting series with its public value, and ends the previous series.
func (s *Service) start(ctx context.Context, tx *db.Tx, row query.FairSeries, value, signature string) (Info, error) {
	now := db.Millis(s.o.Now())
	err := tx.Q.EndSeriesOfName(ctx, query.EndSeriesOfNameParams{EndedAt: now, Kind: row.Kind, Name: row.Name, Before: row.Generation})
	if err != nil {
		return Info{}, err
	}
	n, err := tx.Q.StartSeries(ctx, query.StartSeriesParams{
		ID: row.ID, Version: row.Version, Value: value, Signature: signature, StartedAt: now,
		Salt: Salt(row.Kind, row.Name, row.Generation, row.ChainEnd, value),
	})
	if err != nil {
		return Info{}, err
	}
	if n == 0 {
		return Info{}, errStarted
	}
	started, err := tx.Q.Series(ctx, row.ID)
	if err != nil {
		return Info{}, err
	}
	return infoOf(started), s.notifyDesk(ctx, tx, row.ID)
}

// Blocked describes the games that cannot run because they have only a series without a salt. It returns an empty text if
// there are none.
func (s *Service) Blocked(ctx context.Context) (string, error) {
	var blocked []string
	for _, source := range []string{ByBeacon, Announced} {
		rows, err := s.o.Store.Q().WaitingSeries(ctx, source)
		if err != nil {
			return "", fmt.Errorf("read series: %w", err)
		}
		for _, row := range rows {
			running, err := s.o.Store.Q().RunningSeries(ctx, row.Kind, row.Name)
			if err == nil && running.Used < running.Length {
				continue
			}
			if err != nil && !errors.Is(err, sql.ErrNoRows) {
				return "", fmt.Errorf("read series: %w", err)
			}
			what := "the announced result"
			if source == ByBeacon {
				what = "the beacon"
			}
			blocked = append(blocked, fmt.Sprintf("%s %s waits for %s, due %s", row.Kind, row.Name, what, timeOf(row.DueAt).Format(time.RFC3339)))
		}
	}
	return strings.Join(blocked, "; "), nil
}
