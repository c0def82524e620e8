package table

import (
	"context"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// A placement is a ticket whose stake the wallet has taken.
type placement struct {
	id, balance int64
	placed      bool // the result: the round still took bets
}

type drawnTicket struct {
	id      int64
	outcome string
	win     int64
}

// A ticketStore stores batches of tickets. PostgreSQL takes a batch in one statement. SQLite takes one ticket per statement,
// because its statements have no round trip.
type ticketStore interface {
	// lock locks the players of the requests, and returns those that have a seed row.
	lock(ctx context.Context, requests []*ticketRequest) (seeded map[string]bool, err error)
	read(ctx context.Context, requests []*ticketRequest) (batchState, error)
	add(ctx context.Context, rows []query.HouseRound) error
	// place places the tickets whose rounds take bets at now, or at the database's time where now is 0.
	place(ctx context.Context, items []*placement, now int64) (placed map[int64]bool, err error)
	draw(ctx context.Context, tickets []drawnTicket, seed []byte) (drawn map[int64]bool, err error)
}

func storeOf(tx *db.Tx) ticketStore {
	if tx.Engine == db.Postgres {
		return postgresTickets{tx}
	}
	return sqliteTickets{tx.Q}
}
