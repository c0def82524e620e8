package house

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strconv"
	"sync"
	"time"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

const (
	// askedLately is how long somebody who asked for a table counts as sitting there.
	askedLately = 15 * time.Second
	// glance is how often a table is looked at between its phases.
	glance = 500 * time.Millisecond
	// crowdEvery is how often the crowd is counted at most.
	crowdEvery = time.Second
	// turnWithin bounds one look at a table.
	turnWithin = 15 * time.Second
)

// desks are the tables that somebody sits at in this process.
type desks struct {
	s      *Service
	owner  string // this process's name in leases
	ctx    context.Context
	cancel context.CancelFunc
	runs   sync.WaitGroup
	byHand bool // tests turn the tables themselves
	seats  seats

	mu     sync.Mutex
	desks  map[string]*desk
	closed bool
}

func (a *desks) open(s *Service) {
	a.s, a.desks = s, map[string]*desk{}
	a.ctx, a.cancel = context.WithCancel(context.Background())
}

func (a *desks) close() {
	a.mu.Lock()
	a.closed = true
	a.mu.Unlock()
	a.cancel()
	a.runs.Wait()
}

// at gives the desk of a table, opened and running from here on. Whoever asks counts as sitting there for a while.
func (a *desks) at(t *table) *desk {
	a.mu.Lock()
	defer a.mu.Unlock()
	d := a.deskOf(t)
	d.touch()
	return d
}

// wake opens a table's desk without sitting down.
func (a *desks) wake(t *table) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.deskOf(t)
}

// deskOf opens a desk where there is none. Its caller holds the lock.
func (a *desks) deskOf(t *table) *desk {
	if a.owner == "" {
		a.owner = "h" + strconv.FormatInt(a.s.o.IDs(), 10)
	}
	d := a.desks[t.ID]
	if d == nil {
		d = &desk{s: a.s, table: t, nudged: make(chan struct{}, 1), sitters: map[*sitter]bool{}}
		a.desks[t.ID] = d
		if !a.byHand && !a.closed {
			a.runs.Go(func() { d.run(a.ctx) })
		}
	}
	return d
}

// drop forgets a desk that nobody needs. It stays when somebody has come in the meantime.
func (a *desks) drop(d *desk) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if d.wanted() {
		return false
	}
	delete(a.desks, d.table.ID)
	return true
}

// wakeUnfinished has tables run whose round is open, though nobody may sit there: bets lie on them.
func (s *Service) wakeUnfinished(ctx context.Context) error {
	ids, err := s.o.Store.Q().UnfinishedTables(ctx)
	if err != nil {
		return wrap("read unfinished tables", err)
	}
	for _, id := range ids {
		t := tables().byID[id]
		if t == nil {
			t = &table{ID: id, dropped: true}
		}
		s.desks.wake(t)
	}
	return nil
}

// desk is one table in this process: it looks at the table's round, brings it on when the table is this process's to run,
// and tells those who sit there.
type desk struct {
	s      *Service
	table  *table
	nudged chan struct{}

	// Of the one that turns.
	turning sync.Mutex
	lease   lease
	pause   time.Duration
	settled int64 // the last round whose tickets this process has seen to

	mu      sync.Mutex
	sitters map[*sitter]bool
	asked   time.Time // by the steady clock
	counted time.Time // when the tickets were read
	stirred bool      // tickets have changed since
	seen    *view
}

func (d *desk) touch() {
	d.mu.Lock()
	d.asked = time.Now()
	d.mu.Unlock()
}

// sit gives a place at the table; nil where there is none left.
func (d *desk) sit(f frame) *sitter {
	s := d.s.desks.seats.take(f)
	d.mu.Lock()
	full := len(d.sitters) >= streamsAtTable
	if !full {
		d.sitters[s] = true
	}
	d.mu.Unlock()
	if full {
		d.s.desks.seats.give(s)
		return nil
	}
	d.nudge()
	return s
}

func (d *desk) rise(s *sitter) {
	d.s.desks.seats.give(s)
	d.mu.Lock()
	delete(d.sitters, s)
	d.mu.Unlock()
}

// wanted tells whether anybody sits at the table, or asked for it lately.
func (d *desk) wanted() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.sitters) > 0 || !d.asked.IsZero() && time.Since(d.asked) < askedLately
}

// nudge has the table looked at soon.
func (d *desk) nudge() {
	select {
	case d.nudged <- struct{}{}:
	default:
	}
}

// stir says that tickets have changed. They are read at once where that has not been done for a while, and otherwise together with
// all that change until then: one look is for all of them.
func (d *desk) stir() {
	d.mu.Lock()
	d.stirred = true
	due := time.Since(d.counted) >= crowdEvery
	d.mu.Unlock()
	if due {
		d.nudge()
	}
}

// view is the table as it was seen last.
type view struct {
	at      time.Time // by the database's time
	steady  time.Time // the same moment by this process's clock
	round   *query.HouseTableRound
	sheet   *sheet
	results []query.TableResultsRow // the oldest first
}

// now carries the database's time on.
func (v *view) now() time.Time { return v.at.Add(time.Since(v.steady)) }

func (d *desk) run(ctx context.Context) {
	defer func() {
		leaving, cancel := context.WithTimeout(context.WithoutCancel(ctx), turnWithin)
		defer cancel()
		d.leave(leaving)
	}()
	for {
		wait, idle := d.turn(ctx)
		if idle && d.s.desks.drop(d) {
			return
		}
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
			timer.Stop()
			return
		case <-d.nudged:
			timer.Stop()
		case <-timer.C:
		}
	}
}

