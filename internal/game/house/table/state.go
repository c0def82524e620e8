package table

import (
	"context"
	"database/sql"
	"errors"

	"fairground/internal/platform/db"
)

// A State is the state of a table for operators.
type State struct {
	ID      string   `json:"id"`
	Name    string   `json:"name"`
	Engine  string   `json:"engine"`
	Games   []string `json:"games" doc:"Codes of the games that open the table."`
	Number  int64    `json:"number" doc:"Number of the last round."`
	Phase   string   `json:"phase" doc:"Phase of the last round: betting, locked, dealing, result or ended. idle if there is no round or no server leads the table."`
	Led     bool     `json:"led" doc:"A server leads the table now."`
	Players int64    `json:"players" doc:"Players with a ticket in the last round."`
	Tickets int64    `json:"tickets" doc:"Tickets of the last round."`
	EndsAt  int64    `json:"endsAt" doc:"End of the last round in Unix milliseconds."`
}

// phaseIdle is the phase of a table that no server leads, because it has no players.
const phaseIdle = "idle"

// States returns all tables with their last round.
func (s *Service) States(ctx context.Context) ([]State, error) {
	now, err := s.o.Clock.Now(ctx, nil)
	if err != nil {
		return nil, err
	}
	leases, err := s.o.Store.Q().HouseTables(ctx)
	if err != nil {
		return nil, wrap("read tables", err)
	}
	led := map[string]bool{}
	for _, l := range leases {
		led[l.ID] = l.Until > db.Millis(now)
	}
	out := []State{}
	for _, t := range tables().Tables {
		state := State{ID: t.ID, Name: t.Name, Engine: t.Engine, Games: append([]string{}, t.Games...), Phase: phaseIdle, Led: led[t.ID]}
		round, err := s.o.Store.Q().LastTableRound(ctx, t.ID)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return nil, wrap("read round", err)
		}
		if err == nil {
			crowd, err := s.o.Store.Q().TableCrowd(ctx, sql.NullInt64{Int64: round.ID, Valid: true})
			if err != nil {
				return nil, wrap("count players", err)
			}
			state.Number, state.EndsAt, state.Players, state.Tickets = round.Number, round.EndsAt, crowd.Players, crowd.Tickets
			if state.Led {
				state.Phase = round.Status
			}
		}
		out = append(out, state)
	}
	return out, nil
}
