package table

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"time"

	"fairground/internal/game/fairness/series"
	"fairground/internal/game/house/refusal"
	"fairground/internal/platform/db"
)

const (
	// requestLifetime is how long a table stays wanted after a request without a stream.
	requestLifetime = 15 * time.Second
	// pollInterval is the time between two polls of a table within a phase, unless a bus reports changes.
	pollInterval = 500 * time.Millisecond
	// ticketInterval is the least time between two reads of a round's tickets.
	ticketInterval = time.Second
	// pollTimeout bounds one poll.
	pollTimeout = 15 * time.Second
)

type desks struct {
	s         *Service
	owner     string // this process's name in leases
	ctx       context.Context
	cancel    context.CancelFunc
	runs      sync.WaitGroup
	manual    bool // tests poll the tables themselves
	listeners listeners

	byChange    bool   // a bus reports changes by other processes
	unsubscribe func() // nil without a bus

	mu     sync.Mutex
	byID   map[string]*desk
	closed bool
}

func (a *desks) init(s *Service) {
	a.s, a.byID = s, map[string]*desk{}
	a.ctx, a.cancel = context.WithCancel(context.Background())
	a.subscribe()
}

func (a *desks) close() {
	a.mu.Lock()
	a.closed = true
	a.mu.Unlock()
	if a.unsubscribe != nil {
		a.unsubscribe()
	}
	a.cancel()
	a.runs.Wait()
}

// at returns the desk of a table on behalf of a request, and starts it where needed.
func (a *desks) at(t *table) *desk {
	a.mu.Lock()
	defer a.mu.Unlock()
	d := a.start(t)
	d.noteRequest()
	return d
}

func (a *desks) run(t *table) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.start(t)
}

// start returns a table's desk, and creates it where needed. The caller holds the lock.
func (a *desks) start(t *table) *desk {
	if a.owner == "" {
		a.owner = "h" + strconv.FormatInt(a.s.o.IDs(), 10)
	}
	d := a.byID[t.ID]
	if d == nil {
		d = &desk{s: a.s, table: t, woken: make(chan struct{}, 1), listeners: map[*listener]bool{}}
		a.byID[t.ID] = d
		if !a.manual && !a.closed {
			a.runs.Go(func() { d.run(a.ctx) })
		}
	}
	return d
}

// remove removes an idle desk. It reports false when the desk is wanted again.
func (a *desks) remove(d *desk) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if d.isWanted() {
		return false
	}
	delete(a.byID, d.table.ID)
	return true
}

// StartUnfinished starts the tables with an open round: tickets may be on them.
func (s *Service) StartUnfinished(ctx context.Context) error {
	ids, err := s.o.Store.Q().UnfinishedTables(ctx)
	if err != nil {
		return wrap("read unfinished tables", err)
	}
	for _, id := range ids {
		t := tables().byID[id]
		if t == nil {
			t = &table{ID: id, retired: true}
		}
		s.desks.run(t)
	}
	return nil
}

// A desk is one table in this process. It polls the table's round, advances the round while this process leads the table,
// and notifies the listeners.
type desk struct {
	s     *Service
	table *table
	woken chan struct{}

	// Used by poll, under pollMu.
	pollMu  sync.Mutex
	lease   lease
	pause   time.Duration
	settled int64 // the last round whose tickets this process has settled

	mu          sync.Mutex
	listeners   map[*listener]bool
	lastRequest time.Time // by the monotonic clock, as the next
	ticketsRead time.Time
	changed     bool // tickets have changed since ticketsRead
	last        *view
}

func (d *desk) noteRequest() {
	d.mu.Lock()
	d.lastRequest = time.Now()
	d.mu.Unlock()
}

// join adds a listener. It returns nil when the table is full.
func (d *desk) join(f tableFrame) *listener {
	l := d.s.desks.listeners.add(f)
	d.mu.Lock()
	full := len(d.listeners) >= maxStreamsPerTable
	if !full {
		d.listeners[l] = true
	}
	d.mu.Unlock()
	if full {
		d.s.desks.listeners.remove(l)
		return nil
	}
	d.wake()
	return l
}

func (d *desk) leave(l *listener) {
	d.s.desks.listeners.remove(l)
	d.mu.Lock()
	delete(d.listeners, l)
	d.mu.Unlock()
}

