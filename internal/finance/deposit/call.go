package deposit

import (
	"context"
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
	// pollInterval is the interval at which Start looks for calls to repeat.
	pollInterval = time.Second
	// repeatDelay is the delay before the first repeated call. It doubles with each call, up to maxRepeatDelay.
	repeatDelay    = 2 * time.Second
	maxRepeatDelay = time.Minute
	// expiryGrace is how long a deposit stays open after its expiry while its gateway does not respond.
	expiryGrace = 10 * time.Minute
)

// Start repeats calls to gateways until Close.
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
				if err := s.repeatDue(ctx); err != nil && ctx.Err() == nil {
					s.o.Log.WarnContext(ctx, "repeat calls to gateways", "error", err)
				}
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

// RepeatDue repeats the calls that are due, and waits for their responses.
func (s *Service) RepeatDue(ctx context.Context) error {
	err := s.repeatDue(ctx)
	s.running.Wait()
	return err
}

func (s *Service) repeatDue(ctx context.Context) error {
	now := s.o.Now()
	due, err := s.o.Store.Q().DueDepositCalls(ctx, db.Millis(now))
	if err != nil {
		return fmt.Errorf("find calls to repeat: %w", err)
	}
	for _, id := range due {
		select {
		case s.callSlots <- struct{}{}:
		default:
			return nil // all slots are busy, because a gateway is slow; the next poll continues
		}
		var taken int64
		err := s.o.Store.Write(ctx, func(tx *db.Tx) (err error) {
			taken, err = tx.Q.TakeDepositCall(ctx, id, db.Millis(now.Add(callLease)), db.Millis(now))
			return err
		})
		if err != nil || taken == 0 { // another replica makes the call
			<-s.callSlots
			if err != nil {
				return fmt.Errorf("take call: %w", err)
			}
			continue
		}
		s.running.Go(func() {
			defer func() { <-s.callSlots }()
			s.callGateway(ctx, id)
		})
	}
	return nil
}

// callGateway creates a deposit's payment at its gateway and stores the response. Without a definite response, the call is repeated
// later. Errors are logged.
func (s *Service) callGateway(ctx context.Context, id int64) {
	ctx, cancel := context.WithTimeout(ctx, gateway.CallTimeout+time.Second)
	defer cancel()
	if err := s.createPayment(ctx, id); err != nil {
		s.o.Log.WarnContext(ctx, "call gateway", "deposit", id, "error", err)
	}
}

func (s *Service) createPayment(ctx context.Context, id int64) error {
	d, err := s.o.Store.Q().DepositByID(ctx, id)
	if err != nil || !isOpen(d.Status) {
		return err
	}
	g, err := s.o.Gateways.ByID(ctx, d.GatewayID.Int64)
	if err != nil {
		return err
	}
	if !g.Enabled { // it may have been disabled because others control it
		return s.o.Store.Write(ctx, func(tx *db.Tx) error {
			return tx.Q.RepeatDeposit(ctx, id, db.Millis(s.o.Now().Add(maxRepeatDelay)))
		})
	}
	payment, err := s.paymentRequest(ctx, d, g)
	if err != nil {
		return err
	}
	created, err := s.o.Gateways.CreatePayment(ctx, g, payment)
	// The call's timeout does not apply to storing its result.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if err == nil {
		return s.o.Store.Write(ctx, func(tx *db.Tx) error {
			return tx.Q.SetDepositPayment(ctx, query.SetDepositPaymentParams{ID: id, PayUrl: created.PayURL, PaymentID: created.GatewayID, Qr: created.QR})
		})
	}
	if errors.Is(err, gateway.ErrRejected) {
		return s.endOpen(ctx, id, Refused, err)
	}
	delay := min(repeatDelay<<min(d.Calls, 10), maxRepeatDelay)
	return errors.Join(err, s.o.Store.Write(ctx, func(tx *db.Tx) error {
		return tx.Q.RepeatDeposit(ctx, id, db.Millis(s.o.Now().Add(delay)))
	}))
}

// endOpen ends a deposit, unless a notice has ended it meanwhile. The returned error includes cause, so that the caller logs it.
func (s *Service) endOpen(ctx context.Context, id int64, status string, cause error) error {
	return errors.Join(cause, s.o.Ledger.Write(ctx, func(tx *db.Tx) error {
		d, err := tx.Q.LockDeposit(ctx, id)
		if err != nil || !isOpen(d.Status) {
			return err
		}
		return s.endIn(ctx, tx, &d, status, "")
	}))
}

