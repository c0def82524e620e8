package table

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"fairground/internal/game/fairness"
	"fairground/internal/game/fairness/series"
	"fairground/internal/game/house/bet"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// Statuses of a table's round. The first is bet.Betting.
const (
	roundLocked  = "locked"
	roundDealing = "dealing"
	roundResult  = "result"
	roundEnded   = "ended"
	roundVoid    = "void" // all stakes are refunded
)

const (
	// leaseDuration is how long a process leads a table without renewing its lease.
	leaseDuration = 8 * time.Second
	// maxLateness is how late a phase may begin before the following times are moved.
	maxLateness = 500 * time.Millisecond
	// randomRetry is the pause after the random source failed.
	randomRetry = 5 * time.Second
	// maxSteps is more than the phases of a round. It ends a poll whose clock jumps.
	maxSteps = 8
)

var errRoundOpen = errors.New("another round of the table is open")

var errBrokenSeed = errors.New("the stored seed does not match the published commitment")

// A lease lets this process lead a table. Every write of the leader checks the fence, so that a former leader changes nothing.
type lease struct {
	fence int64     // 0 without a lease
	until time.Time // the database's time
}

// acquire renews the table's lease, or takes it if it has expired.
func (d *desk) acquire(ctx context.Context, now time.Time) (bool, error) {
	if d.lease.fence != 0 && d.lease.until.Sub(now) > leaseDuration/2 && d.lease.until.Sub(now) <= leaseDuration {
		return true, nil
	}
	if d.lease.fence == 0 { // read first: most attempts find another leader
		row, err := d.s.o.Store.Q().HouseTable(ctx, d.table.ID)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return false, fmt.Errorf("read table: %w", err)
		}
		if left := row.Until - db.Millis(now); err == nil && left > 0 && left <= leaseDuration.Milliseconds() {
			return false, nil
		}
	}
	acquired := lease{}
	err := d.s.o.Store.Write(ctx, func(tx *db.Tx) error {
		now, err := d.s.o.Clock.Now(ctx, tx)
		if err != nil {
			return err
		}
		until := now.Add(leaseDuration)
		if d.lease.fence != 0 {
			n, err := tx.Q.RenewTableLease(ctx, query.RenewTableLeaseParams{
				ID: d.table.ID, Owner: d.s.desks.owner, Fence: d.lease.fence, Until: db.Millis(until), Now: db.Millis(now),
			})
			if err != nil {
				return err
			}
			if n > 0 {
				acquired = lease{d.lease.fence, until}
				return nil
			}
		}
		// A lease that ends later than a new one would means that the database's clock was set back: it is taken.
		fences, err := tx.Q.TakeTableLease(ctx, query.TakeTableLeaseParams{
			ID: d.table.ID, Owner: d.s.desks.owner, Until: db.Millis(until), Now: db.Millis(now), Beyond: db.Millis(until),
		})
		if err == nil && len(fences) > 0 {
			acquired = lease{fences[0], until}
		}
		return err
	})
	if err != nil {
		return false, fmt.Errorf("acquire table: %w", err)
	}
	d.lease = acquired
	return acquired.fence != 0, nil
}

func (d *desk) release(ctx context.Context) {
	if d.lease.fence == 0 {
		return
	}
	err := d.s.o.Store.Write(ctx, func(tx *db.Tx) error {
		_, err := tx.Q.ReleaseTableLease(ctx, d.table.ID, d.s.desks.owner, d.lease.fence)
		return err
	})
	d.lease = lease{}
	if err != nil {
		d.s.o.Log.WarnContext(ctx, "release table: the lease expires by itself", "table", d.table.ID, "error", err)
	}
}

