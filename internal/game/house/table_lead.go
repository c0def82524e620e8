package house

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"fairground/internal/game/fairness"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// How a table's round stands. The first of them is betting, as a ticket's.
const (
	roundLocked  = "locked"
	roundDealing = "dealing"
	roundResult  = "result"
	roundEnded   = "ended"
	roundVoid    = "void" // called off: every bet goes back
)

const (
	// leaseFor is how long a process has a table without saying so again.
	leaseFor = 8 * time.Second
	// lateness is what a round may lag behind its times before those to come are put off.
	lateness = 500 * time.Millisecond
	// settlers is how many tickets are paid at once: the wallet and the House write as many of them together as there are.
	settlers = 32
	// sourceAway is how long a table waits for a random source that failed.
	sourceAway = 5 * time.Second
)

// lease is this process's hold on a table. All that it does there is fenced: once another has the table, nothing of it
// takes effect.
type lease struct {
	fence int64
	until time.Time // by the database's time
}

// hold keeps the table for this process, or takes it when nobody has it.
func (d *desk) hold(ctx context.Context, now time.Time) (bool, error) {
	if d.lease.fence != 0 && d.lease.until.Sub(now) > leaseFor/2 && d.lease.until.Sub(now) <= leaseFor {
		return true, nil
	}
	if d.lease.fence == 0 { // look before writing: others ask as often
		row, err := d.s.o.Store.Q().HouseTable(ctx, d.table.ID)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return false, fmt.Errorf("read table: %w", err)
		}
		if left := row.Until - db.Millis(now); err == nil && left > 0 && left <= leaseFor.Milliseconds() {
			return false, nil
		}
	}
	held := lease{}
	err := d.s.o.Store.Write(ctx, func(tx *db.Tx) error {
		now, err := d.s.now(ctx, tx)
		if err != nil {
			return err
		}
		until := now.Add(leaseFor)
		if d.lease.fence != 0 {
			n, err := tx.Q.KeepHouseTable(ctx, query.KeepHouseTableParams{
				ID: d.table.ID, Owner: d.s.desks.owner, Fence: d.lease.fence, Until: db.Millis(until), Now: db.Millis(now),
			})
			if err != nil {
				return err
			}
			if n > 0 {
				held = lease{d.lease.fence, until}
				return nil
			}
		}
		// A time further ahead than any lease is one that the database never had: its clock was set back.
		fences, err := tx.Q.TakeHouseTable(ctx, query.TakeHouseTableParams{
			ID: d.table.ID, Owner: d.s.desks.owner, Until: db.Millis(until), Now: db.Millis(now), Beyond: db.Millis(until),
		})
		if err == nil && len(fences) > 0 {
			held = lease{fences[0], until}
		}
		return err
	})
	if err != nil {
		return false, fmt.Errorf("hold table: %w", err)
	}
	d.lease = held
	return held.fence != 0, nil
}

// leave lets the table go to whoever wants it.
func (d *desk) leave(ctx context.Context) {
	if d.lease.fence == 0 {
		return
	}
	err := d.s.o.Store.Write(ctx, func(tx *db.Tx) error {
		_, err := tx.Q.LeaveHouseTable(ctx, d.table.ID, d.s.desks.owner, d.lease.fence)
		return err
	})
	d.lease = lease{}
	if err != nil {
		d.s.o.Log.WarnContext(ctx, "leave table", "table", d.table.ID, "error", err) // it runs out by itself
	}
}

// lead brings the table's round on as far as its time has come. Each step is a write that takes effect once, whoever else
// tries it.
func (d *desk) lead(ctx context.Context, now time.Time, round *query.HouseTableRound, wanted bool) error {
	for range 8 { // more phases than a round has: a clock that jumps must not keep it here
		moved, err := d.step(ctx, now, round, wanted)
		if err != nil || !moved {
			return err
		}
		if round, err = d.s.lastRound(ctx, d.table.ID); err != nil {
			return err
		}
	}
	return nil
}

