package jackpot

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"fairground/internal/game/fairness"
	"fairground/internal/game/fairness/series"
	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/events"
)

// drawBatchSize is the maximum number of tickets per transaction.
const drawBatchSize = 200

// States of a closed ticket.
const (
	stateDrawn = "drawn"
	stateVoid  = "void"
)

// Draw draws all tickets whose rounds are settled, and starts series that are due. Any number of replicas may run it:
// a lock serializes the draws of a pool. A failing pool does not stop the others.
func (s *Service) Draw(ctx context.Context) error {
	pools, err := s.o.Store.Q().JackpotPools(ctx)
	if err != nil {
		return fmt.Errorf("find jackpots: %w", err)
	}
	var failed []error
	for _, p := range pools {
		if err := s.drawAll(ctx, p); err != nil {
			failed = append(failed, fmt.Errorf("draw jackpot of %s, merchant %d: %w", p.Currency, p.MerchantID, err))
		}
	}
	return errors.Join(failed...)
}

func (s *Service) drawAll(ctx context.Context, p query.JackpotPoolsRow) error {
	perMille, err := s.o.Settings.JackpotShare(ctx, p.MerchantID)
	if err != nil {
		return fmt.Errorf("read share: %w", err)
	}
	begins, unused := p.Amount == 0 && perMille > 0, p.Nonce+p.EarlierDraws == 0 && p.Amount > 0 && perMille == 0
	if begins { // checked without locking the pool
		pausedUntil, err := s.pausedUntil(ctx, s.o.Store.Q(), p.MerchantID, p.Currency)
		if err != nil {
			return err
		}
		begins = !s.o.Now().Before(pausedUntil)
	}
	for more := p.Waiting != 0 || begins || unused || p.Bare != 0 || p.Unseeded != 0; more; {
		if more, err = s.drawBatch(ctx, p.MerchantID, p.Currency, perMille); err != nil {
			return err
		}
	}
	return nil
}

// drawBatch draws up to drawBatchSize tickets in one transaction and reports whether there may be more.
func (s *Service) drawBatch(ctx context.Context, merchantID int64, currency string, perMille int64) (more bool, err error) {
	d, err := s.newBatch(ctx, merchantID, currency, perMille)
	if err != nil {
		return false, err
	}
	err = s.o.Ledger.Write(ctx, func(tx *db.Tx) error {
		d.tx, d.shares, d.won = tx, map[int64]int64{}, nil
		ready, err := d.lock(ctx)
		if err != nil {
			return err
		}
		if len(ready) == 0 {
			if err := d.returnStartAmount(ctx); err != nil {
				return err
			}
		}
		for _, t := range ready {
			if err := d.drawTicket(ctx, t); err != nil {
				return err
			}
		}
		// Tickets that wait for the next series or for a seed would be found again.
		more = len(ready) == drawBatchSize && d.row.Amount > 0 && len(d.row.Seed) > 0
		return d.save(ctx)
	})
	if err != nil {
		return false, err
	}
	if len(d.won) > 0 {
		s.statuses.Delete(poolName{merchantID, currency})
		s.o.Outbox.Wake()
	}
	return more, nil
}

// A batch is the state of one drawing transaction.
type batch struct {
	s                *Service
	tx               *db.Tx
	merchantID       int64
	currency         string
	perMille         int64
	rules            Rules
	pool, promotions ledger.Account
	chain            series.Info
	chainRuns        bool // the chain has its salt
	row              query.JackpotPool
	seed             fairness.Seed
	shares           map[int64]int64 // by vendor account
	last             int64           // last drawn ticket, used in transfer keys
	won              []events.Message
}

func (s *Service) newBatch(ctx context.Context, merchantID int64, currency string, perMille int64) (*batch, error) {
	r, known := s.o.Rules[currency]
	if !known {
		return nil, fmt.Errorf("no rules for %s", currency)
	}
	d := &batch{s: s, merchantID: merchantID, currency: currency, perMille: perMille, rules: r}
	var err error
	if d.pool, err = s.o.Ledger.House(ctx, merchantID, account, currency); err != nil {
		return nil, fmt.Errorf("find pool: %w", err)
	}
	if d.chain, d.chainRuns, err = s.ensureChain(ctx, merchantID, currency); err != nil {
		return nil, err
	}
	if d.promotions, err = s.o.Ledger.House(ctx, merchantID, ledger.Promotions, currency); err != nil {
		return nil, fmt.Errorf("find promotions account: %w", err)
	}
	return d, nil
}