// advance moves the round through the phases that are due. Each step is one write that takes effect once.
func (d *desk) advance(ctx context.Context, now time.Time, round *query.HouseTableRound, wanted bool) error {
	for range maxSteps {
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
	case (round.Status == bet.Betting || round.Status == roundLocked) && !d.canDeal(round):
		return true, d.void(ctx, now, round, fmt.Sprintf("no program deals version %d of %s at %s", round.Version, round.Engine, round.TableID))
	case at < phaseStart(round)-maxLateness.Milliseconds():
		return true, d.rebase(ctx, now, *round)
	case round.Status == bet.Betting && at >= round.ClosesAt:
		return true, d.move(ctx, *round, bet.Betting, roundLocked)
	case round.Status == roundLocked && at >= round.DealAt:
		return true, d.deal(ctx, now, *round)
	case round.Status == roundDealing && at >= round.ResultAt:
		next := *round
		if late := at - round.ResultAt; late > maxLateness.Milliseconds() {
			next.EndsAt = at + d.table.phases.ResultMs
		}
		return true, d.move(ctx, next, roundDealing, roundResult)
	case round.Status == roundResult && at >= round.EndsAt:
		return true, d.move(ctx, *round, roundResult, roundEnded)
	default:
		return false, nil
	}
}

func phaseStart(round *query.HouseTableRound) int64 {
	switch round.Status {
	case roundDealing:
		return round.DealAt
	case roundResult:
		return round.ResultAt
	default:
		return round.OpensAt
	}
}

// rebase handles a phase that starts in the future, because the database's clock was set back. An undealt round is voided.
// A dealt round keeps its result and gets new times.
func (d *desk) rebase(ctx context.Context, now time.Time, round query.HouseTableRound) error {
	at := db.Millis(now)
	switch round.Status {
	case roundDealing:
		round.DealAt, round.ResultAt = at, at+d.dealMs(&round)
	case roundResult:
		round.ResultAt = at
	default:
		return d.void(ctx, now, &round, "the database's clock was set back to before it opened")
	}
	round.EndsAt = round.ResultAt + d.table.phases.ResultMs
	return d.move(ctx, round, round.Status, round.Status)
}

// openRound opens a round with the next seed of the table's series. The commitment is the seed of the round before, which is
// public by now. Without randomness or a series no round opens (PP-15).
func (d *desk) openRound(ctx context.Context) (opened bool, err error) {
	if _, err := d.s.o.Seeds.Draw(); err != nil {
		d.pause = randomRetry
		return false, err
	}
	chain, err := d.s.ensureSeries(ctx, d.table.ID)
	if err != nil {
		d.pause = randomRetry
		return false, err
	}
	dealer, _ := d.s.dealers.find(d.table.Engine, 0)
	p, data := d.table.phases, dealer.Data()
	err = d.s.o.Store.Write(ctx, func(tx *db.Tx) error {
		now, err := d.s.o.Clock.Now(ctx, tx)
		if err != nil {
			return err
		}
		at := db.Millis(now)
		numbers, err := tx.Q.NextTableNumber(ctx, query.NextTableNumberParams{ID: d.table.ID, Owner: d.s.desks.owner, Fence: d.lease.fence, Now: at})
		if err != nil || len(numbers) == 0 {
			return err // another process leads the table
		}
		link, drawn, sealed, err := d.s.takeSeed(ctx, tx, chain.ID)
		if err != nil {
			return err
		}
		closes := at + p.BetMs
		n, err := tx.Q.AddTableRound(ctx, query.AddTableRoundParams{
			ID: d.s.o.IDs(), TableID: d.table.ID, Number: numbers[0], Engine: d.table.Engine, Version: int64(data.Version), Seed: sealed, Commitment: drawn.Commitment(),
			OpensAt: at, ClosesAt: closes, DealAt: closes + p.LockMs, ResultAt: closes + p.LockMs + p.DealMs, EndsAt: closes + p.LockMs + p.DealMs + p.ResultMs,
			SeriesID: chain.ID, Link: link, ClientSeed: chain.ClientSeed(d.table.ID),
		})
		if err == nil && n == 0 {
			err = errRoundOpen // rolls back, so that no link is lost
		}
		opened = err == nil
		return err
	})
	if err == nil && opened {
		d.notify(roundChange)
	}
	if errors.Is(err, errRoundOpen) || errors.Is(err, series.ErrEnded) { // the next poll tries again
		return false, nil
	}
	return opened, wrap("open round", err)
}

