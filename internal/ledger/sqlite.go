package ledger

import (
	"context"
	"database/sql"
	"fmt"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// A sqliteWriter posts each batch in one transaction on the only write connection, so that all posts share one fsync.
type sqliteWriter struct {
	l         *Ledger
	stmts     map[string]*sql.Stmt // by query text; closed with the ledger
	toPrepare []string             // queries that the last transaction prepared for itself
}

func (w *sqliteWriter) close() {
	for _, s := range w.stmts {
		_ = s.Close()
	}
}

func (w *sqliteWriter) post(posts []*post) error {
	ctx := context.Background()
	if err := w.prepare(ctx); err != nil {
		return err
	}
	tx, err := w.l.store.Writer.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	defer func() { _ = tx.Rollback() }() // no effect after a commit
	raw := &txStmts{w: w, tx: tx, bound: make(map[string]*sql.Stmt, 16)}
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

func (w *sqliteWriter) prepare(ctx context.Context) error {
	for _, q := range w.toPrepare {
		s, err := w.l.store.Writer.PrepareContext(ctx, db.Rebind(q)) //nolint:sqlclosecheck // lives as long as the writer, which closes it
		if err != nil {
			return fmt.Errorf("prepare: %w", err)
		}
		if w.stmts == nil {
			w.stmts = make(map[string]*sql.Stmt)
		}
		w.stmts[q] = s
	}
	w.toPrepare = nil
	return nil
}

// txStmts runs queries in a transaction with statements that stay prepared between transactions.
type txStmts struct {
	w     *sqliteWriter
	tx    *sql.Tx
	bound map[string]*sql.Stmt
}

func (p *txStmts) PrepareContext(ctx context.Context, q string) (*sql.Stmt, error) {
	if s, ok := p.bound[q]; ok {
		return s, nil
	}
	s, ok := p.w.stmts[q]
	if !ok {
		return p.prepareInTx(ctx, q)
	}
	bound := p.tx.StmtContext(ctx, s)
	p.bound[q] = bound
	return bound, nil
}

// prepareInTx prepares a query for this transaction only. Preparing it on the pool would deadlock, because the
// transaction holds the only connection.
func (p *txStmts) prepareInTx(ctx context.Context, q string) (*sql.Stmt, error) {
	s, err := p.tx.PrepareContext(ctx, db.Rebind(q))
	if err != nil {
		return nil, err
	}
	p.bound[q] = s
	p.w.toPrepare = append(p.w.toPrepare, q)
	return s, nil
}

func (p *txStmts) ExecContext(ctx context.Context, q string, args ...any) (sql.Result, error) {
	s, err := p.PrepareContext(ctx, q) //nolint:sqlclosecheck // bound to the transaction, which ends it
	if err != nil {
		return nil, err
	}
	return s.ExecContext(ctx, args...)
}

func (p *txStmts) QueryContext(ctx context.Context, q string, args ...any) (*sql.Rows, error) {
	s, err := p.PrepareContext(ctx, q) //nolint:sqlclosecheck // bound to the transaction, which ends it
	if err != nil {
		return nil, err
	}
	return s.QueryContext(ctx, args...)
}

func (p *txStmts) QueryRowContext(ctx context.Context, q string, args ...any) *sql.Row {
	s, err := p.PrepareContext(ctx, q) //nolint:sqlclosecheck // bound to the transaction, which ends it
	if err != nil {
		return p.tx.QueryRowContext(ctx, db.Rebind(q), args...) // returns the same error in the Row
	}
	return s.QueryRowContext(ctx, args...)
}
