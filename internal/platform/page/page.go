// Package page implements keyset paging. Rows are ordered by time and id, newest first. A query selects one row more than
// the page needs. Cut removes that row and returns the cursor of the next page. The package runs no queries.
package page

import (
	"encoding/base64"
	"fmt"
	"math"

	"fairground/internal/platform/rest"
)

// ErrCursor reports a cursor that Cut did not return.
var ErrCursor = rest.ErrParam.On("cursor")

// Sizes of a page.
const (
	DefaultSize = 20
	MaxSize     = 100
)

// A Key is the position of a row in a list: its time and its id.
type Key struct{ At, ID int64 }

// first sorts above every row.
var first = Key{At: math.MaxInt64, ID: math.MaxInt64}

// After parses a cursor. The rows of the page sort below the returned key. An empty cursor means the first page.
func After(cursor string) (Key, error) {
	if cursor == "" {
		return first, nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil {
		return Key{}, ErrCursor.Because(err)
	}
	var k Key
	if _, err := fmt.Sscanf(string(raw), "%d.%d", &k.At, &k.ID); err != nil {
		return Key{}, ErrCursor.Because(err)
	}
	if k.At < 0 || k.ID < 0 || k.cursor() != cursor {
		return Key{}, ErrCursor
	}
	return k, nil
}

func (k Key) cursor() string {
	return base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, "%d.%d", k.At, k.ID))
}

// Size returns the size of a page. It is the default for 0, and at most MaxSize.
func Size(requested int) int {
	switch {
	case requested <= 0:
		return DefaultSize
	case requested > MaxSize:
		return MaxSize
	}
	return requested
}

// Cut shortens rows to a page of the given size. Rows must have been selected with a limit of size+1. The cursor is empty
// on the last page.
func Cut[T any](rows []T, size int, key func(T) Key) (list []T, next string) {
	if len(rows) <= size {
		return rows, ""
	}
	return rows[:size], key(rows[size-1]).cursor()
}
