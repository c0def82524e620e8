package house

import (
	"context"
	"encoding/json"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// placing is a ticket whose stake the wallet has taken.
type placing struct {
	id, balance int64
	stands      bool
}

// settling is a round whose win the wallet has taken.
type settling struct{ id, balance, at int64 }

// drawing is a ticket whose outcome is known.
type drawing struct {
	id      int64
	outcome string
	win     int64
}

// placeTickets lets tickets stand whose tables still take bets; the others go back.
func (s *Service) placeTickets(ctx context.Context, lot []*placing) error {
	return s.o.Store.Write(ctx, func(tx *db.Tx) error {
		var at int64
		if tx.Engine == db.SQLite || s.o.Time != nil { // PostgreSQL knows it without being asked for it first
			now, err := s.now(ctx, tx)
			if err != nil {
				return err
			}
			at = db.Millis(now)
		}
		stand, err := filesOf(tx).place(ctx, lot, at)
		if err != nil {
			return err
		}
		for _, p := range lot {
			if p.stands = stand[p.id]; p.stands {
				continue
			}
			if _, err := tx.Q.MoveHouseRound(ctx, query.MoveHouseRoundParams{ID: p.id, Was: betting, Next: refunding, Reason: codeBetsClosed}); err != nil {
				return err
			}
		}
		return nil
	})
}

func (s *Service) settleRounds(ctx context.Context, lot []*settling) error {
	return s.o.Store.Write(ctx, func(tx *db.Tx) error { return filesOf(tx).settle(ctx, lot) })
}

// drawTickets writes down what tickets of a round have won, and gives those for which nobody had done so.
func (s *Service) drawTickets(ctx context.Context, round query.HouseTableRound, rows []query.HouseRound) (drawn []query.HouseRound, err error) {
	lot := make([]drawing, len(rows))
	for i := range rows {
		outcome, err := s.dealers.tally(round.Engine, round.Version, json.RawMessage(round.Result), rows[i].Spots)
		if err != nil {
			return nil, err
		}
		text, err := json.Marshal(outcome)
		if err != nil {
			return nil, err
		}
		lot[i] = drawing{rows[i].ID, string(text), int64(outcome.Win)}
	}
	err = s.o.Store.Write(ctx, func(tx *db.Tx) error {
		done, err := filesOf(tx).draw(ctx, lot, round.Seed)
		if err != nil {
			return err
		}
		drawn = drawn[:0]
		for i, row := range rows {
			if done[row.ID] {
				row.Status, row.Seed, row.Outcome, row.Win = bet, round.Seed, lot[i].outcome, lot[i].win
				drawn = append(drawn, row)
			}
		}
		return nil
	})
	return drawn, wrap("draw tickets", err)
}

// files are the statements that work on many tickets, as each engine does best: SQLite one after another, for asking it costs
// nothing; PostgreSQL all at once.
type files interface {
	// lock keeps other processes from writing tickets of these players down, and gives those who have what it is done by.
	lock(ctx context.Context, lot []*entry) (seeded map[string]bool, err error)
	// read gives what the lot is known by, what its players have on the tables, and the tables' rounds.
	read(ctx context.Context, lot []*entry) (found, error)
	add(ctx context.Context, rows []query.HouseRound) error
	// place is by the time that is given, or where that is 0 by the database's.
	place(ctx context.Context, lot []*placing, now int64) (stand map[int64]bool, err error)
	draw(ctx context.Context, lot []drawing, seed []byte) (done map[int64]bool, err error)
	settle(ctx context.Context, lot []*settling) error
}

func filesOf(tx *db.Tx) files {
	if tx.Engine == db.Postgres {
		return postgresFiles{tx}
	}
	return sqliteFiles{tx.Q}
}
