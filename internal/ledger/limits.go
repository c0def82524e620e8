package ledger

import (
	"context"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// Limits decides whether a guarded post may happen, in the transaction that would post it. Whoever keeps
// deposit, loss and stake limits implements it.
type Limits interface {
	// Ask is asked once per batch that has guarded posts, and says what the gate reads about them. It is read when their
	// accounts are locked: nobody else can move these members' money until the batch ends. A batch may hold hundreds of
	// posts, some of them under keys that turn out to be known.
	Prepare(engine db.Engine, posts []*Transfer) LimitCheck
}

// LimitCheck is what Limits wants to know before it opens the gate.
type LimitCheck struct {
	// Reads are sent together with the locks, and see what those have waited for: on PostgreSQL a statement of its own
	// would be one more round trip while the members are locked.
	Reads []Read

	// Open gives the gate, once everything is read, for the posts under new keys. It may still ask through the view, or
	// write: rarely, for that is the further round trip.
	Open func(ctx context.Context, v View, posts []Guarded) (Gate, error)
}

// Read is one statement, with arrays on PostgreSQL, and what takes each of its rows.
type Read struct {
	Statement string
	Args      []any
	Take      func(row Scanner) error
}

// Scanner is a row of whichever driver.
type Scanner interface{ Scan(into ...any) error }

// run reads in a transaction of database/sql.
func (r Read) run(ctx context.Context, x query.DBTX) error {
	rows, err := x.QueryContext(ctx, r.Statement, r.Args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := r.Take(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// View reads as the batch's transaction sees. Statements of a reader's own go through DB, with arrays on PostgreSQL.
type View struct {
	Engine db.Engine
	DB     query.DBTX // understands $N on both engines
	Q      *query.Queries
}

// Gate admits the posts of one batch. It is used by one goroutine.
type Gate interface {
	// Admit gives "" or the code of a refusal for the i-th post. It is asked in posting order, when the key is known
	// to be new and before the balance is looked at, so what it admits may still be refused.
	Admit(i int) (refusal string)

	// Count says that the i-th post was posted and counts against those that follow.
	Count(i int)
}

// Guarded is a post under Limits, with the accounts as they stood when the batch began.
type Guarded struct {
	Transfer
	DebitAccount, CreditAccount Account
	At                          int64 // unix milliseconds, by the database's time where it has one
}
