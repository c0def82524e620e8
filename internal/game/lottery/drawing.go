package lottery

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"sync"
	"time"

	"fairground/internal/game/fairness"
	"fairground/internal/game/lottery/draw"
	"fairground/internal/game/lottery/play"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/permission"
	"fairground/internal/platform/tasks"
)

const (
	// pollInterval is the time between two checks for due draws.
	pollInterval = 500 * time.Millisecond
	// leaseDuration is how long a lease is valid without renewal.
	leaseDuration = 10 * time.Second
	// maxDrawDelay is how late a missed numero without bets is still drawn. Older ones are never drawn.
	maxDrawDelay = 24 * time.Hour
	demoHistory  = 15 * 24 * time.Hour
	maxDueDraws  = 2_000 // of one game in one poll
)

// A loop draws and settles in the background. Draws do not wait for settlements.
type loop struct {
	once         sync.Once
	ctx          context.Context
	cancel       context.CancelFunc
	runs         sync.WaitGroup
	owner        string
	draw, settle lease
	next         map[gameKey]time.Time // when each game has work again; no work is needed before
}

// A lease says which process draws or settles. It only avoids duplicate work: draws and payments take effect once even
// without it. Only one goroutine uses it.
type lease struct {
	name  string
	until time.Time // zero if another process has it
}

type gameKey struct {
	merchantID int64
	gameID     int
}

// Start draws and settles in the background until Close.
func (s *Service) Start() {
	s.loop.once.Do(func() {
		s.loop.runs.Go(func() { s.repeat(&s.loop.draw, s.DrawDue) })
		s.loop.runs.Go(func() {
			s.repeat(&s.loop.settle, func(ctx context.Context) error { return s.settleDue(ctx, s.renew(&s.loop.settle)) })
		})
	})
}

