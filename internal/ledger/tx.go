package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// PostIn posts transfers within the caller's transaction, with the same rules and keys as Post. It stops at the
// first transfer that is not posted. It returns that transfer's error, as a PostError if there are several, and the results so far,
// including a stored refusal. The caller may roll back, or commit the posted transfers and the refusal. Use it within Ledger.Write, or
// call WakeRelay after the commit.
func (l *Ledger) PostIn(ctx context.Context, tx *db.Tx, transfers ...Transfer) ([]Posted, error) {
	if len(transfers) > maxBatch {
		return nil, ErrMalformed.On("transfers")
	}
	posts := make([]*post, len(transfers))
	for i := range transfers {
		if err := transfers[i].check(); err != nil {
			return nil, err
		}
		posts[i] = &post{Transfer: &transfers[i], digest: transfers[i].hash()}
	}
	w := &txPoster{l: l, engine: tx.Engine, raw: db.Bind(tx.Engine, tx.Tx), q: tx.Q, stopAtError: true}
	if _, err := w.post(ctx, posts); err != nil {
		return nil, fmt.Errorf("post in transaction: %w", err)
	}
	results := make([]Posted, 0, len(posts))
	for i, p := range posts {
		if p.err == nil || p.result.ID != 0 {
			results = append(results, p.result)
		}
		if p.err != nil && len(posts) > 1 {
			return results, &PostError{i, p.err}
		}
		if p.err != nil {
			return results, p.err
		}
	}
	return results, nil
}

// A PostError is the error of one of several transfers of PostIn.
type PostError struct {
	Index int // of the transfer
	Err   error
}

func (e *PostError) Error() string { return fmt.Sprintf("transfer %d: %v", e.Index, e.Err) }

// Unwrap returns the error of the transfer.
func (e *PostError) Unwrap() error { return e.Err }

// Write runs fn in one transaction and wakes the outbox relay after the commit. After a deadlock, it runs fn again in
// a new transaction. Deadlocks are possible, because two PostIn calls or fn's own statements may lock rows in
// different orders. fn must have no effects outside the transaction.
func (l *Ledger) Write(ctx context.Context, fn func(*db.Tx) error) error {
	for attempt := 1; ; attempt++ {
		err := l.store.Write(ctx, fn)
		switch {
		case err == nil:
			l.WakeRelay()
			return nil
		case !retryable(err):
			return err
		case attempt == maxRetries:
			return ErrUnavailable.Because(err)
		}
		select { // a random delay, because the other transaction may retry too
		case <-time.After(rand.N(time.Duration(attempt) * 2 * time.Millisecond)):
		case <-ctx.Done():
			return ErrUnavailable.Because(errors.Join(err, context.Cause(ctx)))
		}
	}
}

// WakeRelay wakes the outbox relay.
func (l *Ledger) WakeRelay() { l.committed() }

// A txPoster posts within an open transaction, with queries that both engines share. PostIn and the SQLite writer
// use it. PostgreSQL batches use a postgresConn, which is faster.
type txPoster struct {
	l           *Ledger
	engine      db.Engine
	raw         query.DBTX
	q           *query.Queries
	stopAtError bool
}

// post sets the result of every post and reports whether it wrote anything. After an error, the caller must roll the
// transaction back.
func (w *txPoster) post(ctx context.Context, posts []*post) (wrote bool, err error) {
	b, err := w.open(ctx, posts)
	if err != nil {
		return false, err
	}
	next, err := w.reserveIDs(ctx, len(posts))
	if err != nil {
		return false, err
	}
	if w.isBatch(posts) {
		return w.postBatch(ctx, b, posts, next)
	}
	for _, p := range posts {
		wroteOne, err := w.postOne(ctx, b, p, next)
		if err != nil {
			return false, err
		}
		if wroteOne {
			wrote = true
			next++
		}
		if w.stopAtError && p.err != nil {
			break
		}
	}
	return wrote, w.finish(ctx, b)
}

// postBatch decides several posts and writes them with one statement per table. Another transaction that uses one of their
// keys makes it fail with errRace.
func (w *txPoster) postBatch(ctx context.Context, b *book, posts []*post, next int64) (wrote bool, err error) {
	rows := &batchRows{}
	for _, p := range posts {
		if !b.finishFromKey(p) {
			r := b.decide(p)
			if r.err != nil {
				p.result, p.err = Posted{}, r.err
			} else {
				rows.add(p, r, next)
				b.apply(p, r, next)
				next++
			}
		}
		if w.stopAtError && p.err != nil {
			break
		}
	}
	if rows.empty() {
		return false, nil
	}
	if err := w.bindTombstones(ctx, &rows.tombstones); err != nil {
		return false, err
	}
	for _, s := range rows.statements(b) {
		if _, err := w.raw.ExecContext(ctx, s.sql, s.args...); err != nil {
			return false, saveError(s.table, err)
		}
	}
	return true, nil
}

