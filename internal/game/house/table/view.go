package table

import (
	"context"
	"database/sql"
	"slices"
	"time"

	"fairground/internal/platform/db/query"
)

// A view is a table's state as this process last read it.
type view struct {
	at       time.Time // the database's time
	steady   time.Time // the same moment by this process's monotonic clock
	round    *query.HouseTableRound
	snapshot *roundSnapshot
	results  []query.TableResultsRow // oldest first
}

// now extrapolates the database's time.
func (v *view) now() time.Time { return v.at.Add(time.Since(v.steady)) }

// read reads the view of a round: its tickets when they have changed, at most once per ticketInterval; the results when the
// phase changes.
func (d *desk) read(ctx context.Context, now, steady time.Time, round *query.HouseTableRound) (*view, error) {
	d.mu.Lock()
	last, ticketsRead, changed := d.last, d.ticketsRead, d.changed
	d.mu.Unlock()
	v := &view{at: now, steady: steady, round: round, snapshot: newSnapshot(round, nil)}
	same := last != nil && last.round != nil && round != nil && last.round.ID == round.ID
	switch {
	case round == nil:
	case same && last.round.Status == round.Status && time.Since(ticketsRead) < d.s.desks.ticketAge(changed) && !d.s.desks.manual:
		v.snapshot = last.snapshot.with(round)
	default:
		d.mu.Lock()
		d.changed = false // before the read: a later change may be missing from it
		d.mu.Unlock()
		rows, err := d.s.o.Store.Q().TableTickets(ctx, sql.NullInt64{Int64: round.ID, Valid: true})
		if err != nil {
			return nil, wrap("read tickets", err)
		}
		if same && slices.Equal(last.snapshot.tickets, rows) {
			v.snapshot = last.snapshot.with(round)
		} else {
			v.snapshot = newSnapshot(round, rows)
		}
		d.mu.Lock()
		d.ticketsRead = time.Now()
		d.mu.Unlock()
	}
	if same && last.round.Status == round.Status {
		v.results = last.results
		return v, nil
	}
	results, err := d.s.o.Store.Q().TableResults(ctx, d.table.ID)
	if err != nil {
		return nil, wrap("read results", err)
	}
	slices.Reverse(results)
	v.results = results
	return v, nil
}

// publish stores a view, and notifies the listeners if it differs from the last.
func (d *desk) publish(v *view) {
	d.mu.Lock()
	defer d.mu.Unlock()
	last := d.last
	d.last = v
	if last != nil && sameRound(last.round, v.round) && (last.snapshot == v.snapshot || slices.Equal(last.snapshot.tickets, v.snapshot.tickets)) {
		return
	}
	for l := range d.listeners {
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

// view returns the last view, or reads a new one if the last is too old.
func (d *desk) view(ctx context.Context) (*view, error) {
	d.mu.Lock()
	v := d.last
	d.mu.Unlock()
	if v != nil && time.Since(v.steady) < d.s.desks.viewAge() && !d.s.desks.manual {
		return v, nil
	}
	now, err := d.s.o.Clock.Now(ctx, nil)
	if err != nil {
		return nil, err
	}
	steady := time.Now()
	round, err := d.s.lastRound(ctx, d.table.ID)
	if err != nil {
		return nil, err
	}
	return d.read(ctx, now, steady, round)
}