// repeat does the work again and again while this process has the lease.
func (s *Service) repeat(l *lease, work func(context.Context) error) {
	ctx := s.loop.ctx
	ticker := time.NewTicker(pollInterval)
	defer ticker.Stop()
	for {
		leading, err := s.holdLease(ctx, l)
		if err == nil && leading {
			err = work(ctx)
		}
		if err != nil && ctx.Err() == nil {
			s.o.Log.ErrorContext(ctx, "run the lottery", "work", l.name, "error", err)
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
	}
}

// Close stops the background work and waits for orders that are being stored. The next process completes unfinished draws and settlements.
func (s *Service) Close() {
	s.loop.once.Do(func() {}) // Start does nothing after Close
	s.loop.cancel()
	s.loop.runs.Wait()
	s.orderBatches.Close()
	ctx, cancel := context.WithTimeout(context.Background(), leaseDuration)
	defer cancel()
	for _, l := range []*lease{&s.loop.draw, &s.loop.settle} {
		if l.until.IsZero() {
			continue
		}
		err := s.o.Store.Write(ctx, func(tx *db.Tx) error { return tx.Q.DropLotteryLease(ctx, l.name, s.loop.owner) })
		if err != nil {
			s.o.Log.WarnContext(ctx, "release the lottery: the lease expires by itself", "work", l.name, "error", err)
		}
	}
}

// renew returns a function that renews the lease during long work. It reports false if another process has taken over.
func (s *Service) renew(l *lease) func(context.Context) (bool, error) {
	return func(ctx context.Context) (bool, error) { return s.holdLease(ctx, l) }
}

// holdLease takes or renews a lease and reports whether this process has it.
func (s *Service) holdLease(ctx context.Context, l *lease) (bool, error) {
	now := s.o.Now()
	if left := l.until.Sub(now); left > leaseDuration/2 && left <= leaseDuration {
		return true, nil
	}
	taken := int64(0)
	until := now.Add(leaseDuration)
	err := s.o.Store.Write(ctx, func(tx *db.Tx) (err error) {
		taken, err = tx.Q.TakeLotteryLease(ctx, query.TakeLotteryLeaseParams{Name: l.name, Owner: s.loop.owner, Until: millis(until), Now: millis(now)})
		return err
	})
	if err != nil || taken == 0 {
		l.until = time.Time{}
		return false, wrap("take the lottery's lease", err)
	}
	l.until = until
	return true, nil
}

// DrawDue publishes series, and closes and draws the numeros that are due, oldest first.
func (s *Service) DrawDue(ctx context.Context) error {
	now := s.o.Now()
	tenants, err := s.tenants(ctx)
	if err != nil {
		return err
	}
	unplanned, err := s.unplanned(ctx)
	if err != nil {
		return err
	}
	var failed error
	for _, t := range tenants {
		for _, g := range s.games {
			if !t.offers(g) {
				continue
			}
			if unplanned[seriesName(t.merchantID, g)] {
				s.mu.Lock()
				delete(s.loop.next, gameKey{t.merchantID, g.ID})
				s.mu.Unlock()
			}
			if err := s.prepare(ctx, t.merchantID, g, now); err != nil {
				failed = errors.Join(failed, fmt.Errorf("game %s: %w", g.Code, err))
			}
		}
	}
	if err := s.closeDue(ctx, now); err != nil {
		return errors.Join(failed, err)
	}
	demo := int64(0)
	if s.o.Demo {
		demo = 1
	}
	rows, err := s.o.Store.Q().DueLotteryNumeros(ctx, millis(now), demo)
	if err != nil {
		return errors.Join(failed, fmt.Errorf("read due draws: %w", err))
	}
	stopped := map[gameKey]bool{}
	for _, row := range rows {
		key := gameKey{row.MerchantID, int(row.GameID)}
		if stopped[key] {
			continue // the next seed would reveal the seed of the numero that failed
		}
		if err := s.drawNumero(ctx, row); err != nil {
			stopped[key] = true
			failed = errors.Join(failed, fmt.Errorf("draw %d/%s: %w", row.GameID, row.Numero, err))
		}
	}
	return failed
}

// closeDue stores that numeros are closed, so that none of them opens again if the clock is set back.
func (s *Service) closeDue(ctx context.Context, now time.Time) error {
	due, err := s.o.Store.Q().LotteryClosesDue(ctx, millis(now))
	if err != nil || !due {
		return wrap("read numeros to close", err)
	}
	return s.o.Store.Write(ctx, func(tx *db.Tx) error {
		return wrap("close numeros", tx.Q.CloseLotteryNumeros(ctx, millis(now)))
	})
}

// prepare publishes a game's series and adds the numeros that are closed or due.
func (s *Service) prepare(ctx context.Context, merchantID int64, g play.Game, now time.Time) error {
	key := gameKey{merchantID, g.ID}
	s.mu.Lock()
	next := s.loop.next[key]
	s.mu.Unlock()
	if now.Before(next) && next.Sub(now) <= 24*time.Hour*8 {
		return nil
	}
	lookBack := maxDrawDelay
	if g.Form.Regional() {
		if s.o.Demo {
			lookBack = cmp.Or(s.o.History, demoHistory)
		}
	} else if err := s.ensureSeries(ctx, merchantID, g, now); err != nil {
		return err
	}
	last, err := s.o.Store.Q().LastLotteryDraw(ctx, merchantID, int64(g.ID), millis(now))
	if err != nil {
		return fmt.Errorf("read last draw: %w", err)
	}
	first := int64(0)
	if !g.Form.Regional() { // nothing was drawn before the first series
		if first, err = s.o.Store.Q().FirstSeriesDraw(ctx, merchantID, int64(g.ID)); err != nil {
			return fmt.Errorf("read first series: %w", err)
		}
	}
	from := time.UnixMilli(max(last, first-1, millis(now.Add(-lookBack))))
	due := g.Timetable.Drawn(from, now, maxDueDraws)
	current := g.Timetable.Current(now)
	next = current.Close
	if !now.Before(current.Close) { // it is stored, so that it stays closed
		due, next = append(due, current), current.Draw
	}
	for len(due) > 0 {
		chunk := due[:min(100, len(due))]
		due = due[len(chunk):]
		err := s.o.Store.Write(ctx, func(tx *db.Tx) error {
			for _, n := range chunk {
				if _, err := s.ensureNumero(ctx, tx, merchantID, g, n); err != nil && !errors.Is(err, ErrClosed) {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	if g.Form.Regional() && !s.o.Demo {
		if err := s.addResultTasks(ctx, merchantID, g, now); err != nil {
			return err
		}
	}
	s.mu.Lock()
	s.loop.next[key] = next
	s.mu.Unlock()
	return nil
}

// addResultTasks adds a task for each result of a game that operators have to enter.
func (s *Service) addResultTasks(ctx context.Context, merchantID int64, g play.Game, now time.Time) error {
	rows, err := s.o.Store.Q().LotteryNumerosForOperators(ctx, query.LotteryNumerosForOperatorsParams{
		MerchantID: merchantID, Until: math.MaxInt64, Before: math.MaxInt64, GameID: int64(g.ID), State: stateWaiting, Now: millis(now), Most: maxDueDraws,
	})
	if err != nil || len(rows) == 0 {
		return wrap("read draws without results", err)
	}
	return s.o.Store.Write(ctx, func(tx *db.Tx) error {
		for _, row := range rows {
			err := s.o.Tasks.AddIn(ctx, tx, tasks.Task{
				MerchantID: merchantID, Kind: taskResult, Reference: formatID(row.ID), Object: opsKind + "/" + opsID(row.GameID, row.Numero), Permission: permission.LotteryResult,
			})
			if err != nil {
				return err
			}
		}
		return s.o.Screens.Changed(ctx, tx, opsKind, "")
	})
}

// drawNumero publishes the result of a due numero once. Regional numeros wait for operators, except in the demo.
func (s *Service) drawNumero(ctx context.Context, row query.LotteryNumero) error {
	g, known := s.byID[int(row.GameID)]
	switch {
	case !known:
		return nil
	case !g.Form.Regional():
		seed, series, err := s.seedOf(ctx, row.SeriesID.Int64, row.Link)
		if err != nil {
			return err
		}
		return s.publish(ctx, row, draw.FromSeed(g.Form, seed, series.Salt, g.Code, row.Link), seed.Hex(), false)
	case s.o.Demo:
		var seed fairness.Seed
		var salt [16]byte
		for _, part := range [][]byte{seed[:], salt[:]} {
			if _, err := io.ReadFull(s.o.Random, part); err != nil {
				return fmt.Errorf("draw: %w", err)
			}
		}
		return s.publish(ctx, row, draw.FromSeed(g.Form, seed, hex.EncodeToString(salt[:]), g.Code, 1), "", true)
	}
	return nil
}

// publish stores a result. The seed becomes public with it.
func (s *Service) publish(ctx context.Context, row query.LotteryNumero, result draw.Result, seed string, simulated bool) error {
	return s.o.Store.Write(ctx, func(tx *db.Tx) error { return s.publishIn(ctx, tx, row.ID, result, seed, simulated) })
}

func (s *Service) publishIn(ctx context.Context, tx *db.Tx, id int64, result draw.Result, seed string, simulated bool) error {
	now, err := s.o.Time(ctx, tx)
	if err != nil {
		return err
	}
	_, err = tx.Q.DrawLotteryNumero(ctx, query.DrawLotteryNumeroParams{
		ID: id, WinNo: result.WinNo(), Result: result.Text(), Seed: seed, Simulated: simulated, DrawnAt: millis(now),
	})
	return wrap("publish result", err)
}