func (w *txPoster) bindTombstones(ctx context.Context, t *transferColumns) error {
	if len(t.id) == 0 {
		return nil
	}
	result, err := w.raw.ExecContext(ctx, bindTombstones, t.bindArgs()...)
	if err != nil {
		return fmt.Errorf("bind tombstones: %w", err)
	}
	n, err := result.RowsAffected()
	if err == nil && n != int64(len(t.id)) {
		err = errRace
	}
	return err
}

// postOne decides a post and writes it under id. It inserts the key without looking it up first, because most keys
// are new.
func (w *txPoster) postOne(ctx context.Context, b *book, p *post, id int64) (wroteOne bool, err error) {
	if b.finishFromKey(p) {
		return false, nil
	}
	r := b.decide(p)
	if r.err != nil {
		return false, w.failOrReplay(ctx, b, p, r.err)
	}
	wrote, err := w.writeTransfer(ctx, b, p, r, id)
	if err != nil {
		return false, err
	}
	if !wrote { // the key was used, so its row has the result
		found, err := w.loadKey(ctx, b, p.Key)
		if err == nil && !found {
			err = errors.New("key is used but its transfer cannot be read")
		}
		if err != nil {
			return false, err
		}
		return w.postOne(ctx, b, p, id)
	}
	if r.moves(p) {
		debit, credit := r.entries(p, id)
		err := w.q.AddEntries(ctx, query.AddEntriesParams{
			TransferID: id,
			AccountID:  debit.account, Seq: debit.seq, Amount: debit.amount, BalanceAfter: nullInt(debit.after),
			AccountID_2: credit.account, Seq_2: credit.seq, Amount_2: credit.amount, BalanceAfter_2: nullInt(credit.after),
		})
		if err != nil {
			return false, fmt.Errorf("add entries: %w", err)
		}
	}
	if r.refusal == "" {
		for _, row := range p.Rows {
			if _, err := w.raw.ExecContext(ctx, row.Table.insertOne, append([]any{id}, row.Values...)...); err != nil {
				return false, &rowError{row.Table.name, err}
			}
		}
	}
	b.apply(p, r, id)
	return true, nil
}

// writeTransfer adds the transfer's row, or stores its content in the tombstone under its key. It returns false if
// the key is already used.
func (w *txPoster) writeTransfer(ctx context.Context, b *book, p *post, r decision, id int64) (wrote bool, err error) {
	debit, credit := r.entries(p, id)
	debitSeq, creditSeq := nullInt(debit.seqOrNil()), nullInt(credit.seqOrNil())
	var n int64
	if p.tombstone != nil {
		n, err = w.q.BindTombstone(ctx, query.BindTombstoneParams{
			ID: p.tombstone.ID, PayloadHash: p.digest[:], DebitID: p.Debit, CreditID: p.Credit, Amount: int64(p.Amount), Kind: p.Kind,
			OriginID: nullable(p.Origin), DebitSeq: debitSeq, CreditSeq: creditSeq, RefType: p.RefType, RefID: p.RefID, Note: p.Note,
		})
	} else {
		n, err = w.q.AddTransfer(ctx, query.AddTransferParams{
			ID: id, IdemKey: p.Key, PayloadHash: p.digest[:], DebitID: p.Debit, CreditID: p.Credit, Amount: int64(p.Amount), Kind: p.Kind,
			OriginID: nullable(p.Origin), Refusal: sql.NullString{String: r.refusal, Valid: r.refusal != ""}, DebitSeq: debitSeq, CreditSeq: creditSeq,
			RefType: p.RefType, RefID: p.RefID, Note: p.Note, CreatedAt: b.at,
		})
	}
	if err != nil {
		return false, fmt.Errorf("write transfer: %w", err)
	}
	return n > 0, nil
}

// failOrReplay sets the error of a post that cannot be posted. If its key was used, it sets the earlier result instead.
func (w *txPoster) failOrReplay(ctx context.Context, b *book, p *post, cause error) error {
	found, err := w.loadKey(ctx, b, p.Key)
	if err != nil {
		return err
	}
	if !found || !b.finishFromKey(p) {
		p.result, p.err = Posted{}, cause
	}
	return nil
}

func (w *txPoster) loadKey(ctx context.Context, b *book, key string) (found bool, err error) {
	row, err := w.q.TransferByKey(ctx, key)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("look up key: %w", err)
	}
	b.stored[key] = row
	return true, nil
}

func (w *txPoster) finish(ctx context.Context, b *book) error {
	for _, a := range b.changed {
		if err := w.q.SetAccount(ctx, a.Balance, a.Seq, a.ID); err != nil {
			return fmt.Errorf("set balance: %w", err)
		}
	}
	for id, amount := range b.deltas {
		if err := w.q.AddDelta(ctx, id, amount); err != nil {
			return fmt.Errorf("add delta: %w", err)
		}
	}
	if payload := b.announcement(); payload != "" {
		if err := w.q.AddOutbox(ctx, payload, b.at); err != nil {
			return fmt.Errorf("add to outbox: %w", err)
		}
	}
	return nil
}

func nullInt(n *int64) sql.NullInt64 {
	if n == nil {
		return sql.NullInt64{}
	}
	return sql.NullInt64{Int64: *n, Valid: true}
}
