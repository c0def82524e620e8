package bet

import (
	"context"
	"time"

	"fairground/internal/platform/db"
)

// A Clock reads the database's time, which is the same for all replicas (PP-14).
type Clock struct {
	Store *db.Store
	Fixed func(ctx context.Context, tx *db.Tx) (time.Time, error) // replaces the database's time; nil in production
}

// Now returns the database's time. It reads the time inside tx, unless tx is nil.
func (c Clock) Now(ctx context.Context, tx *db.Tx) (time.Time, error) {
	switch {
	case c.Fixed != nil:
		return c.Fixed(ctx, tx)
	case tx != nil:
		return tx.Now(ctx)
	default:
		return c.Store.Now(ctx)
	}
}