func (d *desk) isWanted() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.listeners) > 0 || !d.lastRequest.IsZero() && time.Since(d.lastRequest) < requestLifetime
}

func (d *desk) wake() {
	select {
	case d.woken <- struct{}{}:
	default:
	}
}

// markChanged records that tickets have changed. The desk reads them at once, or when ticketInterval has passed.
func (d *desk) markChanged() {
	d.mu.Lock()
	first := !d.changed
	d.changed = true
	due := time.Since(d.ticketsRead) >= ticketInterval
	d.mu.Unlock()
	if first || due { // an early poll only plans the next one
		d.wake()
	}
}

func (d *desk) run(ctx context.Context) {
	defer func() {
		releasing, cancel := context.WithTimeout(context.WithoutCancel(ctx), pollTimeout)
		defer cancel()
		d.release(releasing)
	}()
	for {
		wait, idle := d.poll(ctx)
		if idle && d.s.desks.remove(d) {
			return
		}
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
			timer.Stop()
			return
		case <-d.woken:
			timer.Stop()
		case <-timer.C:
		}
	}
}

// poll updates the table once. It returns when to poll again, and whether the desk is idle.
func (d *desk) poll(ctx context.Context) (wait time.Duration, idle bool) {
	d.pollMu.Lock()
	defer d.pollMu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, pollTimeout)
	defer cancel()
	wanted := d.isWanted()
	d.pause = pollInterval
	v, err := d.update(ctx, wanted)
	if err != nil {
		if ctx.Err() == nil {
			d.s.o.Log.ErrorContext(ctx, "poll table", "table", d.table.ID, "error", err)
		}
		return max(d.pause, time.Second), false
	}
	d.publish(v)
	if v.round != nil {
		at := db.Millis(v.at)
		d.pause = max(d.pause, d.s.desks.interval(v.round, at))
		for _, next := range []int64{v.round.ClosesAt, v.round.DealAt, v.round.ResultAt, v.round.EndsAt} {
			if next > at {
				d.pause = min(d.pause, ms(next-at))
				break
			}
		}
		d.mu.Lock()
		if d.changed {
			d.pause = min(d.pause, ticketInterval-time.Since(d.ticketsRead))
		}
		d.mu.Unlock()
	}
	return max(d.pause, 10*time.Millisecond), !wanted && isFinished(v.round)
}

// update advances the round if this process can lead the table, and returns the table's view.
func (d *desk) update(ctx context.Context, wanted bool) (*view, error) {
	now, err := d.s.o.Clock.Now(ctx, nil)
	if err != nil {
		return nil, err
	}
	steady := time.Now()
	round, err := d.s.lastRound(ctx, d.table.ID)
	if err != nil {
		return nil, err
	}
	if d.isForeign(ctx, now, round) {
		d.release(ctx)
		return d.read(ctx, now, steady, round)
	}
	if wanted || !isFinished(round) {
		leads, err := d.acquire(ctx, now)
		if err == nil && leads {
			err = d.advance(ctx, now, round, wanted)
		}
		if err != nil && !errors.Is(err, refusal.ErrUnavailable) {
			return nil, err
		}
		if err != nil && !errors.Is(err, series.ErrWaiting) { // no randomness: the table waits, but can be read
			d.s.o.Log.ErrorContext(ctx, "the table opens no round: the random source failed", "table", d.table.ID, "error", err)
		}
		if round, err = d.s.lastRound(ctx, d.table.ID); err != nil {
			return nil, err
		}
		if leads && isDecided(round) && d.settled != round.ID {
			d.settle(ctx, round.ID)
		}
	}
	return d.read(ctx, now, steady, round)
}

func (d *desk) settle(ctx context.Context, round int64) {
	d.settled = round
	work := func(ctx context.Context) {
		if err := d.s.settleRound(ctx, round); err != nil {
			d.s.o.Log.WarnContext(ctx, "some tickets are not settled yet: recovery retries them", "table", d.table.ID, "round", round, "error", err)
		}
		d.expireTickets()
	}
	if d.s.desks.manual {
		work(ctx)
		return
	}
	d.s.desks.runs.Go(func() { work(d.s.desks.ctx) })
}

func (d *desk) expireTickets() {
	d.mu.Lock()
	d.ticketsRead = time.Time{}
	d.mu.Unlock()
	d.wake()
	d.notify(ticketsChange)
}
