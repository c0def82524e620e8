package money_test

import (
	"errors"
	"math"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"fairground/internal/money"
)

var codes = []string{"CNY", "VND", "USD", "PKR", "BRL", "FUN"}

func find(t interface{ Fatal(...any) }, code string) money.Currency {
	c, err := money.Find(code)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestAddAndSub(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.Int64().Draw(t, "a"), rapid.Int64().Draw(t, "b")
		check := func(name string, got money.Minor, err error, want *big.Int) {
			if want.IsInt64() != (err == nil) || err == nil && int64(got) != want.Int64() || err != nil && !errors.Is(err, money.ErrOverflow) {
				t.Fatalf("%d %s %d = %d, %v, want %v or ErrOverflow", a, name, b, got, err, want)
			}
		}
		sum, err := money.Minor(a).Add(money.Minor(b))
		check("+", sum, err, new(big.Int).Add(big.NewInt(a), big.NewInt(b)))
		difference, err := money.Minor(a).Sub(money.Minor(b))
		// Sub negates b, and -math.MinInt64 overflows, so b == math.MinInt64 is rejected even if the difference would fit.
		if b != math.MinInt64 {
			check("-", difference, err, new(big.Int).Sub(big.NewInt(a), big.NewInt(b)))
		} else if !errors.Is(err, money.ErrOverflow) {
			t.Fatalf("%d - %d = %v, want ErrOverflow", a, b, err)
		}
	})
	for _, edge := range [][2]int64{{math.MaxInt64, 1}, {math.MinInt64, -1}, {math.MaxInt64, math.MaxInt64}, {math.MinInt64, math.MinInt64}} {
		if _, err := money.Minor(edge[0]).Add(money.Minor(edge[1])); !errors.Is(err, money.ErrOverflow) {
			t.Errorf("sum of %v = %v, want ErrOverflow", edge, err)
		}
	}
	if _, err := money.Minor(-1).Sub(math.MinInt64); !errors.Is(err, money.ErrOverflow) {
		t.Errorf("Sub: got %v, want ErrOverflow", err)
	}
}

func TestFormatRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		c := find(t, rapid.SampledFrom(codes).Draw(t, "currency"))
		n := money.Minor(rapid.Int64().Draw(t, "amount"))
		s := c.Format(n)
		r, ok := new(big.Rat).SetString(s)
		want := new(big.Rat).SetFrac(big.NewInt(int64(n)), new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(c.Decimals)), nil))
		if !ok || r.Cmp(want) != 0 {
			t.Fatalf("Format(%d) = %s, want %v", n, s, want)
		}
		if n < 0 {
			return // Parse accepts no sign
		}
		if parsed, err := c.Parse(s); err != nil || parsed != n {
			t.Fatalf("Parse(%q) = %d, %v, want %v", s, parsed, err, n)
		}
	})
}

func TestFormat(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		code string
		n    money.Minor
		want string
	}{
		{"VND", 0, "0"}, {"VND", 1234567, "1234567"}, {"VND", -5, "-5"},
		{"USD", 0, "0.00"}, {"USD", 5, "0.05"}, {"USD", -5, "-0.05"}, {"USD", 100, "1.00"}, {"USD", 123456, "1234.56"},
		{"USD", math.MaxInt64, "92233720368547758.07"}, {"USD", math.MinInt64, "-92233720368547758.08"}, {"VND", math.MinInt64, "-9223372036854775808"},
	} {
		if got := find(t, c.code).Format(c.n); got != c.want {
			t.Errorf("%s: Format(%d) = %s, want %s", c.code, c.n, got, c.want)
		}
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		code, in string
		want     money.Minor
		err      error
	}{
		{"USD", "1", 100, nil}, {"USD", "1.5", 150, nil}, {"USD", "1.05", 105, nil}, {"USD", "007", 700, nil}, {"USD", "0.00", 0, nil},
		{"USD", "92233720368547758.07", math.MaxInt64, nil}, {"VND", "9223372036854775807", math.MaxInt64, nil}, {"VND", "12", 12, nil},
		{"USD", "92233720368547758.08", 0, money.ErrOverflow}, {"VND", "9223372036854775808", 0, money.ErrOverflow},
		{"USD", strings.Repeat("9", 400), 0, money.ErrOverflow},
		{"USD", "1.005", 0, money.ErrMalformed}, {"VND", "1.0", 0, money.ErrMalformed}, {"USD", "", 0, money.ErrMalformed},
		{"USD", ".5", 0, money.ErrMalformed}, {"USD", "5.", 0, money.ErrMalformed}, {"USD", "1.2.3", 0, money.ErrMalformed},
		{"USD", "-1", 0, money.ErrMalformed}, {"USD", "+1", 0, money.ErrMalformed}, {"USD", "1e3", 0, money.ErrMalformed},
		{"USD", "1,000", 0, money.ErrMalformed}, {"USD", " 1", 0, money.ErrMalformed}, {"USD", "1 ", 0, money.ErrMalformed},
		{"USD", "0x1", 0, money.ErrMalformed}, {"USD", "١٢", 0, money.ErrMalformed}, {"USD", "１", 0, money.ErrMalformed},
		{"USD", "NaN", 0, money.ErrMalformed}, {"USD", "1\x00", 0, money.ErrMalformed},
	} {
		if got, err := find(t, c.code).Parse(c.in); got != c.want || !errors.Is(err, c.err) {
			t.Errorf("%s: Parse(%q) = %d, %v; want %d, %v", c.code, c.in, got, err, c.want, c.err)
		}
	}
}

// FuzzParse compares Parse with big.Rat.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"0", "1.05", "92233720368547758.07", "92233720368547758.08", "1e3", "-1", "١", "1.", ".1", "00000000000000000000001"} {
		f.Add(s, 0)
	}
	f.Fuzz(func(t *testing.T, s string, which int) {
		c := find(t, codes[uint(which)%uint(len(codes))])
		n, err := c.Parse(s)
		if err != nil {
			if n != 0 || !errors.Is(err, money.ErrMalformed) && !errors.Is(err, money.ErrOverflow) {
				t.Fatalf("amount of %q = %d, %v, want 0 and an error", s, n, err)
			}
			return
		}
		r, ok := new(big.Rat).SetString(s)
		want := new(big.Rat).SetFrac(big.NewInt(int64(n)), new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(c.Decimals)), nil))
		if !ok || r.Cmp(want) != 0 || n < 0 {
			t.Fatalf("Parse(%q) = %d, want %v", s, n, want)
		}
	})
}

func TestCurrencies(t *testing.T) {
	t.Parallel()
	if _, err := money.Find("XXX"); !errors.Is(err, money.ErrCurrency) {
		t.Errorf("Find: got %v, want ErrCurrency", err)
	}
	for _, code := range codes {
		c := find(t, code)
		if c.Code != code || c.Symbol == "" || c.Position != money.Front && c.Position != money.Behind || c.Trial != (code == "FUN") {
			t.Errorf("currency %s = %+v, want its code, a symbol and a position", code, c)
		}
		if want := "#,##0" + strings.TrimSuffix("."+strings.Repeat("0", c.Decimals), "."); c.Pattern != want {
			t.Errorf("%s: %d decimals, pattern %s, want %v", code, c.Decimals, c.Pattern, want)
		}
	}
}
