// Package ledger is the only package that moves money. A transfer moves a positive amount between two accounts of
// one currency and one merchant. It is written once under the caller's idempotency key and never changes. A
// correction is another transfer. The ledger prevents overdrafts, holds cash for two-phase payments, stores
// refusals, writes changed balances to the outbox and can verify its own books (Verify). It does not decide who
// may transfer.
package ledger

import (
	"cmp"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"fairground/internal/platform/batch"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// Options configures a ledger. The zero value works.
type Options struct {
	Now      func() time.Time // clock for SQLite; PostgreSQL uses the database's clock
	NewID    db.IDs           // ids of new accounts
	Limits   Limits           // checks guarded posts; nil admits every post
	OnCommit func()           // called after every commit that wrote to the outbox; must not block
	Log      *slog.Logger

	// BatchConns is the number of PostgreSQL connections that post queued batches. DirectConns is the number of
	// connections on which callers post directly. 0 means the default, and -1 means no direct connections.
	BatchConns, DirectConns int
	Timeouts                Timeouts
}

// Timeouts limit how long the ledger waits for PostgreSQL. 0 means the default.
type Timeouts struct {
	Lock      time.Duration // for a row lock
	RoundTrip time.Duration // for the response to one statement
	Reconnect time.Duration // for a new connection, after a batch has lost its own
}

func (t Timeouts) orDefault() Timeouts {
	return Timeouts{Lock: cmp.Or(t.Lock, lockTimeout), RoundTrip: cmp.Or(t.RoundTrip, roundTripTimeout), Reconnect: cmp.Or(t.Reconnect, reconnectTimeout)}
}

// A Ledger posts transfers to one database. Several ledgers may share a PostgreSQL database, but a SQLite file has
// only one.
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
	derived sync.Map // id → query.Account, with the fields of house accounts that never change
	ids     idBlock  // unused transfer ids (PostgreSQL)

	closing sync.RWMutex // read-locked by direct posts, write-locked by Close
	closed  bool
	queue   *batch.Batcher[*post]
	writers []writer // one per worker of the queue

	inFlight atomic.Int64 // number of posts whose callers are waiting
	idle     idleConns    // connections for posting directly (PostgreSQL)
	busy     sync.Map     // member accounts with a direct post in flight → channel that is closed when the post ends
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
		l.startWriters(sqliteWriter{l})
		return l
	}
	l.startPostgres(defaultTo(o.BatchConns, 2), defaultTo(o.DirectConns, 8))
	return l
}

func defaultTo(n, fallback int) int {
	if n == 0 {
		return fallback
	}
	return n
}

// Close finishes every accepted post, then stops the ledger. Later posts return ErrClosed.
func (l *Ledger) Close() {
	l.closing.Lock()
	firstClose := !l.closed
	l.closed = true
	l.closing.Unlock()
	l.queue.Close()
	if !firstClose {
		return
	}
	for _, writer := range l.writers {
		writer.close()
	}
	for conn := l.idle.take(); conn != nil; conn = l.idle.take() { // all are idle, because direct posts hold the read lock
		conn.close()
	}
}
