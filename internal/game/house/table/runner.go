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
	// requestLifetime is how long a table counts as in use after a request without a stream.
	requestLifetime = 15 * time.Second
	// pollInterval is the time between two polls of a table within a phase. With a bus, pollIntervalWithBus applies.
	pollInterval = 500 * time.Millisecond
	// ticketInterval is the minimum time between two reads of a round's tickets.
	ticketInterval = time.Second
	pollTimeout    = 15 * time.Second
)

// runners holds the runners of this process.
type runners struct {
	s            *Service
	owner        string // this process's name in leases
	ctx          context.Context
	cancel       context.CancelFunc
	running      sync.WaitGroup
	polledByTest bool // a test polls the tables, and nothing is cached
	listeners    listeners

	subscribed  bool   // a bus reports changes by other processes
	unsubscribe func() // nil without a bus

	mu     sync.Mutex
	byID   map[string]*runner
	closed bool
}

func (rs *runners) init(s *Service) {
	rs.s, rs.byID = s, map[string]*runner{}
	rs.ctx, rs.cancel = context.WithCancel(context.Background())
	rs.subscribe()
}

func (rs *runners) close() {
	rs.mu.Lock()
	rs.closed = true
	rs.mu.Unlock()
	if rs.unsubscribe != nil {
		rs.unsubscribe()
	}
	rs.cancel()
	rs.running.Wait()
}

// startForRequest returns the runner of a table, and starts it if it is not running. It records a request, which keeps the
// table in use for requestLifetime.
func (rs *runners) startForRequest(t *table) *runner {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	r := rs.startLocked(t)
	r.noteRequest()
	return r
}

func (rs *runners) start(t *table) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	rs.startLocked(t)
}

// startLocked returns the runner of a table, and starts it if it is not running. The caller holds the lock.
func (rs *runners) startLocked(t *table) *runner {
	if rs.owner == "" {
		rs.owner = "h" + strconv.FormatInt(rs.s.o.IDs(), 10)
	}
	r := rs.byID[t.ID]
	if r == nil {
		r = &runner{s: rs.s, table: t, wakeUp: make(chan struct{}, 1), listeners: map[*listener]bool{}}
		rs.byID[t.ID] = r
		if !rs.polledByTest && !rs.closed {
			rs.running.Go(func() { r.run(rs.ctx) })
		}
	}
	return r
}

// remove removes an idle runner. It returns false if the table is in use again.
func (rs *runners) remove(r *runner) bool {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	if r.isInUse() {
		return false
	}
	delete(rs.byID, r.table.ID)
	return true
}

// StartUnfinished starts the tables that have an open round, because the round may have tickets.
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
		s.runners.start(t)
	}
	return nil
}

// A runner runs one table in this process. It polls the table's round and notifies the listeners. While this process leads
// the table, the runner also advances the round.
type runner struct {
	s      *Service
	table  *table
	wakeUp chan struct{}

	// pollMu guards the fields that poll uses.
	pollMu      sync.Mutex
	lease       lease
	pollDelay   time.Duration
	lastSettled int64 // the id of the last round whose tickets this process has settled

	mu             sync.Mutex
	listeners      map[*listener]bool
	lastRequest    time.Time
	ticketsReadAt  time.Time
	ticketsChanged bool // since ticketsReadAt
	lastState      *cachedState
}

func (r *runner) noteRequest() {
	r.mu.Lock()
	r.lastRequest = time.Now()
	r.mu.Unlock()
}

// join adds a listener. It returns nil when the table is full.
func (r *runner) join(f tableFrame) *listener {
	l := r.s.runners.listeners.add(f)
	r.mu.Lock()
	full := len(r.listeners) >= maxStreamsPerTable
	if !full {
		r.listeners[l] = true
	}
	r.mu.Unlock()
	if full {
		r.s.runners.listeners.remove(l)
		return nil
	}
	r.wake()
	return l
}

func (r *runner) leave(l *listener) {
	r.s.runners.listeners.remove(l)
	r.mu.Lock()
	delete(r.listeners, l)
	r.mu.Unlock()
}

func (r *runner) isInUse() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.listeners) > 0 || !r.lastRequest.IsZero() && time.Since(r.lastRequest) < requestLifetime
}

func (r *runner) wake() {
	select {
	case r.wakeUp <- struct{}{}:
	default:
	}
}

