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
	// callLease is the time after which a call is repeated, if the process that made it has ended. It is longer than the two
	// requests of a call.
	callLease = 30 * time.Second
	// repeatDelay is the delay before the first repeated call. It doubles with each call, up to maxRepeatDelay.
	repeatDelay    = 2 * time.Second
	maxRepeatDelay = time.Minute
	// stateInterval is the interval between requests for the state of an accepted payout, because its notice may be lost.
	stateInterval = 5 * time.Minute
	// conflictDelay is how long after its approval a payout is repeated that the gateway does not accept. Then an operator decides.
	conflictDelay = 30 * time.Minute
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

// Wake makes Start send approved payouts now, without waiting for the next poll.
func (s *Service) Wake() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// CallDue makes the calls that are due, and waits for their responses.
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
		case s.callSlots <- struct{}{}:
		default:
			return nil // all slots are busy; the next poll continues
		}
		var taken int64
		err := s.o.Store.Write(ctx, func(tx *db.Tx) (err error) {
			taken, err = tx.Q.TakeWithdrawalCall(ctx, id, db.Millis(now.Add(callLease)), db.Millis(now))
			return err
		})
		if err != nil || taken == 0 { // another replica makes the call
			<-s.callSlots
			if err != nil {
				return fmt.Errorf("take payout: %w", err)
			}
			continue
		}
		s.running.Go(func() {
			defer func() { <-s.callSlots }()
			if err := s.call(ctx, id); err != nil {
				s.o.Log.WarnContext(ctx, "call gateway", "withdrawal", id, "error", err)
			}
		})
	}
	return nil
}

// call sends a payout, or reads the state of a sent payout. Both are idempotent by the reference, so a call whose response was lost is
// repeated. A payout fails only if the gateway rejects the first call and does not know its reference. If an earlier call had no
// answer, the gateway may still pay, so the hold is not returned.
func (s *Service) call(ctx context.Context, id int64) error {
	w, err := s.o.Store.Q().WithdrawalByID(ctx, id)
	if err != nil || w.Status != Approved && w.Status != Sent || !w.GatewayID.Valid {
		return err
	}
	g, err := s.o.Gateways.ByID(ctx, w.GatewayID.Int64)
	if err != nil {
		return err
	}
	if !g.Enabled { // it may have been disabled because others control it
		return s.changeOpen(ctx, id, func(ctx context.Context, tx *db.Tx, w *query.Withdrawal) error {
			if err := s.addTaskIn(ctx, tx, w, taskDisabled); err != nil {
				return err
			}
			return tx.Q.RepeatWithdrawal(ctx, w.ID, db.Millis(s.o.Now().Add(stateInterval)))
		})
	}
	readState := w.Status == Sent
	if !readState {
		payout, err := s.payoutRequest(ctx, w)
		if err != nil {
			return err
		}
		sent, err := s.o.Gateways.CreatePayout(ctx, g, payout)
		switch {
		case err == nil:
			if err := s.changeOpen(ctx, id, func(ctx context.Context, tx *db.Tx, w *query.Withdrawal) error {
				return s.sentIn(ctx, tx, w, sent.GatewayID)
			}); err != nil {
				return err
			}
			readState = sent.Status != gateway.Pending
		case errors.Is(err, gateway.ErrRejected):
			readState = true
		default:
			return errors.Join(err, s.changeOpen(ctx, id, s.repeatIn))
		}
		if !readState {
			return nil
		}
	}
	state, err := s.o.Gateways.PayoutState(ctx, g, w.Reference)
	switch {
	case err == nil && state.Status == gateway.Pending:
		return s.changeOpen(ctx, id, func(ctx context.Context, tx *db.Tx, w *query.Withdrawal) error {
			return s.sentIn(ctx, tx, w, state.GatewayID)
		})
	case err == nil:
		return s.changeOpen(ctx, id, func(ctx context.Context, tx *db.Tx, w *query.Withdrawal) error {
			paid, err := wasPaid(ctx, tx, w, 0)
			if err != nil {
				return err
			}
			code, err := s.reportIn(ctx, tx, w, state, paid)
			if err != nil || code == gateway.OK {
				return err
			}
			return tx.Q.RepeatWithdrawal(ctx, w.ID, db.Millis(s.o.Now().Add(stateInterval)))
		})
	case errors.Is(err, gateway.ErrNotFound) && w.Status == Approved:
		return s.changeOpen(ctx, id, s.rejectedIn)
	default:
		return errors.Join(err, s.changeOpen(ctx, id, s.repeatIn))
	}
}

// changeOpen changes a withdrawal, unless it has ended. The call's timeout does not apply.
func (s *Service) changeOpen(ctx context.Context, id int64, change func(context.Context, *db.Tx, *query.Withdrawal) error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	return s.o.Ledger.Write(ctx, func(tx *db.Tx) error {
		w, err := tx.Q.LockWithdrawal(ctx, id)
		if err != nil || isEnded(w.Status) { // a notice arrived first
			return err
		}
		return change(ctx, tx, &w)
	})
}

