// Package table runs the live tables, where many players bet on the same rounds. One process leads each table. It opens,
// closes and deals the rounds by the database's clock, and settles the tickets. A ticket is a player's bet on a round.
package table

import (
	"fmt"
	"log/slog"
	"sync"
	"time"

	"fairground/internal/game/fairness/series"
	"fairground/internal/game/house/bet"
	"fairground/internal/game/house/frame"
	"fairground/internal/game/house/refusal"
	"fairground/internal/game/house/seed"
	"fairground/internal/platform/batch"
	"fairground/internal/platform/db"
	"fairground/internal/platform/rest"
)

// Options configure a Service.
type Options struct {
	Store  *db.Store
	Bets   *bet.Service
	Frames *frame.Service
	Seeds  *seed.Store
	Series *series.Service
	IDs    db.IDs
	Clock  bet.Clock
	Log    *slog.Logger
	Gate   rest.Gate // closes streams when the site closes; may be nil
	Bus    Bus       // notifies other replicas of changes; if nil, replicas poll the database
}

// A Service runs the tables.
type Service struct {
	o       Options
	dealers dealers
	runners runners

	loggedSkipsMu sync.Mutex
	loggedSkips   map[string]int64 // by table: the last round that was logged as left to another server

	ticketBatcher    *batch.Batcher[*ticketRequest]
	placementBatcher *batch.Batcher[*placement]
}

// New returns a Service.
func New(o Options) *Service {
	s := &Service{o: o, dealers: tables().dealers, loggedSkips: map[string]int64{}}
	s.runners.init(s)
	s.ticketBatcher, s.placementBatcher = bet.NewBatcher(o.Store.Engine, s.beginTickets), bet.NewBatcher(o.Store.Engine, s.placeTickets)
	return s
}

// Close closes the streams, releases the tables to other processes and finishes the accepted tickets.
func (s *Service) Close() {
	s.runners.close()
	s.ticketBatcher.Close()
	s.placementBatcher.Close()
}

// A tableFrame is a frame of a table game, with the table's limits in the frame's currency.
type tableFrame struct {
	frame.Frame

	table  *table
	limits limits
}

func newTableFrame(f frame.Frame) (tableFrame, error) {
	t := tables().forGame(f.Game)
	l, ok := t.limits(f.Currency.Code)
	if !ok {
		return tableFrame{}, refusal.ErrUnavailable.Because(fmt.Errorf("no stakes in %s", f.Currency.Code))
	}
	return tableFrame{f, t, l}, nil
}

// Check returns an error if the table does not accept the frame's currency.
func (s *Service) Check(f frame.Frame) error {
	_, err := newTableFrame(f)
	return err
}

// Open starts the frame's table if it is not running, and returns the name of the table's engine.
func (s *Service) Open(f frame.Frame) (engine string) {
	t := tables().forGame(f.Game)
	s.runners.startForRequest(t)
	return t.Engine
}

func ms(n int64) time.Duration { return time.Duration(n) * time.Millisecond }

func wrap(action string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", action, err)
}
