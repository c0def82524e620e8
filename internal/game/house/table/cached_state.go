package table

import (
	"context"
	"database/sql"
	"slices"
	"time"

	"fairground/internal/platform/db/query"
)

// A cachedState is a table's state as this process last read it.
type cachedState struct {
	dbTime   time.Time // the database's time when the state was read
	readAt   time.Time // the same moment on this process's monotonic clock
	round    *query.HouseTableRound
	snapshot *roundSnapshot
	results  []query.TableResultsRow // oldest first
}

// now returns the database's current time, estimated from the time since the read.
func (s *cachedState) now() time.Time { return s.dbTime.Add(time.Since(s.readAt)) }

// load returns the state of a round. It reuses the last tickets until they are older than maxTicketAge, and the last results
// until the phase changes.
func (r *runner) load(ctx context.Context, now, readAt time.Time, round *query.HouseTableRound) (*cachedState, error) {
	r.mu.Lock()
	last, ticketsRead, changed := r.lastState, r.ticketsReadAt, r.ticketsChanged
	r.mu.Unlock()
	state := &cachedState{dbTime: now, readAt: readAt, round: round, snapshot: newSnapshot(round, nil)}
	same := last != nil && last.round != nil && round != nil && last.round.ID == round.ID
	switch {
	case round == nil:
	case same && last.round.Status == round.Status && time.Since(ticketsRead) < r.s.runners.maxTicketAge(changed) && !r.s.runners.polledByTest:
		state.snapshot = last.snapshot.with(round)
	default:
		r.mu.Lock()
		r.ticketsChanged = false // cleared before the query, which may miss a later change
		r.mu.Unlock()
		rows, err := r.s.o.Store.Q().TableTickets(ctx, sql.NullInt64{Int64: round.ID, Valid: true})
		if err != nil {
			return nil, wrap("read tickets", err)
		}
		if same && slices.Equal(last.snapshot.tickets, rows) {
			state.snapshot = last.snapshot.with(round)
		} else {
			state.snapshot = newSnapshot(round, rows)
		}
		r.mu.Lock()
		r.ticketsReadAt = time.Now()
		r.mu.Unlock()
	}
	if same && last.round.Status == round.Status {
		state.results = last.results
		return state, nil
	}
	results, err := r.s.o.Store.Q().TableResults(ctx, r.table.ID)
	if err != nil {
		return nil, wrap("read results", err)
	}
	slices.Reverse(results)
	state.results = results
	return state, nil
}

// publish caches a state, and notifies the listeners if it differs from the previous one.
func (r *runner) publish(state *cachedState) {
	r.mu.Lock()
	defer r.mu.Unlock()
	previous := r.lastState
	r.lastState = state
	if previous != nil && sameRound(previous.round, state.round) && (previous.snapshot == state.snapshot || slices.Equal(previous.snapshot.tickets, state.snapshot.tickets)) {
		return
	}
	for l := range r.listeners {
		select {
		case l.changed <- struct{}{}:
		default: // a notification is already pending
		}
	}
}

func sameRound(a, b *query.HouseTableRound) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.ID == b.ID && a.Status == b.Status && a.DealAt == b.DealAt && a.ResultAt == b.ResultAt && a.EndsAt == b.EndsAt
}

// current returns the cached state, or a new one if the cached state is too old.
func (r *runner) current(ctx context.Context) (*cachedState, error) {
	r.mu.Lock()
	state := r.lastState
	r.mu.Unlock()
	if state != nil && time.Since(state.readAt) < r.s.runners.maxStateAge() && !r.s.runners.polledByTest {
		return state, nil
	}
	now, err := r.s.o.Clock.Now(ctx, nil)
	if err != nil {
		return nil, err
	}
	readAt := time.Now()
	round, err := r.s.lastRound(ctx, r.table.ID)
	if err != nil {
		return nil, err
	}
	return r.load(ctx, now, readAt, round)
}