// sentIn records that the gateway accepted the payout, and schedules the next request for its state.
func (s *Service) sentIn(ctx context.Context, tx *db.Tx, w *query.Withdrawal, payoutID string) error {
	next := db.Millis(s.o.Now().Add(stateInterval))
	if w.Status == Sent {
		if err := s.o.Tasks.DoneIn(ctx, tx, taskDisabled, w.Reference); err != nil { // the gateway is enabled again
			return err
		}
		return tx.Q.RepeatWithdrawal(ctx, w.ID, next)
	}
	w.Status, w.PayoutID, w.NextCallAt = Sent, payoutID, next
	return s.saveIn(ctx, tx, w)
}

// rejectedIn applies that the gateway rejected a payout and does not know it. Without an earlier call the payout fails. Otherwise it
// is repeated, and after conflictDelay an operator gets a task.
func (s *Service) rejectedIn(ctx context.Context, tx *db.Tx, w *query.Withdrawal) error {
	if w.Status != Approved {
		return nil
	}
	if w.Calls == 1 {
		return s.endIn(ctx, tx, w, Failed, "")
	}
	late, err := s.isLateIn(ctx, tx, w)
	if err != nil {
		return err
	}
	delay := repeatAfter(w)
	if late {
		delay = stateInterval
		if err := s.addTaskIn(ctx, tx, w, taskConflict); err != nil {
			return err
		}
	}
	return tx.Q.RepeatWithdrawal(ctx, w.ID, db.Millis(s.o.Now().Add(delay)))
}

// repeatIn schedules the next call after a call without an answer. If the gateway has not accepted the payout within conflictDelay, an
// operator gets a task.
func (s *Service) repeatIn(ctx context.Context, tx *db.Tx, w *query.Withdrawal) error {
	late, err := s.isLateIn(ctx, tx, w)
	if err != nil {
		return err
	}
	if late && w.Status == Approved {
		if err := s.addTaskIn(ctx, tx, w, taskUnanswered); err != nil {
			return err
		}
	}
	return tx.Q.RepeatWithdrawal(ctx, w.ID, db.Millis(s.o.Now().Add(repeatAfter(w))))
}

// isLateIn reports whether a payout was approved at least conflictDelay ago.
func (s *Service) isLateIn(ctx context.Context, tx *db.Tx, w *query.Withdrawal) (bool, error) {
	approvedAt, err := tx.Q.WithdrawalApprovedAt(ctx, w.ID)
	if err != nil {
		return false, fmt.Errorf("read approval: %w", err)
	}
	return db.Millis(s.o.Now().Add(-conflictDelay)) >= approvedAt, nil
}

// repeatAfter returns the delay before the next call.
func repeatAfter(w *query.Withdrawal) time.Duration {
	if w.Status == Sent {
		return stateInterval
	}
	return min(repeatDelay<<min(max(w.Calls, 1)-1, 10), maxRepeatDelay)
}

// payoutRequest returns the request to the gateway.
func (s *Service) payoutRequest(ctx context.Context, w query.Withdrawal) (gateway.Payout, error) {
	code, err := s.o.Merchant(ctx, w.MerchantID)
	if err != nil {
		return gateway.Payout{}, err
	}
	card, err := s.o.Store.Q().BankCard(ctx, w.CardID)
	if err != nil {
		return gateway.Payout{}, fmt.Errorf("read card: %w", err)
	}
	details, err := s.decrypt(card)
	if err != nil {
		return gateway.Payout{}, err
	}
	c, err := money.Find(w.Currency)
	if err != nil {
		return gateway.Payout{}, err
	}
	return gateway.Payout{
		Merchant: code, Reference: w.Reference, Amount: c.Format(money.Minor(w.Amount - w.Fee)), Currency: w.Currency, Bank: card.Bank, Number: details.Number, Holder: details.Holder,
	}, nil
}

// A Difference is a withdrawal whose state differs at the gateway.
type Difference struct{ Reference, Here, There, Amount, Text string }

// Compare compares the payouts of a gateway with the withdrawals created since a time.
func (s *Service) Compare(ctx context.Context, g gateway.Gateway, since int64) (checked int64, out []Difference, err error) {
	rows, err := s.o.Store.Q().GatewayWithdrawals(ctx, sql.NullInt64{Int64: g.ID, Valid: true}, since)
	if err != nil {
		return 0, nil, fmt.Errorf("read withdrawals: %w", err)
	}
	var mu sync.Mutex
	slots := make(chan struct{}, 8)
	var wg sync.WaitGroup
	for _, w := range rows {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			state, err := s.o.Gateways.PayoutState(ctx, g, w.Reference)
			if diff := compare(w, state, err); diff != nil {
				mu.Lock()
				out = append(out, *diff)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return int64(len(rows)), out, ctx.Err()
}

// compare returns the difference between a withdrawal and the payout at the gateway, or nil if both have paid the same amount or
// neither has paid.
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
