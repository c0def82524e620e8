package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// PostIn posts transfers inside the caller's own transaction, so that they and the caller's rows become
// true together. The rules and keys are those of Post. It stops at the first that is not posted and gives
// its error with the answers so far, its own among them where it is remembered. A caller that then rolls back leaves
// no trace of any of them; one that commits all the same keeps those posted and the refusal. Use it through
// Ledger.Write, or call Announce after the commit.
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
	answers := make([]Posted, 0, len(posts))
	for _, p := range posts {
		if p.err == nil || p.answer.ID != 0 {
			answers = append(answers, p.answer)
		}
		if p.err != nil {
			return answers, p.err
		}
	}
	return answers, nil
}

// Write runs fn in one transaction, as the store does, and announces what PostIn posted in it. fn is run again, in a
// new transaction, when the database broke a deadlock at its cost: PostIn locks in one order, but two calls of it in
// one transaction, or fn's own rows, may not. So fn must leave nothing behind but what it writes.
func (l *Ledger) Write(ctx context.Context, fn func(*db.Tx) error) error {
	for try := 1; ; try++ {
		err := l.store.Write(ctx, fn)
		switch {
		case err == nil:
			l.WakeRelay()
			return nil
		case !retryable(err):
			return err
		case try == maxRetries:
			return ErrUnavailable.Because(err)
		}
		select { // apart from whoever it met, which may be on its next try as well
		case <-time.After(rand.N(time.Duration(try) * 2 * time.Millisecond)):
		case <-ctx.Done():
			return ErrUnavailable.Because(errors.Join(err, context.Cause(ctx)))
		}
	}
}

// Announce wakes whoever relays the outbox.
func (l *Ledger) WakeRelay() { l.committed() }

// portable posts inside an open transaction with the queries that both engines share. It serves PostIn on
// both, and SQLite's writer; PostgreSQL's lanes go a faster way.
type txPoster struct {
	l           *Ledger
	engine      db.Engine
	raw         query.DBTX
	q           *query.Queries
	stopAtError bool
}

// post answers every post. An error means that the transaction is spoilt and must be rolled back. It says
// whether anything was written.
func (w *txPoster) post(ctx context.Context, posts []*post) (wrote bool, err error) {
	b, err := w.open(ctx, posts)
	if err != nil {
		return false, err
	}
	next, err := w.firstID(ctx, len(posts))
	if err != nil {
		return false, err
	}
	for _, p := range posts {
		used, err := w.postOne(ctx, b, p, next)
		if err != nil {
			return false, err
		}
		if used {
			wrote = true
			next++
		}
		if w.stopAtError && p.err != nil {
			break
		}
	}
	return wrote, w.finish(ctx, b)
}

