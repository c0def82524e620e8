// Package jackpot implements progressive jackpots. Each currency of a merchant has one pool in the ledger. A share of
// every eligible stake goes into it, and one stake wins it by a draw that anyone can verify. The package provides a
// ticket row to post with each eligible bet, and draws the ticket after the bet's round is settled.
//
// It serves no game, never decides what a round pays, and treats all players alike.
package jackpot

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"fairground/internal/game/fairness/series"
	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/events"
	"fairground/internal/platform/secret"
)

// EventWon is the event sent to the winner's open pages.
const EventWon = "jackpot.won"

// account is the ledger account kind of pools.
const account = "jackpot"

// Transfer kinds.
const (
	kindShare  = "jackpot.share"
	kindStart  = "jackpot.seed"
	kindWin    = "jackpot.win"
	kindReturn = "jackpot.back" // returns an unused start amount
)

// Ledger is the part of the ledger that this package needs.
type Ledger interface {
	PostIn(ctx context.Context, tx *db.Tx, transfers ...ledger.Transfer) ([]ledger.Posted, error)
	Write(ctx context.Context, fn func(*db.Tx) error) error
	House(ctx context.Context, merchant int64, kind, currency string) (ledger.Account, error)
}

// Outbox sends messages after the commit.
type Outbox interface {
	Add(ctx context.Context, tx *db.Tx, now time.Time, messages ...events.Message) error
	Wake()
}

// Settings is the part of the merchant's settings that this package needs.
type Settings interface {
	// JackpotShare returns the share of stakes in per mille. If it is 0, nothing is added and no series follows the
	// current one.
	JackpotShare(ctx context.Context, merchantID int64) (perMille int64, err error)
	// JackpotVendors returns the external vendors whose jackpot games take part.
	JackpotVendors(ctx context.Context, merchantID int64) ([]string, error)
	// JackpotSeries returns how many wins per day pause the pool. It limits how many start amounts can be lost in a
	// day.
	JackpotSeries(ctx context.Context, merchantID int64) (perDay int64, err error)
	Currency(ctx context.Context, merchantID int64) (money.Currency, error)
}

// Limits is the part of members' play limits that this package needs.
type Limits interface {
	// Return returns the row that counts a win as returned.
	Return(memberID int64, currency string, amount money.Minor) ledger.Row
}

// VendorRegistry is the part of vendor.Registry that this package needs.
type VendorRegistry interface {
	// HouseVendors returns the codes of the vendors whose games the House serves.
	HouseVendors(ctx context.Context, merchantID int64) ([]string, error)
	// Vendors returns the codes of all vendors.
	Vendors(ctx context.Context, merchantID int64) ([]string, error)
}

// Options configure a Service.
type Options struct {
	Store    *db.Store
	Ledger   Ledger
	Outbox   Outbox
	Settings Settings
	Vendors  VendorRegistry
	Limits   Limits           // nil means no limits
	Rules    map[string]Rules // by currency; nil means the published rules
	Keys     *secret.Keys
	Series   *series.Service // the source of the seeds
	Now      func() time.Time
	Log      *slog.Logger
}

// A Service runs the jackpots.
type Service struct {
	o          Options
	knownPools sync.Map // poolName: true
	statuses   sync.Map // poolName: poolStatus

	ctx   context.Context // canceled by Close
	stop  context.CancelFunc
	draws sync.WaitGroup
}

// New returns a Service.
func New(o Options) *Service {
	if o.Rules == nil {
		o.Rules = rules
	}
	s := &Service{o: o}
	s.ctx, s.stop = context.WithCancel(context.Background())
	return s
}

const drawEvery = 5 * time.Second

// Start draws in the background until Close. It is not a periodic job, because a job of a crashed replica restarts
// only minutes later.
func (s *Service) Start() {
	s.draws.Go(func() {
		every := time.NewTicker(drawEvery)
		defer every.Stop()
		for {
			if err := s.Draw(s.ctx); err != nil && s.ctx.Err() == nil {
				s.o.Log.ErrorContext(s.ctx, "draw jackpots; the draw is retried", "error", err)
			}
			select {
			case <-s.ctx.Done():
				return
			case <-every.C:
			}
		}
	})
}

// Close stops drawing. Another replica repeats uncommitted work.
func (s *Service) Close() {
	s.stop()
	s.draws.Wait()
}