// lock locks the pool, starts a series if one is due, and returns the tickets to draw.
func (d *batch) lock(ctx context.Context) (ready []query.ReadyJackpotTicketsRow, err error) {
	if d.row, err = d.tx.Q.LockJackpotPool(ctx, d.merchantID, d.currency); err != nil {
		return nil, fmt.Errorf("lock pool: %w", err)
	}
	if err := d.takeLink(ctx); err != nil {
		return nil, err
	}
	if d.row.Amount == 0 && d.perMille > 0 {
		if err := d.fundSeries(ctx); err != nil {
			return nil, err
		}
	}
	return d.tx.Q.ReadyJackpotTickets(ctx, d.merchantID, d.currency, drawBatchSize)
}

// fundSeries adds the start amount, unless the pool is paused or has no seed yet.
func (d *batch) fundSeries(ctx context.Context) error {
	if len(d.row.Seed) == 0 {
		return nil
	}
	pausedUntil, err := d.s.pausedUntil(ctx, d.tx.Q, d.merchantID, d.currency)
	if err != nil || d.s.o.Now().Before(pausedUntil) {
		return err
	}
	_, err = d.s.o.Ledger.PostIn(ctx, d.tx, ledger.Transfer{
		Key: d.key("seed"), Debit: d.promotions.ID, Credit: d.pool.ID, Amount: d.rules.StartAmount, Kind: kindStart, RefType: "jackpot", RefID: d.name(),
	})
	if err != nil {
		return fmt.Errorf("fund series: %w", err)
	}
	d.row.Amount += int64(d.rules.StartAmount)
	return nil
}

func (d *batch) name() string { return SeriesName(d.merchantID, d.currency, d.row.Series) }

func (d *batch) key(what string) string { return "jackpot/" + d.name() + "/" + what }

// returnStartAmount takes the start amount back if the share is 0 and nothing was drawn for it, and no ticket is open.
func (d *batch) returnStartAmount(ctx context.Context) error {
	if d.perMille > 0 || d.row.Nonce+d.row.EarlierDraws > 0 || d.row.Amount == 0 {
		return nil
	}
	if waits, err := d.tx.Q.CountOpenJackpotTickets(ctx, d.merchantID, d.currency); err != nil || waits > 0 {
		return err
	}
	_, err := d.s.o.Ledger.PostIn(ctx, d.tx, ledger.Transfer{
		Key: d.key("back"), Debit: d.pool.ID, Credit: d.promotions.ID, Amount: money.Minor(d.row.Amount), Kind: kindReturn, RefType: "jackpot", RefID: d.name(),
	})
	if err != nil {
		return fmt.Errorf("return start amount: %w", err)
	}
	return d.startNextSeries(ctx)
}

// drawTicket adds a ticket's share and draws it with the number that it got when it was bought. It voids tickets whose stake was returned, and tickets without a
// share if the pool is empty. Tickets bought for a pool that was then won and paused stay open for the next series, and
// tickets of a pool without a seed until it has one.
func (d *batch) drawTicket(ctx context.Context, t query.ReadyJackpotTicketsRow) error {
	if t.Reversed != 0 || d.row.Amount == 0 && t.Share == 0 && d.perMille == 0 {
		return d.closeTicket(ctx, query.CloseJackpotTicketParams{TransferID: t.TransferID, State: stateVoid, Nonce: t.Nonce})
	}
	if d.row.Amount == 0 { // bought while stakes still paid a share
		if err := d.fundSeries(ctx); err != nil || d.row.Amount == 0 {
			return err
		}
	}
	if len(d.row.Seed) == 0 {
		return nil
	}
	share := min(t.Share, max(0, int64(d.rules.Cap)-d.row.Amount))
	d.row.Nonce++
	d.row.Amount += share
	d.shares[t.AccountID] += share
	d.last = t.TransferID
	err := d.closeTicket(ctx, query.CloseJackpotTicketParams{TransferID: t.TransferID, State: stateDrawn, Series: d.row.Series, Nonce: t.Nonce, Share: share})
	if err != nil {
		return err
	}
	drawn := d.rules.Draw(d.seed, nameOf(d.merchantID, d.currency, d.row.Series, d.row.Name), t.Nonce, money.Minor(t.Stake))
	if !drawn.Won() {
		return nil
	}
	return d.payWinner(ctx, t, drawn)
}

func (d *batch) closeTicket(ctx context.Context, p query.CloseJackpotTicketParams) error {
	if err := d.tx.Q.CloseJackpotTicket(ctx, p); err != nil {
		return fmt.Errorf("close ticket: %w", err)
	}
	return nil
}

