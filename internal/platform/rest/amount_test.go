package rest_test

import (
	"encoding/json"
	"testing"

	"fairground/internal/money"
	"fairground/internal/platform/rest"
)

func TestMask(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"": "***", "a": "a***", "lan5": "l***", "abcde": "a***", "demo88": "de***8", "minhanh12345678": "mi***8", "Ồồồồồồ": "Ồồ***ồ",
	} {
		if got := rest.Mask(name); got != want {
			t.Errorf("Mask(%q) = %q, want %q", name, got, want)
		}
	}
}

// A float64 would lose digits.
func TestAmountsKeepAllDigits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		code string
		m    money.Minor
		want string
	}{{"VND", 9_007_199_254_740_993, "9007199254740993"}, {"CNY", 10, "0.10"}, {"CNY", -1_050, "-10.50"}} {
		currency, err := money.Find(c.code)
		if err != nil {
			t.Fatal(err)
		}
		raw, err := json.Marshal(map[string]rest.Amount{"a": rest.AmountOf(currency, c.m)})
		if err != nil || string(raw) != `{"a":`+c.want+`}` {
			t.Errorf("%s %d = %s, %v, want %s", c.code, c.m, raw, err, c.want)
		}
		var back map[string]rest.Amount
		if err := json.Unmarshal(raw, &back); err != nil || string(back["a"]) != c.want {
			t.Errorf("%s read again = %s, %v, want %s", raw, back["a"], err, c.want)
		}
	}
}
