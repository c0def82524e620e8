package ledger

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"fairground/internal/db/query"
)

const (
	readKeys = `SELECT t.idem_key, t.id, t.payload_hash, t.refusal, t.created_at, d.balance_after, c.balance_after
FROM transfer t
LEFT JOIN entry d ON d.account_id = t.debit_id AND d.seq = t.debit_seq
LEFT JOIN entry c ON c.account_id = t.credit_id AND c.seq = t.credit_seq
WHERE t.idem_key = ANY($1)`
	readSettled  = `SELECT origin_id FROM transfer WHERE origin_id = ANY($1) AND refusal IS NULL`
	readAccounts = `SELECT id, member_id, merchant_id, kind, currency, balance, floor, derived, seq FROM account WHERE id = ANY($1)`

	addTransfers = `INSERT INTO transfer (id, idem_key, payload_hash, debit_id, credit_id, amount, kind, origin_id, refusal,
  debit_seq, credit_seq, ref_type, ref_id, note, created_at)
SELECT x.*, $15::bigint FROM unnest($1::bigint[], $2::text[], $3::bytea[], $4::bigint[], $5::bigint[], $6::bigint[], $7::text[],
  $8::bigint[], $9::text[], $10::bigint[], $11::bigint[], $12::text[], $13::text[], $14::text[]) x`
	addEntries = `INSERT INTO entry (account_id, seq, transfer_id, amount, balance_after)
SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[])`
	setAccounts = `UPDATE account a SET balance = x.balance, seq = x.seq
FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) x (id, balance, seq) WHERE a.id = x.id`
	addDeltas = `INSERT INTO account_delta (account_id, amount) SELECT * FROM unnest($1::bigint[], $2::bigint[])`
	addOutbox = `INSERT INTO outbox (payload, created_at) VALUES ($1, $2)`
)

// batch posts in one transaction and two round trips: lock and read, then write and commit.
func (p *postgresLane) batch(posts []*post) (sent bool, err error) {
	// Keys are inserted in one order by everybody, so that two replicas that race for several never wait for each
	// other in a circle. Posts of one batch have no order among themselves.
	slices.SortStableFunc(posts, func(a, b *post) int { return strings.Compare(a.Key, b.Key) })
	first, err := p.ids(len(posts))
	if err != nil {
		return false, err
	}
	b, keys, err := p.open(posts)
	if err == nil {
		err = p.openGate(b, unknownOf(posts, keys))
	}
	if err != nil {
		return false, p.rollback(err)
	}
	w := &writing{at: b.at}
	inBatch := make(map[string]*post, len(posts))
	for i, one := range posts {
		if row, ok := keys[one.Key]; ok {
			one.replay(row)
			continue
		}
		if earlier, ok := inBatch[one.Key]; ok {
			one.repeat(earlier)
			continue
		}
		id, r := first+int64(i), b.decide(one)
		switch {
		case r.fail != nil:
			one.answer, one.err = Posted{}, r.fail
			continue
		case r.refusal != "":
			w.refused(one, id, r.refusal)
			b.refuse(one, r, id)
		default:
			w.posted(one, r, id)
			b.apply(one, r, id)
		}
		inBatch[one.Key] = one
	}
	if len(w.id) == 0 {
		return false, p.rollback(nil)
	}
	if err := p.save(w, b); err != nil {
		return true, p.rollback(err)
	}
	p.l.committed()
	return true, nil
}

// openGate asks Limits on the same connection, between the two round trips; only when a post is guarded.
func (p *postgresLane) openGate(b *book, posts []*post) error {
	ctx, cancel := context.WithTimeout(context.Background(), tripLimit)
	defer cancel()
	if err := b.openGate(ctx, p.l.limits, query.New(p.conn), posts); err != nil {
		return &limitsError{err}
	}
	return nil
}

// unknownOf leaves out the posts that will be answered from their keys: Limits has nothing to say of them.
func unknownOf(posts []*post, keys map[string]query.TransferByKeyRow) []*post {
	if len(keys) == 0 {
		return posts
	}
	var out []*post
	for _, one := range posts {
		if _, ok := keys[one.Key]; !ok {
			out = append(out, one)
		}
	}
	return out
}

