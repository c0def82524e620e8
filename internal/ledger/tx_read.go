package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

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
	if w.isBatch(posts) {
		if err := w.readKeys(ctx, b, posts); err != nil {
			return nil, err
		}
	}
	return b, w.openGate(ctx, b, posts)
}

// isBatch reports whether the posts are written with one statement per table.
func (w *txPoster) isBatch(posts []*post) bool {
	return w.engine == db.Postgres && len(posts) > 1
}

// readKeys reads the transfers that are stored under the posts' keys.
func (w *txPoster) readKeys(ctx context.Context, b *book, posts []*post) (err error) {
	keys := make([]string, len(posts))
	for i, p := range posts {
		keys[i] = p.Key
	}
	rows, err := w.raw.QueryContext(ctx, readKeys, keys)
	if err != nil {
		return fmt.Errorf("look up keys: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		if err := scanKey(rows, b.stored); err != nil {
			return fmt.Errorf("look up keys: %w", err)
		}
	}
	return rows.Err()
}

func (w *txPoster) openGate(ctx context.Context, b *book, posts []*post) error {
	if w.l.limits == nil {
		return nil
	}
	var newPosts []*post
	for _, p := range posts { // the gate must not see posts with a used key
		if !p.Guarded {
			continue
		}
		_, known := b.stored[p.Key]
		if !known && !w.isBatch(posts) {
			var err error
			if known, err = w.loadKey(ctx, b, p.Key); err != nil {
				return err
			}
		}
		if !known {
			newPosts = append(newPosts, p)
		}
	}
	q := prepareLimits(w.l.limits, w.engine, newPosts)
	for _, r := range q.Reads {
		if err := r.run(ctx, w.raw); err != nil {
			return &limitsError{err}
		}
	}
	if err := b.openGate(ctx, q, View{w.engine, w.raw, w.q}, newPosts); err != nil {
		return &limitsError{err}
	}
	return nil
}

func (w *txPoster) readOrigins(ctx context.Context, b *book, ids []int64) error {
	if len(ids) == 0 {
		return nil
	}
	if w.engine == db.Postgres {
		if _, err := w.raw.ExecContext(ctx, lockTransfers, ids); err != nil {
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
		if err := w.lockAccounts(ctx, b, ids); err != nil {
			return fmt.Errorf("lock accounts: %w", err)
		}
	}
	for _, id := range ids {
		if b.accounts[id] != nil {
			continue
		}
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

// lockAccounts locks the members' accounts in id order and reads them.
func (w *txPoster) lockAccounts(ctx context.Context, b *book, ids []int64) (err error) {
	rows, err := w.raw.QueryContext(ctx, lockAccounts, ids)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		if err := b.scanAccount(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// cacheHouse caches the fields of a house account that never change, so that posts do not read or lock its row.
func (l *Ledger) cacheHouse(row query.Account) {
	if row.Derived {
		row.Balance = 0 // changes, so it must not be cached
		l.derived.Store(row.ID, row)
	}
}

func (w *txPoster) clock(ctx context.Context) (at int64, err error) {
	if w.engine == db.SQLite {
		return db.Millis(w.l.now()), nil
	}
	if err := w.raw.QueryRowContext(ctx, readClock).Scan(&at); err != nil {
		return 0, fmt.Errorf("read the database clock: %w", err)
	}
	return at, nil
}

// reserveIDs reserves n consecutive transfer ids and returns the first.
func (w *txPoster) reserveIDs(ctx context.Context, n int) (int64, error) {
	if w.engine == db.SQLite {
		lastID, err := w.q.LastTransferID(ctx)
		if err != nil {
			return 0, fmt.Errorf("read last transfer id: %w", err)
		}
		return lastID + 1, nil
	}
	return w.l.ids.take(int64(n), w.l.now(), func() (first int64, err error) {
		err = w.raw.QueryRowContext(ctx, nextIDBlock).Scan(&first)
		return first, err
	})
}

// sortedUnique returns the distinct ids in the order in which all transactions lock them.
func sortedUnique(ids []int64) []int64 {
	slices.Sort(ids)
	return slices.Compact(ids)
}
