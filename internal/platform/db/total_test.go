package db_test

import (
	"context"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

func TestTotalsNeverFail(t *testing.T) {
	t.Parallel()
	bound, far := new(big.Int).Lsh(big.NewInt(1), 62), big.NewInt(4_200_000_000_000_000_000)
	amount := rapid.OneOf(
		rapid.Int64Range(-1_000_000_000_000_000_000, 1_000_000_000_000_000_000),
		rapid.SampledFrom([]int64{1_000_000_000_000_000_000, -1_000_000_000_000_000_000, 1, -1, 1 << 32, -1 << 32, 1<<32 - 1}),
	)
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		q := db.Bind(store.Engine, store.Reader)
		total := "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $4) SELECT " +
			db.Total("CASE i % 3 WHEN 0 THEN CAST($1 AS BIGINT) WHEN 1 THEN CAST($2 AS BIGINT) ELSE CAST($3 AS BIGINT) END") + " FROM n WHERE i <= $4"
		rapid.Check(t, func(rt *rapid.T) {
			amounts := [3]int64{amount.Draw(rt, "a"), amount.Draw(rt, "b"), amount.Draw(rt, "c")}
			times := rapid.SampledFrom([]int64{0, 1, 2, 3, 10, 30, 1000}).Draw(rt, "times")
			want := new(big.Int)
			for i, n := range amounts { // every third row is the first of them, starting with the third
				want.Add(want, new(big.Int).Mul(big.NewInt(n), big.NewInt((times+[3]int64{0, 2, 1}[i])/3)))
			}
			var got int64
			if err := q.QueryRowContext(context.Background(), total, amounts[0], amounts[1], amounts[2], times).Scan(&got); err != nil {
				rt.Fatalf("%v %d times: %v", amounts, times, err)
			}
			total := big.NewInt(got)
			if want.CmpAbs(far) > 0 { // only a lower bound is checked
				if want.Sign() < 0 {
					want.Neg(want)
					total.Neg(total)
				}
				if total.Cmp(far) < 0 || total.Cmp(bound) > 0 {
					rt.Fatalf("%v %d times: %d, want ±%s", amounts, times, got, want)
				}
				return
			}
			if total.Cmp(want) != 0 {
				rt.Fatalf("%v %d times: %d, want %s", amounts, times, got, want)
			}
		})
	})
}
