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

// What a row counts.
const (
	useStake     = "stake"
	useReturn    = "return"
	useDeposit   = "deposit"
	usePromotion = "promotion" // against no limit, but nobody on a break gets one
)

var columns = []ledger.Column{
	{Name: "member_id", Type: ledger.Int}, {Name: "currency", Type: ledger.Text}, {Name: "what", Type: ledger.Text},
	{Name: "amount", Type: ledger.Int},
}

// The table of uses. PostgreSQL fills in its own time; SQLite is told, and so are both of a time that is past.
var (
	usesNow = ledger.NewTable("limit_use", columns...)
	usesAt  = ledger.NewTable("limit_use", append(columns[:len(columns):len(columns)], ledger.Column{Name: "at", Type: ledger.Int})...)
)

// Stake is the row by which a bet counts, to ride with its movement.
func (s *Service) Stake(memberID int64, currency string, amount money.Minor) ledger.Row {
	return s.use(useStake, memberID, currency, amount)
}

// Return is the row by which a win counts.
func (s *Service) Return(memberID int64, currency string, amount money.Minor) ledger.Row {
	return s.use(useReturn, memberID, currency, amount)
}

// Deposit is the row by which a deposit counts.
func (s *Service) Deposit(memberID int64, currency string, amount money.Minor) ledger.Row {
	return s.use(useDeposit, memberID, currency, amount)
}

// Promotion is the row by which what is given to a member is kept from who is on a break.
func (s *Service) Promotion(memberID int64, currency string, amount money.Minor) ledger.Row {
	return s.use(usePromotion, memberID, currency, amount)
}

// TakenBack is the row by which a bet, known by its transfer, counts no longer. It is of the same time, so that both leave every
// window together: dated later it would make room for more than the limit. A bet that never counted has none.
func (s *Service) TakenBack(ctx context.Context, tx *db.Tx, bet, memberID int64, currency string, amount money.Minor) ([]ledger.Row, error) {
	at, err := tx.Q.UseAt(ctx, bet)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read when a stake counted: %w", err)
	}
	return []ledger.Row{{Table: usesAt, Values: []any{memberID, currency, useStake, -int64(amount), at}}}, nil
}

func (s *Service) use(what string, memberID int64, currency string, amount money.Minor) ledger.Row {
	row := ledger.Row{Table: usesNow, Values: []any{memberID, currency, what, int64(amount)}}
	if s.o.Store.Engine == db.SQLite {
		row.Table, row.Values = usesAt, append(row.Values, db.Millis(s.o.Now()))
	}
	return row
}

// use is a row of a movement that the gate is asked about.
type use struct {
	memberID int64
	currency string
	what     string
	amount   money.Minor
	at       int64 // 0: now
}

// usesOf gives the rows of ours that ride with a movement.
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

// keepUses is longer than the longest window, by more than any two servers' clocks differ.
const keepUses = 31 * day

// Sweep forgets what counts against no limit any more, some in each transaction. It is run as a periodic job.
func (s *Service) Sweep(ctx context.Context) error {
	now, err := s.clock(ctx, s.o.Store.Reader)
	if err != nil {
		return err
	}
	for dropped := int64(1); dropped > 0; {
		err := s.o.Store.Write(ctx, func(tx *db.Tx) error {
			uses, err := tx.Q.DropOldUses(ctx, now-keepUses.Milliseconds())
			if err != nil {
				return err
			}
			sums, err := tx.Q.DropOldSums(ctx, now-keepUses.Milliseconds())
			dropped = uses + sums
			return err
		})
		if err != nil {
			return fmt.Errorf("drop old uses: %w", err)
		}
	}
	return nil
}
