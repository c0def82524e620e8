package money_test

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"fairground/internal/money"
)

// Sums equal those of big.Int, limited to ±MaxSum.
func TestSplitSum(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var sum money.SplitSum
		want := new(big.Int)
		for range rapid.IntRange(0, 30).Draw(t, "amounts") {
			n := rapid.OneOf(rapid.Int64(), rapid.Int64Range(-3, 3), rapid.SampledFrom([]int64{1 << 32, 1<<32 - 1, -1 << 32, 1 << 62, -1 << 62})).Draw(t, "amount")
			split := money.SplitSum{High: n >> 32, Low: n & (1<<32 - 1)}
			if rapid.Bool().Draw(t, "less") {
				sum = sum.Sub(split)
				want.Sub(want, big.NewInt(n))
			} else {
				sum = sum.Add(split)
				want.Add(want, big.NewInt(n))
			}
		}
		maximum := big.NewInt(int64(money.MaxSum))
		if want.Cmp(maximum) > 0 {
			want = maximum
		}
		if minimum := new(big.Int).Neg(maximum); want.Cmp(minimum) < 0 {
			want = minimum
		}
		if got := big.NewInt(int64(sum.Minor())); got.Cmp(want) != 0 {
			t.Fatalf("%v.Minor() = %s, want %s", sum, got, want)
		}
	})
}
