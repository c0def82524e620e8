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

// KeyStatus is what stands under a key.
type KeyStatus struct {
	ID         int64
	At         time.Time
	Kind       string // the transfer's; a tombstone that nothing has come under has none
	Refusal    string // its code; empty when it was posted
	Settled    bool   // it was posted and since then paid, released or reversed
	Tombstoned bool   // a tombstone, by this very call
}

// Tombstone puts a tombstone under a key, so that a transfer which comes under it later is refused for good with
// ErrTombstone, whatever it asks: for a call that takes back what has not come yet. A key that was used before stays
// as it is; the answer tells what stands there, and what was posted can then be reversed. Doing it twice is not an error.
func (l *Ledger) Tombstone(ctx context.Context, key string) (s KeyStatus, err error) {
	err = l.Write(ctx, func(tx *db.Tx) error {
		s, err = l.TombstoneIn(ctx, tx, key)
		return err
	})
	return s, err
}

// LockIn takes the locks that a post under key takes, in the order in which everybody takes them: what it would reverse, then
// the accounts, those given and those of what stands under the key. Whoever sets a tombstone first and posts then would hold a key while
// waiting for an account that a post under that key holds, and both would wait until the database breaks it up.
func (l *Ledger) LockIn(ctx context.Context, tx *db.Tx, key string, accounts ...int64) error {
	if tx.Engine == db.SQLite {
		return nil // one transaction writes at a time
	}
	row, err := tx.Q.CallByKey(ctx, key)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return fmt.Errorf("look up key: %w", err)
	}
	if err == nil {
		if _, err := tx.Tx.ExecContext(ctx, lockOrigins, []int64{row.ID}); err != nil {
			return fmt.Errorf("lock transfer: %w", err)
		}
		accounts = append(accounts[:len(accounts):len(accounts)], row.DebitID, row.CreditID)
	}
	if _, err := tx.Tx.ExecContext(ctx, lockAccounts, sortedUnique(accounts)); err != nil {
		return fmt.Errorf("lock accounts: %w", err)
	}
	return nil
}

// TombstoneIn sets it inside the caller's transaction, together with what PostIn posts there.
func (l *Ledger) TombstoneIn(ctx context.Context, tx *db.Tx, key string) (KeyStatus, error) {
	if !validKey(key) {
		return KeyStatus{}, ErrMalformed.On("key")
	}
	w := &txPoster{l: l, engine: tx.Engine, raw: db.Bind(tx.Engine, tx.Tx), q: tx.Q}
	at, err := w.clock(ctx)
	if err != nil {
		return KeyStatus{}, fmt.Errorf("set tombstone: %w", err)
	}
	id, err := w.firstID(ctx, 1)
	if err != nil {
		return KeyStatus{}, fmt.Errorf("set tombstone: %w", err)
	}
	// The key's unique index decides between this and a post under way, on any replica.
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

// Replay gives the answer that Post would give from the key alone, and false where the key is new. It posts nothing:
// for a caller that would now refuse without leaving a trace, but must repeat an answer that was given before.
func (l *Ledger) Replay(ctx context.Context, t Transfer) (answer Posted, known bool, err error) {
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
	return p.answer, true, p.err
}