func (d *desk) step(ctx context.Context, now time.Time, round *query.HouseTableRound, wanted bool) (moved bool, err error) {
	at := db.Millis(now)
	switch {
	case round == nil, round.Status == roundEnded, round.Status == roundVoid && (at >= round.EndsAt || round.EndsAt-at > d.table.phases.ResultMs):
		if !wanted {
			return false, nil
		}
		return d.openRound(ctx)
	case round.Status == roundVoid:
		return false, nil
	case (round.Status == betting || round.Status == roundLocked) && !d.deals(round):
		return true, d.void(ctx, now, round, fmt.Sprintf("nobody deals version %d of %s at %s", round.Version, round.Engine, round.TableID))
	case at < began(round)-lateness.Milliseconds():
		return true, d.rebase(ctx, now, *round)
	case round.Status == betting && at >= round.ClosesAt:
		return true, d.move(ctx, *round, betting, roundLocked)
	case round.Status == roundLocked && at >= round.DealAt:
		return true, d.deal(ctx, now, *round)
	case round.Status == roundDealing && at >= round.ResultAt:
		next := *round
		if late := at - round.ResultAt; late > lateness.Milliseconds() {
			next.EndsAt = at + d.table.phases.ResultMs
		}
		return true, d.move(ctx, next, roundDealing, roundResult)
	case round.Status == roundResult && at >= round.EndsAt:
		return true, d.move(ctx, *round, roundResult, roundEnded)
	default:
		return false, nil
	}
}

// began is when the round's phase did.
func began(round *query.HouseTableRound) int64 {
	switch round.Status {
	case roundDealing:
		return round.DealAt
	case roundResult:
		return round.ResultAt
	default:
		return round.OpensAt
	}
}

// rebase sees to a phase that began in what is now the future: the database's clock was set back. A round that is not dealt
// is called off; one that is keeps its result, and its times begin anew.
func (d *desk) rebase(ctx context.Context, now time.Time, round query.HouseTableRound) error {
	at := db.Millis(now)
	switch round.Status {
	case roundDealing:
		round.DealAt, round.ResultAt = at, at+d.table.phases.DealMs
	case roundResult:
		round.ResultAt = at
	default:
		return d.void(ctx, now, &round, "it opened in what is now the future")
	}
	round.EndsAt = round.ResultAt + d.table.phases.ResultMs
	return d.move(ctx, round, round.Status, round.Status)
}

// openRound begins a round with a seed of its own. Without randomness the table stands still (PP-15).
func (d *desk) openRound(ctx context.Context) (opened bool, err error) {
	seed, err := d.s.newSeed()
	if err != nil {
		d.pause = sourceAway
		return false, err
	}
	sealed, err := d.s.sealSeed(seed)
	if err != nil {
		return false, err
	}
	dealer, _ := d.s.dealers.version(d.table.Engine, 0)
	p, data := d.table.phases, dealer.Data()
	err = d.s.o.Store.Write(ctx, func(tx *db.Tx) error {
		now, err := d.s.now(ctx, tx)
		if err != nil {
			return err
		}
		at := db.Millis(now)
		numbers, err := tx.Q.NextTableNumber(ctx, query.NextTableNumberParams{ID: d.table.ID, Owner: d.s.desks.owner, Fence: d.lease.fence, Now: at})
		if err != nil || len(numbers) == 0 {
			return err // it is another's
		}
		closes := at + p.BetMs
		n, err := tx.Q.AddTableRound(ctx, query.AddTableRoundParams{
			ID: d.s.o.IDs(), TableID: d.table.ID, Number: numbers[0], Engine: d.table.Engine, Version: int64(data.Version), Seed: sealed, Commitment: seed.Commitment(),
			OpensAt: at, ClosesAt: closes, DealAt: closes + p.LockMs, ResultAt: closes + p.LockMs + p.DealMs, EndsAt: closes + p.LockMs + p.DealMs + p.ResultMs,
		})
		opened = n > 0
		return err
	})
	return opened, wrap("open round", err)
}

// deal draws the result from the seed that was committed to. A source that fails now calls the round off: no round is
// dealt by a table that could not be sure of the next (PP-15).
func (d *desk) deal(ctx context.Context, now time.Time, round query.HouseTableRound) error {
	if _, err := d.s.newSeed(); err != nil {
		return d.void(ctx, now, &round, err.Error())
	}
	dealer, _ := d.s.dealers.version(round.Engine, round.Version)
	seed, err := d.s.openSeed(round.Seed)
	if err == nil && round.Commitment != "" && !seed.Matches(round.Commitment) {
		err = errBroken
	}
	if err != nil {
		return d.void(ctx, now, &round, err.Error())
	}
	result, err := dealer.Deal(fairness.NewStream(seed, round.TableID, round.Number))
	if err != nil {
		return d.void(ctx, now, &round, err.Error())
	}
	round.Result = string(result)
	if at := db.Millis(now); at-round.DealAt > lateness.Milliseconds() { // everybody sees all of it, however late
		round.DealAt = at
		round.ResultAt = at + d.table.phases.DealMs
		round.EndsAt = round.ResultAt + d.table.phases.ResultMs
	}
	return d.move(ctx, round, roundLocked, roundDealing)
}

