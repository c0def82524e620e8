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
	// maxLateness is how late a phase may begin before the times of the next phases are moved.
	maxLateness = 500 * time.Millisecond
	// randomRetry is the pause after the random source fails.
	randomRetry = 5 * time.Second
	// maxSteps limits the steps of one poll if the clock jumps. A round has fewer phases.
	maxSteps = 8
)

var errRoundOpen = errors.New("another round of the table is open")

var errBrokenSeed = errors.New("the stored seed does not match the published commitment")

// A lease lets this process lead a table. Every write by the leader checks the fence, so that a former leader cannot write.
type lease struct {
	fence int64     // 0 without a lease
	until time.Time // the database's time
}

// acquire renews the table's lease, or takes it if it has expired.
func (r *runner) acquire(ctx context.Context, now time.Time) (bool, error) {
	if r.lease.fence != 0 && r.lease.until.Sub(now) > leaseDuration/2 && r.lease.until.Sub(now) <= leaseDuration {
		return true, nil
	}
	if r.lease.fence == 0 { // read before writing, because another process usually leads
		row, err := r.s.o.Store.Q().HouseTable(ctx, r.table.ID)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return false, fmt.Errorf("read table: %w", err)
		}
		if left := row.Until - db.Millis(now); err == nil && left > 0 && left <= leaseDuration.Milliseconds() {
			return false, nil
		}
	}
	acquired := lease{}
	err := r.s.o.Store.Write(ctx, func(tx *db.Tx) error {
		now, err := r.s.o.Clock.Now(ctx, tx)
		if err != nil {
			return err
		}
		until := now.Add(leaseDuration)
		if r.lease.fence != 0 {
			n, err := tx.Q.RenewTableLease(ctx, query.RenewTableLeaseParams{
				ID: r.table.ID, Owner: r.s.runners.owner, Fence: r.lease.fence, Until: db.Millis(until), Now: db.Millis(now),
			})
			if err != nil {
				return err
			}
			if n > 0 {
				acquired = lease{r.lease.fence, until}
				return nil
			}
		}
		// If a lease ends later than a new one would, the database's clock was set back. The lease is then taken over.
		fences, err := tx.Q.TakeTableLease(ctx, query.TakeTableLeaseParams{
			ID: r.table.ID, Owner: r.s.runners.owner, Until: db.Millis(until), Now: db.Millis(now), Beyond: db.Millis(until),
		})
		if err == nil && len(fences) > 0 {
			acquired = lease{fences[0], until}
		}
		return err
	})
	if err != nil {
		return false, fmt.Errorf("acquire table: %w", err)
	}
	r.lease = acquired
	return acquired.fence != 0, nil
}

func (r *runner) release(ctx context.Context) {
	if r.lease.fence == 0 {
		return
	}
	err := r.s.o.Store.Write(ctx, func(tx *db.Tx) error {
		_, err := tx.Q.ReleaseTableLease(ctx, r.table.ID, r.s.runners.owner, r.lease.fence)
		return err
	})
	r.lease = lease{}
	if err != nil {
		r.s.o.Log.WarnContext(ctx, "release table: the lease expires by itself", "table", r.table.ID, "error", err)
	}
}

// advance moves the round through the phases that are due. Each step is one conditional write, so it takes effect only once.
func (r *runner) advance(ctx context.Context, now time.Time, round *query.HouseTableRound, inUse bool) error {
	for range maxSteps {
		moved, err := r.step(ctx, now, round, inUse)
		if err != nil || !moved {
			return err
		}
		if round, err = r.s.lastRound(ctx, r.table.ID); err != nil {
			return err
		}
	}
	return nil
}

