package vendor

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"fairground/internal/money"
)

func FuzzAmount(f *testing.F) {
	for _, s := range []string{"0", "1", "12.50", "12.505", "1e3", "-1", "+1", "١", "1000000000000000", "1000000000000001", "007", ".5", "5.", "NaN", "0x1", " 1", "1\u0000"} {
		f.Add(s, "CNY")
		f.Add(s, "VND")
	}
	f.Fuzz(func(t *testing.T, amount, currency string) {
		body, err := json.Marshal(map[string]string{
			"sessionId": "s", "currency": currency, "gameCode": "g", "roundId": "r", "txId": "t", "amount": amount,
		})
		if err != nil {
			return
		}
		r, err := parseRequest(callWin, body)
		if err != nil {
			return
		}
		c, err := money.Find(currency)
		if err != nil {
			return
		}
		if r.minor < 0 || strings.Trim(amount, "0123456789.") != "" {
			t.Fatalf("%q was parsed as %d", amount, r.minor)
		}
		if again, err := c.Parse(c.Format(r.minor)); err != nil || again != r.minor {
			t.Fatalf("%q: %d became %d, %v", amount, r.minor, again, err)
		}
	})
}

func FuzzSignature(f *testing.F) {
	key, now := []byte("a key"), time.UnixMilli(1_800_000_000_000)
	f.Add("1800000000000", Sign(key, "1800000000000", "/vendor/v1/bet", []byte("{}")), []byte("{}"))
	f.Add("", "", []byte(nil))
	f.Fuzz(func(t *testing.T, stamp, signature string, body []byte) {
		took := validSignature(key, stamp, "/vendor/v1/bet", signature, body, now)
		if took && signature != Sign(key, stamp, "/vendor/v1/bet", body) && signature != Sign([]byte("61206b6579"), stamp, "/vendor/v1/bet", body) {
			t.Fatalf("signature %q was accepted", signature)
		}
	})
}
