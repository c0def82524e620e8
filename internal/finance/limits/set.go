package limits

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// Limit is one of a member's, or that there is none.
type Limit struct {
	Kind    Kind
	Period  Period
	Amount  *money.Minor // nil: none
	Used    money.Minor  // within the window; a loss is below zero where more came back than was staked
	Pending *Pending
}

// Pending is a higher limit, or none at all, that was asked for.
type Pending struct {
	Amount *money.Minor // nil: none
	From   int64        // unix ms: not confirmed before
	Until  int64        // nor after
}

// Set changes a limit. A lower one holds at once and takes back whatever waits; a higher one, or none, waits.
func (s *Service) Set(ctx context.Context, memberID int64, currency string, kind Kind, period Period, amount *money.Minor) error {
	return s.change(ctx, memberID, "limit", func(tx *db.Tx, at int64) error {
		row, found, err := limitOf(ctx, tx.Q, memberID, kind, period)
		if err != nil {
			return err
		}
		switch {
		case !found && amount == nil:
			return nil
		case !found, amount != nil && int64(*amount) <= row.Amount:
			return tx.Q.PutPlayLimit(ctx, query.PutPlayLimitParams{
				MemberID: memberID, Kind: string(kind), Period: string(period), Currency: currency, Amount: int64(*amount), Since: at,
			})
		}
		asked := nullAmount(amount)
		if p := pendingOf(row, at); p != nil && row.AskedAmount == asked {
			return nil // asked again: the wait goes on
		}
		return tx.Q.AskPlayLimit(ctx, query.AskPlayLimitParams{
			MemberID: memberID, Kind: string(kind), Period: string(period), AskedAt: sql.NullInt64{Int64: at, Valid: true}, AskedAmount: asked,
		})
	})
}

// Confirm makes a change true that has waited.
func (s *Service) Confirm(ctx context.Context, memberID int64, kind Kind, period Period) error {
	return s.change(ctx, memberID, "limit", func(tx *db.Tx, at int64) error {
		row, found, err := limitOf(ctx, tx.Q, memberID, kind, period)
		if err != nil {
			return err
		}
		var waits *Pending
		if found {
			waits = pendingOf(row, at)
		}
		switch {
		case waits == nil:
			return ErrNothingWaits
		case at < waits.From:
			return ErrTooSoon
		case waits.Amount == nil:
			return tx.Q.DropPlayLimit(ctx, memberID, string(kind), string(period))
		}
		return tx.Q.PutPlayLimit(ctx, query.PutPlayLimitParams{
			MemberID: memberID, Kind: string(kind), Period: string(period), Currency: row.Currency, Amount: int64(*waits.Amount), Since: at,
		})
	})
}

// Cancel takes back a change that waits.
func (s *Service) Cancel(ctx context.Context, memberID int64, kind Kind, period Period) error {
	return s.change(ctx, memberID, "limit", func(tx *db.Tx, at int64) error {
		row, found, err := limitOf(ctx, tx.Q, memberID, kind, period)
		if err != nil {
			return err
		}
		if !found || pendingOf(row, at) == nil {
			return ErrNothingWaits
		}
		return tx.Q.AskPlayLimit(ctx, query.AskPlayLimitParams{MemberID: memberID, Kind: string(kind), Period: string(period)})
	})
}

func limitOf(ctx context.Context, q *query.Queries, memberID int64, kind Kind, period Period) (row query.PlayLimit, found bool, err error) {
	row, err = q.PlayLimit(ctx, memberID, string(kind), string(period))
	if errors.Is(err, sql.ErrNoRows) {
		return row, false, nil
	}
	if err != nil {
		return row, false, fmt.Errorf("read limit: %w", err)
	}
	return row, true, nil
}

// pendingOf gives what waits; what was not confirmed in time has lapsed.
func pendingOf(row query.PlayLimit, at int64) *Pending {
	if !row.AskedAt.Valid {
		return nil
	}
	p := &Pending{From: row.AskedAt.Int64 + raiseWait.Milliseconds()}
	if p.Until = p.From + raiseOpen.Milliseconds(); at > p.Until {
		return nil
	}
	if row.AskedAmount.Valid {
		amount := money.Minor(row.AskedAmount.Int64)
		p.Amount = &amount
	}
	return p
}

func nullAmount(m *money.Minor) sql.NullInt64 {
	if m == nil {
		return sql.NullInt64{}
	}
	return sql.NullInt64{Int64: int64(*m), Valid: true}
}
