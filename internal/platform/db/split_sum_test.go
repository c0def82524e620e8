package db_test

import (
	"context"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

func TestSplitSumNeverOverflows(t *testing.T) {
	t.Parallel()
	limit := big.NewInt(int64(money.MaxSum))
	amount := rapid.OneOf(
		rapid.Int64Range(-1_000_000_000_000_000_000, 1_000_000_000_000_000_000),
		rapid.SampledFrom([]int64{1_000_000_000_000_000_000, -1_000_000_000_000_000_000, 1, -1, 1 << 32, -1 << 32, 1<<32 - 1}),
	)
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		q := db.Bind(store.Engine, store.Reader)
		total := "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $4) SELECT " +
			db.SplitSumColumns("CASE i % 3 WHEN 0 THEN CAST($1 AS BIGINT) WHEN 1 THEN CAST($2 AS BIGINT) ELSE CAST($3 AS BIGINT) END") + " FROM n WHERE i <= $4"
		rapid.Check(t, func(rt *rapid.T) {
			amounts := [3]int64{amount.Draw(rt, "a"), amount.Draw(rt, "b"), amount.Draw(rt, "c")}
			times := rapid.SampledFrom([]int64{0, 1, 2, 3, 10, 30, 1000}).Draw(rt, "times")
			want := new(big.Int)
			for i, n := range amounts { // every third row is the first of them, starting with the third
				want.Add(want, new(big.Int).Mul(big.NewInt(n), big.NewInt((times+[3]int64{0, 2, 1}[i])/3)))
			}
			if want.CmpAbs(limit) > 0 {
				want.Mul(limit, big.NewInt(int64(want.Sign())))
			}
			var got money.SplitSum
			if err := q.QueryRowContext(context.Background(), total, amounts[0], amounts[1], amounts[2], times).Scan(&got.High, &got.Low); err != nil {
				rt.Fatalf("%v %d times: %v", amounts, times, err)
			}
			if got := int64(got.Minor()); got != want.Int64() {
				rt.Fatalf("%v %d times: %d, want %s", amounts, times, got, want)
			}
		})
	})
}