// rollback ends the transaction after an error, and gives the error. A connection on which even that fails
// is thrown away by the caller's next use of it.
func (p *postgresLane) rollback(cause error) error {
	err := p.raw(func(ctx context.Context, c *pgx.Conn) error {
		if c.IsClosed() {
			return nil
		}
		_, err := c.Exec(ctx, "rollback")
		return err
	})
	if err != nil {
		p.drop()
	}
	return cause
}

// open begins the transaction, locks the members' accounts in id order and reads everything that the rules
// need, in one round trip; a second only for a house account met for the first time.
func (p *postgresLane) open(posts []*post) (*book, map[string]query.TransferByKeyRow, error) {
	b := newBook(0)
	keys := make([]string, len(posts))
	var members, origins []int64
	for i, one := range posts {
		keys[i] = one.Key
		if one.Origin != 0 {
			origins = append(origins, one.Origin)
		}
		for _, id := range [2]int64{one.Debit, one.Credit} {
			if row, ok := p.l.derived.Load(id); ok {
				b.add(row.(query.Account))
			} else {
				members = append(members, id)
			}
		}
	}
	members, origins = sorted(members), sorted(origins)
	known := make(map[string]query.TransferByKeyRow)
	batch := &pgx.Batch{}
	batch.Queue("begin isolation level read committed")
	if len(origins) > 0 {
		batch.Queue(lockOrigins, origins).Query(func(rows pgx.Rows) error { return b.scanOrigins(rows) })
		batch.Queue(readSettled, origins).Query(func(rows pgx.Rows) error { return b.scanSettled(rows) })
	}
	batch.Queue(lockAccounts, members).Query(func(rows pgx.Rows) error { return b.scanAccounts(rows) })
	batch.Queue(readKeys, keys).Query(func(rows pgx.Rows) error { return scanKeys(rows, known) })
	batch.Queue(readClock).QueryRow(func(row pgx.Row) error { return row.Scan(&b.at) })
	if err := p.raw(func(ctx context.Context, c *pgx.Conn) error { return c.SendBatch(ctx, batch).Close() }); err != nil {
		return nil, nil, fmt.Errorf("open batch: %w", err)
	}
	var missing []int64
	for _, id := range members {
		if b.accounts[id] == nil {
			missing = append(missing, id)
		}
	}
	if len(missing) == 0 {
		return b, known, nil
	}
	err := p.raw(func(ctx context.Context, c *pgx.Conn) error {
		rows, err := c.Query(ctx, readAccounts, missing)
		if err != nil {
			return err
		}
		return b.scanAccounts(rows)
	})
	if err != nil {
		return nil, nil, fmt.Errorf("read accounts: %w", err)
	}
	for _, id := range missing {
		if a := b.accounts[id]; a != nil && !a.Derived {
			return nil, nil, errRace // opened between the two statements, and not locked
		} else if a != nil {
			p.l.remember(a.Account)
		}
	}
	return b, known, nil
}

func (b *book) scanAccounts(rows pgx.Rows) error {
	defer rows.Close()
	for rows.Next() {
		var a query.Account
		if err := rows.Scan(&a.ID, &a.MemberID, &a.MerchantID, &a.Kind, &a.Currency, &a.Balance, &a.Floor, &a.Derived, &a.Seq); err != nil {
			return err
		}
		b.add(a)
	}
	return rows.Err()
}

func (b *book) scanOrigins(rows pgx.Rows) error {
	defer rows.Close()
	for rows.Next() {
		o := &origin{}
		if err := rows.Scan(&o.ID, &o.DebitID, &o.CreditID, &o.Amount, &o.Kind, &o.OriginID, &o.Refusal); err != nil {
			return err
		}
		b.origins[o.ID] = o
	}
	return rows.Err()
}

func (b *book) scanSettled(rows pgx.Rows) error {
	defer rows.Close()
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return err
		}
		if o := b.origins[id]; o != nil {
			o.settled = true
		}
	}
	return rows.Err()
}

func scanKeys(rows pgx.Rows, into map[string]query.TransferByKeyRow) error {
	defer rows.Close()
	for rows.Next() {
		var key string
		var r query.TransferByKeyRow
		if err := rows.Scan(&key, &r.ID, &r.PayloadHash, &r.Refusal, &r.CreatedAt, &r.DebitAfter, &r.CreditAfter); err != nil {
			return err
		}
		into[key] = r
	}
	return rows.Err()
}

