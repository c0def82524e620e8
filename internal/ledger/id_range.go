package ledger

import (
	"context"
	"fmt"
	"math"
	"time"

	"fairground/internal/platform/db/query"
)

// idMargin is the maximum time by which the order of transfer ids differs from the order of creation times: on PostgreSQL the age of a
// block of ids, and some minutes for a transfer that waits or is repeated.
const idMargin = int64(10 * time.Minute / time.Millisecond)

// IDRange returns a range of ids, from first up to but not including end, that contains the transfers of a period in Unix
// milliseconds. The range also contains some earlier and later transfers, because ids are only roughly in the order of time. So a
// query must filter by both. With the range, it reads old periods as fast as new ones.
func IDRange(ctx context.Context, q *query.Queries, since, until int64) (first, end int64, err error) {
	if first, err = firstIDAt(ctx, q, since-idMargin); err != nil {
		return 0, 0, err
	}
	if until > math.MaxInt64-idMargin {
		return first, math.MaxInt64, nil
	}
	end, err = firstIDAt(ctx, q, until+idMargin)
	return first, end, err
}

// firstIDAt returns the id of the first transfer at or after a time. It uses a binary search by the primary key.
func firstIDAt(ctx context.Context, q *query.Queries, at int64) (int64, error) {
	last, err := q.LastTransferID(ctx)
	if err != nil {
		return 0, fmt.Errorf("find transfers: %w", err)
	}
	low, high := int64(0), last+1
	for low < high {
		middle := low + (high-low)/2
		rows, err := q.TransferFrom(ctx, middle)
		if err != nil {
			return 0, fmt.Errorf("find transfers: %w", err)
		}
		if len(rows) == 0 || rows[0].CreatedAt >= at {
			high = middle
		} else {
			low = rows[0].ID + 1
		}
	}
	return low, nil
}
