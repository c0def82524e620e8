package withdraw

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"time"

	"fairground/internal/finance/gateway"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

const (
	maxCalls     = 16 // concurrent calls to gateways
	pollInterval = time.Second
	// callTaken is when a call is repeated if the process that made it ended.
	callTaken = 15 * time.Second
	// repeatDelay is the pause before the first repeated call. It grows with each call, up to maxRepeatDelay.
	repeatDelay    = 2 * time.Second
	maxRepeatDelay = time.Minute
	// askInterval is how often the gateway is asked about a payout that it accepted, because its notice may be lost.
	askInterval = 5 * time.Minute
)

// Start sends payouts until Close.
func (s *Service) Start() {
	ctx, stop := context.WithCancel(context.Background())
	s.stop = stop
	s.running.Go(func() {
		tick := time.NewTicker(pollInterval)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			case <-s.wake:
			}
			if err := s.callDue(ctx); err != nil && ctx.Err() == nil {
				s.o.Log.WarnContext(ctx, "send payouts", "error", err)
			}
		}
	})
}

// Close stops Start and waits for running calls.
func (s *Service) Close() {
	if s.stop != nil {
		s.stop()
	}
	s.running.Wait()
}

// Wake makes Start look for approved payouts now.
func (s *Service) Wake() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// CallDue makes the calls that are due, and waits for their answers.
func (s *Service) CallDue(ctx context.Context) error {
	err := s.callDue(ctx)
	s.running.Wait()
	return err
}

func (s *Service) callDue(ctx context.Context) error {
	now := s.o.Now()
	due, err := s.o.Store.Q().DueWithdrawalCalls(ctx, db.Millis(now))
	if err != nil {
		return fmt.Errorf("find payouts: %w", err)
	}
	for _, id := range due {
		select {
		case s.calls <- struct{}{}:
		default:
			return nil // all calls are busy; the next poll continues
		}
		var taken int64
		err := s.o.Store.Write(ctx, func(tx *db.Tx) (err error) {
			taken, err = tx.Q.TakeWithdrawalCall(ctx, id, db.Millis(now.Add(callTaken)), db.Millis(now))
			return err
		})
		if err != nil || taken == 0 { // another replica makes it
			<-s.calls
			if err != nil {
				return fmt.Errorf("take payout: %w", err)
			}
			continue
		}
		s.running.Go(func() {
			defer func() { <-s.calls }()
			if err := s.call(ctx, id); err != nil {
				s.o.Log.WarnContext(ctx, "call gateway", "withdrawal", id, "error", err)
			}
		})
	}
	return nil
}

// call sends a payout, or asks about one that was sent. Both are idempotent by the reference, so a call whose answer was lost is
// repeated. A payout fails only if the gateway rejects it and does not know it.
func (s *Service) call(ctx context.Context, id int64) error {
	w, err := s.o.Store.Q().WithdrawalByID(ctx, id)
	if err != nil || w.Status != Approved && w.Status != Sent || !w.GatewayID.Valid {
		return err
	}
	g, err := s.o.Gateways.ByID(ctx, w.GatewayID.Int64)
	if err != nil {
		return err
	}
	ask := w.Status == Sent
	if !ask {
		payout, err := s.payout(ctx, w)
		if err != nil {
			return err
		}
		sent, err := s.o.Gateways.CreatePayout(ctx, g, payout)
		switch {
		case err == nil:
			if err := s.store(ctx, id, func(ctx context.Context, tx *db.Tx, w *query.Withdrawal) error {
				return s.sentIn(ctx, tx, w, sent.GatewayID)
			}); err != nil {
				return err
			}
			ask = sent.Status != gateway.Pending
		case errors.Is(err, gateway.ErrRejected):
			ask = true
		default:
			return errors.Join(err, s.repeat(ctx, w))
		}
		if !ask {
			return nil
		}
	}
	state, err := s.o.Gateways.PayoutState(ctx, g, w.Reference)
	switch {
	case err == nil && state.Status == gateway.Pending:
		return s.store(ctx, id, func(ctx context.Context, tx *db.Tx, w *query.Withdrawal) error {
			return s.sentIn(ctx, tx, w, state.GatewayID)
		})
	case err == nil:
		return s.store(ctx, id, func(ctx context.Context, tx *db.Tx, w *query.Withdrawal) error {
			code, err := s.reportIn(ctx, tx, w, state, false)
			if err != nil || code == gateway.OK {
				return err
			}
			return tx.Q.RepeatWithdrawal(ctx, w.ID, db.Millis(s.o.Now().Add(askInterval)))
		})
	case errors.Is(err, gateway.ErrNotFound) && w.Status == Approved: // rejected, and not there
		return s.store(ctx, id, func(ctx context.Context, tx *db.Tx, w *query.Withdrawal) error {
			if w.Status != Approved {
				return nil
			}
			return s.endIn(ctx, tx, w, Failed, "")
		})
	default:
		return errors.Join(err, s.repeat(ctx, w))
	}
}

