package table

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"fairground/internal/game/house/bet"
	"fairground/internal/game/house/refusal"
	"fairground/internal/game/house/wallet"
	"fairground/internal/money"
	"fairground/internal/platform/batch"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

const (
	maxTicketsPerRound = 40 // per player, refused tickets included
	maxSpotsPerTicket  = 64
)

type spotStakes map[string]money.Minor

func parseSpots(stored string) (spotStakes, error) {
	var stakes spotStakes
	if err := json.Unmarshal([]byte(stored), &stakes); err != nil {
		return nil, fmt.Errorf("read ticket: %w", err)
	}
	return stakes, nil
}

// placeBet places a ticket. A repeated request with the same bet ID returns the same ticket.
func (s *Service) placeBet(ctx context.Context, f tableFrame, betID string, round int64, stakes spotStakes) (query.HouseRound, error) {
	// The bet continues if the player disconnects.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), bet.Timeout)
	defer cancel()
	spots, err := json.Marshal(stakes)
	if err != nil {
		return query.HouseRound{}, err
	}
	row, isNew, err := s.beginTicket(ctx, f, betID, round, stakes, string(spots))
	if err != nil {
		return row, wrap("begin ticket", err)
	}
	if row.TableRound.Int64 != round || row.Spots != string(spots) || row.Vendor != f.Vendor || row.Game != f.Game {
		return row, refusal.ErrConflict.On("betId")
	}
	if isNew { // skips TooLate: beginTicket has just checked the time, and Accept checks it again
		if err := s.o.Bets.Stake(ctx, &row); err != nil || row.Status == bet.Placed {
			return row, err
		}
		if row, err = s.o.Bets.Read(ctx, row.ID); err != nil {
			return row, err
		}
	}
	if row, err = s.o.Bets.Continue(ctx, row); err != nil {
		return row, err
	}
	return row, bet.Failure(row)
}

func (f tableFrame) checkStakes(stakes spotStakes) (total money.Minor, err error) {
	for _, id := range slices.Sorted(maps.Keys(stakes)) {
		if _, err := f.table.findSpot(id); err != nil {
			return 0, err
		}
		stake := stakes[id]
		switch {
		case stake < f.limits.minimum:
			return 0, refusal.ErrBelowMinimum.On("spots").With("spot", id)
		case stake%f.limits.unit != 0:
			return 0, refusal.ErrWrongMultiple.On("spots").With("spot", id)
		}
		if total, err = total.Add(stake); err != nil {
			return 0, refusal.ErrTableLimit.On("spots")
		}
	}
	if total > f.limits.ticket {
		return 0, refusal.ErrTableLimit.On("spots")
	}
	return total, nil
}

// takesBets reports whether a round takes bets at nowMs, the database's time (PP-14).
func takesBets(round query.HouseTableRound, nowMs int64) bool {
	return round.Status == bet.Betting && nowMs < round.ClosesAt
}

// TooLate implements bet.Game.
func (s *Service) TooLate(ctx context.Context, row query.HouseRound) (late bool, reason string, err error) {
	round, err := s.o.Store.Q().TableRound(ctx, row.TableRound.Int64)
	if errors.Is(err, sql.ErrNoRows) {
		return true, wallet.CodeBettingClosed, nil
	}
	if err != nil {
		return false, "", fmt.Errorf("read table's round: %w", err)
	}
	now, err := s.o.Clock.Now(ctx, nil)
	return err == nil && !takesBets(round, db.Millis(now)), wallet.CodeBettingClosed, err
}

// Accept implements bet.Game. If the round still takes bets, it places the ticket, otherwise it starts the refund. The check
// and the change are one write.
func (s *Service) Accept(ctx context.Context, row *query.HouseRound, response wallet.Response) error {
	balance, err := bet.BalanceOf(*row, response)
	if err != nil {
		return err
	}
	p := &placement{id: row.ID, balance: balance}
	if err := s.placementBatcher.Do(ctx, batch.StringKey(row.Player), p); err != nil {
		return wrap("place ticket", err)
	}
	if p.placed {
		row.Status, row.Balance = bet.Placed, sql.NullInt64{Int64: balance, Valid: true}
	}
	return nil
}

func (s *Service) placeTickets(ctx context.Context, items []*placement) error {
	return s.o.Store.Write(ctx, func(tx *db.Tx) error {
		var nowMs int64
		if tx.Engine == db.SQLite || s.o.Clock.Fixed != nil { // PostgreSQL reads its clock within the statement
			now, err := s.o.Clock.Now(ctx, tx)
			if err != nil {
				return err
			}
			nowMs = db.Millis(now)
		}
		placed, err := newTicketStore(tx).place(ctx, items, nowMs)
		if err != nil {
			return err
		}
		for _, p := range items {
			if p.placed = placed[p.id]; p.placed {
				continue
			}
			if _, err := tx.Q.SetHouseRoundStatus(ctx, query.SetHouseRoundStatusParams{ID: p.id, Was: bet.Betting, Next: bet.Refunding, Reason: wallet.CodeBettingClosed}); err != nil {
				return err
			}
		}
		return nil
	})
}