// save writes and commits in one round trip. The server skips everything behind a statement that fails, the
// commit as well, so no half of a batch is ever kept.
func (p *postgresLane) save(w *writing, b *book) error {
	batch := &pgx.Batch{}
	tables := []string{}
	queue := func(table, sql string, args ...any) {
		batch.Queue(sql, args...)
		tables = append(tables, table)
	}
	queue("", addTransfers, w.id, w.key, w.hash, w.debit, w.credit, w.amount, w.kind, w.origin, w.refusal, w.debitSeq, w.creditSeq,
		w.refType, w.refID, w.note, w.at)
	if len(w.entryAccount) > 0 {
		queue("", addEntries, w.entryAccount, w.entrySeq, w.entryTransfer, w.entryAmount, w.entryAfter)
	}
	if len(b.changed) > 0 {
		ids, balances, seqs := make([]int64, len(b.changed)), make([]int64, len(b.changed)), make([]int64, len(b.changed))
		for i, a := range b.changed {
			ids[i], balances[i], seqs[i] = a.ID, a.Balance, a.Seq
		}
		queue("", setAccounts, ids, balances, seqs)
	}
	if len(b.deltas) > 0 {
		var ids, amounts []int64
		for id, amount := range b.deltas {
			ids, amounts = append(ids, id), append(amounts, amount)
		}
		queue("", addDeltas, ids, amounts)
	}
	for _, t := range w.riders.order {
		queue(t.name, t.arrays, w.riders.args[t]...)
	}
	if payload := b.announcement(); payload != "" {
		queue("", addOutbox, payload, b.at)
	}
	queue("", "commit")
	return p.raw(func(ctx context.Context, c *pgx.Conn) error {
		results := c.SendBatch(ctx, batch)
		for _, table := range tables {
			if _, err := results.Exec(); err != nil {
				_ = results.Close()
				return classify(table, err)
			}
		}
		return results.Close()
	})
}

func classify(table string, err error) error {
	var pe *pgconn.PgError
	switch {
	case table != "":
		return &rowError{table, err}
	case errors.As(err, &pe) && pe.Code == uniqueViolation && (pe.ConstraintName == "transfer_key" || pe.ConstraintName == "transfer_origin"):
		return fmt.Errorf("%w: %w", errRace, err)
	}
	return fmt.Errorf("save batch: %w", err)
}

// writing is a batch's new rows, a column each.
type writing struct {
	at                        int64
	id, debit, credit, amount []int64
	key, kind                 []string
	hash                      [][]byte
	origin                    []*int64
	refusal                   []*string
	debitSeq, creditSeq       []*int64
	refType, refID, note      []string

	entryAccount, entrySeq, entryTransfer, entryAmount []int64
	entryAfter                                         []*int64

	riders riders
}

func (w *writing) refused(p *post, id int64, code string) { w.transfer(p, id, &code, nil, nil) }

func (w *writing) posted(p *post, r ruling, id int64) {
	debit, credit := r.sides(id, p.Amount)
	w.transfer(p, id, nil, &debit.seq, &credit.seq)
	for _, e := range [2]*entry{&debit, &credit} {
		w.entryAccount = append(w.entryAccount, e.account)
		w.entrySeq = append(w.entrySeq, e.seq)
		w.entryTransfer = append(w.entryTransfer, id)
		w.entryAmount = append(w.entryAmount, e.amount)
		w.entryAfter = append(w.entryAfter, e.after)
	}
	w.riders.add(id, p.Rows)
}

func (w *writing) transfer(p *post, id int64, refusal *string, debitSeq, creditSeq *int64) {
	w.id = append(w.id, id)
	w.key = append(w.key, p.Key)
	w.hash = append(w.hash, p.digest[:])
	w.debit = append(w.debit, p.Debit)
	w.credit = append(w.credit, p.Credit)
	w.amount = append(w.amount, int64(p.Amount))
	w.kind = append(w.kind, p.Kind)
	var origin *int64
	if p.Origin != 0 {
		origin = &p.Origin
	}
	w.origin = append(w.origin, origin)
	w.refusal = append(w.refusal, refusal)
	w.debitSeq = append(w.debitSeq, debitSeq)
	w.creditSeq = append(w.creditSeq, creditSeq)
	w.refType = append(w.refType, p.RefType)
	w.refID = append(w.refID, p.RefID)
	w.note = append(w.note, p.Note)
}
