package limits

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/db"
)

const (
	useStake     = "stake"
	useReturn    = "return"
	useDeposit   = "deposit"
	usePromotion = "promotion" // counts against no limit, but is refused during a break
)

var columns = []ledger.Column{
	{Name: "member_id", Type: ledger.Int}, {Name: "currency", Type: ledger.Text}, {Name: "what", Type: ledger.Text},
	{Name: "amount", Type: ledger.Int},
}

// Both write to limit_use. With usesNow, PostgreSQL sets the time of a use. With usesAt, the caller does.
var (
	usesNow = ledger.NewTable("limit_use", columns...)
	usesAt  = ledger.NewTable("limit_use", append(columns[:len(columns):len(columns)], ledger.Column{Name: "at", Type: ledger.Int})...)
)

// Stake returns the row that counts a bet. The transfer writes it.
func (s *Service) Stake(memberID int64, currency string, amount money.Minor) ledger.Row {
	return s.use(useStake, memberID, currency, amount)
}

// Return returns the row that counts a win.
func (s *Service) Return(memberID int64, currency string, amount money.Minor) ledger.Row {
	return s.use(useReturn, memberID, currency, amount)
}

// Deposit returns the row that counts a deposit.
func (s *Service) Deposit(memberID int64, currency string, amount money.Minor) ledger.Row {
	return s.use(useDeposit, memberID, currency, amount)
}

// Promotion returns the row that makes the gate refuse a promotion during a break.
func (s *Service) Promotion(memberID int64, currency string, amount money.Minor) ledger.Row {
	return s.use(usePromotion, memberID, currency, amount)
}

// TakenBack returns the row that cancels the use of a bet, identified by its transfer. The row has the time of the bet, so
// that both leave every window together. With a later time, it would allow more than the limit. For a bet without a use,
// it returns no row.
func (s *Service) TakenBack(ctx context.Context, tx *db.Tx, bet, memberID int64, currency string, amount money.Minor) ([]ledger.Row, error) {
	return s.cancel(ctx, tx, useStake, bet, memberID, currency, amount)
}

// DepositReturned returns the row that cancels the use of a deposit that was not paid, identified by its transfer.
func (s *Service) DepositReturned(ctx context.Context, tx *db.Tx, reservation, memberID int64, currency string, amount money.Minor) ([]ledger.Row, error) {
	return s.cancel(ctx, tx, useDeposit, reservation, memberID, currency, amount)
}

func (s *Service) cancel(ctx context.Context, tx *db.Tx, what string, transfer, memberID int64, currency string, amount money.Minor) ([]ledger.Row, error) {
	usedAt, err := tx.Q.LimitUseTime(ctx, transfer)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read time of the %s: %w", what, err)
	}
	return []ledger.Row{{Table: usesAt, Values: []any{memberID, currency, what, -int64(amount), usedAt}}}, nil
}

func (s *Service) use(what string, memberID int64, currency string, amount money.Minor) ledger.Row {
	row := ledger.Row{Table: usesNow, Values: []any{memberID, currency, what, int64(amount)}}
	if s.o.Store.Engine == db.SQLite {
		row.Table, row.Values = usesAt, append(row.Values, db.Millis(s.o.Now()))
	}
	return row
}

// A use is a row of limit_use that a transfer writes.
type use struct {
	memberID int64
	currency string
	what     string
	amount   money.Minor
	at       int64 // unix ms; 0: now
}

func usesOf(t *ledger.Transfer) []use {
	var uses []use
	for _, row := range t.Rows {
		if row.Table != usesNow && row.Table != usesAt {
			continue
		}
		v := row.Values
		u := use{memberID: v[0].(int64), currency: v[1].(string), what: v[2].(string), amount: money.Minor(v[3].(int64))}
		if len(v) > len(columns) {
			u.at = v[len(columns)].(int64)
		}
		uses = append(uses, u)
	}
	return uses
}

// useRetention is the longest window plus a margin for clock differences.
const useRetention = 31 * day

// Sweep deletes uses that are too old for every window, in batches. It runs as a periodic job.
func (s *Service) Sweep(ctx context.Context) error {
	now, err := s.clock(ctx, s.o.Store.Reader)
	if err != nil {
		return err
	}
	for dropped := int64(1); dropped > 0; {
		err := s.o.Store.Write(ctx, func(tx *db.Tx) error {
			uses, err := tx.Q.DropOldUses(ctx, now-useRetention.Milliseconds())
			if err != nil {
				return err
			}
			sums, err := tx.Q.DropOldSums(ctx, now-useRetention.Milliseconds())
			dropped = uses + sums
			return err
		})
		if err != nil {
			return fmt.Errorf("drop old uses: %w", err)
		}
	}
	return nil
}
