package house

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"fairground/internal/fault"
	"fairground/internal/game/house/bet"
	"fairground/internal/game/house/refusal"
	"fairground/internal/game/house/table"
	"fairground/internal/platform/audit"
	"fairground/internal/platform/db"
	"fairground/internal/platform/permission"
	"fairground/internal/platform/rest"
)

// Faults of operator calls.
var (
	ErrMissing       = fault.ForOperators(fault.NotFound, "house.missing")
	ErrNotStuck      = fault.ForOperators(fault.Conflict, "house.not_stuck")
	ErrClosed        = fault.ForOperators(fault.Refused, "house.closed_by_wallet")
	ErrRejected      = fault.ForOperators(fault.Refused, "house.rejected")
	ErrNotRefundable = fault.ForOperators(fault.Refused, "house.not_refundable")
)

// A ClosedPayment is the payment for a stuck round that the wallet had closed. Amounts are decimal strings in the round's currency.
type ClosedPayment struct {
	Currency, Owed, AlreadyPaid, PaidNow string
	Refunded                             bool // the bet was refunded before, so nothing was owed
}

// A Payer pays the amount owed for a stuck round that the wallet has closed. The vendor protocol cannot pay it.
type Payer interface {
	PayClosed(ctx context.Context, round int64) (ClosedPayment, error)
}

// merchantOf returns the merchant of a stuck round, or 0 if the wallet does not know the round.
func (s *Service) merchantOf(ctx context.Context, round bet.Stuck) (int64, error) {
	merchants, err := s.o.Store.Q().HouseRoundMerchants(ctx, round.Vendor, round.Round)
	if err != nil {
		return 0, fmt.Errorf("find merchant of a round: %w", err)
	}
	if len(merchants) != 1 {
		return 0, nil
	}
	return merchants[0], nil
}

// StuckOf returns the stuck rounds of a merchant, oldest first. Rounds without a known merchant are included if all is set.
func (s *Service) StuckOf(ctx context.Context, merchantID int64, all bool) ([]bet.Stuck, error) {
	rounds, err := ListStuck(ctx, s.o.Store)
	if err != nil {
		return nil, err
	}
	out := []bet.Stuck{}
	for _, round := range rounds {
		owner, err := s.merchantOf(ctx, round)
		if err != nil {
			return nil, err
		}
		if owner == merchantID || owner == 0 && all {
			out = append(out, round)
		}
	}
	return out, nil
}

func (s *Service) stuckRound(ctx context.Context, merchantID int64, all bool, id int64) (bet.Stuck, error) {
	rounds, err := s.StuckOf(ctx, merchantID, all)
	if err != nil {
		return bet.Stuck{}, err
	}
	i := slices.IndexFunc(rounds, func(r bet.Stuck) bool { return r.Round == strconv.FormatInt(id, 10) })
	if i < 0 {
		return bet.Stuck{}, ErrMissing
	}
	return rounds[i], nil
}

// States of a repair in the audit log.
const (
	repairStarted = "started" // without a later row, the process ended during the repair
	repairDone    = "done"
	repairFailed  = "failed"  // no money moved
	repairUnknown = "unknown" // money may have moved
)

// A repairRecord describes a repair in the audit log.
type repairRecord struct {
	State   string       `json:"state"`
	Reason  string       `json:"reason,omitempty"`
	Code    string       `json:"code,omitempty"` // of the fault
	Payment *opsRepaired `json:"payment,omitempty"`
}

// recordTimeout limits how long a finished repair waits for its row in the audit log.
const recordTimeout = 10 * time.Second

// Repair retries, refunds or pays a stuck round. The wallet moves the money in its own transactions, so Repair writes one audit row
// before the attempt and one with its outcome.
func (s *Service) Repair(ctx context.Context, merchantID int64, round bet.Stuck, action, reason string, payer Payer) (paid ClosedPayment, err error) {
	id, err := strconv.ParseInt(round.Round, 10, 64)
	if err != nil {
		return paid, ErrMissing
	}
	entry := audit.Entry{
		MerchantID: merchantID, Permission: string(permission.HouseRepair), Action: "house." + action, Object: "round/" + round.Round,
		Before: round, After: repairRecord{State: repairStarted, Reason: reason},
	}
	if err := s.record(ctx, entry); err != nil {
		return paid, err
	}
	paid, err = s.attempt(ctx, id, action, payer)
	outcome := outcomeOf(paid, err)
	outcome.Reason = reason
	entry.After = outcome
	if err != nil {
		entry.Mode = audit.Failed
	}
	// The outcome is recorded even if the client has disconnected.
	recordCtx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordTimeout)
	defer cancel()
	return paid, errors.Join(err, s.record(recordCtx, entry))
}

func (s *Service) record(ctx context.Context, entry audit.Entry) error {
	if err := s.o.Store.Write(ctx, func(tx *db.Tx) error { return audit.Append(ctx, tx, s.o.Now(), entry) }); err != nil {
		return fmt.Errorf("audit repair: %w", err)
	}
	return nil
}

func outcomeOf(paid ClosedPayment, err error) repairRecord {
	if err == nil {
		out := repairRecord{State: repairDone}
		if paid != (ClosedPayment{}) {
			payment := opsRepaired(paid)
			out.Payment = &payment
		}
		return out
	}
	out := repairRecord{State: repairUnknown}
	if refused, ok := errors.AsType[*fault.Fault](err); ok {
		out.Code = refused.Code
	}
	isRefusal := slices.ContainsFunc(repairRefusals, func(f *fault.Fault) bool { return errors.Is(err, f) })
	if isRefusal && !errors.Is(err, errPayment) {
		out.State = repairFailed
	}
	return out
}

// repairRefusals are the faults after which no money has moved, unless the payment failed halfway.
var repairRefusals = []*fault.Fault{ErrNotStuck, ErrClosed, ErrNotRefundable, ErrRejected}

// errPayment marks errors of a Payer.
var errPayment = errors.New("pay a closed round")

// attempt repairs a round.
func (s *Service) attempt(ctx context.Context, id int64, action string, payer Payer) (paid ClosedPayment, err error) {
	switch action {
	case "retry":
		err = s.Bets.Retry(ctx, id)
	case "refund":
		err = s.Tables.Refund(ctx, id)
	default:
		if err = s.Bets.Retry(ctx, id); !errors.Is(err, bet.ErrClosedByWallet) {
			break
		}
		if paid, err = payer.PayClosed(ctx, id); err != nil {
			return paid, fmt.Errorf("%w: %w", errPayment, repairFault(err))
		}
	}
	return paid, repairFault(err)
}

// repairFault returns the fault that operators see for an error of a repair.
func repairFault(err error) error {
	switch {
	case errors.Is(err, bet.ErrNotStuck):
		return ErrNotStuck
	case errors.Is(err, bet.ErrClosedByWallet):
		return ErrClosed
	case errors.Is(err, table.ErrNotRefundable):
		return ErrNotRefundable
	case errors.Is(err, refusal.ErrStuck):
		return ErrRejected
	}
	return err
}

// seesAll reports whether an operator may see rounds without a known merchant.
func seesAll(o rest.Operator) bool { return o.Merchant.ID == 0 }
