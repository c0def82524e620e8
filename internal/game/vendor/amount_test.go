package vendor

import (
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"fairground/internal/ledger"
	"fairground/internal/money"
)

// Amounts near every limit, in every currency, are parsed exactly or rejected. A bet above the transfer maximum is
// marked as such. A win or promotion above it is rejected, because capping it would lose money.
func TestFT06AmountsNearLimits(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		currency, err := money.Find(rapid.SampledFrom([]string{"VND", "FUN", "CNY", "USD", "PKR", "BRL"}).Draw(r, "currency"))
		if err != nil {
			r.Fatal(err)
		}
		unit, err := currency.Parse("1")
		if err != nil {
			r.Fatal(err)
		}
		limit, perUnit := big.NewInt(int64(ledger.MaxAmount)), big.NewInt(int64(unit))
		edges := []*big.Int{
			big.NewInt(0), big.NewInt(int64(unit)), limit, new(big.Int).Mul(limit, perUnit), big.NewInt(math.MaxInt64), new(big.Int).Lsh(big.NewInt(1), 64),
			new(big.Int).Mul(big.NewInt(math.MaxInt64), perUnit),
		}
		minor := new(big.Int).Add(rapid.SampledFrom(edges).Draw(r, "edge"), big.NewInt(rapid.Int64Range(-300, 300).Draw(r, "offset")))
		if minor.Abs(minor); rapid.Bool().Draw(r, "random") {
			minor = new(big.Int).SetUint64(rapid.Uint64().Draw(r, "minor"))
		}
		c := rapid.SampledFrom([]call{callBet, callWin, callPromo}).Draw(r, "call")
		decimals := len(perUnit.String()) - 1
		body, err := json.Marshal(map[string]string{
			"sessionId": "s", "currency": currency.Code, "gameCode": "g", "roundId": "r", "txId": "t", "reason": "x", "amount": new(big.Rat).SetFrac(minor, perUnit).FloatString(decimals),
		})
		if err != nil {
			r.Fatal(err)
		}
		got, err := parseRequest(c, body)
		var invalid *malformedError
		switch {
		case minor.Cmp(new(big.Int).Mul(limit, perUnit)) > 0, minor.Sign() == 0 && c != callWin, minor.Cmp(limit) > 0 && c != callBet:
			if !errors.As(err, &invalid) || invalid.code != invalidAmount || invalid.field != "amount" {
				r.Fatalf("%s %s = %v, want the amount to be invalid", c, body, err)
			}
		case err != nil:
			r.Fatalf("%s %s: %v", c, body, err)
		case got.overMax != (minor.Cmp(limit) > 0), !got.overMax && big.NewInt(int64(got.minor)).Cmp(minor) != 0:
			r.Fatalf("%s %s parsed as %d, overMax %v", c, body, got.minor, got.overMax)
		}
	})
}
