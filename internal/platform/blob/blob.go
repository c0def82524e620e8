// Package blob stores the files that members and operators upload, in a folder, the database or an S3 bucket. A blob is
// written once under a unique name and never changed, so a database backup and a later copy of the blobs are consistent.
// The package does not interpret the contents and serves nothing to browsers.
package blob

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"

	"fairground/internal/fault"
)

// Faults returned to clients.
var (
	ErrName    = fault.New(fault.Invalid, "blob.name")
	ErrUnknown = fault.New(fault.NotFound, "blob.unknown")
)

// ErrExists reports that a blob with that name exists. The server chose the name, so it is not a client error.
var ErrExists = errors.New("a blob with that name already exists")

// A Store stores blobs.
type Store interface {
	// Put stores the size bytes of r under name. If Put succeeds, the blob is durable. If it fails, no part of the blob is
	// visible. If several callers put the same name, one succeeds and the others get ErrExists.
	Put(ctx context.Context, name string, r io.Reader, size int64) error
	// Open opens a blob for reading. The caller closes it.
	Open(ctx context.Context, name string) (io.ReadCloser, error)
	// Delete removes a blob. Deleting a missing blob is not an error. A backup copies the blobs after the database, so
	// callers must not delete a blob that a row referenced within the last day.
	Delete(ctx context.Context, name string) error
	// Each calls fn with every name, in no particular order.
	Each(ctx context.Context, fn func(name string) error) error
}

var validName = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]*(?:[./][a-z0-9][a-z0-9_-]*)*$`)

const maxName = 200

func checkName(name string) error {
	if len(name) > maxName || !validName.MatchString(name) {
		return ErrName
	}
	return nil
}

// Copy copies every blob from one store to another. It skips blobs that are deleted while it runs.
func Copy(ctx context.Context, from, to Store) error {
	return from.Each(ctx, func(name string) error {
		_, err := copyOne(ctx, from, to, name)
		return err
	})
}

// Move moves every blob from one store to another and returns their number. It can be interrupted and run again.
func Move(ctx context.Context, from, to Store) (moved int, err error) {
	var names []string // list all names first, because the loop below deletes blobs
	if err := from.Each(ctx, func(name string) error { names = append(names, name); return nil }); err != nil {
		return 0, err
	}
	for _, name := range names {
		found, err := copyOne(ctx, from, to, name)
		if errors.Is(err, ErrExists) { // an interrupted move has already copied the blob, and blobs never change
			found, err = true, nil
		}
		if err == nil && found {
			err = from.Delete(ctx, name)
		}
		if err != nil {
			return moved, err
		}
		if found {
			moved++
		}
	}
	return moved, nil
}

func copyOne(ctx context.Context, from, to Store, name string) (found bool, err error) {
	r, err := from.Open(ctx, name)
	if errors.Is(err, ErrUnknown) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	body, err := io.ReadAll(r)
	if err := errors.Join(err, r.Close()); err != nil {
		return false, fmt.Errorf("read blob %s: %w", name, err)
	}
	return true, to.Put(ctx, name, bytes.NewReader(body), int64(len(body)))
}
