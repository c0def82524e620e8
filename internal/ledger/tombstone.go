package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// A KeyStatus describes the transfer or tombstone stored under a key.
type KeyStatus struct {
	ID         int64
	At         time.Time
	Kind       string // the transfer's kind; empty for a tombstone
	Refusal    string // refusal code; empty if the transfer was posted
	Settled    bool   // a later posted transfer has paid out, released or reversed this one
	Tombstoned bool   // this call created a tombstone
}

// Tombstone reserves a key, so that any later transfer under it is refused with ErrTombstone. It is for rollbacks
// that arrive before their transfer. If the key is already used, Tombstone changes nothing. The result then describes
// the key's transfer, which can be reversed. Tombstone is idempotent.
func (l *Ledger) Tombstone(ctx context.Context, key string) (s KeyStatus, err error) {
	err = l.Write(ctx, func(tx *db.Tx) error {
		s, err = l.TombstoneIn(ctx, tx, key)
		return err
	})
	return s, err
}

// LockIn takes the same locks as a post under key, in the same order: first the transfer stored under the key, then
// that transfer's accounts and the given ones. Call it before TombstoneIn and PostIn in one transaction. Otherwise
// the transaction would hold the key while it waits for an account, and could deadlock with a post under that key.
func (l *Ledger) LockIn(ctx context.Context, tx *db.Tx, key string, accounts ...int64) error {
	if tx.Engine == db.SQLite {
		return nil // SQLite has one writer
	}
	row, err := tx.Q.TransferDetailsByKey(ctx, key)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return fmt.Errorf("look up key: %w", err)
	}
	if err == nil {
		if _, err := tx.Tx.ExecContext(ctx, lockTransfers, []int64{row.ID}); err != nil {
			return fmt.Errorf("lock transfer: %w", err)
		}
		accounts = append(accounts[:len(accounts):len(accounts)], row.DebitID, row.CreditID)
	}
	if _, err := tx.Tx.ExecContext(ctx, lockAccounts, sortedUnique(accounts)); err != nil {
		return fmt.Errorf("lock accounts: %w", err)
	}
	return nil
}

// TombstoneIn is Tombstone within the caller's transaction.
func (l *Ledger) TombstoneIn(ctx context.Context, tx *db.Tx, key string) (KeyStatus, error) {
	if !validKey(key) {
		return KeyStatus{}, ErrMalformed.On("key")
	}
	w := &txPoster{l: l, engine: tx.Engine, raw: db.Bind(tx.Engine, tx.Tx), q: tx.Q}
	at, err := w.clock(ctx)
	if err != nil {
		return KeyStatus{}, fmt.Errorf("set tombstone: %w", err)
	}
	id, err := w.reserveIDs(ctx, 1)
	if err != nil {
		return KeyStatus{}, fmt.Errorf("set tombstone: %w", err)
	}
	// The key's unique index decides between this tombstone and a concurrent post on any replica.
	n, err := w.q.AddTransfer(ctx, query.AddTransferParams{
		ID: id, IdemKey: key, PayloadHash: []byte{}, Kind: kindTombstone,
		Refusal: sql.NullString{String: ErrTombstone.Code, Valid: true}, CreatedAt: at,
	})
	if err != nil {
		return KeyStatus{}, fmt.Errorf("set tombstone: %w", err)
	}
	if n > 0 {
		return KeyStatus{ID: id, At: time.UnixMilli(at).UTC(), Refusal: ErrTombstone.Code, Tombstoned: true}, nil
	}
	row, err := tx.Q.TransferByKey(ctx, key)
	if err != nil {
		return KeyStatus{}, fmt.Errorf("look up key: %w", err)
	}
	s := KeyStatus{ID: row.ID, At: time.UnixMilli(row.CreatedAt).UTC(), Kind: row.Kind, Refusal: row.Refusal.String}
	if s.Kind == kindTombstone {
		s.Kind = ""
	}
	_, err = tx.Q.SettlementOf(ctx, nullable(row.ID))
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return KeyStatus{}, fmt.Errorf("read settlement: %w", err)
	}
	s.Settled = err == nil
	return s, nil
}

// Replay returns the stored result of t's key without posting. known is false for a new key. Replay is for a caller
// that would reject the request now, but must repeat the result of an earlier request.
func (l *Ledger) Replay(ctx context.Context, t Transfer) (result Posted, known bool, err error) {
	if err := t.check(); err != nil {
		return Posted{}, false, err
	}
	row, err := l.store.Q().TransferByKey(ctx, t.Key)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return Posted{}, false, nil
	case err != nil:
		return Posted{}, false, fmt.Errorf("look up key: %w", err)
	case row.Kind == kindTombstone:
		return Posted{ID: row.ID, At: time.UnixMilli(row.CreatedAt).UTC()}, true, refusalOf(row.Refusal.String)
	}
	p := post{Transfer: &t, digest: t.hash()}
	p.replay(row)
	return p.result, true, p.err
}