// store changes an open withdrawal. The call's timeout does not apply.
func (s *Service) store(ctx context.Context, id int64, change func(context.Context, *db.Tx, *query.Withdrawal) error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	return s.o.Ledger.Write(ctx, func(tx *db.Tx) error {
		w, err := tx.Q.LockWithdrawal(ctx, id)
		if err != nil || isEnded(w.Status) { // a notice was faster
			return err
		}
		return change(ctx, tx, &w)
	})
}

// sentIn records that the gateway accepted the payout, and plans the next question.
func (s *Service) sentIn(ctx context.Context, tx *db.Tx, w *query.Withdrawal, payoutID string) error {
	next := db.Millis(s.o.Now().Add(askInterval))
	if w.Status == Sent {
		return tx.Q.RepeatWithdrawal(ctx, w.ID, next)
	}
	w.Status, w.PayoutID, w.NextCallAt = Sent, payoutID, next
	return s.saveIn(ctx, tx, w)
}

func (s *Service) repeat(ctx context.Context, w query.Withdrawal) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	wait := min(repeatDelay<<min(w.Calls, 10), maxRepeatDelay)
	if w.Status == Sent {
		wait = askInterval
	}
	return s.o.Store.Write(ctx, func(tx *db.Tx) error {
		return tx.Q.RepeatWithdrawal(ctx, w.ID, db.Millis(s.o.Now().Add(wait)))
	})
}

func (s *Service) payout(ctx context.Context, w query.Withdrawal) (gateway.Payout, error) {
	code, err := s.o.Merchant(ctx, w.MerchantID)
	if err != nil {
		return gateway.Payout{}, err
	}
	card, err := s.o.Store.Q().BankCard(ctx, w.CardID)
	if err != nil {
		return gateway.Payout{}, fmt.Errorf("read card: %w", err)
	}
	open, err := s.open(card)
	if err != nil {
		return gateway.Payout{}, err
	}
	c, err := money.Find(w.Currency)
	if err != nil {
		return gateway.Payout{}, err
	}
	return gateway.Payout{
		Merchant: code, Reference: w.Reference, Amount: c.Format(money.Minor(w.Amount - w.Fee)), Currency: w.Currency, Bank: card.Bank, Number: open.Number, Holder: open.Holder,
	}, nil
}

// A Difference is a withdrawal that the gateway reports otherwise.
type Difference struct{ Reference, Here, There, Amount, Text string }

// Compare compares the payouts of a gateway with the withdrawals created since a time.
func (s *Service) Compare(ctx context.Context, g gateway.Gateway, since int64) (checked int64, out []Difference, err error) {
	rows, err := s.o.Store.Q().GatewayWithdrawals(ctx, sql.NullInt64{Int64: g.ID, Valid: true}, since)
	if err != nil {
		return 0, nil, fmt.Errorf("read withdrawals: %w", err)
	}
	var mu sync.Mutex
	slots := make(chan struct{}, 8)
	var wait sync.WaitGroup
	for _, w := range rows {
		slots <- struct{}{}
		wait.Go(func() {
			defer func() { <-slots }()
			state, err := s.o.Gateways.PayoutState(ctx, g, w.Reference)
			if diff := compare(w, state, err); diff != nil {
				mu.Lock()
				out = append(out, *diff)
				mu.Unlock()
			}
		})
	}
	wait.Wait()
	return int64(len(rows)), out, ctx.Err()
}

// compare returns nil if both sides agree: both have paid the same, or neither has.
func compare(w query.Withdrawal, state gateway.State, err error) *Difference {
	out := &Difference{Reference: w.Reference, Here: w.Status, There: state.Status, Amount: state.Amount + " " + state.Currency}
	switch {
	case errors.Is(err, gateway.ErrNotFound):
		out.There, out.Amount = "unknown", ""
		if w.Status != Paid && w.Status != Sent {
			return nil
		}
		out.Text = "sent, but the gateway does not know it"
	case err != nil:
		out.There, out.Amount, out.Text = "silent", "", "the gateway did not answer: "+err.Error()
	case state.Status == gateway.Paid && w.Status != Paid:
		out.Text = "paid out, but not marked as paid"
	case state.Status != gateway.Paid && w.Status == Paid:
		out.Text = "marked as paid, but not paid out"
	case w.Status == Paid && !state.SameMoney(money.Minor(w.Amount-w.Fee), w.Currency):
		out.Text = "paid out with another amount or currency"
	case !isEnded(w.Status) && (state.Status == gateway.Failed || state.Status == gateway.Expired):
		out.Text = "ended at the gateway, but not here"
	default:
		return nil
	}
	return out
}
