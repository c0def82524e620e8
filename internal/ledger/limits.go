package ledger

import (
	"context"

	"fairground/internal/db"
	"fairground/internal/db/query"
)

// Limits decides whether a guarded post may happen, in the transaction that would post it. Whoever keeps
// deposit, loss and stake limits implements it.
type Limits interface {
	// Load is asked once per batch that has guarded posts under new keys, after their accounts are locked: nobody
	// else can move these members' money until the batch ends. It reads what it needs and gives the gate for them. A
	// batch may hold hundreds of posts, and on PostgreSQL each query is a round trip while the members are locked:
	// there it should read for all of them at once.
	Load(ctx context.Context, v View, posts []Guarded) (Gate, error)
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