// void calls a round off.
func (d *desk) void(ctx context.Context, now time.Time, round *query.HouseTableRound, why string) error {
	d.s.o.Log.ErrorContext(ctx, "a table's round is called off", "table", round.TableID, "round", round.ID, "why", why)
	next := *round
	next.EndsAt = db.Millis(now) + d.table.phases.ResultMs
	return d.move(ctx, next, round.Status, roundVoid)
}

// move brings a round on. With its result its seed is told, and so it is when the round is called off: everybody can see what
// would have been dealt. Until then it lies sealed.
func (d *desk) move(ctx context.Context, round query.HouseTableRound, was, next string) error {
	if next == roundResult || next == roundVoid {
		if seed, err := d.s.openSeed(round.Seed); err == nil { // one that cannot be read calls its round off
			round.Seed = seed[:]
		}
	}
	return wrap("move table's round", d.s.o.Store.Write(ctx, func(tx *db.Tx) error {
		_, err := tx.Q.MoveTableRound(ctx, query.MoveTableRoundParams{
			ID: round.ID, Was: was, Next: next, DealAt: round.DealAt, ResultAt: round.ResultAt, EndsAt: round.EndsAt, Result: round.Result, Seed: round.Seed, Fence: d.lease.fence,
		})
		return err
	}))
}

// lastRound gives a table's latest round; nil where there is none.
func (s *Service) lastRound(ctx context.Context, table string) (*query.HouseTableRound, error) {
	row, err := s.o.Store.Q().LastTableRound(ctx, table)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read table's round: %w", err)
	}
	return &row, nil
}

// finished tells whether nobody has to bring the round on.
func finished(round *query.HouseTableRound) bool {
	return round == nil || round.Status == roundEnded || round.Status == roundVoid
}

// decided tells whether tickets of the round can be paid or given back.
func decided(round *query.HouseTableRound) bool {
	return round != nil && (round.Status == roundResult || round.Status == roundEnded || round.Status == roundVoid)
}

// settleRound brings every ticket of a decided round to its end, many at a time. What the wallet does not take now, Recover
// brings it later.
func (s *Service) settleRound(ctx context.Context, id int64) error {
	rows, err := s.o.Store.Q().PlacedTickets(ctx, sql.NullInt64{Int64: id, Valid: true})
	if err != nil {
		return fmt.Errorf("read tickets: %w", err)
	}
	if err := s.drawRound(ctx, id, rows); err != nil { // each is tried alone, then
		s.o.Log.WarnContext(ctx, "a round's tickets could not be drawn together", "round", id, "error", err)
	}
	return inParallel(rows, func(row query.HouseRound) error {
		ctx, cancel := context.WithTimeout(ctx, driveWithin)
		defer cancel()
		if row.Status == bet {
			return s.pay(ctx, row)
		}
		_, err := s.drive(ctx, row)
		return err
	})
}

// drawRound works out what a round's tickets have won, and writes it down in as few transactions as it takes. Those that it
// was written down for are changed in rows.
func (s *Service) drawRound(ctx context.Context, id int64, rows []query.HouseRound) error {
	round, err := s.o.Store.Q().TableRound(ctx, id)
	if err != nil {
		return fmt.Errorf("read table's round: %w", err)
	}
	if round.Status != roundResult && round.Status != roundEnded {
		return nil
	}
	at := map[int64]int{}
	var lying []query.HouseRound
	for i, row := range rows {
		if row.Status == placed {
			at[row.ID] = i
			lying = append(lying, row)
		}
	}
	for lot := range slices.Chunk(lying, atOnce) {
		drawn, err := s.drawTickets(ctx, round, lot)
		if err != nil {
			return err
		}
		for _, row := range drawn {
			rows[at[row.ID]] = row
		}
	}
	return nil
}

// inParallel does the same for each, some at a time, and gives all that failed.
func inParallel[T any](all []T, do func(T) error) error {
	var mu sync.Mutex
	var failed error
	var work sync.WaitGroup
	turns := make(chan T)
	for range min(settlers, len(all)) {
		work.Go(func() {
			for one := range turns {
				if err := do(one); err != nil {
					mu.Lock()
					failed = errors.Join(failed, err)
					mu.Unlock()
				}
			}
		})
	}
	for _, one := range all {
		turns <- one
	}
	close(turns)
	work.Wait()
	return failed
}
