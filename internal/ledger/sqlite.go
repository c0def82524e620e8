package ledger

import (
	"context"
	"fmt"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// A sqliteWriter posts each batch in one transaction on the only write connection, so that all posts share one fsync.
type sqliteWriter struct{ l *Ledger }

func (w sqliteWriter) close() {}

func (w sqliteWriter) writeBatch(posts []*post) error {
	ctx := context.Background()
	tx, err := w.l.store.Writer.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	defer func() { _ = tx.Rollback() }() // no effect after a commit
	raw := db.Bind(db.SQLite, tx)
	p := &txPoster{l: w.l, engine: db.SQLite, raw: raw, q: query.New(raw)}
	wrote, err := p.post(ctx, posts)
	if err != nil {
		return err
	}
	if !wrote {
		return nil
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	w.l.committed()
	return nil
}