// deal draws the result from the committed seed. A round is voided if the random source fails now, because the table could
// not open the next one (PP-15).
func (d *desk) deal(ctx context.Context, now time.Time, round query.HouseTableRound) error {
	if _, err := d.s.o.Seeds.Draw(); err != nil {
		return d.void(ctx, now, &round, err.Error())
	}
	dealer, _ := d.s.dealers.find(round.Engine, round.Version)
	secret, err := d.s.o.Seeds.Open(round.Seed)
	if err == nil && round.Commitment != "" && !secret.Matches(round.Commitment) {
		err = errBrokenSeed
	}
	if err != nil {
		return d.void(ctx, now, &round, err.Error())
	}
	result, err := dealer.Deal(fairness.NewStream(secret, round.ClientSeed, round.Number))
	if err != nil {
		return d.void(ctx, now, &round, err.Error())
	}
	round.Result = string(result)
	if at := db.Millis(now); at-round.DealAt > maxLateness.Milliseconds() { // players see the whole deal, however late
		round.DealAt = at
	}
	round.ResultAt = round.DealAt + d.dealMs(&round)
	round.EndsAt = round.ResultAt + d.table.phases.ResultMs
	return d.move(ctx, round, roundLocked, roundDealing)
}

// dealMs returns how long a dealt round takes until its last card, die or ball has landed. The frame shows it in the same time.
func (d *desk) dealMs(round *query.HouseTableRound) int64 {
	ms := d.table.phases.DealMs
	if dealer, found := d.s.dealers.find(round.Engine, round.Version); found {
		ms += d.table.phases.DrawMs * int64(dealer.Drawn(json.RawMessage(round.Result)))
	}
	return ms
}

func (d *desk) void(ctx context.Context, now time.Time, round *query.HouseTableRound, reason string) error {
	d.s.o.Log.ErrorContext(ctx, "a table's round is void: all stakes are refunded", "table", round.TableID, "round", round.ID, "why", reason)
	next := *round
	next.EndsAt = db.Millis(now) + d.table.phases.ResultMs
	return d.move(ctx, next, round.Status, roundVoid)
}

// move changes the round's status. It reveals the seed with the result, and also when the round is void: players can then
// check what would have been dealt.
func (d *desk) move(ctx context.Context, round query.HouseTableRound, was, next string) error {
	if next == roundResult || next == roundVoid {
		if secret, err := d.s.revealed(ctx, round); err == nil { // an unreadable seed stays as it is: its round is void
			round.Seed = secret[:]
		}
	}
	err := d.s.o.Store.Write(ctx, func(tx *db.Tx) error {
		n, err := tx.Q.AdvanceTableRound(ctx, query.AdvanceTableRoundParams{
			ID: round.ID, Was: was, Next: next, DealAt: round.DealAt, ResultAt: round.ResultAt, EndsAt: round.EndsAt, Result: round.Result, Seed: round.Seed, Fence: d.lease.fence,
		})
		if err != nil || n == 0 || next == was || next != roundEnded && next != roundVoid {
			return err
		}
		calledOff := int64(0)
		if next == roundVoid {
			calledOff = 1
		}
		return tx.Q.CountTableRound(ctx, calledOff, round.TableID)
	})
	if err == nil {
		d.notify(roundChange)
	}
	return wrap("move table's round", err)
}

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

func isFinished(round *query.HouseTableRound) bool {
	return round == nil || round.Status == roundEnded || round.Status == roundVoid
}

// isDecided reports whether the round's tickets can be paid or refunded.
func isDecided(round *query.HouseTableRound) bool {
	return round != nil && (round.Status == roundResult || round.Status == roundEnded || round.Status == roundVoid)
}