// markTicketsChanged makes the runner read the tickets again, at once or as soon as ticketInterval has passed.
func (r *runner) markTicketsChanged() {
	r.mu.Lock()
	first := !r.ticketsChanged
	r.ticketsChanged = true
	due := time.Since(r.ticketsReadAt) >= ticketInterval
	r.mu.Unlock()
	if first || due { // a poll before ticketInterval has passed only schedules the next one
		r.wake()
	}
}

func (r *runner) run(ctx context.Context) {
	defer func() {
		releaseCtx, cancel := context.WithTimeout(context.WithoutCancel(ctx), pollTimeout)
		defer cancel()
		r.release(releaseCtx)
	}()
	for {
		wait, idle := r.poll(ctx)
		if idle && r.s.runners.remove(r) {
			return
		}
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
			timer.Stop()
			return
		case <-r.wakeUp:
			timer.Stop()
		case <-timer.C:
		}
	}
}

// poll updates the table once. It returns the time until the next poll, and whether the runner can stop.
func (r *runner) poll(ctx context.Context) (wait time.Duration, idle bool) {
	r.pollMu.Lock()
	defer r.pollMu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, pollTimeout)
	defer cancel()
	inUse := r.isInUse()
	r.pollDelay = pollInterval
	state, err := r.update(ctx, inUse)
	if err != nil {
		if ctx.Err() == nil {
			r.s.o.Log.ErrorContext(ctx, "poll table", "table", r.table.ID, "error", err)
		}
		return max(r.pollDelay, time.Second), false
	}
	r.publish(state)
	if state.round != nil {
		nowMs := db.Millis(state.dbTime)
		r.pollDelay = max(r.pollDelay, r.s.runners.maxPollDelay(state.round, nowMs))
		for _, next := range []int64{state.round.ClosesAt, state.round.DealAt, state.round.ResultAt, state.round.EndsAt} {
			if next > nowMs {
				r.pollDelay = min(r.pollDelay, ms(next-nowMs))
				break
			}
		}
		r.mu.Lock()
		if r.ticketsChanged {
			r.pollDelay = min(r.pollDelay, ticketInterval-time.Since(r.ticketsReadAt))
		}
		r.mu.Unlock()
	}
	return max(r.pollDelay, 10*time.Millisecond), !inUse && isFinished(state.round)
}

// update advances the round if this process can lead the table, and returns the table's state.
func (r *runner) update(ctx context.Context, inUse bool) (*cachedState, error) {
	now, err := r.s.o.Clock.Now(ctx, nil)
	if err != nil {
		return nil, err
	}
	readAt := time.Now()
	round, err := r.s.lastRound(ctx, r.table.ID)
	if err != nil {
		return nil, err
	}
	if r.isLeftToOthers(ctx, now, round) {
		r.release(ctx)
		return r.load(ctx, now, readAt, round)
	}
	if inUse || !isFinished(round) {
		leads, err := r.acquire(ctx, now)
		if err == nil && leads {
			err = r.advance(ctx, now, round, inUse)
		}
		if err != nil && !errors.Is(err, refusal.ErrUnavailable) {
			return nil, err
		}
		if err != nil && !errors.Is(err, series.ErrWaiting) { // without randomness the table waits, but clients can still read it
			r.s.o.Log.ErrorContext(ctx, "the table opens no round: the random source failed", "table", r.table.ID, "error", err)
		}
		if round, err = r.s.lastRound(ctx, r.table.ID); err != nil {
			return nil, err
		}
		if leads && isDecided(round) && r.lastSettled != round.ID {
			r.settle(ctx, round.ID)
		}
	}
	return r.load(ctx, now, readAt, round)
}

func (r *runner) settle(ctx context.Context, round int64) {
	r.lastSettled = round
	settle := func(ctx context.Context) {
		if err := r.s.settleRound(ctx, round); err != nil {
			r.s.o.Log.WarnContext(ctx, "some tickets are not settled yet: recovery retries them", "table", r.table.ID, "round", round, "error", err)
		}
		r.rereadTickets()
	}
	if r.s.runners.polledByTest {
		settle(ctx)
		return
	}
	r.s.runners.running.Go(func() { settle(r.s.runners.ctx) })
}

func (r *runner) rereadTickets() {
	r.mu.Lock()
	r.ticketsReadAt = time.Time{}
	r.mu.Unlock()
	r.wake()
	r.notifyReplicas(ticketsChange)
}
