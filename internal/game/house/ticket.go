package house

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// ticketsPerRound is how many tickets a player may have in a round, refused ones too.
const ticketsPerRound = 40

// spotsPerTicket bounds what one ticket can name.
const spotsPerTicket = 64

// staked is what a ticket puts on each spot.
type staked map[string]money.Minor

// TicketOutcome is all there is to know of a ticket, as it is stored.
type TicketOutcome struct {
	Result json.RawMessage `json:"result"`
	Spots  []SpotOutcome   `json:"spots"`
	Win    money.Minor     `json:"win"`
}

// SpotOutcome is what one spot of a ticket came to.
type SpotOutcome struct {
	ID    string      `json:"id"`
	Stake money.Minor `json:"stake"`
	Win   money.Minor `json:"win"`
}

// now is the database's time.
func (s *Service) now(ctx context.Context, tx *db.Tx) (time.Time, error) {
	switch {
	case s.o.Time != nil:
		return s.o.Time(ctx, tx)
	case tx != nil:
		return tx.Now(ctx)
	default:
		return s.o.Store.Now(ctx)
	}
}

// wager puts a ticket on the table, once however often it is asked for under the frame's name for it.
func (s *Service) wager(ctx context.Context, f frame, betID string, round int64, on staked) (query.HouseRound, error) {
	// Whoever leaves now still has the bet, or the money.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), driveWithin)
	defer cancel()
	spots, err := json.Marshal(on)
	if err != nil {
		return query.HouseRound{}, err
	}
	row, fresh, err := s.beginTicket(ctx, f, betID, round, on, string(spots))
	if err != nil {
		return row, wrap("begin ticket", err)
	}
	if row.TableRound.Int64 != round || row.Spots != string(spots) || row.Vendor != f.Vendor || row.Game != f.Game {
		return row, ErrConflict.On("betId")
	}
	if fresh { // it was open a moment ago, and whether it still is decides when the ticket is placed
		if err := s.stake(ctx, &row); err != nil || row.Status == placed {
			return row, err
		}
		if row, err = s.o.Store.Q().HouseRound(ctx, row.ID); err != nil {
			return row, fmt.Errorf("read ticket: %w", err)
		}
	}
	if row, err = s.drive(ctx, row); err != nil {
		return row, err
	}
	return row, ended(row)
}

// check refuses what the table does not take, before anything is written.
func (f frame) check(on staked) (total money.Minor, err error) {
	for _, id := range slices.Sorted(maps.Keys(on)) {
		if _, err := f.table.find(id); err != nil {
			return 0, err
		}
		stake := on[id]
		switch {
		case stake < f.limits.minimum:
			return 0, ErrBelowMinimum.On("spots").With("spot", id)
		case stake%f.limits.unit != 0:
			return 0, ErrWrongMultiple.On("spots").With("spot", id)
		}
		if total, err = total.Add(stake); err != nil {
			return 0, ErrTableLimit.On("spots")
		}
	}
	if total > f.limits.ticket {
		return 0, ErrTableLimit.On("spots")
	}
	return total, nil
}

// takesBets tells whether a round does at a moment of the database's time (PP-14).
func takesBets(round query.HouseTableRound, at int64) bool {
	return round.Status == betting && at < round.ClosesAt
}

// stillTakesBets asks for both.
func (s *Service) stillTakesBets(ctx context.Context, id int64) (bool, error) {
	row, err := s.o.Store.Q().TableRound(ctx, id)
	if isNone(err) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("read table's round: %w", err)
	}
	now, err := s.now(ctx, nil)
	return err == nil && takesBets(row, db.Millis(now)), err
}

// place lets the ticket stand if its table still takes bets at this moment; otherwise it goes back. It is one write: what
// the wallet took stands only with it.
func (s *Service) place(ctx context.Context, row *query.HouseRound, t told) error {
	balance, err := balanceOf(*row, t)
	if err != nil {
		return err
	}
	p := &placing{id: row.ID, balance: balance}
	if err := s.places.ask(ctx, row.Player, p); err != nil {
		return wrap("place ticket", err)
	}
	if p.stands {
		row.Status, row.Balance = placed, sql.NullInt64{Int64: balance, Valid: true}
	}
	return nil
}

// count tells what a ticket has won, once its table's round has its result; one of a round that was called off goes back.
// Before that there is nothing to do.
func (s *Service) count(ctx context.Context, row query.HouseRound) (over bool, err error) {
	round, err := s.o.Store.Q().TableRound(ctx, row.TableRound.Int64)
	if err != nil {
		return false, fmt.Errorf("read table's round: %w", err)
	}
	switch round.Status {
	case roundVoid:
		return true, s.move(ctx, row, refunding, "")
	case roundResult, roundEnded:
	default:
		return false, nil
	}
	if !s.dealers.has(round.Engine, round.Version) {
		s.leaveForeign(ctx, round)
		return false, nil
	}
	outcome, err := s.dealers.tally(round.Engine, round.Version, json.RawMessage(round.Result), row.Spots)
	if err != nil {
		return false, err
	}
	text, err := json.Marshal(outcome)
	if err != nil {
		return false, err
	}
	return true, wrap("draw ticket", s.o.Store.Write(ctx, func(tx *db.Tx) error {
		_, err := tx.Q.DrawTicket(ctx, query.DrawTicketParams{ID: row.ID, Seed: round.Seed, Outcome: string(text), Win: int64(outcome.Win)})
		return err
	}))
}

// Tally tells what a ticket's spots bring by a result, both as they are stored, by the version that they were played with.
func Tally(engine string, version int64, result json.RawMessage, spots string) (TicketOutcome, error) {
	return tables().dealers.tally(engine, version, result, spots)
}

func (all dealers) tally(engine string, version int64, result json.RawMessage, spots string) (TicketOutcome, error) {
	o := TicketOutcome{Result: result, Spots: []SpotOutcome{}}
	d, _ := all.version(engine, version)
	if !all.has(engine, version) {
		return o, fmt.Errorf("no version %d of %s", version, engine)
	}
	var on staked
	if err := json.Unmarshal([]byte(spots), &on); err != nil {
		return o, fmt.Errorf("read ticket: %w", err)
	}
	for _, id := range slices.Sorted(maps.Keys(on)) {
		win, err := d.Settle(result, id, on[id])
		if err != nil {
			return o, err
		}
		if o.Win, err = o.Win.Add(win); err != nil {
			return o, err
		}
		o.Spots = append(o.Spots, SpotOutcome{id, on[id], win})
	}
	return o, nil
}