// one decides a post and writes it under id. A key is found out by trying to use it: a new one, by far the usual
// case, costs no look-up.
func (w *txPoster) postOne(ctx context.Context, b *book, p *post, id int64) (used bool, err error) {
	if b.answerFromKey(p) {
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
	if !wrote { // somebody was faster: what stands there now decides
		found, err := w.loadKey(ctx, b, p.Key)
		if err == nil && !found {
			err = errors.New("a key is taken but its transfer cannot be read")
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

// write adds the transfer's row, or gives the tombstone under its key its content. It says whether the key let it.
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

// fail answers a post that could never be posted, unless its key was used: then the key's answer is the one.
func (w *txPoster) failOrReplay(ctx context.Context, b *book, p *post, cause error) error {
	found, err := w.loadKey(ctx, b, p.Key)
	if err != nil {
		return err
	}
	if !found || !b.answerFromKey(p) {
		p.answer, p.err = Posted{}, cause
	}
	return nil
}

// lookUp reads what stands under a key into the book.
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

// open locks and reads what the posts touch.
func (w *txPoster) open(ctx context.Context, posts []*post) (*book, error) {
	at, err := w.clock(ctx)
	if err != nil {
		return nil, err
	}
	b := newBook(at)
	var origins, ids []int64
	for _, p := range posts {
		if p.Origin != 0 {
			origins = append(origins, p.Origin)
		}
		ids = append(ids, p.Debit, p.Credit)
	}
	if err := w.readOrigins(ctx, b, sortedUnique(origins)); err != nil {
		return nil, err
	}
	if err := w.readAccounts(ctx, b, sortedUnique(ids)); err != nil {
		return nil, err
	}
	return b, w.openGate(ctx, b, posts)
}

func (w *txPoster) openGate(ctx context.Context, b *book, posts []*post) error {
	if w.l.limits == nil {
		return nil
	}
	var fresh []*post
	for _, p := range posts { // the gate must not hear of a known key
		if !p.Guarded {
			continue
		}
		known, err := w.loadKey(ctx, b, p.Key)
		if err != nil {
			return err
		}
		if !known {
			fresh = append(fresh, p)
		}
	}
	q := prepareLimits(w.l.limits, w.engine, fresh)
	for _, r := range q.Reads {
		if err := r.run(ctx, w.raw); err != nil {
			return &limitsError{err}
		}
	}
	if err := b.openGate(ctx, q, View{w.engine, w.raw, w.q}, fresh); err != nil {
		return &limitsError{err}
	}
	return nil
}

func (w *txPoster) readOrigins(ctx context.Context, b *book, ids []int64) error {
	if len(ids) == 0 {
		return nil
	}
	if w.engine == db.Postgres {
		if _, err := w.raw.ExecContext(ctx, lockOrigins, ids); err != nil {
			return fmt.Errorf("lock transfers: %w", err)
		}
	}
	for _, id := range ids {
		t, err := w.q.TransferByID(ctx, id)
		if errors.Is(err, sql.ErrNoRows) {
			continue
		}
		if err != nil {
			return fmt.Errorf("read transfer: %w", err)
		}
		_, err = w.q.SettlementOf(ctx, nullable(id))
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return fmt.Errorf("read settlement: %w", err)
		}
		b.origins[id] = &origin{Transfer: t, settled: err == nil}
	}
	return nil
}

func (w *txPoster) readAccounts(ctx context.Context, b *book, ids []int64) error {
	ids = slices.DeleteFunc(ids, func(id int64) bool {
		row, ok := w.l.derived.Load(id)
		if ok {
			b.add(row.(query.Account))
		}
		return ok
	})
	if w.engine == db.Postgres && len(ids) > 0 {
		if _, err := w.raw.ExecContext(ctx, lockAccounts, ids); err != nil {
			return fmt.Errorf("lock accounts: %w", err)
		}
	}
	for _, id := range ids {
		row, err := w.q.AccountByID(ctx, id)
		if errors.Is(err, sql.ErrNoRows) {
			continue
		}
		if err != nil {
			return fmt.Errorf("read account: %w", err)
		}
		w.l.cacheHouse(row)
		b.add(row)
	}
	return nil
}

// remember keeps the facts of house accounts, so that nobody reads or locks their rows to post.
func (l *Ledger) cacheHouse(row query.Account) {
	if row.Derived {
		row.Balance = 0 // not a fact
		l.derived.Store(row.ID, row)
	}
}

func (w *txPoster) clock(ctx context.Context) (at int64, err error) {
	if w.engine == db.SQLite {
		return db.Millis(w.l.now()), nil
	}
	if err := w.raw.QueryRowContext(ctx, readClock).Scan(&at); err != nil {
		return 0, fmt.Errorf("read the database's time: %w", err)
	}
	return at, nil
}

// firstID gives the first of n free transfer ids. SQLite's transaction is the only one that writes.
func (w *txPoster) firstID(ctx context.Context, n int) (int64, error) {
	if w.engine == db.SQLite {
		top, err := w.q.TopTransfer(ctx)
		if err != nil {
			return 0, fmt.Errorf("read the last transfer's id: %w", err)
		}
		return top + 1, nil
	}
	return w.l.ids.take(int64(n), func() (first int64, err error) {
		err = w.raw.QueryRowContext(ctx, nextBlock).Scan(&first)
		return first, err
	})
}

// finish writes the balances, deltas and announcement of everything posted.
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

// sorted gives the distinct ids in the one order in which everybody locks them.
func sortedUnique(ids []int64) []int64 {
	slices.Sort(ids)
	return slices.Compact(ids)
}

func nullInt(n *int64) sql.NullInt64 {
	if n == nil {
		return sql.NullInt64{}
	}
	return sql.NullInt64{Int64: *n, Valid: true}
}
