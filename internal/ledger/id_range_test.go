package ledger_test

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"fairground/internal/ledger"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

// A period has the same transfers by id and time as by time alone, although ids are only roughly in the order of time.
func TestIDRangeHasAllTransfersOfAPeriod(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		const minute = int64(time.Minute / time.Millisecond)
		const first, count = int64(1000), int64(400)
		at := func(n int64) int64 { // every third transfer is nine minutes late
			return n*minute + (n%3)/2*9*minute
		}
		for n := range count {
			_, err := db.Bind(store.Engine, store.Writer).ExecContext(t.Context(),
				"INSERT INTO transfer (id, idem_key, payload_hash, debit_id, credit_id, amount, kind, refusal, created_at) VALUES ($1, $2, 'h', 1, 2, 5, 'bet', 'no', $3)",
				first+7*n, fmt.Sprintf("k%d", n), at(n))
			if err != nil {
				t.Fatal(err)
			}
		}
		transfers := func(low, end, since, until int64) (ids []int64) {
			rows, err := db.Bind(store.Engine, store.Reader).QueryContext(t.Context(),
				"SELECT id FROM transfer WHERE id >= $1 AND id < $2 AND created_at >= $3 AND created_at < $4 ORDER BY id", low, end, since, until)
			if err != nil {
				t.Fatal(err)
			}
			defer rows.Close()
			for rows.Next() {
				var id int64
				if err := rows.Scan(&id); err != nil {
					t.Fatal(err)
				}
				ids = append(ids, id)
			}
			if err := rows.Err(); err != nil {
				t.Fatal(err)
			}
			return ids
		}
		for _, period := range [][2]int64{
			{0, 1}, {0, math.MaxInt64}, {100 * minute, 101 * minute}, {100 * minute, 200 * minute}, {390 * minute, math.MaxInt64}, {900 * minute, 901 * minute},
		} {
			low, end, err := ledger.IDRange(t.Context(), store.Q(), period[0], period[1])
			if err != nil {
				t.Fatal(err)
			}
			got, want := transfers(low, end, period[0], period[1]), transfers(0, math.MaxInt64, period[0], period[1])
			if !slices.Equal(got, want) {
				t.Errorf("period %v: transfers %v, want %v", period, got, want)
			}
			if inRange := len(transfers(low, end, 0, math.MaxInt64)); period[1] < math.MaxInt64 && inRange > len(want)+60 {
				t.Errorf("period %v: %d transfers in the range of ids, want about %d", period, inRange, len(want))
			}
		}
	})
}
