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

// A Limit is the state of one kind and period.
type Limit struct {
	Kind    Kind
	Period  Period
	Amount  *money.Minor // nil: no limit
	Used    money.Minor  // within the window; a loss may be negative
	Pending *Pending
}

// A Pending is a requested raise or removal.
type Pending struct {
	Amount *money.Minor // nil: removal
	From   int64        // unix ms; can be confirmed from then on
	Until  int64        // unix ms; expires then
}

// Set changes a limit. A lower limit applies at once and cancels a pending change. A raise or removal becomes pending.
func (s *Service) Set(ctx context.Context, memberID int64, currency string, kind Kind, period Period, amount *money.Minor) error {
	return s.change(ctx, memberID, "limit", func(tx *db.Tx, now int64) error {
		row, found, err := limitOf(ctx, tx.Q, memberID, kind, period)
		if err != nil {
			return err
		}
		switch {
		case !found && amount == nil:
			return nil
		case !found, amount != nil && int64(*amount) <= row.Amount:
			return tx.Q.PutPlayLimit(ctx, query.PutPlayLimitParams{
				MemberID: memberID, Kind: string(kind), Period: string(period), Currency: currency, Amount: int64(*amount), Since: now,
			})
		}
		requested := nullAmount(amount)
		if p := pendingOf(row, now); p != nil && row.AskedAmount == requested {
			return nil // repeating a request does not restart the wait
		}
		return tx.Q.RequestPlayLimit(ctx, query.RequestPlayLimitParams{
			MemberID: memberID, Kind: string(kind), Period: string(period), AskedAt: sql.NullInt64{Int64: now, Valid: true}, AskedAmount: requested,
		})
	})
}

// Confirm applies a pending change after its wait.
func (s *Service) Confirm(ctx context.Context, memberID int64, kind Kind, period Period) error {
	return s.change(ctx, memberID, "limit", func(tx *db.Tx, now int64) error {
		row, found, err := limitOf(ctx, tx.Q, memberID, kind, period)
		if err != nil {
			return err
		}
		var pending *Pending
		if found {
			pending = pendingOf(row, now)
		}
		switch {
		case pending == nil:
			return ErrNoPendingChange
		case now < pending.From:
			return ErrTooSoon
		}
		if s.o.Messages != nil {
			if err := s.o.Messages.SystemIn(ctx, tx, memberID, "limit.raised", nil); err != nil {
				return err
			}
		}
		if pending.Amount == nil {
			return tx.Q.DropPlayLimit(ctx, memberID, string(kind), string(period))
		}
		return tx.Q.PutPlayLimit(ctx, query.PutPlayLimitParams{
			MemberID: memberID, Kind: string(kind), Period: string(period), Currency: row.Currency, Amount: int64(*pending.Amount), Since: now,
		})
	})
}

// Cancel cancels a pending change.
func (s *Service) Cancel(ctx context.Context, memberID int64, kind Kind, period Period) error {
	return s.change(ctx, memberID, "limit", func(tx *db.Tx, now int64) error {
		row, found, err := limitOf(ctx, tx.Q, memberID, kind, period)
		if err != nil {
			return err
		}
		if !found || pendingOf(row, now) == nil {
			return ErrNoPendingChange
		}
		return tx.Q.RequestPlayLimit(ctx, query.RequestPlayLimitParams{MemberID: memberID, Kind: string(kind), Period: string(period)})
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

// pendingOf returns the pending change, or nil if there is none or it has expired.
func pendingOf(row query.PlayLimit, now int64) *Pending {
	if !row.AskedAt.Valid {
		return nil
	}
	p := &Pending{From: row.AskedAt.Int64 + raiseWait.Milliseconds()}
	if p.Until = p.From + raiseConfirmTime.Milliseconds(); now > p.Until {
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
