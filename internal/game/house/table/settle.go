package table

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"fairground/internal/game/house/bet"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// settleWorkers is how many tickets are paid in parallel. The wallet and this package write them in batches.
const settleWorkers = 32

// A TicketOutcome is the stored outcome of a ticket.
type TicketOutcome struct {
	Result json.RawMessage `json:"result"`
	Spots  []SpotOutcome   `json:"spots"`
	Win    money.Minor     `json:"win"`
}

// A SpotOutcome is the outcome of one spot of a ticket.
type SpotOutcome struct {
	ID    string      `json:"id"`
	Stake money.Minor `json:"stake"`
	Win   money.Minor `json:"win"`
}

// Tally computes a ticket's outcome from the stored result and spots, with the engine version that dealt the round.
func Tally(engine string, version int64, result json.RawMessage, spots string) (TicketOutcome, error) {
	return tables().dealers.tally(engine, version, result, spots)
}

func (d dealers) tally(engine string, version int64, result json.RawMessage, spots string) (TicketOutcome, error) {
	o := TicketOutcome{Result: result, Spots: []SpotOutcome{}}
	if !d.has(engine, version) {
		return o, fmt.Errorf("no version %d of %s", version, engine)
	}
	dealer, _ := d.find(engine, version)
	stakes, err := parseSpots(spots)
	if err != nil {
		return o, err
	}
	for _, id := range slices.Sorted(maps.Keys(stakes)) {
		win, err := dealer.Settle(result, id, stakes[id])
		if err != nil {
			return o, err
		}
		if o.Win, err = o.Win.Add(win); err != nil {
			return o, err
		}
		o.Spots = append(o.Spots, SpotOutcome{id, stakes[id], win})
	}
	return o, nil
}

// Decide implements bet.TicketGame. It stores the outcome of a ticket whose round has a result, and starts the refund of a
// ticket whose round is void.
func (s *Service) Decide(ctx context.Context, row query.HouseRound) (changed bool, err error) {
	round, err := s.o.Store.Q().TableRound(ctx, row.TableRound.Int64)
	if err != nil {
		return false, fmt.Errorf("read table's round: %w", err)
	}
	switch round.Status {
	case roundVoid:
		return true, s.o.Bets.SetStatus(ctx, row, bet.Refunding, "")
	case roundResult, roundEnded:
	default:
		return false, nil
	}
	if !s.dealers.has(round.Engine, round.Version) {
		s.logSkip(ctx, round)
		return false, nil
	}
	_, err = s.drawTickets(ctx, round, []query.HouseRound{row})
	return true, err
}

// settleRound pays or refunds every ticket of a decided round. Recovery retries what fails.
func (s *Service) settleRound(ctx context.Context, id int64) error {
	rows, err := s.o.Store.Q().PlacedTickets(ctx, sql.NullInt64{Int64: id, Valid: true})
	if err != nil {
		return fmt.Errorf("read tickets: %w", err)
	}
	if err := s.drawRound(ctx, id, rows); err != nil { // Continue then stores each outcome separately
		s.o.Log.WarnContext(ctx, "could not store the outcomes of a round's tickets in batches", "round", id, "error", err)
	}
	return bet.InParallel(rows, settleWorkers, func(row query.HouseRound) error {
		ctx, cancel := context.WithTimeout(ctx, bet.Timeout)
		defer cancel()
		if row.Status == bet.Staked {
			return s.o.Bets.Pay(ctx, row)
		}
		_, err := s.o.Bets.Continue(ctx, row)
		return err
	})
}

func (s *Service) drawRound(ctx context.Context, id int64, rows []query.HouseRound) error {
	round, err := s.o.Store.Q().TableRound(ctx, id)
	if err != nil {
		return fmt.Errorf("read table's round: %w", err)
	}
	if round.Status != roundResult && round.Status != roundEnded {
		return nil
	}
	index := map[int64]int{}
	var placed []query.HouseRound
	for i, row := range rows {
		if row.Status == bet.Placed {
			index[row.ID] = i
			placed = append(placed, row)
		}
	}
	for chunk := range slices.Chunk(placed, bet.MaxBatch) {
		drawn, err := s.drawTickets(ctx, round, chunk)
		if err != nil {
			return err
		}
		for _, row := range drawn {
			rows[index[row.ID]] = row
		}
	}
	return nil
}

// drawTickets stores the outcomes of tickets. It returns the tickets whose outcomes no other process had stored.
func (s *Service) drawTickets(ctx context.Context, round query.HouseTableRound, rows []query.HouseRound) (drawn []query.HouseRound, err error) {
	tickets := make([]drawnTicket, len(rows))
	for i := range rows {
		outcome, err := s.dealers.tally(round.Engine, round.Version, json.RawMessage(round.Result), rows[i].Spots)
		if err != nil {
			return nil, err
		}
		text, err := json.Marshal(outcome)
		if err != nil {
			return nil, err
		}
		tickets[i] = drawnTicket{rows[i].ID, string(text), int64(outcome.Win)}
	}
	err = s.o.Store.Write(ctx, func(tx *db.Tx) error {
		done, err := newTicketStore(tx).draw(ctx, tickets, round.Seed)
		if err != nil {
			return err
		}
		drawn = drawn[:0]
		for i, row := range rows {
			if done[row.ID] {
				row.Status, row.Seed, row.Outcome, row.Win = bet.Staked, round.Seed, tickets[i].outcome, tickets[i].win
				drawn = append(drawn, row)
			}
		}
		return nil
	})
	return drawn, wrap("draw tickets", err)
}
