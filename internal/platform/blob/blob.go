// Package blob keeps files that members and operators upload: in a folder, or in an S3 bucket by address. A
// blob is written once under a name of its own and never changed, so that a copy of the database and a later copy
// of the blobs fit together. It knows nothing of what is inside and serves nothing to browsers by itself.
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

// Faults of this package.
var (
	ErrName    = fault.New(fault.Invalid, "blob.name")
	ErrUnknown = fault.New(fault.NotFound, "blob.unknown")
)

// ErrTaken is no fault of whoever uploads: the server makes the names, and made one twice.
var ErrTaken = errors.New("a blob of that name is there already")

// Store is a place for blobs.
type Store interface {
	// Put keeps all of r under name. When it returns nil the blob survives a crash; when it fails nothing of
	// it is seen. Of many that put one name at once one succeeds; the others, and all later ones, get ErrTaken.
	Put(ctx context.Context, name string, r io.Reader, size int64) error
	// Open reads a blob. The caller closes it.
	Open(ctx context.Context, name string) (io.ReadCloser, error)
	// Delete removes a blob. One that is not there is no error. A backup that is under way reads the blobs after
	// the database: what a row has named within the last day is not deleted yet.
	Delete(ctx context.Context, name string) error
	// Each calls fn with every name, in no order.
	Each(ctx context.Context, fn func(name string) error) error
}

// names are paths of plain words, so that no store can read anything else into them.
var names = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]*(?:[./][a-z0-9][a-z0-9_-]*)*$`)

const maxName = 200

func checkName(name string) error {
	if len(name) > maxName || !names.MatchString(name) {
		return ErrName
	}
	return nil
}

// Copy puts every blob of one store into another. One that is deleted meanwhile is left out.
func Copy(ctx context.Context, from, to Store) error {
	return from.Each(ctx, func(name string) error {
		r, err := from.Open(ctx, name)
		if errors.Is(err, ErrUnknown) {
			return nil
		}
		if err != nil {
			return err
		}
		body, err := io.ReadAll(r)
		if err := errors.Join(err, r.Close()); err != nil {
			return fmt.Errorf("read blob %s: %w", name, err)
		}
		return to.Put(ctx, name, bytes.NewReader(body), int64(len(body)))
	})
}
