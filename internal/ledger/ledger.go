// Package ledger is the only package that moves money. Every movement is a transfer of a positive amount
// between two accounts of one currency and one merchant, written once under the caller's key and never
// changed: a correction is another transfer. It keeps members from spending what they do not have, holds
// cash for two-phase payments, remembers refusals, announces changed balances through the outbox and can
// prove its own books (Verify). It knows no game, no bank and no promotion, and it never decides who may
// ask for a transfer.
package ledger

import (
	"cmp"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// Options are what the ledger takes from outside. The zero value works.
type Options struct {
	Now      func() time.Time // the clock where the database has none of its own (SQLite)
	NewID    db.IDs           // ids of new accounts
	Limits   Limits           // asked about guarded posts; nil admits all
	OnCommit func()           // called after every commit that wrote to the outbox; must not block
	Log      *slog.Logger

	// How PostgreSQL is used: so many connections that group what is queued, and so many for callers that
	// post alone. 0 means the usual number, -1 none (of the latter).
	BatchConns, DirectConns int
	Timeouts                Timeouts
}

// Timeouts are how long PostgreSQL is waited for. 0 means the usual time.
type Timeouts struct {
	Lock      time.Duration // for a row that somebody else holds
	RoundTrip time.Duration // for the answer to one statement
	Reconnect time.Duration // for a new connection, by a batch that has lost its own
}

func (w Timeouts) orDefault() Timeouts {
	return Timeouts{Lock: cmp.Or(w.Lock, lockTimeout), RoundTrip: cmp.Or(w.RoundTrip, roundTripTimeout), Reconnect: cmp.Or(w.Reconnect, reconnectTimeout)}
}

// Ledger posts transfers to one database. Any number of ledgers, in as many processes, may share a
// PostgreSQL database; a SQLite file has one.
type Ledger struct {
	store     *db.Store
	writes    *query.Queries // outside any transaction
	now       func() time.Time
	newID     db.IDs
	limits    Limits
	committed func()
	log       *slog.Logger
	timeouts  Timeouts

	houses  sync.Map // houseKey → Account
	derived sync.Map // id → query.Account: the facts of house accounts, which never change
	ids     idBlock  // transfer ids in hand (PostgreSQL)

	closing sync.RWMutex // read: adding to the queue; write: closing it
	closed  bool
	queues  []chan *request // one for each conn
	workers sync.WaitGroup

	inFlight atomic.Int64 // posts that callers wait for
	idle     idleConns    // connections for posting alone, when there are any
	busy     sync.Map     // members' accounts that are being posted to alone, each with what is closed at the end
}

// New starts a ledger on a migrated database. Close it before the database.
func New(store *db.Store, o Options) *Ledger {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.NewID == nil {
		o.NewID = db.NewIDs(o.Now)
	}
	if o.OnCommit == nil {
		o.OnCommit = func() {}
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	l := &Ledger{
		store: store, writes: query.New(db.Bind(store.Engine, store.Writer)), now: o.Now, newID: o.NewID,
		limits: o.Limits, committed: o.OnCommit, log: o.Log, timeouts: o.Timeouts.orDefault(),
	}
	if store.Engine == db.SQLite {
		w := &sqliteWriter{l: l}
		l.startWorker(w.run, w.close)
		return l
	}
	l.startPostgres(defaultTo(o.BatchConns, 2), defaultTo(o.DirectConns, 8))
	return l
}

func defaultTo(n, usual int) int {
	if n == 0 {
		return usual
	}
	return n
}

// Close answers every post already accepted, then stops. Later posts are refused.
func (l *Ledger) Close() {
	l.closing.Lock()
	first := !l.closed
	if first {
		l.closed = true
		for _, q := range l.queues {
			close(q)
		}
	}
	l.closing.Unlock()
	l.workers.Wait()
	if first { // whoever posts alone holds the lock for reading, so every connection is back
		for conn := l.idle.take(); conn != nil; conn = l.idle.take() {
			conn.close()
		}
	}
}
