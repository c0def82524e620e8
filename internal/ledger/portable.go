package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"fairground/internal/db"
	"fairground/internal/db/query"
)

// PostIn posts transfers inside the caller's own transaction, so that they and the caller's rows become
// true together. The rules and keys are those of Post. It stops at the first that is not posted and gives
// its error with the answers so far. A caller that then rolls back leaves no trace of any of them; one that
// commits all the same keeps those posted and the refusal. Use it through Ledger.Write, or call Announce
// after the commit.
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
	w := &portable{l: l, engine: tx.Engine, raw: db.Bind(tx.Engine, tx.Tx), q: tx.Q, stopAtError: true}
	if _, err := w.post(ctx, posts); err != nil {
		return nil, fmt.Errorf("post in transaction: %w", err)
	}
	answers := make([]Posted, 0, len(posts))
	for _, p := range posts {
		if p.err != nil {
			return answers, p.err
		}
		answers = append(answers, p.answer)
	}
	return answers, nil
}

// Write runs fn in one transaction, as the store does, and announces what PostIn posted in it.
func (l *Ledger) Write(ctx context.Context, fn func(*db.Tx) error) error {
	if err := l.store.Write(ctx, fn); err != nil {
		return err
	}
	l.Announce()
	return nil
}

// Announce wakes whoever relays the outbox.
func (l *Ledger) Announce() { l.committed() }

// portable posts inside an open transaction with the queries that both engines share. It serves PostIn on
// both, and SQLite's writer; PostgreSQL's lanes go a faster way.
type portable struct {
	l           *Ledger
	engine      db.Engine
	raw         query.DBTX
	q           *query.Queries
	stopAtError bool
}

// post answers every post. An error means that the transaction is spoilt and must be rolled back. It says
// whether anything was written.
func (w *portable) post(ctx context.Context, posts []*post) (wrote bool, err error) {
	b, err := w.open(ctx, posts)
	if err != nil {
		return false, err
	}
	next, err := w.firstID(ctx, len(posts))
	if err != nil {
		return false, err
	}
	for _, p := range posts {
		used, err := w.one(ctx, b, p, next)
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

// one decides a post and writes it under id. The key is found out by trying to use it: a new one, by far
// the usual case, costs no look-up.
func (w *portable) one(ctx context.Context, b *book, p *post, id int64) (used bool, err error) {
	if _, ok := b.guarded[p]; ok { // the gate counts what it admits, so a known key must not reach it
		if found, err := w.replay(ctx, p); found || err != nil {
			return false, err
		}
	}
	r := b.decide(p)
	if r.fail != nil {
		p.answer, p.err = Posted{}, r.fail
		_, err := w.replay(ctx, p)
		return false, err
	}
	row := query.AddTransferParams{
		ID: id, IdemKey: p.Key, PayloadHash: p.digest[:], DebitID: p.Debit, CreditID: p.Credit, Amount: int64(p.Amount),
		Kind: p.Kind, OriginID: nullable(p.Origin), RefType: p.RefType, RefID: p.RefID, Note: p.Note, CreatedAt: b.at,
	}
	var debit, credit entry
	if r.refusal != "" {
		row.Refusal = sql.NullString{String: r.refusal, Valid: true}
	} else {
		debit, credit = r.sides(id, p.Amount)
		row.DebitSeq = sql.NullInt64{Int64: debit.seq, Valid: true}
		row.CreditSeq = sql.NullInt64{Int64: credit.seq, Valid: true}
	}
	n, err := w.q.AddTransfer(ctx, row)
	if err != nil {
		return false, fmt.Errorf("add transfer: %w", err)
	}
	if n == 0 {
		found, err := w.replay(ctx, p)
		if err == nil && !found {
			err = errors.New("a key is taken but its transfer cannot be read")
		}
		return false, err
	}
	if r.refusal != "" {
		b.refuse(p, r, id)
		return true, nil
	}
	err = w.q.AddEntries(ctx, query.AddEntriesParams{
		TransferID: id,
		AccountID:  debit.account, Seq: debit.seq, Amount: debit.amount, BalanceAfter: nullInt(debit.after),
		AccountID_2: credit.account, Seq_2: credit.seq, Amount_2: credit.amount, BalanceAfter_2: nullInt(credit.after),
	})
	if err != nil {
		return false, fmt.Errorf("add entries: %w", err)
	}
	for _, rider := range p.Rows {
		if _, err := w.raw.ExecContext(ctx, rider.Table.portable, append([]any{id}, rider.Values...)...); err != nil {
			return false, &rowError{rider.Table.name, err}
		}
	}
	b.apply(p, r, id)
	return true, nil
}

func (w *portable) replay(ctx context.Context, p *post) (found bool, err error) {
	row, err := w.q.TransferByKey(ctx, p.Key)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("look up key: %w", err)
	}
	p.replay(row)
	return true, nil
}

// open locks and reads what the posts touch.
func (w *portable) open(ctx context.Context, posts []*post) (*book, error) {
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
	if err := w.readOrigins(ctx, b, sorted(origins)); err != nil {
		return nil, err
	}
	if err := w.readAccounts(ctx, b, sorted(ids)); err != nil {
		return nil, err
	}
	if err := b.openGate(ctx, w.l.limits, w.q, posts); err != nil {
		return nil, &limitsError{err}
	}
	return b, nil
}

func (w *portable) readOrigins(ctx context.Context, b *book, ids []int64) error {
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

func (w *portable) readAccounts(ctx context.Context, b *book, ids []int64) error {
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
		w.l.remember(row)
		b.add(row)
	}
	return nil
}

// remember keeps the facts of house accounts, so that nobody reads or locks their rows to post.
func (l *Ledger) remember(row query.Account) {
	if row.Derived {
		row.Balance = 0 // not a fact
		l.derived.Store(row.ID, row)
	}
}

func (w *portable) clock(ctx context.Context) (at int64, err error) {
	if w.engine == db.SQLite {
		return db.Millis(w.l.now()), nil
	}
	if err := w.raw.QueryRowContext(ctx, readClock).Scan(&at); err != nil {
		return 0, fmt.Errorf("read the database's time: %w", err)
	}
	return at, nil
}

// firstID gives the first of n free transfer ids. SQLite's transaction is the only one that writes.
func (w *portable) firstID(ctx context.Context, n int) (int64, error) {
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
func (w *portable) finish(ctx context.Context, b *book) error {
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
func sorted(ids []int64) []int64 {
	slices.Sort(ids)
	return slices.Compact(ids)
}

func nullInt(n *int64) sql.NullInt64 {
	if n == nil {
		return sql.NullInt64{}
	}
	return sql.NullInt64{Int64: *n, Valid: true}
}
