package jackpot

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"fairground/internal/game/fairness/series"
	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// tickets are posted with the transfers of bets.
var tickets = ledger.NewTable("jackpot_ticket",
	ledger.Column{Name: "merchant_id", Type: ledger.Int}, ledger.Column{Name: "currency", Type: ledger.Text},
	ledger.Column{Name: "member_id", Type: ledger.Int}, ledger.Column{Name: "vendor_id", Type: ledger.Int},
	ledger.Column{Name: "account_id", Type: ledger.Int}, ledger.Column{Name: "round", Type: ledger.Text},
	ledger.Column{Name: "stake", Type: ledger.Int}, ledger.Column{Name: "share", Type: ledger.Int},
)

// A Bet is a stake that may take part.
type Bet struct {
	MerchantID, MemberID, VendorID int64
	Account                        int64 // the vendor's account, which receives the stake
	House                          bool  // the House serves the game
	Vendor                         string
	Category, Round, Currency      string
	Amount                         money.Minor
}

// Row returns the ticket to post with a bet, or false if the bet does not take part.
func (s *Service) Row(ctx context.Context, b Bet) (ledger.Row, bool, error) {
	r, known := s.o.Rules[b.Currency]
	if !known {
		return ledger.Row{}, false, nil
	}
	listed, err := s.o.Settings.JackpotVendors(ctx, b.MerchantID)
	if err != nil || !qualifies(b.Category, b.House, slices.Contains(listed, b.Vendor)) {
		return ledger.Row{}, false, err
	}
	perMille, err := s.o.Settings.JackpotShare(ctx, b.MerchantID)
	if err != nil {
		return ledger.Row{}, false, err
	}
	if perMille > 0 {
		if exists, err := s.ensurePool(ctx, b.MerchantID, b.Currency); err != nil || !exists {
			return ledger.Row{}, false, err
		}
	}
	if open, err := s.isOpen(ctx, b.MerchantID, b.Currency, perMille); err != nil || !open {
		return ledger.Row{}, false, err
	}
	counted := r.CountedStake(b.Amount)
	return ledger.Row{Table: tickets, Values: []any{
		b.MerchantID, b.Currency, b.MemberID, b.VendorID, b.Account, b.Round, int64(counted), share(counted, perMille),
	}}, true, nil
}

// share rounds down.
func share(stake money.Minor, perMille int64) int64 {
	return int64(stake)/1000*perMille + int64(stake)%1000*perMille/1000
}

type poolName struct {
	merchantID int64
	currency   string
}

// A poolStatus is the cached state of a pool.
type poolStatus struct {
	running     bool      // its amount is not 0
	pausedUntil time.Time // zero if not paused
	at          time.Time
}

// statusTTL limits how long a won pool seems open. A ticket bought meanwhile waits for the next series, or is voided
// if none follows.
const statusTTL = 5 * time.Second

// isOpen reports whether stakes take part: the pool has money, or the next Draw funds it.
func (s *Service) isOpen(ctx context.Context, merchantID int64, currency string, perMille int64) (bool, error) {
	status, err := s.poolStatus(ctx, merchantID, currency)
	return status.running || perMille > 0 && !s.o.Now().Before(status.pausedUntil), err
}

func (s *Service) poolStatus(ctx context.Context, merchantID int64, currency string) (poolStatus, error) {
	name, now := poolName{merchantID, currency}, s.o.Now()
	if last, known := s.statuses.Load(name); known && now.Sub(last.(poolStatus).at).Abs() < statusTTL {
		return last.(poolStatus), nil
	}
	row, err := s.o.Store.Q().JackpotPool(ctx, merchantID, currency)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return poolStatus{}, fmt.Errorf("read pool: %w", err)
	}
	status := poolStatus{running: row.Amount > 0, at: now}
	if !status.running {
		if status.pausedUntil, err = s.pausedUntil(ctx, s.o.Store.Q(), merchantID, currency); err != nil {
			return status, err
		}
	}
	s.statuses.Store(name, status)
	return status, nil
}

const day = 24 * time.Hour

// pausedUntil returns when the next series may begin, or the zero time if it may begin at once. A pool that reached
// its daily wins pauses until the first of them is a day old.
func (s *Service) pausedUntil(ctx context.Context, q *query.Queries, merchantID int64, currency string) (time.Time, error) {
	perDay, err := s.o.Settings.JackpotSeries(ctx, merchantID)
	if err != nil {
		return time.Time{}, err
	}
	wonAt, err := q.NthLastJackpotWin(ctx, merchantID, currency, int32(perDay-1))
	if errors.Is(err, sql.ErrNoRows) {
		return time.Time{}, nil
	}
	if err != nil {
		return time.Time{}, fmt.Errorf("read wins: %w", err)
	}
	return time.UnixMilli(wonAt).Add(day), nil
}

// OpenPool creates the pool of a currency before the first stake, if stakes pay a share.
func (s *Service) OpenPool(ctx context.Context, merchantID int64, currency string) error {
	perMille, err := s.o.Settings.JackpotShare(ctx, merchantID)
	if err != nil || perMille == 0 {
		return err
	}
	_, err = s.ensurePool(ctx, merchantID, currency)
	return err
}

// errPoolExists rolls a second pool back, so that it takes no link.
var errPoolExists = errors.New("the pool exists")

// ensurePool creates a pool, so that the commitment is published before the first stake. It returns false while the
// chain of the pool's seeds waits for its salt.
func (s *Service) ensurePool(ctx context.Context, merchantID int64, currency string) (exists bool, err error) {
	name := poolName{merchantID, currency}
	if _, known := s.knownPools.Load(name); known {
		return true, nil
	}
	_, err = s.o.Store.Q().JackpotPool(ctx, merchantID, currency)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return false, fmt.Errorf("read pool: %w", err)
	}
	if err != nil {
		d, err := s.newBatch(ctx, merchantID, currency, 0)
		if err != nil || !d.chainRuns {
			return false, err
		}
		if err := s.o.Ledger.Write(ctx, func(tx *db.Tx) error { return d.addPool(ctx, tx) }); err != nil && !errors.Is(err, errPoolExists) {
			return false, fmt.Errorf("create pool: %w", err)
		}
	}
	s.knownPools.Store(name, true)
	return true, nil
}

func (d *batch) addPool(ctx context.Context, tx *db.Tx) error {
	d.tx, d.row = tx, query.JackpotPool{Series: 1}
	taken, err := d.s.takeSeed(ctx, tx, d.chain, &d.row, d.currency)
	if err != nil {
		return err
	}
	if !taken {
		return series.ErrEnded
	}
	added, err := tx.Q.AddJackpotPool(ctx, query.AddJackpotPoolParams{
		MerchantID: d.merchantID, Currency: d.currency, Amount: int64(d.rules.StartAmount), Seed: d.row.Seed, NextSeed: []byte{}, PublishedAt: d.row.PublishedAt,
		SeriesID: d.row.SeriesID, Link: d.row.Link, Name: d.row.Name,
	})
	if err == nil && added == 0 {
		err = errPoolExists
	}
	if err != nil {
		return err
	}
	return d.fundSeries(ctx)
}