// turn is one look at the table. It gives when to look again, and whether nobody needs to.
func (d *desk) turn(ctx context.Context) (wait time.Duration, idle bool) {
	d.turning.Lock()
	defer d.turning.Unlock()
	ctx, cancel := context.WithTimeout(ctx, turnWithin)
	defer cancel()
	wanted := d.wanted()
	d.pause = glance
	v, err := d.look(ctx, wanted)
	if err != nil {
		if ctx.Err() == nil {
			d.s.o.Log.ErrorContext(ctx, "look at table", "table", d.table.ID, "error", err)
		}
		return max(d.pause, time.Second), false
	}
	d.show(v)
	if v.round != nil {
		at := db.Millis(v.at)
		for _, next := range []int64{v.round.ClosesAt, v.round.DealAt, v.round.ResultAt, v.round.EndsAt} {
			if next > at {
				d.pause = min(d.pause, ms(next-at))
				break
			}
		}
		d.mu.Lock()
		if d.stirred {
			d.pause = min(d.pause, crowdEvery-time.Since(d.counted))
		}
		d.mu.Unlock()
	}
	return max(d.pause, 10*time.Millisecond), !wanted && finished(v.round)
}

func (d *desk) look(ctx context.Context, wanted bool) (*view, error) {
	now, err := d.s.now(ctx, nil)
	if err != nil {
		return nil, err
	}
	steady := time.Now()
	round, err := d.s.lastRound(ctx, d.table.ID)
	if err != nil {
		return nil, err
	}
	if d.isForeign(ctx, now, round) {
		d.leave(ctx)
		return d.see(ctx, now, steady, round)
	}
	if wanted || !finished(round) {
		held, err := d.hold(ctx, now)
		if err == nil && held {
			err = d.lead(ctx, now, round, wanted)
		}
		if err != nil && !errors.Is(err, ErrUnavailable) {
			return nil, err
		}
		if err != nil { // the source is away: the table stands still, but can be seen
			d.s.o.Log.ErrorContext(ctx, "the table stands still", "table", d.table.ID, "error", err)
		}
		if round, err = d.s.lastRound(ctx, d.table.ID); err != nil {
			return nil, err
		}
		if held && decided(round) && d.settled != round.ID {
			d.settle(ctx, round.ID)
		}
	}
	return d.see(ctx, now, steady, round)
}

// settle sees to a round's tickets beside the table, which goes on.
func (d *desk) settle(ctx context.Context, round int64) {
	d.settled = round
	work := func(ctx context.Context) {
		if err := d.s.settleRound(ctx, round); err != nil {
			d.s.o.Log.WarnContext(ctx, "some tickets are left for later", "table", d.table.ID, "round", round, "error", err)
		}
		d.recount()
	}
	if d.s.desks.byHand {
		work(ctx)
		return
	}
	d.s.desks.runs.Go(func() { work(d.s.desks.ctx) })
}

// recount has the tickets read again at once.
func (d *desk) recount() {
	d.mu.Lock()
	d.counted = time.Time{}
	d.mu.Unlock()
	d.nudge()
}

// see reads what is told of the round: its tickets once a second at most, what was dealt before when a round ends. now and
// steady are the same moment by the database's clock and by this process's.
func (d *desk) see(ctx context.Context, now, steady time.Time, round *query.HouseTableRound) (*view, error) {
	d.mu.Lock()
	last, counted := d.seen, d.counted
	d.mu.Unlock()
	v := &view{at: now, steady: steady, round: round, sheet: newSheet(round, nil)}
	same := last != nil && last.round != nil && round != nil && last.round.ID == round.ID
	switch {
	case round == nil:
	case same && last.round.Status == round.Status && time.Since(counted) < crowdEvery && !d.s.desks.byHand:
		v.sheet = last.sheet.of(round)
	default:
		d.mu.Lock()
		d.stirred = false // what changes from here on may not be among what is read
		d.mu.Unlock()
		rows, err := d.s.o.Store.Q().TableTickets(ctx, sql.NullInt64{Int64: round.ID, Valid: true})
		if err != nil {
			return nil, wrap("read tickets", err)
		}
		if same && slices.Equal(last.sheet.tickets, rows) {
			v.sheet = last.sheet.of(round)
		} else {
			v.sheet = newSheet(round, rows)
		}
		d.mu.Lock()
		d.counted = time.Now()
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

// show keeps a view, and tells those who sit there if it is another.
func (d *desk) show(v *view) {
	d.mu.Lock()
	defer d.mu.Unlock()
	last := d.seen
	d.seen = v
	if last != nil && sameRound(last.round, v.round) && (last.sheet == v.sheet || slices.Equal(last.sheet.tickets, v.sheet.tickets)) {
		return
	}
	for s := range d.sitters {
		select {
		case s.news <- struct{}{}:
		default: // it has not looked at the last yet, and will see this
		}
	}
}

func sameRound(a, b *query.HouseTableRound) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.ID == b.ID && a.Status == b.Status && a.DealAt == b.DealAt && a.ResultAt == b.ResultAt && a.EndsAt == b.EndsAt
}

// view gives the last one, made now where there is none that is fresh.
func (d *desk) view(ctx context.Context) (*view, error) {
	d.mu.Lock()
	v := d.seen
	d.mu.Unlock()
	if v != nil && time.Since(v.steady) < crowdEvery && !d.s.desks.byHand {
		return v, nil
	}
	now, err := d.s.now(ctx, nil)
	if err != nil {
		return nil, err
	}
	steady := time.Now()
	round, err := d.s.lastRound(ctx, d.table.ID)
	if err != nil {
		return nil, err
	}
	return d.see(ctx, now, steady, round)
}
