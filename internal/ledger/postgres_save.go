package ledger

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// A saveStatement writes the rows of a batch to one table.
type saveStatement struct {
	table string // of extra rows, or empty
	sql   string
	args  []any
}

// statements returns what writes the rows of a batch and its changes of balances.
func (w *batchRows) statements(b *book) (all []saveStatement) {
	add := func(table, sql string, args ...any) { all = append(all, saveStatement{table, sql, args}) }
	if t := &w.transfers; len(t.id) > 0 {
		add("", addTransfers, t.id, t.key, t.hash, t.debit, t.credit, t.amount, t.kind, t.origin, t.refusal, t.debitSeq, t.creditSeq,
			t.refType, t.refID, t.note, b.at)
	}
	if e := &w.entries; len(e.account) > 0 {
		add("", addEntries, e.account, e.seq, e.transfer, e.amount, e.after)
	}
	if len(b.changed) > 0 {
		ids, balances, seqs := make([]int64, len(b.changed)), make([]int64, len(b.changed)), make([]int64, len(b.changed))
		for i, a := range b.changed {
			ids[i], balances[i], seqs[i] = a.ID, a.Balance, a.Seq
		}
		add("", setAccounts, ids, balances, seqs)
	}
	if len(b.deltas) > 0 {
		var ids, amounts []int64
		for id, amount := range b.deltas {
			ids, amounts = append(ids, id), append(amounts, amount)
		}
		add("", addDeltas, ids, amounts)
	}
	for _, t := range w.extraRows.order {
		add(t.name, t.insertMany, w.extraRows.args[t]...)
	}
	if payload := b.announcement(); payload != "" {
		add("", addOutbox, payload, b.at)
	}
	return all
}

// save writes and commits in one round trip. If a statement fails, the server skips the rest, including the commit.
// So a batch is written completely or not at all.
func (p *postgresConn) save(w *batchRows, b *book) error {
	batch := &pgx.Batch{}
	all := append(w.statements(b), saveStatement{sql: "commit"})
	for _, s := range all {
		batch.Queue(s.sql, s.args...)
	}
	return p.raw(func(ctx context.Context, c *pgx.Conn) error {
		results := c.SendBatch(ctx, batch)
		for _, s := range all {
			if _, err := results.Exec(); err != nil {
				_ = results.Close()
				return saveError(s.table, err)
			}
		}
		return results.Close()
	})
}

// bindTombstones stores the content of posts in the tombstones of their keys. It needs a separate round trip, which
// is rare, because the number of updated rows must be known before the commit.
func (p *postgresConn) bindTombstones(t *transferColumns) error {
	if len(t.id) == 0 {
		return nil
	}
	return p.raw(func(ctx context.Context, c *pgx.Conn) error {
		tag, err := c.Exec(ctx, bindTombstones, t.bindArgs()...)
		if err != nil {
			return fmt.Errorf("bind tombstones: %w", err)
		}
		if tag.RowsAffected() != int64(len(t.id)) {
			return errRace
		}
		return nil
	})
}

// bindArgs returns the arguments of the statement that binds tombstones.
func (t *transferColumns) bindArgs() []any {
	return []any{t.id, t.hash, t.debit, t.credit, t.amount, t.kind, t.origin, t.debitSeq, t.creditSeq, t.refType, t.refID, t.note}
}

func saveError(table string, err error) error {
	var pgErr *pgconn.PgError
	switch {
	case table != "":
		return &rowError{table, err}
	case errors.As(err, &pgErr) && pgErr.Code == sqlUniqueViolation && (pgErr.ConstraintName == "transfer_key" || pgErr.ConstraintName == "transfer_origin"):
		return fmt.Errorf("%w: %w", errRace, err)
	}
	return fmt.Errorf("save batch: %w", err)
}

type batchRows struct {
	transfers  transferColumns
	tombstones transferColumns // posts whose key has a tombstone
	entries    struct {
		account, seq, transfer, amount []int64
		after                          []*int64
	}
	extraRows extraRows
}

type transferColumns struct {
	id, debit, credit, amount []int64
	key, kind                 []string
	hash                      [][]byte
	origin                    []*int64
	refusal                   []*string
	debitSeq, creditSeq       []*int64
	refType, refID, note      []string
}

func (w *batchRows) empty() bool { return len(w.transfers.id) == 0 && len(w.tombstones.id) == 0 }

func (w *batchRows) add(p *post, r decision, id int64) {
	debit, credit := r.entries(p, id)
	switch {
	case p.tombstone != nil:
		w.tombstones.add(p, p.tombstone.ID, r.refusal, &debit, &credit)
		return
	case r.refusal != "":
		w.transfers.add(p, id, r.refusal, &debit, &credit)
		return
	}
	w.transfers.add(p, id, "", &debit, &credit)
	w.extraRows.add(id, p.Rows)
	if !r.moves(p) {
		return
	}
	for _, e := range [2]*entry{&debit, &credit} {
		w.entries.account = append(w.entries.account, e.account)
		w.entries.seq = append(w.entries.seq, e.seq)
		w.entries.transfer = append(w.entries.transfer, id)
		w.entries.amount = append(w.entries.amount, e.amount)
		w.entries.after = append(w.entries.after, e.after)
	}
}

func (t *transferColumns) add(p *post, id int64, refusal string, debit, credit *entry) {
	t.id = append(t.id, id)
	t.key = append(t.key, p.Key)
	t.hash = append(t.hash, p.digest[:])
	t.debit = append(t.debit, p.Debit)
	t.credit = append(t.credit, p.Credit)
	t.amount = append(t.amount, int64(p.Amount))
	t.kind = append(t.kind, p.Kind)
	t.origin = append(t.origin, nilIf(p.Origin, 0))
	t.refusal = append(t.refusal, nilIf(refusal, ""))
	t.debitSeq = append(t.debitSeq, debit.seqOrNil())
	t.creditSeq = append(t.creditSeq, credit.seqOrNil())
	t.refType = append(t.refType, p.RefType)
	t.refID = append(t.refID, p.RefID)
	t.note = append(t.note, p.Note)
}

// nilIf returns nil, which is stored as NULL, if v equals none.
func nilIf[T comparable](v, none T) *T {
	if v == none {
		return nil
	}
	return &v
}
