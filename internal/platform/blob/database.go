package blob

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"time"

	"fairground/internal/platform/db"
)

// Database is a Store that keeps blobs in the database's table upload. All replicas can read them, and the database's
// backup contains them. A blob is in memory while it is written or read, so callers must limit its size.
type Database struct {
	db  *db.Store
	now func() time.Time
}

// NewDatabase returns a Store that keeps blobs in a database.
func NewDatabase(store *db.Store, now func() time.Time) *Database { return &Database{store, now} }

// Put inserts the blob.
func (d *Database) Put(ctx context.Context, name string, r io.Reader, size int64) error {
	if err := checkName(name); err != nil {
		return err
	}
	body, err := io.ReadAll(io.LimitReader(r, size+1))
	if err == nil && int64(len(body)) != size {
		err = fmt.Errorf("read %d bytes, want %d: %w", len(body), size, io.ErrUnexpectedEOF)
	}
	if err != nil {
		return fmt.Errorf("put blob: %w", err)
	}
	var added int64
	err = d.db.Write(ctx, func(tx *db.Tx) (err error) {
		added, err = tx.Q.AddUpload(ctx, name, body, db.Millis(d.now()))
		return err
	})
	if err != nil {
		return fmt.Errorf("put blob: %w", err)
	}
	if added == 0 {
		return ErrExists
	}
	return nil
}

// Open reads a blob.
func (d *Database) Open(ctx context.Context, name string) (io.ReadCloser, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	body, err := d.db.Q().Upload(ctx, name)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, ErrUnknown
	}
	if err != nil {
		return nil, fmt.Errorf("open blob: %w", err)
	}
	return io.NopCloser(bytes.NewReader(body)), nil
}

// Delete removes a blob.
func (d *Database) Delete(ctx context.Context, name string) error {
	if err := checkName(name); err != nil {
		return err
	}
	if err := d.db.Write(ctx, func(tx *db.Tx) error { return tx.Q.DeleteUpload(ctx, name) }); err != nil {
		return fmt.Errorf("delete blob: %w", err)
	}
	return nil
}

const namesPerRead = 1000

// Each calls fn with every name, in order.
func (d *Database) Each(ctx context.Context, fn func(name string) error) error {
	for after := ""; ; {
		names, err := d.db.Q().UploadNames(ctx, after, namesPerRead)
		if err != nil {
			return fmt.Errorf("list blobs: %w", err)
		}
		for _, name := range names {
			if err := fn(name); err != nil {
				return err
			}
			after = name
		}
		if len(names) < namesPerRead {
			return nil
		}
	}
}
