package ledger

import (
	"context"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// Limits decides whether guarded posts are allowed, in the transaction that posts them. The packages that store
// deposit, loss and stake limits implement it.
type Limits interface {
	// Prepare returns the reads for the guarded posts of one batch. They run while the members' accounts are
	// locked. A batch may have hundreds of posts, some with keys that are already used.
	Prepare(engine db.Engine, posts []*Transfer) LimitCheck
}

// A LimitCheck checks the guarded posts of a batch.
type LimitCheck struct {
	// Reads are sent in the same round trip as the locks and run after them.
	Reads []Read

	// Open returns the Gate that decides about the posts with new keys. The ledger calls it after all Reads. It may use the
	// view to read or write, which costs another round trip.
	Open func(ctx context.Context, v View, posts []Guarded) (Gate, error)
}

// A Read is one query. On PostgreSQL, Args may be arrays.
type Read struct {
	Statement string
	Args      []any
	Take      func(row Scanner) error // called for each row
}

// A Scanner is a row of either driver.
type Scanner interface{ Scan(into ...any) error }

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

// A View reads in the batch's transaction.
type View struct {
	Engine db.Engine
	DB     query.DBTX // accepts $N on both engines, and arrays on PostgreSQL
	Q      *query.Queries
}

// A Gate admits or refuses the posts of one batch. Only one goroutine uses it.
type Gate interface {
	// Admit returns "" or a refusal code for the i-th post. It is called in posting order, for new keys only,
	// before the balance check. An admitted post may still be refused.
	Admit(i int) (refusal string)

	// Count is called when the i-th post was posted, so that the limits of later posts include it.
	Count(i int)
}

// A Stopper is a Gate that can reject a post without storing the rejection, so that the same key may be posted later.
type Stopper interface {
	// Stop returns the error of the i-th post, or nil. It is called before Admit, unless the key is a tombstone.
	Stop(i int) error
}

// A Guarded is a post with Transfer.Guarded set, which a Gate must admit. Its accounts have the balances from the start of the batch.
type Guarded struct {
	Transfer
	DebitAccount, CreditAccount Account
	At                          int64 // Unix milliseconds, by the database's clock on PostgreSQL
}
