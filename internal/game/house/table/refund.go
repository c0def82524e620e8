package table

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"time"

	"fairground/internal/game/house/bet"
	"fairground/internal/game/house/refusal"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// ErrNotRefundable is returned for a round that ListUnsettled does not return.
var ErrNotRefundable = errors.New("only an unsettled ticket of an engine version that this server lacks can be refunded")

// ListUnsettled returns the tickets of dealt rounds whose engine version this server lacks. Only a server with that version can
// settle them.
func ListUnsettled(ctx context.Context, store *db.Store) ([]bet.Stuck, error) {
	out := []bet.Stuck{}
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
			if tables().dealers.has(row.Engine, row.Version) {
				continue
			}
			c, err := money.Find(row.Currency)
			if err != nil {
				return nil, err
			}
			out = append(out, bet.Stuck{
				Round: strconv.FormatInt(row.ID, 10), Player: row.Player, Vendor: row.Vendor, Game: row.Game, Currency: c.Code, Owed: "result",
				Stake: c.Format(money.Minor(row.Stake)), Win: c.Format(0), At: time.UnixMilli(row.CreatedAt).UTC(), Engine: row.Engine, Version: row.Version,
			})
		}
	}
}

// Refund refunds the stake of a ticket that ListUnsettled returns. It is idempotent.
func (s *Service) Refund(ctx context.Context, id int64) error {
	row, err := s.o.Bets.Read(ctx, id)
	if errors.Is(err, sql.ErrNoRows) {
		return ErrNotRefundable
	}
	if err != nil {
		return err
	}
	if row.Status == bet.Placed {
		if err := s.startRefund(ctx, row); err != nil {
			return err
		}
		if row, err = s.o.Bets.Read(ctx, id); err != nil {
			return err
		}
	}
	if row.Status == bet.Refunding {
		if row, err = s.o.Bets.Continue(ctx, row); err != nil {
			return err
		}
	}
	switch row.Status {
	case bet.Refunded:
		return nil
	case bet.RefundStuck:
		return refusal.ErrStuck
	default:
		return ErrNotRefundable
	}
}

func (s *Service) startRefund(ctx context.Context, row query.HouseRound) error {
	tableRound, err := s.o.Store.Q().TableRound(ctx, row.TableRound.Int64)
	if err != nil {
		return fmt.Errorf("read table's round: %w", err)
	}
	if tableRound.Status != roundResult && tableRound.Status != roundEnded || s.dealers.has(tableRound.Engine, tableRound.Version) {
		return ErrNotRefundable
	}
	s.o.Log.WarnContext(ctx, "an operator refunds a ticket", "round", row.ID, "engine", tableRound.Engine, "version", tableRound.Version)
	return s.o.Bets.SetStatus(ctx, row, bet.Refunding, "")
}
