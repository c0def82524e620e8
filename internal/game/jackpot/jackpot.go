// Package jackpot keeps the progressive jackpots: for each currency of a merchant a pool in the ledger, which a share of every
// qualifying stake makes grow and one stake wins by a draw that anybody can do again. It is asked for a row to ride with a bet, and
// draws once the bet's round is settled. It serves no game, never decides what a round pays, and knows of no player who is
// better served than another.
package jackpot

import (
	"context"
	"io"
	"log/slog"
	"sync"
	"time"

	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/events"
	"fairground/internal/platform/secret"
)

// Event is the name of what a winner's open pages are told.
const EventWon = "jackpot.won"

// account is the kind of the ledger's account in which a pool stands.
const account = "jackpot"

// Kinds of the transfers that pools are moved by.
const (
	kindShare  = "jackpot.share"
	kindStart  = "jackpot.seed"
	kindWin    = "jackpot.win"
	kindReturn = "jackpot.back" // of a seed that nobody has played for
)

// Ledger is the part of the ledger that pools need.
type Ledger interface {
	PostIn(ctx context.Context, tx *db.Tx, transfers ...ledger.Transfer) ([]ledger.Posted, error)
	Write(ctx context.Context, fn func(*db.Tx) error) error
	House(ctx context.Context, merchant int64, kind, currency string) (ledger.Account, error)
}

// Outbox announces what was committed.
type Outbox interface {
	Add(ctx context.Context, tx *db.Tx, now time.Time, messages ...events.Message) error
	Wake()
}

// Settings is the part of the merchant's settings that pools follow.
type Settings interface {
	// JackpotShare is what of every thousand staked goes to the pool; 0: nothing, and where the pool is won no other follows.
	JackpotShare(ctx context.Context, merchantID int64) (perMille int64, err error)
	// JackpotVendors are the codes of those outside the House whose jackpot games have a part.
	JackpotVendors(ctx context.Context, merchantID int64) ([]string, error)
	// JackpotSeries is how often a pool may be won within a day before the next series waits: so many seeds are at stake, and no more.
	JackpotSeries(ctx context.Context, merchantID int64) (perDay int64, err error)
	Currency(ctx context.Context, merchantID int64) (money.Currency, error)
}

// Limits is what counts against members' own limits.
type Limits interface {
	// Return is the row by which what is won counts as come back.
	Return(memberID int64, currency string, amount money.Minor) ledger.Row
}

// Makers tells who serves games.
type VendorRegistry interface {
	// HouseVendors are the codes of those whose games are the House's.
	HouseVendors(ctx context.Context, merchantID int64) ([]string, error)
	// Vendors are the codes of all that there are.
	Vendors(ctx context.Context, merchantID int64) ([]string, error)
}

// Options of the service.
type Options struct {
	Store    *db.Store
	Ledger   Ledger
	Outbox   Outbox
	Settings Settings
	Vendors  VendorRegistry
	Limits   Limits           // nil: nobody has any
	Rules    map[string]Rules // by currency; nil: those that are published
	Keys     *secret.Keys
	Random   io.Reader // crypto/rand's
	Now      func() time.Time
	Log      *slog.Logger
}

// Service keeps the pools.
type Service struct {
	o          Options
	knownPools sync.Map // poolName: those that are known to be there
	statuses   sync.Map // poolName: sighting

	ctx   context.Context // ends when drawing is to end
	stop  context.CancelFunc
	draws sync.WaitGroup
}

// New makes the service.
func New(o Options) *Service {
	if o.Rules == nil {
		o.Rules = rules
	}
	s := &Service{o: o}
	s.ctx, s.stop = context.WithCancel(context.Background())
	return s
}

// drawEvery is how often each process looks for stakes to draw for.
const drawEvery = 5 * time.Second

// Start has this process draw, at once and from then on: a periodic job that was cut off with another server would be taken up
// minutes later only, and winners wait.
func (s *Service) Start() {
	s.draws.Go(func() {
		every := time.NewTicker(drawEvery)
		defer every.Stop()
		for {
			if err := s.Draw(s.ctx); err != nil && s.ctx.Err() == nil {
				s.o.Log.ErrorContext(s.ctx, "some stakes are drawn for later", "error", err)
			}
			select {
			case <-s.ctx.Done():
				return
			case <-every.C:
			}
		}
	})
}

// Close ends the drawing. What was begun and not committed is done by whoever looks next.
func (s *Service) Close() {
	s.stop()
	s.draws.Wait()
}
