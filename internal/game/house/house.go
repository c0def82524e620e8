// Package house is the platform's own game server, called the House. It moves money only with the vendor protocol, like an external
// vendor, and does not use the packages for members, the ledger or the catalogue. It connects its parts and adds their HTTP routes:
// round plays slots, table runs live tables, and bet makes the wallet calls of both.
package house

import (
	"context"
	"io"
	"log/slog"
	"sync"
	"time"

	"fairground/internal/game/fairness/series"
	"fairground/internal/game/house/bet"
	"fairground/internal/game/house/frame"
	"fairground/internal/game/house/round"
	"fairground/internal/game/house/seed"
	"fairground/internal/game/house/table"
	"fairground/internal/game/house/wallet"
	"fairground/internal/platform/db"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/secret"
)

const recoverInterval = 5 * time.Second

// Options configure a Service.
type Options struct {
	Store    *db.Store
	Wallet   *wallet.Client
	Launches frame.Launches
	Games    frame.Games
	Player   func(ctx context.Context, memberID int64) (string, error) // returns a member's player id in the wallet
	Keys     *secret.Keys
	Series   *series.Service
	Random   io.Reader // crypto/rand.Reader in production
	IDs      db.IDs
	Now      func() time.Time
	Log      *slog.Logger
	Gate     rest.Gate // closes the tables' streams when the site closes; may be nil
	Bus      table.Bus // notifies other replicas of table changes; if nil, replicas poll the database

	// Time replaces the database's time. It is nil in production.
	Time func(ctx context.Context, tx *db.Tx) (time.Time, error)
}

// A Service is the House.
type Service struct {
	Bets   *bet.Service
	Rounds *round.Service
	Tables *table.Service

	o      Options
	frames *frame.Service
	seeds  *seed.Store

	ctx     context.Context
	cancel  context.CancelFunc
	running sync.WaitGroup
}

// New returns a Service.
func New(o Options) *Service {
	s := &Service{o: o, seeds: &seed.Store{DB: o.Store, Keys: o.Keys, Random: o.Random, Now: o.Now}}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	clock := bet.Clock{Store: o.Store, Fixed: o.Time}
	s.frames = frame.New(frame.Options{
		Store: o.Store, Wallet: o.Wallet, Launches: o.Launches, Keys: o.Keys, Random: o.Random, IDs: o.IDs, Now: o.Now, Serves: Serves, Check: s.check,
	})
	s.Bets = bet.New(bet.Options{Store: o.Store, Wallet: o.Wallet, Keys: o.Keys, Now: o.Now, Clock: clock, Log: o.Log})
	s.Rounds = round.New(round.Options{Store: o.Store, Bets: s.Bets, Frames: s.frames, Seeds: s.seeds, IDs: o.IDs, Now: o.Now, Clock: clock})
	s.Tables = table.New(table.Options{
		Store: o.Store, Bets: s.Bets, Frames: s.frames, Seeds: s.seeds, Series: o.Series, IDs: o.IDs, Clock: clock, Log: o.Log, Gate: o.Gate, Bus: o.Bus,
	})
	s.Bets.Use(s.Rounds, s.Tables)
	return s
}

func (s *Service) check(f frame.Frame) error {
	if table.Serves(f.Category) {
		return s.Tables.Check(f)
	}
	return s.Rounds.Check(f)
}

// Start runs Recover now and periodically. Every process runs it itself, because the job runner may need minutes to notice that a
// process has stopped, and players at the tables would wait.
func (s *Service) Start() {
	s.running.Go(func() {
		if err := s.Tables.PublishSeries(s.ctx); err != nil && s.ctx.Err() == nil {
			s.o.Log.WarnContext(s.ctx, "some tables have no series yet: the first round publishes it", "error", err)
		}
		ticker := time.NewTicker(recoverInterval)
		defer ticker.Stop()
		for {
			if err := s.Recover(s.ctx); err != nil && s.ctx.Err() == nil {
				s.o.Log.WarnContext(s.ctx, "some rounds are not finished yet: the next recovery retries them", "error", err)
			}
			select {
			case <-s.ctx.Done():
				return
			case <-ticker.C:
			}
		}
	})
}

// Recover starts the tables with an open round, and finishes interrupted bets (PP-15).
func (s *Service) Recover(ctx context.Context) error {
	if err := s.Tables.StartUnfinished(ctx); err != nil {
		return err
	}
	return s.Bets.Recover(ctx)
}

// Close stops the recovery, closes the tables' streams, releases the tables to other processes and finishes accepted writes.
func (s *Service) Close() {
	s.cancel()
	s.running.Wait()
	s.Tables.Close()
	s.Bets.Close()
}

// Sweep deletes old frames. It runs as a periodic job.
func (s *Service) Sweep(ctx context.Context) error { return s.frames.Sweep(ctx) }

// ListStuck returns the stuck rounds, oldest first, followed by the tickets that this server cannot settle.
func ListStuck(ctx context.Context, store *db.Store) ([]bet.Stuck, error) {
	stuck, err := bet.ListStuck(ctx, store)
	if err != nil {
		return nil, err
	}
	unsettled, err := table.ListUnsettled(ctx, store)
	return append(stuck, unsettled...), err
}