// paymentRequest returns the request to the gateway.
func (s *Service) paymentRequest(ctx context.Context, d query.Deposit, g gateway.Gateway) (gateway.Payment, error) {
	code, err := s.o.Merchant(ctx, d.MerchantID)
	if err != nil {
		return gateway.Payment{}, err
	}
	method, err := s.o.Store.Q().DepositMethodByID(ctx, d.MethodID)
	if err != nil {
		return gateway.Payment{}, fmt.Errorf("find method: %w", err)
	}
	c, err := money.Find(d.Currency)
	if err != nil {
		return gateway.Payment{}, err
	}
	return gateway.Payment{
		Merchant: code, Reference: d.Reference, Amount: c.Format(money.Minor(d.Amount)), Currency: d.Currency, Method: method.Code,
		NotifyURL: s.site + "/pay/v1/" + g.Code + "/payment", ReturnURL: s.site + "/m/voucherCenter?deposit=" + formatID(d.ID), ExpiresAt: d.ExpiresAt,
	}, nil
}

// maxStateRequests is the maximum number of concurrent requests to gateways for the state of payments.
const maxStateRequests = 8

// Expire ends deposits that have expired. It first reads the state of a gateway's payment, because the notice may be lost. It runs as
// a periodic job.
func (s *Service) Expire(ctx context.Context) error {
	due, err := s.o.Store.Q().ExpiredDeposits(ctx, db.Millis(s.o.Now()))
	if err != nil {
		return fmt.Errorf("find expired deposits: %w", err)
	}
	var mu sync.Mutex
	var failures []error
	unresponsive := map[int64]bool{} // gateways that do not respond
	slots := make(chan struct{}, maxStateRequests)
	var wg sync.WaitGroup
	for _, row := range due {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			if err := s.expire(ctx, row.ID, row.Kind, &mu, unresponsive); err != nil {
				mu.Lock()
				failures = append(failures, fmt.Errorf("deposit %d: %w", row.ID, err))
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return errors.Join(failures...)
}

func (s *Service) expire(ctx context.Context, id int64, kind string, mu *sync.Mutex, unresponsive map[int64]bool) error {
	var state *gateway.State
	isEnabled := true
	if kind == Pay {
		d, err := s.o.Store.Q().DepositByID(ctx, id)
		if err != nil {
			return err
		}
		graceOver := s.o.Now().After(time.UnixMilli(d.ExpiresAt).Add(expiryGrace))
		mu.Lock()
		skip := unresponsive[d.GatewayID.Int64]
		mu.Unlock()
		if skip && !graceOver {
			return nil
		}
		g, err := s.o.Gateways.ByID(ctx, d.GatewayID.Int64)
		if err != nil {
			return err
		}
		isEnabled = g.Enabled
		reported, err := s.o.Gateways.PaymentState(ctx, g, d.Reference)
		switch {
		case err == nil:
			state = &reported
		case errors.Is(err, gateway.ErrNoAnswer):
			mu.Lock()
			unresponsive[g.ID] = true
			mu.Unlock()
			if !graceOver {
				return nil
			}
		case !errors.Is(err, gateway.ErrNotFound) && !errors.Is(err, gateway.ErrRejected):
			return err
		}
	}
	return s.o.Ledger.Write(ctx, func(tx *db.Tx) error {
		d, err := tx.Q.LockDeposit(ctx, id)
		if err != nil || d.Status != Waiting {
			return err
		}
		if state != nil {
			switch {
			case state.Status == gateway.Paid && isEnabled && state.SameMoney(money.Minor(d.Amount), d.Currency):
				return s.creditIn(ctx, tx, credit{&d, money.Minor(d.Amount), money.Minor(d.Fee), state.GatewayID})
			case state.Status == gateway.Paid:
				if err := s.endIn(ctx, tx, &d, Expired, ""); err != nil {
					return err
				}
				return s.queueIn(ctx, tx, &d, QueueLate, 0)
			case state.Status == gateway.Failed:
				return s.endIn(ctx, tx, &d, Refused, "")
			}
		}
		return s.endIn(ctx, tx, &d, Expired, "")
	})
}