// payWinner pays the whole pool, reveals the series' seed and starts the next series.
func (d *batch) payWinner(ctx context.Context, t query.ReadyJackpotTicketsRow, drawn DrawResult) error {
	if err := d.postShares(ctx); err != nil {
		return err
	}
	cash, err := d.tx.Q.AccountOfMember(ctx, sql.NullInt64{Int64: t.MemberID, Valid: true}, ledger.Cash, d.currency)
	if err != nil {
		return fmt.Errorf("find the winner's account: %w", err)
	}
	amount := money.Minor(d.row.Amount)
	pay := ledger.Transfer{Key: d.key("win"), Debit: d.pool.ID, Credit: cash.ID, Amount: amount, Kind: kindWin, RefType: "jackpot", RefID: d.name()}
	if d.s.o.Limits != nil { // a jackpot reduces the losses that count against limits
		pay.Rows = append(pay.Rows, d.s.o.Limits.Return(t.MemberID, d.currency, amount))
	}
	if _, err = d.s.o.Ledger.PostIn(ctx, d.tx, pay); err != nil {
		return fmt.Errorf("pay: %w", err)
	}
	now := d.s.o.Now()
	err = d.tx.Q.AddJackpotWin(ctx, query.AddJackpotWinParams{
		MerchantID: d.merchantID, Currency: d.currency, Series: d.row.Series, MemberID: t.MemberID, TicketID: t.TransferID, Amount: d.row.Amount,
		Stake: t.Stake, Nonce: t.Nonce, Number: int64(drawn.Number), Seed: d.seed[:], PublishedAt: d.row.PublishedAt, WonAt: db.Millis(now),
		SeriesID: d.row.SeriesID, Link: d.row.Link, Name: d.row.Name,
	})
	if err != nil {
		return fmt.Errorf("record win: %w", err)
	}
	currency, err := money.Find(d.currency)
	if err != nil {
		return err
	}
	data, err := json.Marshal(map[string]any{"amount": json.Number(currency.Format(amount)), "currency": d.currency, "series": d.row.Series, "nonce": t.Nonce})
	if err != nil {
		return err
	}
	d.won = append(d.won, events.Message{Member: strconv.FormatInt(t.MemberID, 10), Event: EventWon, Data: data})
	return d.startNextSeries(ctx)
}

// startNextSeries funds the next series only if stakes pay a share and the pool is not paused.
func (d *batch) startNextSeries(ctx context.Context) error {
	d.row.Series, d.row.Amount, d.row.Nonce, d.row.EarlierDraws, d.row.PublishedAt = d.row.Series+1, 0, 0, 0, db.Millis(d.s.o.Now())
	if err := d.nextSeed(ctx); err != nil {
		return err
	}
	if d.perMille == 0 {
		return nil
	}
	return d.fundSeries(ctx)
}

// postShares posts the shares of the tickets drawn so far.
func (d *batch) postShares(ctx context.Context) error {
	var posts []ledger.Transfer
	for from, amount := range d.shares {
		if amount > 0 {
			posts = append(posts, ledger.Transfer{
				Key: d.key(fmt.Sprintf("%d/%d", d.last, from)), Debit: from, Credit: d.pool.ID, Amount: money.Minor(amount), Kind: kindShare, RefType: "jackpot", RefID: d.name(),
			})
		}
	}
	clear(d.shares)
	if len(posts) == 0 {
		return nil
	}
	slices.SortFunc(posts, func(a, b ledger.Transfer) int { return int(a.Debit - b.Debit) })
	if _, err := d.s.o.Ledger.PostIn(ctx, d.tx, posts...); err != nil {
		return fmt.Errorf("post shares: %w", err)
	}
	return nil
}

func (d *batch) save(ctx context.Context) error {
	if err := d.postShares(ctx); err != nil {
		return err
	}
	err := d.tx.Q.PutJackpotPool(ctx, query.PutJackpotPoolParams{
		Series: d.row.Series, Amount: d.row.Amount, Seed: stored(d.row.Seed), NextSeed: stored(d.row.NextSeed), PublishedAt: d.row.PublishedAt,
		Nonce: d.row.Nonce, EarlierDraws: d.row.EarlierDraws, SeriesID: d.row.SeriesID, Link: d.row.Link, Name: d.row.Name,
		MerchantID: d.merchantID, Currency: d.currency,
	})
	if err != nil {
		return fmt.Errorf("write pool: %w", err)
	}
	if len(d.won) == 0 {
		return nil
	}
	return d.s.o.Outbox.Add(ctx, d.tx, d.s.o.Now(), d.won...)
}
