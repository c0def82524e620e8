package oplist

import (
	"math"

	"fairground/internal/platform/page"
)

// IndexKey returns the page.Key of the row with an index, for a list that is completely in memory.
func IndexKey(index int) page.Key { return page.Key{At: math.MaxInt32 - int64(index)} }

// Slice returns up to limit rows after a key that IndexKey returned. rows is the whole list.
func Slice[T any](rows []T, after page.Key, limit int) []T {
	first := 0
	if after.At != math.MaxInt64 {
		first = min(max(0, int(math.MaxInt32-after.At+1)), len(rows))
	}
	return rows[first:min(len(rows), first+limit)]
}