func (r *runner) step(ctx context.Context, now time.Time, round *query.HouseTableRound, inUse bool) (moved bool, err error) {
	nowMs := db.Millis(now)
	switch {
	case round == nil, round.Status == roundEnded, round.Status == roundVoid && (nowMs >= round.EndsAt || round.EndsAt-nowMs > r.table.phases.ResultMs):
		if !inUse {
			return false, nil
		}
		return r.openRound(ctx)
	case round.Status == roundVoid:
		return false, nil
	case (round.Status == bet.Betting || round.Status == roundLocked) && !r.canDeal(round):
		return true, r.void(ctx, now, round, fmt.Sprintf("no server can deal version %d of %s at %s", round.Version, round.Engine, round.TableID))
	case nowMs < phaseStart(round)-maxLateness.Milliseconds():
		return true, r.rebase(ctx, now, *round)
	case round.Status == bet.Betting && nowMs >= round.ClosesAt:
		return true, r.setStatus(ctx, *round, bet.Betting, roundLocked)
	case round.Status == roundLocked && nowMs >= round.DealAt:
		return true, r.deal(ctx, now, *round)
	case round.Status == roundDealing && nowMs >= round.ResultAt:
		next := *round
		if late := nowMs - round.ResultAt; late > maxLateness.Milliseconds() {
			next.EndsAt = nowMs + r.table.phases.ResultMs
		}
		return true, r.setStatus(ctx, next, roundDealing, roundResult)
	case round.Status == roundResult && nowMs >= round.EndsAt:
		return true, r.setStatus(ctx, *round, roundResult, roundEnded)
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
func (r *runner) rebase(ctx context.Context, now time.Time, round query.HouseTableRound) error {
	nowMs := db.Millis(now)
	switch round.Status {
	case roundDealing:
		round.DealAt, round.ResultAt = nowMs, nowMs+r.dealMs(&round)
	case roundResult:
		round.ResultAt = nowMs
	default:
		return r.void(ctx, now, &round, "the database's clock was set back to before it opened")
	}
	round.EndsAt = round.ResultAt + r.table.phases.ResultMs
	return r.setStatus(ctx, round, round.Status, round.Status)
}

// openRound opens a round with the next seed of the table's series. The commitment is the seed of the previous round, which is
// public by now. Without randomness or a series, no round opens (PP-15).
func (r *runner) openRound(ctx context.Context) (opened bool, err error) {
	if _, err := r.s.o.Seeds.Draw(); err != nil { // only checks the random source
		r.pollDelay = randomRetry
		return false, err
	}
	chain, err := r.s.ensureSeries(ctx, r.table.ID)
	if err != nil {
		r.pollDelay = randomRetry
		return false, err
	}
	dealer, _ := r.s.dealers.find(r.table.Engine, 0)
	phases, data := r.table.phases, dealer.Data()
	err = r.s.o.Store.Write(ctx, func(tx *db.Tx) error {
		now, err := r.s.o.Clock.Now(ctx, tx)
		if err != nil {
			return err
		}
		nowMs := db.Millis(now)
		numbers, err := tx.Q.NextTableNumber(ctx, query.NextTableNumberParams{ID: r.table.ID, Owner: r.s.runners.owner, Fence: r.lease.fence, Now: nowMs})
		if err != nil || len(numbers) == 0 {
			return err // another process leads the table
		}
		link, drawn, sealed, err := r.s.takeSeed(ctx, tx, chain.ID)
		if err != nil {
			return err
		}
		closes := nowMs + phases.BetMs
		n, err := tx.Q.AddTableRound(ctx, query.AddTableRoundParams{
			ID: r.s.o.IDs(), TableID: r.table.ID, Number: numbers[0], Engine: r.table.Engine, Version: int64(data.Version), Seed: sealed, Commitment: drawn.Commitment(),
			OpensAt: nowMs, ClosesAt: closes, DealAt: closes + phases.LockMs, ResultAt: closes + phases.LockMs + phases.DealMs, EndsAt: closes + phases.LockMs + phases.DealMs + phases.ResultMs,
			SeriesID: chain.ID, Link: link, ClientSeed: chain.ClientSeed(r.table.ID),
		})
		if err == nil && n == 0 {
			err = errRoundOpen // rolls back, so that the seed is not used up
		}
		opened = err == nil
		return err
	})
	if err == nil && opened {
		r.notifyReplicas(roundChange)
	}
	if errors.Is(err, errRoundOpen) || errors.Is(err, series.ErrEnded) { // the next poll tries again
		return false, nil
	}
	return opened, wrap("open round", err)
}

// deal derives the result from the committed seed. It voids the round if the random source fails now, because the table could
// not open the next round (PP-15).
func (r *runner) deal(ctx context.Context, now time.Time, round query.HouseTableRound) error {
	if _, err := r.s.o.Seeds.Draw(); err != nil { // only checks the random source
		return r.void(ctx, now, &round, err.Error())
	}
	dealer, _ := r.s.dealers.find(round.Engine, round.Version)
	secret, err := r.s.o.Seeds.Open(round.Seed)
	if err == nil && round.Commitment != "" && !secret.Matches(round.Commitment) {
		err = errBrokenSeed
	}
	if err != nil {
		return r.void(ctx, now, &round, err.Error())
	}
	result, err := dealer.Deal(fairness.NewStream(secret, round.ClientSeed, round.Number))
	if err != nil {
		return r.void(ctx, now, &round, err.Error())
	}
	round.Result = string(result)
	if nowMs := db.Millis(now); nowMs-round.DealAt > maxLateness.Milliseconds() { // a late deal is still shown in full
		round.DealAt = nowMs
	}
	round.ResultAt = round.DealAt + r.dealMs(&round)
	round.EndsAt = round.ResultAt + r.table.phases.ResultMs
	return r.setStatus(ctx, round, roundLocked, roundDealing)
}

// dealMs returns the duration of the dealing phase. The frame's animation takes the same time.
func (r *runner) dealMs(round *query.HouseTableRound) int64 {
	ms := r.table.phases.DealMs
	if dealer, found := r.s.dealers.find(round.Engine, round.Version); found {
		ms += r.table.phases.DrawMs * int64(dealer.Drawn(json.RawMessage(round.Result)))
	}
	return ms
}

func (r *runner) void(ctx context.Context, now time.Time, round *query.HouseTableRound, reason string) error {
	r.s.o.Log.ErrorContext(ctx, "a table's round is void: all stakes are refunded", "table", round.TableID, "round", round.ID, "why", reason)
	next := *round
	next.EndsAt = db.Millis(now) + r.table.phases.ResultMs
	return r.setStatus(ctx, next, round.Status, roundVoid)
}

// setStatus changes the round's status. It reveals the seed when the round gets its result or is void. Players of a void round
// can then check what would have been dealt.
func (r *runner) setStatus(ctx context.Context, round query.HouseTableRound, from, to string) error {
	if to == roundResult || to == roundVoid {
		if secret, err := r.s.roundSeed(ctx, round); err == nil { // the round of an unreadable seed is void, and the stored seed stays
			round.Seed = secret[:]
		}
	}
	err := r.s.o.Store.Write(ctx, func(tx *db.Tx) error {
		n, err := tx.Q.AdvanceTableRound(ctx, query.AdvanceTableRoundParams{
			ID: round.ID, Was: from, Next: to, DealAt: round.DealAt, ResultAt: round.ResultAt, EndsAt: round.EndsAt, Result: round.Result, Seed: round.Seed, Fence: r.lease.fence,
		})
		if err != nil || n == 0 || to == from || to != roundEnded && to != roundVoid {
			return err
		}
		calledOff := int64(0)
		if to == roundVoid {
			calledOff = 1
		}
		return tx.Q.CountTableRound(ctx, calledOff, round.TableID)
	})
	if err == nil {
		r.notifyReplicas(roundChange)
	}
	return wrap("set status of table's round", err)
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
