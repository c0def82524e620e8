package table

import (
	"context"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// A placement is a ticket whose stake the wallet has taken.
type placement struct {
	id, balance int64
	placed      bool // set by place: the round still took bets
}

// A drawnTicket is a ticket with the outcome to store.
type drawnTicket struct {
	id      int64
	outcome string
	win     int64
}

// A ticketStore stores batches of tickets. PostgreSQL stores a batch in one statement. SQLite runs in this process, so one
// statement per ticket costs no round trip.
type ticketStore interface {
	// lock locks the seed rows of the players, and returns the players that have one.
	lock(ctx context.Context, requests []*ticketRequest) (seeded map[string]bool, err error)
	read(ctx context.Context, requests []*ticketRequest) (batchState, error)
	add(ctx context.Context, rows []query.HouseRound) error
	// place places the tickets whose rounds take bets at now. If now is 0, it uses the database's time.
	place(ctx context.Context, items []*placement, now int64) (placed map[int64]bool, err error)
	draw(ctx context.Context, tickets []drawnTicket, seed []byte) (drawn map[int64]bool, err error)
}

func newTicketStore(tx *db.Tx) ticketStore {
	if tx.Engine == db.Postgres {
		return postgresTickets{tx}
	}
	return sqliteTickets{tx.Q}
}
