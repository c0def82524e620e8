package ledger

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

const (
	readKeys = `SELECT t.idem_key, t.id, t.payload_hash, t.kind, t.refusal, t.created_at, d.balance_after, c.balance_after
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
	bindTombstones = `UPDATE transfer t SET payload_hash = x.hash, debit_id = x.debit, credit_id = x.credit, amount = x.amount, kind = x.kind,
  origin_id = x.origin, debit_seq = x.debit_seq, credit_seq = x.credit_seq, ref_type = x.ref_type, ref_id = x.ref_id, note = x.note
FROM unnest($1::bigint[], $2::bytea[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[], $7::bigint[], $8::bigint[], $9::bigint[],
  $10::text[], $11::text[], $12::text[]) x (id, hash, debit, credit, amount, kind, origin, debit_seq, credit_seq, ref_type, ref_id, note)
WHERE t.id = x.id AND t.kind = 'tombstone'`
	addEntries = `INSERT INTO entry (account_id, seq, transfer_id, amount, balance_after)
SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[])`
	setAccounts = `UPDATE account a SET balance = x.balance, seq = x.seq
FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) x (id, balance, seq) WHERE a.id = x.id`
	addDeltas = `INSERT INTO account_delta (account_id, amount) SELECT * FROM unnest($1::bigint[], $2::bigint[])`
	addOutbox = `INSERT INTO outbox (payload, created_at) VALUES ($1, $2)`
)

// batch posts in one transaction with two round trips. The first locks and reads, the second writes and commits.
func (p *postgresConn) batch(posts []*post) (sent bool, err error) {
	// Every replica inserts keys in the same order, so that two replicas cannot deadlock on them. The order of
	// posts within a batch does not matter.
	slices.SortStableFunc(posts, func(a, b *post) int { return strings.Compare(a.Key, b.Key) })
	first, err := p.ids(len(posts))
	if err != nil {
		return false, err
	}
	q := prepareLimits(p.l.limits, db.Postgres, posts)
	b, err := p.open(posts, q.Reads)
	if err == nil {
		err = p.openGate(b, q, posts)
	}
	if err != nil {
		return false, p.rollback(err)
	}
	w := &batchRows{}
	for i, one := range posts {
		if b.finishFromKey(one) {
			continue
		}
		id, r := first+int64(i), b.decide(one)
		if r.err != nil {
			one.result, one.err = Posted{}, r.err
			continue
		}
		w.add(one, r, id)
		b.apply(one, r, id)
	}
	if w.empty() {
		return false, p.rollback(nil)
	}
	if err := p.bindTombstones(&w.tombstones); err != nil {
		return false, p.rollback(err)
	}
	if err := p.save(w, b); err != nil {
		return true, p.rollback(err)
	}
	p.l.committed()
	return true, nil
}

func (p *postgresConn) openGate(b *book, q LimitCheck, posts []*post) error {
	if q.Open == nil {
		return nil
	}
	err := p.raw(func(context.Context, *pgx.Conn) error { return nil }) // restart the round-trip timeout
	if err != nil {
		return err
	}
	if err := b.openGate(context.Background(), q, View{db.Postgres, p.conn, query.New(p.conn)}, posts); err != nil {
		return &limitsError{err}
	}
	return nil
}

// rollback ends the transaction and returns cause. If the rollback fails, it drops the connection.
func (p *postgresConn) rollback(cause error) error {
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

// open begins the transaction, locks the members' accounts in id order and reads what the rules and the gate need,
// in one round trip. It needs a second round trip only for a house account that is not cached. Each statement sees
// what was committed before the statement began. So the reads see everything that the locks waited for.
func (p *postgresConn) open(posts []*post, gate []Read) (*book, error) {
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
	members, origins = sortedUnique(members), sortedUnique(origins)
	batch := &pgx.Batch{}
	batch.Queue("begin isolation level read committed")
	if len(origins) > 0 {
		batch.Queue(lockTransfers, origins).Query(func(rows pgx.Rows) error { return b.scanOrigins(rows) })
		batch.Queue(readSettled, origins).Query(func(rows pgx.Rows) error { return b.scanSettled(rows) })
	}
	batch.Queue(lockAccounts, members).Query(func(rows pgx.Rows) error { return b.scanAccounts(rows) })
	batch.Queue(readKeys, keys).Query(func(rows pgx.Rows) error { return scanKeys(rows, b.stored) })
	batch.Queue(readClock).QueryRow(func(row pgx.Row) error { return row.Scan(&b.at) })
	for _, r := range gate {
		batch.Queue(r.Statement, r.Args...).Query(r.scanAll)
	}
	if err := p.raw(func(ctx context.Context, c *pgx.Conn) error { return c.SendBatch(ctx, batch).Close() }); err != nil {
		return nil, fmt.Errorf("open batch: %w", err)
	}
	var missing []int64
	for _, id := range members {
		if b.accounts[id] == nil {
			missing = append(missing, id)
		}
	}
	if len(missing) == 0 {
		return b, nil
	}
	err := p.raw(func(ctx context.Context, c *pgx.Conn) error {
		rows, err := c.Query(ctx, readAccounts, missing)
		if err != nil {
			return err
		}
		return b.scanAccounts(rows)
	})
	if err != nil {
		return nil, fmt.Errorf("read accounts: %w", err)
	}
	for _, id := range missing {
		if a := b.accounts[id]; a != nil && !a.Derived {
			return nil, errRace // it was created between the two statements, so it is not locked
		} else if a != nil {
			p.l.cacheHouse(a.Account)
		}
	}
	return b, nil
}

// scanAll scans every row. It wraps a failure in limitsError, except for a lost connection.
func (r Read) scanAll(rows pgx.Rows) error {
	defer rows.Close()
	for rows.Next() {
		if err := r.Take(rows); err != nil {
			return &limitsError{err}
		}
	}
	if err := rows.Err(); err != nil && !connectionLost(err) {
		return &limitsError{err}
	}
	return rows.Err()
}

func (b *book) scanAccounts(rows pgx.Rows) error {
	defer rows.Close()
	for rows.Next() {
		if err := b.scanAccount(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// scanAccount adds the account of the current row.
func (b *book) scanAccount(row interface{ Scan(columns ...any) error }) error {
	var a query.Account
	if err := row.Scan(&a.ID, &a.MemberID, &a.MerchantID, &a.Kind, &a.Currency, &a.Balance, &a.Floor, &a.Derived, &a.Seq); err != nil {
		return err
	}
	b.add(a)
	return nil
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
		if err := scanKey(rows, into); err != nil {
			return err
		}
	}
	return rows.Err()
}

// scanKey adds the transfer of the current row.
func scanKey(row Scanner, into map[string]query.TransferByKeyRow) error {
	var key string
	var r query.TransferByKeyRow
	if err := row.Scan(&key, &r.ID, &r.PayloadHash, &r.Kind, &r.Refusal, &r.CreatedAt, &r.DebitAfter, &r.CreditAfter); err != nil {
		return err
	}
	into[key] = r
	return nil
}
