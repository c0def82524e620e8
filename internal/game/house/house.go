// Package house is the product's own game server. It draws rounds from seeds that it commits to beforehand, and moves
// money in one way only: by the vendor protocol, signed and answered like any outside vendor's. It keeps its own frames'
// sessions, seeds and rounds, and brings every round that was cut off to an end. It knows no member, no ledger and no
// catalogue; what an outcome is worth stands in the engines.
package house

import (
	"context"
	"io"
	"log/slog"
	"sync"
	"time"

	"fairground/internal/fault"
	"fairground/internal/game/house/reels"
	"fairground/internal/game/house/spot"
	"fairground/internal/platform/db"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/secret"
)

// Faults of this package.
var (
	ErrFunds         = fault.New(fault.Refused, "house.insufficient_funds")
	ErrLimit         = fault.New(fault.Refused, "house.limit_reached")
	ErrExcluded      = fault.New(fault.Refused, "house.excluded")
	ErrExpired       = fault.New(fault.Unauth, "house.session_expired")
	ErrUnavailable   = fault.New(fault.Unavailable, "house.unavailable") // nothing was moved
	ErrClosed        = fault.New(fault.Refused, "house.game_closed")     // switched off, or under maintenance: nothing was moved
	ErrPending       = fault.New(fault.Unavailable, "house.pending")     // nobody knows yet: the same spin is to be asked for again
	ErrTooFast       = fault.New(fault.TooMany, "house.too_fast")
	ErrConflict      = fault.New(fault.Conflict, "house.spin_conflict")
	ErrRefunded      = fault.New(fault.Refused, "house.refunded")
	ErrSetAside      = fault.New(fault.Refused, "house.set_aside") // what it brings stays owed
	ErrUnknownRound  = fault.New(fault.NotFound, "house.unknown_round")
	ErrUnknownEngine = fault.New(fault.NotFound, "house.unknown_engine")
	ErrStake         = reels.ErrStake
	ErrWrongGame     = fault.New(fault.NotFound, "house.wrong_game") // a table's call in a slot's frame, or the other way round

	// Of tables. Nothing was moved by any of them.
	ErrBettingClosed = fault.New(fault.Conflict, "house.betting_closed")
	ErrUnknownSpot   = spot.ErrUnknown
	ErrSpotLimit     = fault.New(fault.Refused, "house.spot_limit")
	ErrTableLimit    = fault.New(fault.Refused, "house.table_limit")
	ErrBelowMinimum  = fault.New(fault.Refused, "house.below_minimum")
	ErrWrongMultiple = fault.New(fault.Refused, "house.wrong_multiple")
	ErrTooMany       = fault.New(fault.Refused, "house.too_many_tickets")
)

const (
	// Cycle is how long a round takes at least, from one bet to the next (PP-10).
	Cycle = 2500 * time.Millisecond
	// frameLife is as long as the wallet lets a play last.
	frameLife = 24 * time.Hour
	// keepFrames is when a frame's session is forgotten.
	keepFrames = 2 * frameLife
	// betWithin is how old a round may be whose bet is asked for again; an older one is given back.
	betWithin = time.Minute
	// driveWithin bounds one attempt to bring a round to its end. It does not end with the player's patience.
	driveWithin = 12 * time.Second
)

// Launch is what a launch address stands for beside its ticket.
type Launch struct {
	Merchant, Vendor, Game, Category string // the merchant's code; empty: the server's own
}

// Launches tells what a ticket opens, without using it up: the House's launch address carries nothing else. An unknown
// ticket gives false.
type Launches interface {
	Launched(ctx context.Context, ticket string) (Launch, bool, error)
}

// Games names a merchant's games in the player's language.
type Games interface {
	GameName(ctx context.Context, merchant, vendor, game, language string) (string, error)
}

// Options of the service.
type Options struct {
	Store    *db.Store
	Wallet   *Wallet
	Launches Launches
	Games    Games
	Player   func(memberID int64) string // as the wallet names a member
	Keys     *secret.Keys
	Random   io.Reader // crypto/rand's
	IDs      db.IDs
	Now      func() time.Time
	Log      *slog.Logger
	Gate     rest.Gate // tells a table's stream when the site closes; nil: it never does

	// Time is the database's, inside tx where there is one; nil: as the store tells it. Bets close by it (PP-14).
	Time func(ctx context.Context, tx *db.Tx) (time.Time, error)
}

// Service serves the House's games.
type Service struct {
	o       Options
	engines engines
	dealers dealers

	mu    sync.Mutex
	began map[string]begun // players' last rounds, by this process's steady clock

	foreign map[string]int64 // by table: the last round that was left to another program

	desks desks

	// What is written for many at once.
	begins  lanes[entry]
	places  lanes[placing]
	settles lanes[settling]
}

// New makes the service.
func New(o Options) *Service {
	s := &Service{o: o, engines: all(), dealers: tables().dealers, began: map[string]begun{}, foreign: map[string]int64{}}
	s.desks.open(s)
	engine := o.Store.Engine
	s.begins, s.places, s.settles = newLanes(engine, s.beginTickets), newLanes(engine, s.placeTickets), newLanes(engine, s.settleRounds)
	return s
}

// Start has this process look after what was cut off, at once and from then on: who runs the periodic jobs may take minutes
// to notice that another has died, and tables have people waiting.
func (s *Service) Start() {
	s.desks.runs.Go(func() {
		every := time.NewTicker(recoverEvery)
		defer every.Stop()
		for {
			if err := s.Recover(s.desks.ctx); err != nil && s.desks.ctx.Err() == nil {
				s.o.Log.WarnContext(s.desks.ctx, "some rounds are left for later", "error", err)
			}
			select {
			case <-s.desks.ctx.Done():
				return
			case <-every.C:
			}
		}
	})
}

// Close leaves the tables, so that others can run them, and ends their streams.
func (s *Service) Close() { s.desks.close() }

// Sweep forgets frames' sessions that are long over. It is run as a periodic job.
func (s *Service) Sweep(ctx context.Context) error {
	before := db.Millis(s.o.Now().Add(-keepFrames))
	for dropped := int64(1); dropped > 0; {
		err := s.o.Store.Write(ctx, func(tx *db.Tx) (err error) {
			dropped, err = tx.Q.DropHouseFrames(ctx, before)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}
