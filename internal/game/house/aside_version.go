package house

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// ErrSettles says that a round is to come to its end by its result: there is nothing to refund.
var ErrSettles = errors.New("no ticket of a version that this program does not have")

// listUnsettled gives the tickets of dealt rounds whose version none of the dealers has: another program may settle them, this one never will.
func listUnsettled(ctx context.Context, store *db.Store, by dealers) ([]Stuck, error) {
	out := []Stuck{}
	for after := int64(0); ; {
		rows, err := store.Q().DealtTickets(ctx, after)
		if err != nil {
			return nil, fmt.Errorf("read dealt tickets: %w", err)
		}
		if len(rows) == 0 {
			return out, nil
		}
		for _, row := range rows {
			after = row.ID
			if by.has(row.Engine, row.Version) {
				continue
			}
			c, err := money.Find(row.Currency)
			if err != nil {
				return nil, err
			}
			out = append(out, Stuck{
				Round: fmt.Sprint(row.ID), Player: row.Player, Vendor: row.Vendor, Game: row.Game, Currency: c.Code, Owed: "result",
				Stake: c.Format(money.Minor(row.Stake)), Win: c.Format(0), At: time.UnixMilli(row.CreatedAt).UTC(), Engine: row.Engine, Version: row.Version,
			})
		}
	}
}

// Refund returns the stake of a ticket that ListStuck gives for want of its version. Asked again it moves nothing.
func (s *Service) Refund(ctx context.Context, id int64) error {
	row, err := s.o.Store.Q().HouseRound(ctx, id)
	if errors.Is(err, sql.ErrNoRows) {
		return ErrSettles
	}
	if err != nil {
		return fmt.Errorf("read round: %w", err)
	}
	if row.Status == placed {
		if err := s.callOff(ctx, row); err != nil {
			return err
		}
		if row, err = s.o.Store.Q().HouseRound(ctx, id); err != nil {
			return fmt.Errorf("read round: %w", err)
		}
	}
	if row.Status == refunding {
		if row, err = s.drive(ctx, row); err != nil {
			return err
		}
	}
	switch row.Status {
	case refunded:
		return nil
	case unreturned:
		return ErrSetAside
	default:
		return ErrSettles
	}
}

// callOff has a ticket go back whose round was dealt by a version that this program does not have.
func (s *Service) callOff(ctx context.Context, row query.HouseRound) error {
	round, err := s.o.Store.Q().TableRound(ctx, row.TableRound.Int64)
	if err != nil {
		return fmt.Errorf("read table's round: %w", err)
	}
	if round.Status != roundResult && round.Status != roundEnded || s.dealers.has(round.Engine, round.Version) {
		return ErrSettles
	}
	s.o.Log.WarnContext(ctx, "an operator refunds a ticket", "round", row.ID, "engine", round.Engine, "version", round.Version)
	return s.move(ctx, row, refunding, "")
}
