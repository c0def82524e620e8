package ledger

import (
	"context"
	"database/sql"
	"fmt"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// sqliteWriter turns what is queued into one transaction on the one writing connection: a sync is paid
// once for all of them.
type sqliteWriter struct {
	l         *Ledger
	stmts     map[string]*sql.Stmt // by the query's text, for as long as the ledger lives
	toPrepare []string             // met for the first time by the last transaction
}

func (w *sqliteWriter) close() {
	for _, s := range w.stmts {
		_ = s.Close()
	}
}

func (w *sqliteWriter) run(posts []*post) {
	err := w.try(posts)
	if err == nil {
		return
	}
	if len(posts) > 1 && causedByPost(err) {
		for _, p := range posts { // one of them spoilt it for all: each on its own
			w.run([]*post{p})
		}
		return
	}
	w.l.log.Error("post batch", "engine", "sqlite", "posts", len(posts), "error", err)
	failAll(posts, publicError(err))
}

// try posts all in one transaction. Its statements must not be interrupted halfway by any caller's
// context: whoever is in the batch has already been promised a true answer.
func (w *sqliteWriter) try(posts []*post) error {
	ctx := context.Background()
	if err := w.prepare(ctx); err != nil {
		return err
	}
	tx, err := w.l.store.Writer.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	defer func() { _ = tx.Rollback() }() // after a commit it does nothing
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

// prepare makes the statements that the last transaction met for the first time outlive transactions.
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

// prepared runs queries as statements that stay prepared from one transaction to the next.
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

// first prepares a query for this transaction only: preparing on the pool would wait for the one connection,
// which this transaction holds.
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
		return p.tx.QueryRowContext(ctx, db.Rebind(q), args...) // a Row cannot be made to carry an error; this one will
	}
	return s.QueryRowContext(ctx, args...)
}
