// Package table runs the live tables: rounds that many players share. One process leads a table. It opens, closes
// and deals the rounds by the database's clock, and settles the tickets.
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
	Gate   rest.Gate // reports to streams that the site is closed; may be nil
	Bus    Bus       // reports changes to other replicas; nil to poll
}

// A Service runs the tables.
type Service struct {
	o       Options
	dealers dealers
	desks   desks

	foreignMu sync.Mutex
	foreign   map[string]int64 // by table: the last round that was left to another program

	begins *batch.Batcher[*ticketRequest]
	places *batch.Batcher[*placement]
}

// New returns a Service.
func New(o Options) *Service {
	s := &Service{o: o, dealers: tables().dealers, foreign: map[string]int64{}}
	s.desks.init(s)
	s.begins, s.places = bet.NewBatcher(o.Store.Engine, s.beginTickets), bet.NewBatcher(o.Store.Engine, s.placeTickets)
	return s
}

// Close ends the streams, releases the tables to other processes and finishes the accepted tickets.
func (s *Service) Close() {
	s.desks.close()
	s.begins.Close()
	s.places.Close()
}

type tableFrame struct {
	frame.Frame

	table  *table
	limits limits
}

func tableOf(f frame.Frame) (tableFrame, error) {
	t := tables().of(f.Game)
	l, ok := t.limits(f.Currency.Code)
	if !ok {
		return tableFrame{}, refusal.ErrUnavailable.Because(fmt.Errorf("no stakes in %s", f.Currency.Code))
	}
	return tableFrame{f, t, l}, nil
}

// Check fails for a frame whose table has no stakes in its currency.
func (s *Service) Check(f frame.Frame) error {
	_, err := tableOf(f)
	return err
}

// Open starts the table of a new frame, and returns its engine.
func (s *Service) Open(f frame.Frame) (engine string) {
	t := tables().of(f.Game)
	s.desks.at(t)
	return t.Engine
}

func ms(n int64) time.Duration { return time.Duration(n) * time.Millisecond }

func wrap(action string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", action, err)
}
