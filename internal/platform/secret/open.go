package secret

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"fairground/internal/platform/db"
)

// Errors of Open and Rotate.
var (
	ErrKeyNotFound = errors.New("the installation's key was not found")
	ErrWrong       = errors.New("this is not the installation's key")
)

// Names of rows in the table secret whose values are not wrapped.
const (
	checkName = "check" // a digest of the root key, and the time when the key came into use
	// legacyName is the root key itself. Older versions stored it in the database.
	legacyName = "root"
)

// A Rekey seals stored values with a new root key, in the transaction that changes the root key. legacy reports that the
// old key was stored in the database, and so in its backups.
type Rekey func(ctx context.Context, tx *db.Tx, old, next *Keys, legacy bool) error

// Options configure Open.
type Options struct {
	Store  *db.Store
	Source Source
	Now    func() time.Time
	Rekey  Rekey // may be nil if nothing is sealed
	Log    *slog.Logger
}

// Open returns the keys of the installation. At the first start it creates the root key. If an older version stored the
// root key in the database, Open replaces it with a new key outside the database, because backups contain the old key.
func Open(ctx context.Context, o Options) (*Keys, error) {
	// The first server creates the key file before it stores the check value. So a server that finds the value finds the file.
	check, legacy, err := o.readStored(ctx)
	if err != nil {
		return nil, err
	}
	root, err := o.Source.read()
	if err != nil {
		return nil, err
	}
	if check != nil {
		return o.open(root, check)
	}
	if !o.Source.Create {
		return nil, errors.New("this database has no key yet: start the server once")
	}
	if root == nil {
		if root, err = o.create(); err != nil {
			return nil, err
		}
	}
	next := o.keys(root)
	err = o.Store.Write(ctx, func(tx *db.Tx) error {
		if legacy != nil {
			if err := o.rekey(ctx, tx, o.keys(legacy), next, true); err != nil {
				return err
			}
			if err := tx.Q.DropSecret(ctx, legacyName); err != nil {
				return err
			}
		}
		if err := tx.Q.AddSecret(ctx, checkName, next.check(), db.Millis(o.Now())); err != nil {
			return err
		}
		check, err = tx.Q.Secret(ctx, checkName) // another replica may have stored its key first
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("store key check: %w", err)
	}
	if legacy != nil {
		if err := o.reportMove(ctx); err != nil {
			return nil, err
		}
	}
	return o.open(root, check)
}

// reportMove logs that the root key was replaced, and the vendor keys that backups with the old root key reveal.
func (o Options) reportMove(ctx context.Context) error {
	rows, err := o.Store.Q().VendorKeysBefore(ctx, db.Millis(o.Now())+1)
	if err != nil {
		return fmt.Errorf("read vendor keys: %w", err)
	}
	exposed := make([]string, len(rows))
	for i, row := range rows {
		exposed[i] = fmt.Sprintf("%s %s %s", row.Merchant, row.Vendor, row.KeyID)
	}
	o.Log.WarnContext(ctx, "moved the root key out of the database and replaced it; all members must log in again; rotate these vendor keys with fairground vendor rotate",
		"key", o.Source.String(), "vendor_keys", exposed)
	return nil
}

// readStored returns the check value and the legacy root key. Each is nil if the database has none.
func (o Options) readStored(ctx context.Context) (check, legacy []byte, err error) {
	q := o.Store.Q()
	if check, err = optional(q.Secret(ctx, checkName)); err == nil && check == nil {
		legacy, err = optional(q.Secret(ctx, legacyName))
	}
	if err != nil {
		return nil, nil, fmt.Errorf("read key check: %w", err)
	}
	return check, legacy, nil
}

func optional(value []byte, err error) ([]byte, error) {
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return value, err
}

// open returns the keys of root if root matches the database's check value. It completes an interrupted rotation.
func (o Options) open(root, check []byte) (*Keys, error) {
	if root != nil && bytes.Equal(o.keys(root).check(), check) {
		if o.Source.Text == "" {
			// A rotation that stopped before it changed the database leaves this file.
			if err := os.Remove(o.Source.File + nextSuffix); err != nil && !errors.Is(err, os.ErrNotExist) {
				o.Log.Warn("could not delete the key of an incomplete rotation", "error", err)
			}
		}
		return o.keys(root), nil
	}
	if o.Source.Text == "" {
		// A rotation may have stopped after it changed the database and before it replaced the key file.
		next, err := readKeyFile(o.Source.File + nextSuffix)
		if err != nil {
			return nil, err
		}
		if next != nil && bytes.Equal(o.keys(next).check(), check) {
			return o.keys(next), replaceKeyFile(o.Source.File)
		}
	}
	if root != nil {
		return nil, fmt.Errorf("%w: %s holds another one. Restore the key that this database was sealed with", ErrWrong, o.Source)
	}
	err := fmt.Errorf("%w in %s: restore the file from your copy, or set --key-file or FAIRGROUND_KEY. A new key cannot open this database", ErrKeyNotFound, o.Source)
	if !o.Source.Optional {
		return nil, err
	}
	k := o.keys(newRoot())
	k.locked = err
	return k, nil
}

// create creates the key file. If another server creates it at the same time, create returns that server's key.
func (o Options) create() ([]byte, error) {
	if o.Source.File == "" {
		return nil, fmt.Errorf("%w: set --key-file or FAIRGROUND_KEY", ErrKeyNotFound)
	}
	root := newRoot()
	err := createKeyFile(o.Source.File, root)
	if errors.Is(err, os.ErrExist) {
		return readKeyFile(o.Source.File)
	}
	return root, err
}

func (o Options) keys(root []byte) *Keys { return &Keys{store: o.Store, root: root, now: o.Now} }

// check returns the value that the database stores to recognize the root key. It does not reveal the key.
func (k *Keys) check() []byte { return k.derive("check", "", rootSize) }

// rekey wraps the stored keys with the new root key and then calls o.Rekey.
func (o Options) rekey(ctx context.Context, tx *db.Tx, old, next *Keys, legacy bool) error {
	rows, err := tx.Q.Secrets(ctx)
	if err != nil {
		return err
	}
	for _, row := range rows {
		if row.Name == checkName || row.Name == legacyName {
			continue
		}
		value, err := old.Unwrap(row.Name, row.Value)
		if err != nil {
			return err
		}
		wrapped, err := next.Wrap(row.Name, value)
		if err != nil {
			return err
		}
		if err := tx.Q.SetSecret(ctx, wrapped, row.CreatedAt, row.Name); err != nil {
			return err
		}
	}
	if o.Rekey == nil {
		return nil
	}
	return o.Rekey(ctx, tx, old, next, legacy)
}

// Rotate replaces the root key and seals all stored values with the new key. No server may be running. After a crash,
// either the old or the new key is valid, and the next Open uses the right file.
func Rotate(ctx context.Context, o Options) error {
	if o.Source.Text != "" {
		return errors.New("the key is in the environment, where a command cannot replace it: store it in a file and use --key-file")
	}
	old, err := Open(ctx, o)
	if err != nil {
		return err
	}
	root := newRoot()
	if err := createKeyFile(o.Source.File+nextSuffix, root); err != nil {
		return err
	}
	next := o.keys(root)
	err = o.Store.Write(ctx, func(tx *db.Tx) error {
		if err := o.rekey(ctx, tx, old, next, false); err != nil {
			return err
		}
		return tx.Q.SetSecret(ctx, next.check(), db.Millis(o.Now()), checkName)
	})
	if err != nil {
		return fmt.Errorf("rotate key: %w", err)
	}
	return replaceKeyFile(o.Source.File)
}

// Since returns the time when the root key came into use.
func (k *Keys) Since(ctx context.Context) (time.Time, error) {
	at, err := k.store.Q().SecretTime(ctx, checkName)
	if err != nil {
		return time.Time{}, fmt.Errorf("read key check: %w", err)
	}
	return time.UnixMilli(at), nil
}
